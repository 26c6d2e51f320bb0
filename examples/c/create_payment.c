/*
 * Answers POST /v1/payments/new: the request's body on standard input, the HTTP answer on standard output.
 *
 * Exit code: 0 for a success, 1 for a problem that the client gets, 2 for a caller error.
 */
#include <payspec.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "text.h"

/* Well over the 65536 bytes of the default policy. A longer body is rejected even if the policy allows it. */
#define MOST_BYTES ((size_t)1 << 20)

enum { SUCCESS = 0, PROBLEM = 1, CALLER_ERROR = 2 };

static const char usage[] =
    "usage: create_payment [--key K] [--record FILE] [--quote FILE] [--policy FILE] [--url U] [--uid U] [--now T]\n"
    "  --key K        the request's Idempotency-Key header\n"
    "  --record FILE  what is stored under the key; written if new\n"
    "  --quote FILE   for CRYPTO: {\"currency\", \"rate\", \"as_of\"}\n"
    "  --policy FILE  the policy\n"
    "  --url U        where the client completes the payment\n"
    "  --uid U        the payment's uid; a new one without it\n"
    "  --now T        the time, RFC 3339; the clock's without it\n"
    "PAYSPEC_AUTHORIZATION: the request's Authorization header. PAYSPEC_TOKEN: the token that is accepted.\n"
    "Exit code: 0 for a success, 1 for a problem, 2 for a caller error.\n";

struct options {
    const char *key, *record, *quote, *policy, *url, *uid, *now;
};

static int complain(const char *what, const char *why) {
    fprintf(stderr, "create_payment: %s%s%s\n", what, *why ? ": " : "", why);
    return CALLER_ERROR;
}

static bool parse(int argc, char **argv, struct options *given) {
    const struct {
        const char *name;
        const char **value;
    } known[] = {
        {"--key", &given->key}, {"--record", &given->record}, {"--quote", &given->quote}, {"--policy", &given->policy},
        {"--url", &given->url}, {"--uid", &given->uid},       {"--now", &given->now},
    };
    const size_t count = sizeof known / sizeof *known;
    for (int i = 1; i < argc; i += 2) {
        size_t k = 0;
        while (k < count && strcmp(argv[i], known[k].name) != 0) k++;
        if (k == count || i + 1 == argc) return false;
        *known[k].value = argv[i + 1];
    }
    return true;
}

/* Returns false if the file cannot be read; errno is ENOENT if it does not exist. */
static bool read_file(struct text *text, const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    bool ok = text_read(text, file, MOST_BYTES);
    fclose(file);
    return ok;
}

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

/* Writes the current time (RFC 3339) with nanoseconds. */
static bool clock_now(char out[40]) {
    struct timespec now;
    if (timespec_get(&now, TIME_UTC) != TIME_UTC) return false;
    const struct tm *utc = gmtime(&now.tv_sec);
    char seconds[24];
    if (utc == NULL || strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", utc) == 0) return false;
    snprintf(out, 40, "%s.%09ldZ", seconds, (long)now.tv_nsec);
    return true;
}

/* Compares in constant time. */
static bool same_secret(struct span a, const char *b) {
    size_t len = strlen(b);
    unsigned char differs = a.len != len;
    for (size_t i = 0; i < a.len && len > 0; i++) differs |= (unsigned char)(a.data[i] ^ b[i % len]);
    return differs == 0;
}

/* Writes the context: identity, time, credential, price. `key` is a JSON string, or absent. Returns NULL, or the file that
 * could not be read. */
static const char *write_context(struct text *out, const struct options *given, const char *now, const char *header,
                                 bool accepted, struct span key) {
    char uid[37];
    if (given->uid == NULL && !new_uid(uid)) return "/dev/urandom";
    text_puts(out, "{\"uid\":");
    text_json(out, given->uid != NULL ? given->uid : uid);
    text_puts(out, ",\"now\":");
    text_json(out, now);
    text_puts(out, ",\"authorization\":{\"header\":");
    text_json(out, header);
    text_puts(out, accepted ? ",\"accepted\":true}" : ",\"accepted\":false}");
    if (given->url != NULL) {
        text_puts(out, ",\"url\":");
        text_json(out, given->url);
    }
    if (given->quote != NULL) {
        text_puts(out, ",\"quote\":");
        if (!read_file(out, given->quote)) return given->quote;
    }
    if (key.data != NULL) {
        text_puts(out, ",\"idempotency\":{\"key\":");
        text_add(out, key.data, key.len);
        text_puts(out, ",\"existing\":");
        /* A gateway stores this in its database, under a unique key. */
        bool known = given->record != NULL && read_file(out, given->record);
        if (!known && given->record != NULL && errno != ENOENT) return given->record;
        if (!known) text_puts(out, "null");
        text_puts(out, "}");
    }
    text_puts(out, "}");
    return out->failed ? "memory" : NULL;
}

/* Saves a new payment under its key for the next request with this key. */
static bool store(const char *record, const char *now, struct span outcome) {
    struct span body = json_member(outcome, "body"), fingerprint = json_member(outcome, "fingerprint");
    struct text text = {0};
    text_puts(&text, "{\"created_at\":");
    text_json(&text, now);
    text_puts(&text, ",\"fingerprint\":");
    text_add(&text, fingerprint.data, fingerprint.len);
    text_puts(&text, ",\"payment\":");
    text_add(&text, body.data, body.len);
    text_puts(&text, "}");
    FILE *file = text.failed ? NULL : fopen(record, "wb");
    bool ok = file != NULL && fwrite(text.data, 1, text.len, file) == text.len;
    if (file != NULL) ok = fclose(file) == 0 && ok;
    text_free(&text);
    return ok;
}

/* Prints the outcome as HTTP, with its body unchanged. */
static bool respond(struct span outcome, bool success) {
    struct span status = json_member(outcome, "status"), body = json_member(outcome, "body");
    struct span title = json_plain(json_member(body, "title"));
    struct span challenge = json_member(outcome, "www_authenticate"), warnings = json_member(outcome, "warnings");
    if (success || title.data == NULL) title = (struct span){"Created", strlen("Created")};

    printf("HTTP/1.1 %.*s %.*s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n", (int)status.len,
           status.data, (int)title.len, title.data, body.len);
    if (challenge.data != NULL) {
        fputs("WWW-Authenticate: ", stdout);
        struct span value = json_plain(challenge);
        for (size_t i = 0; i < value.len; i++) {
            if (value.data[i] == '\\') i++; /* the only escapes in a challenge are those of its quotes */
            putchar(value.data[i]);
        }
        fputs("\r\n", stdout);
    }
    fputs("\r\n", stdout);
    fwrite(body.data, 1, body.len, stdout);
    if (warnings.data != NULL) fprintf(stderr, "warnings: %.*s\n", (int)warnings.len, warnings.data);
    return fflush(stdout) == 0 && !ferror(stdout);
}

/* Answers one request. `answer` is reused by every call; `body`, `policy` and `context` are freed by the caller. */
static int answer_request(const struct options *given, payspec_engine **engine, payspec_buf *answer,
                          struct text *policy, struct text *body, struct text *context) {
    const char *token = getenv("PAYSPEC_TOKEN"), *header = getenv("PAYSPEC_AUTHORIZATION");
    char clock[40];
    if (token == NULL || *token == '\0') return complain("PAYSPEC_TOKEN is not set", "");
    if (given->now == NULL && !clock_now(clock)) return complain("the clock cannot be read", "");
    const char *now = given->now != NULL ? given->now : clock;
    if (given->policy != NULL && !read_file(policy, given->policy)) return complain(given->policy, "cannot be read");
    if (!text_read(body, stdin, MOST_BYTES + 1)) return complain("standard input", "cannot be read");

    if (payspec_engine_new(policy->data, policy->len, engine, answer) < 0) return complain("policy", answer->data);

    int32_t verdict = payspec_authorize(*engine, header, header != NULL ? strlen(header) : 0, answer);
    if (verdict == PAYSPEC_ACCEPTED) {
        struct span key = {NULL, 0};
        bool accepted = same_secret(json_plain(json_member((struct span){answer->data, answer->len}, "token")), token);
        if (accepted && given->key != NULL) {
            verdict = payspec_idempotency_key(*engine, given->key, strlen(given->key), answer);
            key = json_member((struct span){answer->data, answer->len}, "key");
        }
        if (verdict == PAYSPEC_ACCEPTED) {
            const char *unreadable = write_context(context, given, now, header, accepted, key);
            if (unreadable != NULL) return complain(unreadable, "cannot be read");
            verdict = payspec_create_payment(*engine, body->data, body->len, context->data, context->len, answer);
        }
    }
    if (verdict < 0) return complain("caller error", answer->data);

    struct span outcome = {answer->data, answer->len};
    /* A longer body was not read completely: only 413 and 401 do not depend on the rest. */
    struct span status = json_member(outcome, "status");
    if (body->len > MOST_BYTES && !span_is(status, "413") && !span_is(status, "401")) {
        return complain("standard input", "is longer than 1 MiB");
    }
    if (verdict == PAYSPEC_ACCEPTED && given->key != NULL && given->record != NULL &&
        span_is(json_member(outcome, "replayed"), "false") && !store(given->record, now, outcome)) {
        return complain(given->record, "cannot be written");
    }
    if (!respond(outcome, verdict == PAYSPEC_ACCEPTED)) return complain("standard output", "cannot be written");
    return verdict == PAYSPEC_ACCEPTED ? SUCCESS : PROBLEM;
}

int main(int argc, char **argv) {
    struct options given = {0};
    if (argc == 2 && strcmp(argv[1], "--help") == 0) return fputs(usage, stdout) < 0;
    if (!parse(argc, argv, &given)) {
        fputs(usage, stderr);
        return CALLER_ERROR;
    }
    if (payspec_abi_version() != PAYSPEC_ABI_VERSION) return complain("another libpayspec", payspec_version());

    payspec_engine *engine = NULL;
    payspec_buf answer = {0};
    struct text policy = {0}, body = {0}, context = {0};
    int code = answer_request(&given, &engine, &answer, &policy, &body, &context);
    text_free(&context);
    text_free(&body);
    text_free(&policy);
    payspec_buf_free(&answer);
    payspec_engine_free(engine);
    return code;
}
