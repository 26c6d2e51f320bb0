/* See text.h. */
#include "text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void text_free(struct text *text) {
    free(text->data);
    *text = (struct text){0};
}

static bool reserve(struct text *text, size_t more) {
    if (text->failed || more >= SIZE_MAX / 2 - text->len) {
        text->failed = true;
        return false;
    }
    size_t needed = text->len + more + 1;
    if (needed > text->cap) {
        size_t cap = needed < 256 ? 256 : needed + needed / 2;
        char *data = realloc(text->data, cap);
        if (data == NULL) {
            text->failed = true;
            return false;
        }
        text->data = data;
        text->cap = cap;
    }
    return true;
}

void text_add(struct text *text, const char *bytes, size_t len) {
    if (reserve(text, len)) {
        memcpy(text->data + text->len, bytes, len);
        text->len += len;
        text->data[text->len] = '\0';
    }
}

void text_puts(struct text *text, const char *string) {
    text_add(text, string, strlen(string));
}

void text_json(struct text *text, const char *string) {
    text_puts(text, "\"");
    for (const char *c = string; *c != '\0'; c++) {
        unsigned char byte = (unsigned char)*c;
        char escape[8];
        if (byte < 0x20) {
            text_add(text, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", byte));
        } else {
            if (byte == '"' || byte == '\\') text_puts(text, "\\");
            text_add(text, c, 1);
        }
    }
    text_puts(text, "\"");
}

bool text_read(struct text *text, FILE *stream, size_t most) {
    char block[16384];
    while (text->len < most) {
        size_t room = most - text->len;
        size_t got = fread(block, 1, room < sizeof block ? room : sizeof block, stream);
        text_add(text, block, got);
        if (got == 0 || text->failed) break;
    }
    text_add(text, "", 0); /* an empty stream is an empty text, not NULL */
    return !ferror(stream) && !text->failed;
}

/* Returns the end of the value that starts at `at`: the comma or bracket after it. */
static const char *skip(const char *at, const char *end) {
    int depth = 0;
    for (bool in_string = false; at < end; at++) {
        if (in_string) {
            if (*at == '\\') at++;
            else if (*at == '"') in_string = false;
        } else if (*at == '"') {
            in_string = true;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            if (depth-- == 0) break;
        } else if (*at == ',' && depth == 0) {
            break;
        }
    }
    return at;
}

struct span json_member(struct span object, const char *name) {
    const char *at = object.data, *end = at + object.len;
    size_t length = strlen(name);
    /* `at` is at the brace or comma before a name: {"name":value,"name":value} */
    while (at != NULL && at + 1 < end && at[1] == '"') {
        const char *quote = at + 2;
        while (quote < end && *quote != '"') quote += *quote == '\\' ? 2 : 1;
        if (quote + 2 > end) break;
        const char *value = quote + 2, *after = skip(value, end);
        if ((size_t)(quote - at - 2) == length && memcmp(at + 2, name, length) == 0) {
            return (struct span){value, (size_t)(after - value)};
        }
        at = after;
    }
    return (struct span){NULL, 0};
}

struct span json_plain(struct span string) {
    if (string.len < 2 || string.data[0] != '"') return (struct span){NULL, 0};
    return (struct span){string.data + 1, string.len - 2};
}

bool span_is(struct span span, const char *string) {
    return span.data != NULL && span.len == strlen(string) && memcmp(span.data, string, span.len) == 0;
}
