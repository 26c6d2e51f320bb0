/* Reads the files that tests/tests/ffi_vectors.rs writes: fields of a letter, a length and that many bytes. */
#ifndef FIELDS_H
#define FIELDS_H

#include "check.h"

struct text {
    char *data; /* NULL if missing */
    size_t len;
};

/* One field: `N 5\nhello\n`, or `N -\n` for a missing one. Returns its letter, or 0 at the end. */
static inline int field(FILE *file, struct text *out) {
    char head[32];
    if (fgets(head, sizeof head, file) == NULL) return 0;
    out->data = NULL;
    out->len = 0;
    if (head[2] == '-') return head[0];
    out->len = strtoul(head + 2, NULL, 10);
    out->data = exact("", 0);
    if (out->len > 0) {
        free(out->data);
        out->data = malloc(out->len);
        if (out->data == NULL || fread(out->data, 1, out->len, file) != out->len) abort();
    }
    if (fgetc(file) != '\n') abort();
    return head[0];
}

static inline int is(struct text text, const char *other) {
    return text.len == strlen(other) && memcmp(text.data, other, text.len) == 0;
}

static inline long number(struct text text) {
    char digits[16] = {0};
    if (text.len >= sizeof digits) abort();
    memcpy(digits, text.data, text.len);
    return strtol(digits, NULL, 10);
}

#endif
