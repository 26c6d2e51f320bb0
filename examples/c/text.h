/* Text that grows, and just enough JSON: writing a context, and finding a member in an answer of the library. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Zero it at first, text_free it at last. Always ends in a NUL that is not counted. */
struct text {
    char *data;
    size_t len, cap;
    bool failed; /* memory ran out: what is in it is not all */
};

void text_free(struct text *text);
void text_add(struct text *text, const char *bytes, size_t len);
void text_puts(struct text *text, const char *string);
/* As a JSON string: quoted and escaped. */
void text_json(struct text *text, const char *string);
/* At most `most` bytes of a stream. False where it cannot be read. */
bool text_read(struct text *text, FILE *stream, size_t most);

/* A piece of someone else's text. */
struct span {
    const char *data; /* NULL: not there */
    size_t len;
};

/* Returns the JSON of the member `name` in an object that the library wrote. */
struct span json_member(struct span object, const char *name);
/* What is between the quotes of a string without escapes. */
struct span json_plain(struct span string);
bool span_is(struct span span, const char *string);

#endif
