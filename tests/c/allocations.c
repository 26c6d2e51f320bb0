/*
 * Counts allocations: the calls that a gateway makes for each request allocate nothing if the body is valid and the buffer
 * is warm. The functions of the allocator in this program replace those of the C library, for the shared and the static
 * libpayspec. Every other operation is counted in tests/tests/allocations.rs.
 */
#define _GNU_SOURCE
#include <stddef.h>

static unsigned long allocations;

/* The names of glibc's own functions. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    allocations++;
    return __libc_realloc(old, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    allocations++;
    *out = __libc_memalign(alignment, size);
    return *out == NULL;
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

#include <string.h>

#include "check.h"

static char *read_all(const char *path, size_t *len) {
    FILE *file = fopen(path, "rb");
    char *text = __libc_malloc(1 << 16);
    if (file == NULL || text == NULL) abort();
    *len = fread(text, 1, 1 << 16, file);
    fclose(file);
    return text;
}

/* A context for any of the bodies. */
static const char context[] =
    "{\"uid\":\"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11\",\"now\":\"2026-11-20T10:15:30.250Z\","
    "\"url\":\"https://pay.example/p/0b6ea6a6\",\"form\":\"acquiring.card\",\"authorization\":"
    "{\"header\":\"Bearer abc\",\"accepted\":true},\"idempotency\":{\"key\":\"order-7\",\"existing\":null},\"quote\":{\"currency\":\"RUB\",\"rate\":\"92.45\","
    "\"as_of\":\"2026-11-20T10:15:00Z\"},\"charges\":{\"fee\":\"1.00\",\"commission\":\"2.00\"}}";

int main(int argc, char **argv) {
    payspec_engine *engine = NULL;
    payspec_buf out = {0};
    unsigned long before = allocations;
    CHECK(payspec_engine_new(NULL, 0, &engine, NULL) == PAYSPEC_ACCEPTED);
    CHECK(payspec_validate_request(engine, "{}", 2, NULL, 0, &out) == PAYSPEC_REJECTED);
    /* The counter works: an engine and a first answer allocate. */
    CHECK(allocations >= before + 2);

    for (int i = 1; i < argc; i++) {
        size_t len;
        char *body = read_all(argv[i], &len);
        payspec_buf cold = {0};
        CHECK(payspec_validate_request(engine, body, len, NULL, 0, &cold) == PAYSPEC_ACCEPTED);
        payspec_buf_free(&cold);
        CHECK(payspec_create_payment(engine, body, len, context, strlen(context), &out) == PAYSPEC_ACCEPTED);

        before = allocations;
        int32_t verdict_only = payspec_validate_request(engine, body, len, NULL, 0, NULL);
        int32_t reported = payspec_validate_request(engine, body, len, "2026-01-02T03:04:05Z", 20, &out);
        int32_t created = payspec_create_payment(engine, body, len, context, strlen(context), &out);
        int32_t printed = payspec_fingerprint_request(engine, body, len, &out);
        int32_t redacted = payspec_redact(engine, body, len, &out);
        unsigned long count = allocations - before;
        if (!CHECK((verdict_only | reported | created | printed | redacted) == PAYSPEC_ACCEPTED && count == 0)) {
            printf("%s: %lu allocations\n", argv[i], count);
        }
        free(body);
    }
    payspec_buf_free(&out);
    payspec_engine_free(engine);
    return verdict("allocations");
}
