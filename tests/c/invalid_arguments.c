/* All invalid arguments that the library can detect, and unusual arguments that are valid. */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "check.h"
#include "operations.h"

static const char VALID[] =
    "{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"subtype\":\"sbp\",\"cur\":\"RUB\",\"amount\":\"990.50\"}";
static const char REPORT[] =
    "{\"valid\":true,\"variant\":\"pay_in\",\"mode\":\"P2P\",\"host2host\":false,\"violations\":[]}";

static payspec_engine *engine;

static int32_t validate(const char *body, size_t len, payspec_buf *out) {
    return payspec_validate_request(engine, body, len, NULL, 0, out);
}

static int optional(const char *input) { return input[strlen(input) - 1] == '?'; }

static void path_of(const char *input, char *path, size_t size) {
    snprintf(path, size, "/%.*s", (int)(strlen(input) - (size_t)optional(input)), input);
}

/* The last two are impossible for any input: 2^63 with 64 bits, and -1 as size_t. */
static const size_t lengths[] = {0, 1, SIZE_MAX / 2 + 1, SIZE_MAX};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

/* NULL for the engine, for each input, for each input with a length, and for all arguments. */
static void null_everywhere(void) {
    char path[32];
    payspec_buf out = {0};
    for (size_t i = 0; i < OPERATIONS; i++) {
        const struct operation *operation = &operations[i];
        const struct input none[2] = {{NULL, 0}, {NULL, 0}};
        CHECK(call(operation, NULL, none, NULL) == PAYSPEC_ERROR_ARGUMENT);
        CHECK(call(operation, NULL, none, &out) == PAYSPEC_ERROR_ARGUMENT);
        CHECK(names(&out, "argument", "/engine"));
        for (size_t at = 0; at < 2 && operation->inputs[at] != NULL; at++) {
            /* Valid texts for the other input: `kind` is checked before the body. */
            struct input in[2] = {{"pay_in", 6}, {"2026-11-20T10:15:30Z", 20}};
            path_of(operation->inputs[at], path, sizeof path);
            in[at].data = NULL;
            for (size_t of = 0; of < LENGTHS; of++) {
                in[at].len = lengths[of];
                if (in[at].len == 0 && optional(operation->inputs[at])) continue;
                CHECK(call(operation, engine, in, NULL) == PAYSPEC_ERROR_ARGUMENT);
                CHECK(call(operation, engine, in, &out) == PAYSPEC_ERROR_ARGUMENT);
                CHECK(names(&out, "argument", path));
            }
            in[at].data = "x";
            for (size_t of = 2; of < LENGTHS; of++) {
                in[at].len = lengths[of];
                CHECK(call(operation, engine, in, NULL) == PAYSPEC_ERROR_ARGUMENT);
                CHECK(call(operation, engine, in, &out) == PAYSPEC_ERROR_ARGUMENT);
                CHECK(names(&out, "argument", path));
            }
        }
    }
    payspec_buf_free(&out);
    payspec_buf_free(NULL);
    payspec_engine_free(NULL);
}

static void engines(void) {
    payspec_buf error = {0};
    payspec_engine *other = engine;
    CHECK(payspec_engine_new(NULL, 0, NULL, NULL) == PAYSPEC_ERROR_ARGUMENT);
    CHECK(payspec_engine_new(NULL, 0, NULL, &error) == PAYSPEC_ERROR_ARGUMENT && names(&error, "argument", "/out"));
    CHECK(payspec_engine_new(NULL, 1, &other, &error) == PAYSPEC_ERROR_ARGUMENT && names(&error, "argument", "/policy"));
    CHECK(payspec_engine_new("{}", SIZE_MAX / 2 + 1, &other, &error) == PAYSPEC_ERROR_ARGUMENT);
    CHECK(names(&error, "argument", "/policy"));
    CHECK(other == NULL);
    CHECK(payspec_engine_new("{\"limits\":{\"depht\":1}}", 22, &other, &error) == PAYSPEC_ERROR_POLICY);
    CHECK(names(&error, "policy", "/limits/depht") && other == NULL);
    CHECK(payspec_engine_new("\xff", 1, &other, &error) == PAYSPEC_ERROR_UTF8 && names(&error, "utf8", ""));
    CHECK(payspec_engine_new("", 0, &other, &error) == PAYSPEC_ERROR_POLICY && names(&error, "policy", ""));
    CHECK(payspec_engine_new("{}\0", 3, &other, &error) == PAYSPEC_ERROR_POLICY && names(&error, "policy", ""));
    CHECK(payspec_engine_new("[]", 2, &other, NULL) == PAYSPEC_ERROR_POLICY && other == NULL);
    /* The error of the previous call is removed. */
    CHECK(payspec_engine_new("{}", 2, &other, &error) == PAYSPEC_ACCEPTED && other != NULL && error.len == 0);
    payspec_engine_free(other);
    /* No engine is returned, even if the buffer for the error is invalid. */
    payspec_buf invalid = {NULL, 0, 7};
    other = engine;
    CHECK(payspec_engine_new(NULL, 0, &other, &invalid) == PAYSPEC_ERROR_ARGUMENT && other == NULL);
    payspec_buf_free(&error);
}

static void bytes(void) {
    payspec_buf out = {0};
    char *none = exact("", 0);
    /* An empty text is a text. */
    CHECK(validate(none, 0, &out) == PAYSPEC_REJECTED && strstr(out.data, "\"json_syntax\"") != NULL);
    CHECK(payspec_create_payment(engine, VALID, sizeof VALID - 1, none, 0, &out) == PAYSPEC_ERROR_CONTEXT);
    CHECK(names(&out, "context", ""));
    CHECK(payspec_validate_request(engine, VALID, sizeof VALID - 1, none, 0, &out) == PAYSPEC_ERROR_CONTEXT);
    CHECK(names(&out, "context", "/now"));
    CHECK(payspec_card_info(engine, none, 0, &out) == PAYSPEC_ACCEPTED);
    CHECK(payspec_authorize(engine, none, 0, &out) == PAYSPEC_REJECTED);
    CHECK(payspec_authorize(engine, NULL, 0, &out) == PAYSPEC_REJECTED);

    /* Invalid UTF-8: a violation in a body, an error in a text of the caller, no token in a header. */
    CHECK(validate("{\"cur\":\"\xff\"}", 11, &out) == PAYSPEC_REJECTED && strstr(out.data, "\"json_syntax\"") != NULL);
    CHECK(payspec_validate_request(engine, "{}", 2, "\xc3", 1, &out) == PAYSPEC_ERROR_UTF8);
    CHECK(names(&out, "utf8", "/now"));
    CHECK(payspec_card_info(engine, "4\xf5", 2, &out) == PAYSPEC_ERROR_UTF8 && names(&out, "utf8", "/digits"));
    CHECK(payspec_upgrade_request(engine, "\xed\xa0\x80", 3, "{}", 2, &out) == PAYSPEC_ERROR_UTF8);
    CHECK(names(&out, "utf8", "/kind"));
    CHECK(payspec_convert(engine, "{\"amount\":\"\x80\"}", 14, &out) == PAYSPEC_ERROR_UTF8 && names(&out, "utf8", ""));
    CHECK(payspec_authorize(engine, "Bearer \xff", 8, &out) == PAYSPEC_REJECTED);

    /* A NUL is treated like any other byte and does not end a text. */
    CHECK(validate("{}\0", 3, &out) == PAYSPEC_REJECTED && strstr(out.data, "\"json_syntax\"") != NULL);
    CHECK(validate("\0", 1, &out) == PAYSPEC_REJECTED && strstr(out.data, "\"json_syntax\"") != NULL);
    CHECK(payspec_validate_request(engine, "{}", 2, "2026-11-20T10:15:30Z\0", 21, &out) == PAYSPEC_ERROR_CONTEXT);
    static const char ESCAPED[] = "{\"description\":\"a\\u0000b\"}";
    CHECK(payspec_redact(engine, ESCAPED, sizeof ESCAPED - 1, &out) == PAYSPEC_ACCEPTED);
    CHECK(holds(&out, ESCAPED));

    /* Texts need no NUL after them: these have exactly the given length. */
    char *body = exact(VALID, sizeof VALID - 1);
    char *now = exact("2026-11-20T10:15:30Z", 20);
    CHECK(payspec_validate_request(engine, body, sizeof VALID - 1, now, 20, &out) == PAYSPEC_ACCEPTED);
    CHECK(holds(&out, REPORT));
    free(now);
    free(body);
    free(none);
    payspec_buf_free(&out);
}

static void buffers(void) {
    payspec_buf out = {0};
    /* Freed before its first use, twice, and used again. */
    payspec_buf_free(&out);
    payspec_buf_free(&out);
    CHECK(validate(VALID, sizeof VALID - 1, &out) == PAYSPEC_ACCEPTED && holds(&out, REPORT));
    payspec_buf_free(&out);
    CHECK(out.data == NULL && out.len == 0 && out.cap == 0);
    payspec_buf_free(&out);
    CHECK(validate(VALID, sizeof VALID - 1, &out) == PAYSPEC_ACCEPTED && holds(&out, REPORT));

    /* Reused: the same memory if it is large enough, otherwise more, without a part of the previous answer. */
    CHECK(payspec_rules(engine, &out) == PAYSPEC_ACCEPTED && out.len > 5000);
    char *memory = out.data;
    CHECK(validate(VALID, sizeof VALID - 1, &out) == PAYSPEC_ACCEPTED && holds(&out, REPORT) && out.data == memory);
    CHECK(payspec_convert(engine, "[]", 2, &out) == PAYSPEC_ERROR_CONTEXT && names(&out, "context", ""));
    CHECK(out.data == memory);
    out.len = 0; /* callers may set it; the library ignores it */
    CHECK(validate(VALID, sizeof VALID - 1, &out) == PAYSPEC_ACCEPTED && holds(&out, REPORT));

    /* Moved, on the stack and to the heap: only one of the copies is used afterwards. */
    payspec_buf *moved = malloc(sizeof *moved);
    if (moved == NULL) abort();
    *moved = out;
    memset(&out, 0, sizeof out);
    CHECK(validate("{}", 2, moved) == PAYSPEC_REJECTED && moved->data == memory);
    CHECK(validate("{}", 2, &out) == PAYSPEC_REJECTED && out.data != memory && strcmp(out.data, moved->data) == 0);
    payspec_buf_free(moved);
    free(moved);

    /* The answer as the next input, into the same buffer. */
    CHECK(payspec_redact(engine, VALID, sizeof VALID - 1, &out) == PAYSPEC_ACCEPTED && holds(&out, VALID));
    CHECK(validate(out.data, out.len, &out) == PAYSPEC_ACCEPTED && holds(&out, REPORT));
    CHECK(payspec_redact(engine, VALID, sizeof VALID - 1, &out) == PAYSPEC_ACCEPTED);
    CHECK(payspec_redact(engine, out.data, out.len, &out) == PAYSPEC_ACCEPTED && holds(&out, VALID));
    /* A part of the answer, empty or its NUL, as the first or the second input. */
    CHECK(payspec_redact(engine, out.data, 0, &out) == PAYSPEC_REJECTED);
    CHECK(payspec_redact(engine, "{\"mode\":\"pay_in\"}", 17, &out) == PAYSPEC_ACCEPTED);
    CHECK(payspec_upgrade_request(engine, out.data + 9, 6, VALID, sizeof VALID - 1, &out) == PAYSPEC_ACCEPTED);
    CHECK(payspec_redact(engine, VALID, sizeof VALID - 1, &out) == PAYSPEC_ACCEPTED);
    CHECK(payspec_check_payment(engine, VALID, sizeof VALID - 1, out.data, out.len, &out) == PAYSPEC_REJECTED);
    CHECK(validate(out.data + out.len, 1, &out) == PAYSPEC_REJECTED);
    CHECK(payspec_redact(engine, VALID, sizeof VALID - 1, &out) == PAYSPEC_ACCEPTED);
    CHECK(payspec_create_payment(engine, out.data, out.len, out.data, out.len, &out) == PAYSPEC_ERROR_CONTEXT);
    CHECK(names(&out, "context", "/payment_type"));
    payspec_engine *other = NULL;
    CHECK(payspec_redact(engine, "{}", 2, &out) == PAYSPEC_ACCEPTED);
    CHECK(payspec_engine_new(out.data, out.len, &other, &out) == PAYSPEC_ACCEPTED && other != NULL && out.len == 0);
    payspec_engine_free(other);
    payspec_buf_free(&out);

    /* A buffer that is clearly invalid is rejected and not changed. */
    char text[8] = "own";
    payspec_buf foreign = {text, 3, 0};
    CHECK(validate(VALID, sizeof VALID - 1, &foreign) == PAYSPEC_ERROR_ARGUMENT);
    CHECK(foreign.data == text && foreign.len == 3 && strcmp(text, "own") == 0);
    CHECK(payspec_engine_new(NULL, 0, &other, &foreign) == PAYSPEC_ERROR_ARGUMENT && foreign.data == text);
    payspec_buf_free(&foreign);
    CHECK(foreign.data == NULL && strcmp(text, "own") == 0);
    payspec_buf hollow = {NULL, 5, 64};
    CHECK(validate(VALID, sizeof VALID - 1, &hollow) == PAYSPEC_ERROR_ARGUMENT && hollow.cap == 64);
    payspec_buf_free(&hollow);
    CHECK(hollow.cap == 0);
    char memory_of_two[2 * sizeof(payspec_buf)] = {0};
    payspec_buf *misaligned = (payspec_buf *)(void *)(memory_of_two + (((size_t)memory_of_two & 1) ? 0 : 1));
    CHECK(validate(VALID, sizeof VALID - 1, misaligned) == PAYSPEC_ERROR_ARGUMENT);
    payspec_buf_free(misaligned);
    CHECK(payspec_states((const payspec_engine *)(const void *)misaligned, NULL) == PAYSPEC_ERROR_ARGUMENT);
}

static void versions(void) {
    char text[64];
    snprintf(text, sizeof text, "%d.%d.%d", PAYSPEC_VERSION_MAJOR, PAYSPEC_VERSION_MINOR, PAYSPEC_VERSION_PATCH);
    CHECK(strcmp(payspec_version(), PAYSPEC_VERSION) == 0 && strcmp(payspec_version(), text) == 0);
    CHECK(payspec_version_number() == PAYSPEC_VERSION_NUMBER);
    CHECK(PAYSPEC_VERSION_NUMBER ==
          PAYSPEC_VERSION_MAJOR * 1000000 + PAYSPEC_VERSION_MINOR * 1000 + PAYSPEC_VERSION_PATCH);
    CHECK(payspec_abi_version() == PAYSPEC_ABI_VERSION && PAYSPEC_ABI_VERSION == (PAYSPEC_VERSION_MAJOR > 0 ? 100 * PAYSPEC_VERSION_MAJOR : PAYSPEC_VERSION_MINOR));
}

/* Parent and child each use and free the engine that was created before the fork. */
static void forks(void) {
#if defined(__unix__) || defined(__APPLE__)
    payspec_engine *shared = NULL;
    CHECK(payspec_engine_new(NULL, 0, &shared, NULL) == PAYSPEC_ACCEPTED);
    fflush(stdout);
    pid_t child = fork();
    payspec_buf out = {0};
    int ok = payspec_validate_request(shared, VALID, sizeof VALID - 1, NULL, 0, &out) == PAYSPEC_ACCEPTED &&
             holds(&out, REPORT);
    payspec_buf_free(&out);
    payspec_engine_free(shared);
    if (child == 0) {
        payspec_engine_free(engine); /* the child's copy of the engine of main */
        _exit(ok ? 0 : 1);
    }
    int status = -1;
    CHECK(child > 0 && ok && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
#endif
}

int main(void) {
    CHECK(payspec_engine_new(NULL, 0, &engine, NULL) == PAYSPEC_ACCEPTED && engine != NULL);
    null_everywhere();
    engines();
    bytes();
    buffers();
    versions();
    forks();
    payspec_engine_free(engine);
    return verdict("invalid arguments");
}
