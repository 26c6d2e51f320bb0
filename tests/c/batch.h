/* The batches of the vectors, and the arguments of one call of payspec_batch. tests/tests/ffi_vectors.rs writes the file:
 * for each batch operation (O), policy (P), second input (I) and number of bodies (C), then for each body the name (N), the
 * body (B), the return code (R) and the answer (A). */
#ifndef BATCH_H
#define BATCH_H

#include "check.h"
#include "fields.h"

static const char VALID[] =
    "{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"subtype\":\"sbp\",\"cur\":\"RUB\",\"amount\":\"990.50\"}";

static payspec_engine *engine;

/* A batch of the file, with memory of exactly its size. */
struct batch {
    struct text operation, policy, shared;
    size_t count;
    struct text *names, *bodies, *returns, *answers;
};

static inline struct text *texts(size_t count) {
    struct text *texts = calloc(count, sizeof *texts);
    if (texts == NULL) abort();
    return texts;
}

static inline void expect(FILE *file, int letter, struct text *out) {
    if (field(file, out) != letter) abort();
}

static inline int next(FILE *file, struct batch *batch) {
    struct text count;
    int letter = field(file, &batch->operation);
    if (letter == 0) return 0;
    if (letter != 'O') abort();
    expect(file, 'P', &batch->policy);
    expect(file, 'I', &batch->shared);
    expect(file, 'C', &count);
    batch->count = (size_t)number(count);
    free(count.data);
    batch->names = texts(batch->count);
    batch->bodies = texts(batch->count);
    batch->returns = texts(batch->count);
    batch->answers = texts(batch->count);
    for (size_t i = 0; i < batch->count; i++) {
        expect(file, 'N', &batch->names[i]);
        expect(file, 'B', &batch->bodies[i]);
        expect(file, 'R', &batch->returns[i]);
        expect(file, 'A', &batch->answers[i]);
    }
    return 1;
}

static inline void discard(struct batch *batch) {
    for (size_t i = 0; i < batch->count; i++) {
        free(batch->names[i].data);
        free(batch->bodies[i].data);
        free(batch->returns[i].data);
        free(batch->answers[i].data);
    }
    free(batch->names);
    free(batch->bodies);
    free(batch->returns);
    free(batch->answers);
    free(batch->operation.data);
    free(batch->policy.data);
    free(batch->shared.data);
}

/* The bodies as a column that starts `skip` bytes into its data, as a slice does. */
static inline char *column(const struct batch *batch, size_t skip, int64_t *offsets) {
    size_t len = skip;
    for (size_t i = 0; i < batch->count; i++) len += batch->bodies[i].len;
    char *data = exact("", 0);
    if (len > 0) {
        free(data);
        data = malloc(len);
        if (data == NULL) abort();
        memset(data, '{', len);
    }
    size_t at = skip;
    for (size_t i = 0; i < batch->count; i++) {
        offsets[i] = (int64_t)at;
        if (batch->bodies[i].len > 0) memcpy(data + at, batch->bodies[i].data, batch->bodies[i].len);
        at += batch->bodies[i].len;
    }
    offsets[batch->count] = (int64_t)at;
    return data;
}

static inline payspec_engine *engine_of(const struct batch *batch) {
    payspec_engine *created = NULL;
    if (payspec_engine_new(batch->policy.data, batch->policy.len, &created, NULL) != PAYSPEC_ACCEPTED) abort();
    return created;
}

/* The arguments of one call, to be changed one at a time. */
struct arguments {
    const payspec_engine *engine;
    const char *operation;
    size_t operation_len;
    const char *data;
    const int64_t *offsets;
    size_t count;
    const char *context;
    size_t context_len;
    int8_t *returns;
    int has_out;
    int64_t *ends;
};

static int8_t codes[3];
static int64_t ends[4];
/* Two bodies: a valid one, and an empty one. */
static const int64_t OFFSETS[3] = {0, sizeof VALID - 1, sizeof VALID - 1};

static inline struct arguments valid(void) {
    struct arguments arguments = {engine, "validate_request", 16, VALID, OFFSETS, 2, NULL, 0, codes, 1, ends};
    return arguments;
}

static inline int32_t call(const struct arguments *a, payspec_buf *out) {
    return payspec_batch(a->engine, a->operation, a->operation_len, a->data, a->offsets, a->count, a->context,
                         a->context_len, a->returns, a->has_out ? out : NULL, a->ends);
}

/* Runs `with_file` for each batch of a file, or `without_file`. Returns the exit status. */
static inline int run_program(int argc, char **argv, void (*with_file)(const struct batch *), void (*without_file)(void),
                              const char *name) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (argc > 2 || (argc == 2 && file == NULL)) {
        fprintf(stderr, "usage: %s [FILE]\n", name);
        return EXIT_FAILURE;
    }
    if (payspec_engine_new(NULL, 0, &engine, NULL) != PAYSPEC_ACCEPTED) abort();
    if (file == NULL) {
        without_file();
    } else {
        struct batch batch;
        while (next(file, &batch)) {
            with_file(&batch);
            discard(&batch);
        }
        fclose(file);
    }
    payspec_engine_free(engine);
    return verdict(file == NULL ? name : "vectors");
}

#endif
