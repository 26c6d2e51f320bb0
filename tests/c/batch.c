/*
 * Runs payspec_batch: the shared vectors in columns, which must give the answers of single calls, and all invalid
 * arguments. tests/tests/ffi_vectors.rs writes the file: for each batch operation (O), policy (P), second input (I) and
 * number of bodies (C), then for each body the name (N), the body (B), the return code (R) and the answer (A).
 */
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

static struct text *texts(size_t count) {
    struct text *texts = calloc(count, sizeof *texts);
    if (texts == NULL) abort();
    return texts;
}

static void expect(FILE *file, int letter, struct text *out) {
    if (field(file, out) != letter) abort();
}

static int next(FILE *file, struct batch *batch) {
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

static void discard(struct batch *batch) {
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
static char *column(const struct batch *batch, size_t skip, int64_t *offsets) {
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

/* Returns the difference of an answer, or NULL. */
static const char *differs(const struct batch *batch, size_t i, const int8_t *returns, const payspec_buf *out,
                           const int64_t *ends) {
    const struct text *answer = &batch->answers[i];
    if (returns[i] != number(batch->returns[i])) return "another number";
    if (out == NULL) return NULL;
    if (ends[i + 1] - ends[i] != (int64_t)answer->len) return "another length";
    if (memcmp(out->data + ends[i], answer->data, answer->len) != 0) return "other bytes";
    return NULL;
}

static void compare(const struct batch *batch, int32_t returned, const int8_t *returns, const payspec_buf *out,
                    const int64_t *ends) {
    int32_t expected = PAYSPEC_ACCEPTED;
    for (size_t i = 0; i < batch->count; i++) {
        if (number(batch->returns[i]) != 0) expected = PAYSPEC_REJECTED;
    }
    const char *mismatch = returned != expected ? "the batch returns another number" : NULL;
    if (out != NULL && !mismatch) {
        if (ends[0] != 0) mismatch = "the first offset is not 0";
        if (ends[batch->count] != (int64_t)out->len || out->data[out->len] != '\0') mismatch = "another end";
    }
    for (size_t i = 0; i < batch->count; i++) {
        const char *problem = mismatch ? mismatch : differs(batch, i, returns, out, ends);
        if (problem == NULL) {
            passed++;
        } else {
            failed++;
            printf("%.*s: %s\n", (int)batch->names[i].len, batch->names[i].data, problem);
        }
    }
}

/* A second input that a single call rejects: no body is read, nothing is written. */
static void rejected(const struct batch *batch, int32_t returned, const int8_t *returns, const payspec_buf *out,
                     const int64_t *ends) {
    const struct text *answer = &batch->answers[0];
    int ok = returned == number(batch->returns[0]) && returns[0] == 7 && ends[0] == 7;
    if (out != NULL) ok = ok && out->len == answer->len && memcmp(out->data, answer->data, out->len) == 0;
    if (ok) {
        passed += batch->count;
    } else {
        failed += batch->count;
        printf("%.*s: returns %d\n", (int)batch->names[0].len, batch->names[0].data, (int)returned);
    }
}

static void run(const struct batch *batch, payspec_buf *warm) {
    payspec_engine *local_engine = NULL;
    if (payspec_engine_new(batch->policy.data, batch->policy.len, &local_engine, NULL) != PAYSPEC_ACCEPTED) abort();
    for (int form = 0; form < 3; form++) {
        int64_t *offsets = malloc((batch->count + 1) * sizeof *offsets);
        int64_t *ends = malloc((batch->count + 1) * sizeof *ends);
        int8_t *returns = malloc(batch->count);
        if (offsets == NULL || ends == NULL || returns == NULL) abort();
        returns[0] = 7;
        ends[0] = 7;
        char *data = column(batch, form == 0 ? 0 : 3, offsets);
        payspec_buf cold = {0};
        payspec_buf *out = form == 0 ? &cold : form == 1 ? warm : NULL;
        int32_t returned = payspec_batch(local_engine, batch->operation.data, batch->operation.len, data, offsets, batch->count,
                                         batch->shared.data, batch->shared.len, returns, out, out ? ends : NULL);
        if (number(batch->returns[0]) < 0) {
            rejected(batch, returned, returns, out, ends);
        } else {
            compare(batch, returned, returns, out, ends);
        }
        payspec_buf_free(&cold);
        free(data);
        free(returns);
        free(ends);
        free(offsets);
    }
    payspec_engine_free(local_engine);
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

static struct arguments valid(void) {
    struct arguments arguments = {engine, "validate_request", 16, VALID, OFFSETS, 2, NULL, 0, codes, 1, ends};
    return arguments;
}

static int32_t call(const struct arguments *a, payspec_buf *out) {
    return payspec_batch(a->engine, a->operation, a->operation_len, a->data, a->offsets, a->count, a->context,
                         a->context_len, a->returns, a->has_out ? out : NULL, a->ends);
}

/* The call fails with this path, with a buffer and without one, and writes nothing. */
static void fails(struct arguments arguments, int32_t returns, const char *code, const char *path, int line) {
    payspec_buf out = {0};
    memset(codes, 7, sizeof codes);
    memset(ends, 7, sizeof ends);
    int64_t untouched = ends[0];
    int32_t returned = call(&arguments, &out);
    int ok = returned == returns && (!arguments.has_out || names(&out, code, path));
    if (strcmp(path, "/out_offsets") != 0) {
        arguments.has_out = 0;
        arguments.ends = NULL;
        ok = ok && call(&arguments, NULL) == returns;
    }
    ok = ok && codes[0] == 7 && codes[2] == 7 && ends[0] == untouched && ends[3] == untouched;
    if (!check(ok, path, __FILE__, line)) printf("%d %s\n", (int)returned, out.data ? out.data : "");
    payspec_buf_free(&out);
}

#define FAILS(change, returns, code, path)                                                                             \
    do {                                                                                                               \
        struct arguments a = valid();                                                                                  \
        change;                                                                                                        \
        fails(a, returns, code, path, __LINE__);                                                                       \
    } while (0)
#define INVALID(change, path) FAILS(change, PAYSPEC_ERROR_ARGUMENT, "argument", path)

static void invalid_arguments(void) {
    INVALID(a.engine = NULL, "/engine");
    INVALID(a.operation = NULL, "/operation");
    INVALID((a.operation = NULL, a.operation_len = 0), "/operation");
    INVALID(a.operation_len = SIZE_MAX, "/operation");
    INVALID(a.operation_len = 15, "/operation");
    INVALID(a.operation_len = 17, "/operation");
    INVALID(a.operation_len = 0, "/operation");
    FAILS((a.operation = "\xff", a.operation_len = 1), PAYSPEC_ERROR_UTF8, "utf8", "/operation");
    /* Operations without a body, or whose first input is not a body. */
    INVALID((a.operation = "states", a.operation_len = 6), "/operation");
    INVALID((a.operation = "convert", a.operation_len = 7), "/operation");
    INVALID((a.operation = "card_info", a.operation_len = 9), "/operation");
    INVALID((a.operation = "upgrade_request", a.operation_len = 15), "/operation");

    INVALID(a.data = NULL, "/data");
    INVALID(a.offsets = NULL, "/offsets");
    INVALID(a.offsets = (const int64_t *)(const void *)((const char *)OFFSETS + 1), "/offsets");
    static const int64_t NEGATIVE[3] = {-1, 2, 4}, DECREASING[3] = {0, 4, 2}, END[3] = {0, 2, INT64_MIN};
    INVALID(a.offsets = NEGATIVE, "/offsets");
    INVALID(a.offsets = DECREASING, "/offsets");
    INVALID(a.offsets = END, "/offsets");
    INVALID(a.count = SIZE_MAX, "/count");
    INVALID(a.count = SIZE_MAX - 1, "/count");
    INVALID(a.count = SIZE_MAX / 2, "/count");
    INVALID(a.count = SIZE_MAX / 16, "/count");
    INVALID(a.count = SIZE_MAX / 8 + 1, "/count");

    INVALID(a.returns = NULL, "/returns");
    INVALID(a.ends = NULL, "/out_offsets");
    INVALID(a.has_out = 0, "/out_offsets");
    INVALID(a.ends = (int64_t *)(void *)((char *)ends + 1), "/out_offsets");

    /* The second input, as in a single call. */
    INVALID(a.context_len = 1, "/context");
    INVALID((a.context = "x", a.context_len = SIZE_MAX), "/context");
    FAILS((a.context = "", a.context_len = 0), PAYSPEC_ERROR_CONTEXT, "context", "/now");
    FAILS((a.context = "\xff", a.context_len = 1), PAYSPEC_ERROR_UTF8, "utf8", "/now");
    INVALID((a.operation = "create_payment", a.operation_len = 14), "/context");
    INVALID((a.operation = "locate", a.operation_len = 6), "/pointer");
    INVALID((a.operation = "redact", a.operation_len = 6, a.context = "{}", a.context_len = 2), "");
    FAILS((a.operation = "create_payment", a.operation_len = 14, a.context = "{}", a.context_len = 2),
          PAYSPEC_ERROR_CONTEXT, "context", "/uid");
}

/* An output overlaps an input or another output, except `out`: the call fails with this path and writes nothing else. */
static void overlap(struct arguments a, const char *path, int line) {
    payspec_buf out = {0};
    int64_t memory[8];
    size_t bytes = a.count * sizeof *a.offsets + sizeof *a.offsets;
    memcpy(memory, a.offsets, bytes);
    check(call(&a, &out) == PAYSPEC_ERROR_ARGUMENT && names(&out, "argument", path), path, __FILE__, line);
    check(memcmp(memory, a.offsets, bytes) == 0, "unchanged", __FILE__, line);
    payspec_buf_free(&out);
}

#define OVERLAP(change, path)                                                                                          \
    do {                                                                                                               \
        struct arguments a = column;                                                                                   \
        change;                                                                                                        \
        overlap(a, path, __LINE__);                                                                                    \
    } while (0)

/* Memory of 64 bytes, of which each test uses other parts. */
static union {
    char text[64];
    int64_t numbers[8];
    int8_t bytes[64];
} shared;

/* The arrays overlap an input or each other, with their first or last byte. */
static void overlapping_arrays(void) {
    struct arguments column = valid();
    static int64_t offsets[3] = {0, 2, 4};
    column.data = "{}{}";
    column.offsets = offsets;

    memcpy(shared.text + 24, "validate_request", 16);
    OVERLAP((a.operation = shared.text + 24, a.returns = shared.bytes + 39), "/returns");
    OVERLAP((a.operation = shared.text + 24, a.returns = shared.bytes + 23), "/returns");
    OVERLAP((a.operation = shared.text + 24, a.ends = shared.numbers + 1), "/out_offsets");
    OVERLAP((a.operation = shared.text + 24, a.ends = shared.numbers + 4), "/out_offsets");
    memcpy(shared.text + 24, "{}{}", 4);
    OVERLAP((a.data = shared.text + 24, a.returns = shared.bytes + 27), "/returns");
    OVERLAP((a.data = shared.text + 24, a.returns = shared.bytes + 23), "/returns");
    OVERLAP((a.data = shared.text + 24, a.ends = shared.numbers + 1), "/out_offsets");
    OVERLAP((a.data = shared.text + 24, a.ends = shared.numbers + 3), "/out_offsets");
    memcpy(shared.text + 24, "2026-11-20T10:15:30Z", 20);
    OVERLAP((a.context = shared.text + 24, a.context_len = 20, a.returns = shared.bytes + 43), "/returns");
    OVERLAP((a.context = shared.text + 24, a.context_len = 20, a.returns = shared.bytes + 23), "/returns");
    OVERLAP((a.context = shared.text + 24, a.context_len = 20, a.ends = shared.numbers + 1), "/out_offsets");
    OVERLAP((a.context = shared.text + 24, a.context_len = 20, a.ends = shared.numbers + 5), "/out_offsets");
    memcpy(shared.numbers + 3, offsets, sizeof offsets);
    OVERLAP((a.offsets = shared.numbers + 3, a.returns = shared.bytes + 47), "/returns");
    OVERLAP((a.offsets = shared.numbers + 3, a.returns = shared.bytes + 23), "/returns");
    OVERLAP((a.offsets = shared.numbers + 3, a.ends = shared.numbers + 5), "/out_offsets");
    OVERLAP((a.offsets = shared.numbers + 3, a.ends = shared.numbers + 1), "/out_offsets");
    OVERLAP((a.returns = shared.bytes + 25, a.ends = shared.numbers + 1), "/out_offsets");
    OVERLAP((a.returns = shared.bytes + 31, a.ends = shared.numbers + 4), "/out_offsets");

    /* Next to each other. */
    memcpy(shared.numbers, offsets, sizeof offsets);
    struct arguments a = column;
    payspec_buf out = {0};
    a.offsets = shared.numbers;
    a.ends = shared.numbers + 3;
    a.returns = shared.bytes + 48;
    a.context = shared.text + 24;
    CHECK(call(&a, &out) == PAYSPEC_ERROR_CONTEXT && names(&out, "context", "/now"));
    a.context = NULL;
    CHECK(call(&a, &out) == PAYSPEC_REJECTED && a.returns[0] == PAYSPEC_REJECTED && a.returns[1] == PAYSPEC_REJECTED);
    CHECK(shared.numbers[1] == 2 && shared.numbers[3] == 0 && shared.numbers[5] == (int64_t)out.len);
    payspec_buf_free(&out);
}

/* The struct of the buffer, or an array in its memory, is part of the overlap: it is not changed. */
static void keeps(struct arguments a, payspec_buf *out, const char *name, int line) {
    payspec_buf before = *out;
    char *text = malloc(before.cap);
    if (text == NULL) abort();
    /* Only the first `len` bytes and the NUL are initialized. */
    memcpy(text, before.data, before.len + 1);
    check(call(&a, out) == PAYSPEC_ERROR_ARGUMENT, name, __FILE__, line);
    check(memcmp(&before, out, sizeof before) == 0, name, __FILE__, line);
    check(memcmp(text, before.data, before.len + 1) == 0, name, __FILE__, line);
    free(text);
}

#define KEEPS(change)                                                                                                  \
    do {                                                                                                               \
        struct arguments a = valid();                                                                                  \
        change;                                                                                                        \
        keeps(a, out, #change, __LINE__);                                                                              \
    } while (0)

static void overlapping_buffers(void) {
    /* A buffer between other memory. */
    struct {
        int64_t before[3];
        payspec_buf out;
        int64_t after[3];
    } around = {{0}, {0}, {0}};
    payspec_buf *out = &around.out;
    char *start = (char *)out, *end = start + sizeof *out;
    CHECK(payspec_rules(engine, out) == PAYSPEC_ACCEPTED);

    KEEPS(a.operation = end - 1);
    KEEPS(a.operation = start - 15);
    KEEPS(a.data = end - 1);
    KEEPS(a.data = start - 1);
    KEEPS((a.offsets = (const int64_t *)(void *)end - 1, a.data = VALID));
    KEEPS((a.offsets = (const int64_t *)(void *)start - 2, a.data = VALID));
    KEEPS((a.context = end - 1, a.context_len = 1));
    KEEPS((a.context = start - 1, a.context_len = 2));
    KEEPS(a.returns = (int8_t *)end - 1);
    KEEPS(a.returns = (int8_t *)start - 1);
    KEEPS(a.ends = (int64_t *)(void *)end - 1);
    KEEPS(a.ends = (int64_t *)(void *)start - 2);

    /* Arrays in the memory of the buffer, which the answers would overwrite or free. */
    char *memory = out->data, *memory_end = memory + out->cap;
    KEEPS(a.returns = (int8_t *)memory);
    KEEPS(a.returns = (int8_t *)memory_end - 1);
    KEEPS(a.ends = (int64_t *)(void *)memory);
    KEEPS(a.ends = (int64_t *)(void *)(memory + (out->cap - 8) / 8 * 8));
    KEEPS((a.data = memory, a.returns = (int8_t *)memory + 64));
    /* Also if another argument is invalid. */
    KEEPS((a.engine = NULL, a.returns = (int8_t *)memory));
    KEEPS((a.operation = "no", a.operation_len = 2, a.returns = (int8_t *)start));
    /* A buffer in its own memory. */
    payspec_buf *inside = (payspec_buf *)(void *)memory;
    payspec_buf original = *out;
    *inside = original;
    struct arguments a = valid();
    CHECK(call(&a, inside) == PAYSPEC_ERROR_ARGUMENT && memcmp(inside, &original, sizeof original) == 0);

    /* Empty arguments overlap nothing. */
    a = valid();
    a.context = start + 1;
    a.count = 0;
    a.returns = (int8_t *)start;
    CHECK(call(&a, out) == PAYSPEC_ERROR_CONTEXT && names(out, "context", "/now"));
    payspec_buf_free(out);
}

/* Inputs in the memory of the buffer are allowed. */
static void inputs_in_the_buffer(void) {
    /* The answers of one batch are the bodies of the next. */
    payspec_buf out = {0};
    struct arguments a = valid();
    a.operation = "redact";
    a.operation_len = 6;
    a.data = "{\"cvv\":\"123\"}{ }";
    static const int64_t offsets[3] = {0, 13, 16};
    a.offsets = offsets;
    CHECK(call(&a, &out) == PAYSPEC_ACCEPTED && holds(&out, "{\"cvv\":\"***\"}{ }"));
    int64_t again[3];
    memcpy(again, ends, sizeof again);
    a.data = out.data;
    a.offsets = again;
    CHECK(call(&a, &out) == PAYSPEC_ACCEPTED && holds(&out, "{\"cvv\":\"***\"}{ }"));
    CHECK(ends[0] == 0 && ends[1] == 13 && ends[2] == 16);
    /* All inputs. */
    CHECK(payspec_rules(engine, &out) == PAYSPEC_ACCEPTED);
    static const int64_t two[3] = {64, 68, 70};
    memcpy(out.data, two, sizeof two);
    memcpy(out.data + 24, "locate/a", 8);
    memcpy(out.data + 64, "null{}", 6);
    a.operation = out.data + 24;
    a.context = out.data + 30;
    a.context_len = 2;
    a.data = out.data;
    a.offsets = (const int64_t *)(void *)out.data;
    CHECK(call(&a, &out) == PAYSPEC_REJECTED && holds(&out, "{\"found\":false}{\"found\":false}"));

    /* A buffer that the library cannot have filled. */
    payspec_buf foreign = {NULL, 5, 64};
    a = valid();
    codes[0] = 7;
    CHECK(call(&a, &foreign) == PAYSPEC_ERROR_ARGUMENT && foreign.cap == 64 && codes[0] == 7);
    payspec_buf_free(&out);
}

static void small_batches(void) {
    payspec_buf out = {0};
    struct arguments a = valid();
    CHECK(call(&a, &out) == PAYSPEC_REJECTED && codes[0] == PAYSPEC_ACCEPTED && codes[1] == PAYSPEC_REJECTED);
    CHECK(ends[0] == 0 && ends[2] == (int64_t)out.len && strstr(out.data + ends[1], "\"json_syntax\"") != NULL);

    /* No bodies: no array is used, except for the first offset of the answers. */
    a.count = 0;
    a.data = NULL;
    a.offsets = NULL;
    a.returns = NULL;
    ends[0] = 7;
    ends[1] = 7;
    CHECK(call(&a, &out) == PAYSPEC_ACCEPTED && holds(&out, "") && ends[0] == 0 && ends[1] == 7);
    a.has_out = 0;
    a.ends = NULL;
    CHECK(call(&a, NULL) == PAYSPEC_ACCEPTED);
    /* The other arguments are checked all the same. */
    a.context = "soon";
    a.context_len = 4;
    CHECK(call(&a, NULL) == PAYSPEC_ERROR_CONTEXT);

    /* Empty bodies need no data. */
    static const int64_t empty[4] = {0, 0, 0, 0};
    a = valid();
    a.data = NULL;
    a.offsets = empty;
    a.count = 3;
    CHECK(call(&a, &out) == PAYSPEC_REJECTED && ends[3] == (int64_t)out.len && ends[1] * 3 == ends[3]);
    CHECK(codes[0] == PAYSPEC_REJECTED && codes[1] == PAYSPEC_REJECTED && codes[2] == PAYSPEC_REJECTED);

    /* Without a buffer, only the verdicts. */
    a = valid();
    a.has_out = 0;
    a.ends = NULL;
    memset(codes, 7, sizeof codes);
    CHECK(call(&a, NULL) == PAYSPEC_REJECTED && codes[0] == 0 && codes[1] == 1 && codes[2] == 7);
    a.count = 1;
    CHECK(call(&a, NULL) == PAYSPEC_ACCEPTED && codes[0] == 0);
    payspec_buf_free(&out);
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (argc > 2 || (argc == 2 && file == NULL)) {
        fprintf(stderr, "usage: batch [FILE]\n");
        return EXIT_FAILURE;
    }
    if (payspec_engine_new(NULL, 0, &engine, NULL) != PAYSPEC_ACCEPTED) abort();
    if (file == NULL) {
        invalid_arguments();
        overlapping_arrays();
        overlapping_buffers();
        inputs_in_the_buffer();
        small_batches();
    } else {
        payspec_buf warm = {0};
        struct batch batch;
        while (next(file, &batch)) {
            run(&batch, &warm);
            discard(&batch);
        }
        payspec_buf_free(&warm);
        fclose(file);
    }
    payspec_engine_free(engine);
    return verdict(file == NULL ? "batch" : "vectors");
}
