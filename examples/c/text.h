/* A growing text, and just enough JSON to write a context and to find a member in an answer of the library. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Initialize it with zeros, and free it with text_free. It always ends in a NUL that is not counted. */
struct text {
    char *data;
    size_t len, cap;
    bool failed; /* out of memory: the text is incomplete */
};

void text_free(struct text *text);
void text_add(struct text *text, const char *bytes, size_t len);
void text_puts(struct text *text, const char *string);
/* Adds a JSON string: quoted and escaped. */
void text_json(struct text *text, const char *string);
/* Adds at most `most` bytes of a stream. Returns false if it cannot be read. */
bool text_read(struct text *text, FILE *stream, size_t most);

/* A borrowed part of a text. */
struct span {
    const char *data; /* NULL: absent */
    size_t len;
};

/* Returns the JSON of the member `name` in an object that the library wrote. */
struct span json_member(struct span object, const char *name);
/* Returns the content of a string without escapes. */
struct span json_plain(struct span string);
bool span_is(struct span span, const char *string);

#endif
