/*
 * Answers POST /v1/payments/new: the body of the request on standard input, the outcome as JSON on standard output. A
 * server sends its `status` and its `body`, and `www_authenticate` as a header.
 *
 * PAYSPEC_AUTHORIZATION is the header Authorization of the request, PAYSPEC_TOKEN the accepted token.
 */
#include <payspec.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* More than the 65536 bytes of the default policy, which answers a longer body with 413. */
enum { MOST_BYTES = 1 << 17 };

/* Writes a random UUID (version 4). */
static bool new_uid(char out[37]) {
    unsigned char b[16];
    FILE *random = fopen("/dev/urandom", "rb");
    bool ok = random != NULL && fread(b, 1, sizeof b, random) == sizeof b;
    if (random != NULL) fclose(random);
    if (!ok) return false;
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    snprintf(out, 37, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1], b[2], b[3],
             b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
    return true;
}

/* Writes the current time (RFC 3339). */
static bool clock_now(char out[24]) {
    time_t now = time(NULL);
    const struct tm *utc = gmtime(&now);
    return utc != NULL && strftime(out, 24, "%Y-%m-%dT%H:%M:%SZ", utc) > 0;
}

/* Compares in constant time the answer of payspec_authorize with that for the accepted token. */
static bool is_accepted(const payspec_buf *answer, const char *token) {
    char expected[512];
    int len = snprintf(expected, sizeof expected, "{\"authorized\":true,\"token\":\"%s\"}", token);
    if (len < 0 || (size_t)len >= sizeof expected || answer->len != (size_t)len) return false;
    unsigned char differs = 0;
    for (size_t i = 0; i < answer->len; i++) differs |= (unsigned char)(answer->data[i] ^ expected[i]);
    return differs == 0;
}

/* Writes the outcome into the answer. Returns the return code of the last function. */
static int32_t new_payment(const payspec_engine *engine, const char *body, size_t body_len, const char *header,
                           const char *token, payspec_buf *answer) {
    int32_t code = payspec_authorize(engine, header, header != NULL ? strlen(header) : 0, answer);
    if (code != PAYSPEC_ACCEPTED) return code;

    char uid[37], now[24], context[8192];
    if (!new_uid(uid) || !clock_now(now)) abort();
    /* The characters of an authorized header need no escape. With a key, the member `idempotency` has the record. */
    int len = snprintf(context, sizeof context,
                       "{\"uid\":\"%s\",\"now\":\"%s\",\"url\":\"https://pay.example/\","
                       "\"authorization\":{\"header\":\"%s\",\"accepted\":%s}}",
                       uid, now, header, is_accepted(answer, token) ? "true" : "false");
    if (len < 0 || (size_t)len >= sizeof context) return PAYSPEC_ERROR_ARGUMENT;
    return payspec_create_payment(engine, body, body_len, context, (size_t)len, answer);
}

int main(void) {
    const char *token = getenv("PAYSPEC_TOKEN");
    char *body = malloc(MOST_BYTES);
    if (token == NULL || *token == '\0' || body == NULL) {
        fputs("PAYSPEC_TOKEN is not set\n", stderr);
        free(body);
        return 2;
    }
    size_t body_len = fread(body, 1, MOST_BYTES, stdin);

    payspec_engine *engine = NULL;
    payspec_buf answer = {0};
    int32_t code = payspec_engine_new(NULL, 0, &engine, &answer);
    if (code >= 0) code = new_payment(engine, body, body_len, getenv("PAYSPEC_AUTHORIZATION"), token, &answer);
    if (answer.len > 0) fprintf(code < 0 ? stderr : stdout, "%.*s\n", (int)answer.len, answer.data);

    payspec_buf_free(&answer);
    payspec_engine_free(engine);
    free(body);
    return code == PAYSPEC_ACCEPTED ? 0 : code > 0 ? 1 : 2;
}
