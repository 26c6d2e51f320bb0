/*
 * Runs the shared vectors through the C functions and compares numbers and bytes, with a cold and a warm buffer, and
 * without one. tests/tests/ffi_vectors.rs writes the file: fields of a letter, a length and that many bytes.
 */
#include "check.h"
#include "fields.h"
#include "operations.h"

enum { MAX_INPUTS = 2 };

struct vector {
    struct text name, operation, policy, answer, returns;
    struct text inputs[MAX_INPUTS];
    size_t count;
};

/* A vector ends with its answer. */
static int next(FILE *file, struct vector *vector) {
    memset(vector, 0, sizeof *vector);
    for (;;) {
        struct text text;
        switch (field(file, &text)) {
        case 'O': vector->operation = text; break;
        case 'N': vector->name = text; break;
        case 'P': vector->policy = text; break;
        case 'R': vector->returns = text; break;
        case 'I':
            if (vector->count == MAX_INPUTS) abort();
            vector->inputs[vector->count++] = text;
            break;
        case 'A': vector->answer = text; return 1;
        case 0: return 0;
        default: abort();
        }
    }
}

static void discard(struct vector *vector) {
    free(vector->operation.data);
    free(vector->name.data);
    free(vector->policy.data);
    free(vector->returns.data);
    free(vector->answer.data);
    for (size_t i = 0; i < vector->count; i++) free(vector->inputs[i].data);
}

static const struct operation *found(struct text name) {
    for (size_t i = 0; i < OPERATIONS; i++) {
        if (is(name, operations[i].name)) return &operations[i];
    }
    return NULL;
}

/* Returns the difference of an answer, or NULL. */
static const char *differs(const struct vector *vector, int32_t returned, const payspec_buf *out) {
    if (returned != number(vector->returns)) return "another number";
    if (out->data == NULL || out->len != vector->answer.len) return "another length";
    if (memcmp(out->data, vector->answer.data, out->len) != 0) return "other bytes";
    if (out->data[out->len] != '\0') return "no NUL after it";
    return NULL;
}

static const char *run(const struct vector *vector, payspec_buf *warm) {
    const struct operation *operation = found(vector->operation);
    if (operation == NULL) return "no such operation";

    payspec_engine *engine = NULL;
    int32_t returned = payspec_engine_new(vector->policy.data, vector->policy.len, &engine, warm);
    /* The error of an invalid policy is the answer. */
    if (returned < 0) return engine == NULL ? differs(vector, returned, warm) : "an engine of an invalid policy";

    struct input in[MAX_INPUTS] = {{NULL, 0}, {NULL, 0}};
    for (size_t i = 0; i < vector->count; i++) {
        in[i].data = vector->inputs[i].data;
        in[i].len = vector->inputs[i].len;
    }
    payspec_buf cold = {0};
    const char *problem = differs(vector, call(operation, engine, in, &cold), &cold);
    if (!problem) problem = differs(vector, call(operation, engine, in, warm), warm);
    if (!problem && call(operation, engine, in, NULL) != number(vector->returns)) problem = "another number without a buffer";
    payspec_buf_free(&cold);
    payspec_engine_free(engine);
    return problem;
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: vectors FILE\n");
        return EXIT_FAILURE;
    }
    payspec_buf warm = {0};
    struct vector vector;
    while (next(file, &vector)) {
        const char *problem = run(&vector, &warm);
        if (problem == NULL) {
            passed++;
        } else {
            failed++;
            printf("%.*s: %s\n", (int)vector.name.len, vector.name.data, problem);
        }
        discard(&vector);
    }
    payspec_buf_free(&warm);
    fclose(file);
    return verdict("vectors");
}
