/* Shared code of the C programs: counted checks, and bytes without a NUL after them. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <payspec.h>

static unsigned long passed, failed;

#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)

static inline int check(int holds, const char *what, const char *file, int line) {
    if (holds) {
        passed++;
    } else {
        failed++;
        printf("%s:%d: %s\n", file, line, what);
    }
    return holds;
}

/* Prints the last line of each program. Without any check, the program fails. */
static inline int verdict(const char *name) {
    printf("%s: %lu passed, %lu failed\n", name, passed, failed);
    return passed == 0 || failed != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Returns a copy of exactly that length: valgrind and AddressSanitizer detect a read beyond it. */
static inline char *exact(const void *bytes, size_t len) {
    char *copy = malloc(len > 0 ? len : 1);
    if (copy == NULL) abort();
    if (len > 0) memcpy(copy, bytes, len);
    return copy;
}

/* Returns whether the buffer holds exactly that text, followed by a NUL. */
static inline int holds(const payspec_buf *buf, const char *text) {
    size_t len = strlen(text);
    return buf->data != NULL && buf->len == len && memcmp(buf->data, text, len + 1) == 0;
}

/* Returns whether the buffer holds an error with that code and path. */
static inline int names(const payspec_buf *buf, const char *code, const char *path) {
    char head[256];
    snprintf(head, sizeof head, "{\"error\":{\"code\":\"%s\",\"path\":\"%s\",\"message\":\"", code, path);
    return buf->data != NULL && strlen(buf->data) == buf->len && strncmp(buf->data, head, strlen(head)) == 0;
}

#endif
