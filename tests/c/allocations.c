/*
 * Counts allocations: payspec_validate_request allocates nothing if the body is valid and the buffer is large enough or
 * NULL. The functions of the allocator in this program replace those of the C library, for the shared and the static
 * libpayspec.
 */
#define _GNU_SOURCE
#include <stddef.h>

static unsigned long allocations;

/* The functions of glibc under their internal names. */
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

#include "check.h"

static char *read_all(const char *path, size_t *len) {
    FILE *file = fopen(path, "rb");
    char *text = __libc_malloc(1 << 16);
    if (file == NULL || text == NULL) abort();
    *len = fread(text, 1, 1 << 16, file);
    fclose(file);
    return text;
}

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
        /* The first call makes the buffer large enough. */
        CHECK(payspec_validate_request(engine, body, len, NULL, 0, &out) == PAYSPEC_ACCEPTED);

        before = allocations;
        int32_t verdict_only = payspec_validate_request(engine, body, len, NULL, 0, NULL);
        int32_t reported = payspec_validate_request(engine, body, len, "2026-01-02T03:04:05Z", 20, &out);
        unsigned long count = allocations - before;
        if (!CHECK((verdict_only | reported) == PAYSPEC_ACCEPTED && count == 0)) {
            printf("%s: %lu allocations\n", argv[i], count);
        }
        free(body);
    }
    payspec_buf_free(&out);
    payspec_engine_free(engine);
    return verdict("allocations");
}
