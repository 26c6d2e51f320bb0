/* Overlapping arguments of payspec_batch: each pair of an output and an input, in small batches, and in all batches of
 * the vectors. */
#include "batch.h"

/* Memory of 64 bytes, of which each test uses other parts. */
static union {
    char text[64];
    int64_t numbers[8];
    int8_t bytes[64];
} shared;

/* An output overlaps an input or another output, except `out`: the call fails with this path and writes nothing else. */
static void overlap(struct arguments a, const char *path, int line) {
    payspec_buf out = {0};
    int64_t memory[8];
    char before[sizeof shared];
    memcpy(before, &shared, sizeof shared);
    size_t bytes = a.count * sizeof *a.offsets + sizeof *a.offsets;
    memcpy(memory, a.offsets, bytes);
    check(call(&a, &out) == PAYSPEC_ERROR_ARGUMENT && names(&out, "argument", path), path, __FILE__, line);
    check(memcmp(memory, a.offsets, bytes) == 0, "unchanged", __FILE__, line);
    check(memcmp(before, &shared, sizeof shared) == 0, "unchanged", __FILE__, line);
    payspec_buf_free(&out);
}

#define OVERLAP(change, path)                                                                                          \
    do {                                                                                                               \
        struct arguments a = column;                                                                                   \
        change;                                                                                                        \
        overlap(a, path, __LINE__);                                                                                    \
    } while (0)

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
static int keeps(struct arguments a, payspec_buf *out) {
    payspec_buf before = *out;
    char *text = malloc(before.cap);
    if (text == NULL) abort();
    /* Only the first `len` bytes and the NUL are initialized. */
    memcpy(text, before.data, before.len + 1);
    int ok = call(&a, out) == PAYSPEC_ERROR_ARGUMENT && memcmp(&before, out, sizeof before) == 0 &&
             memcmp(text, before.data, before.len + 1) == 0;
    free(text);
    return ok;
}

#define KEEPS(change)                                                                                                  \
    do {                                                                                                               \
        struct arguments a = valid();                                                                                  \
        change;                                                                                                        \
        check(keeps(a, out), #change, __FILE__, __LINE__);                                                             \
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

enum input { OPERATION, DATA, COLUMN, CONTEXT, INPUTS };
enum output { RETURNS, ENDS, OUTPUTS };

static const void *input_of(const struct arguments *a, int input, size_t *len) {
    switch (input) {
    case OPERATION: *len = a->operation_len; return a->operation;
    case DATA: *len = (size_t)a->offsets[a->count]; return a->data;
    case COLUMN: *len = (a->count + 1) * sizeof *a->offsets; return a->offsets;
    default: *len = a->context_len; return a->context;
    }
}

static void set_input(struct arguments *a, int input, const char *to) {
    switch (input) {
    case OPERATION: a->operation = to; break;
    case DATA: a->data = to; break;
    case COLUMN: a->offsets = (const int64_t *)(const void *)to; break;
    default: a->context = to;
    }
}

/* The offsets of an input and an output in one block of memory, which ends with them. */
struct places {
    size_t input, output, size;
};

/* The output begins in the last bytes of the input, or ends in its first ones. */
static struct places overlapping(size_t input_len, size_t output_len, size_t alignment, int is_last) {
    struct places at = {0, 0, 0};
    if (is_last) {
        at.output = (input_len - 1) / alignment * alignment;
    } else {
        at.input = (output_len - 1) / alignment * alignment;
    }
    size_t input_end = at.input + input_len, output_end = at.output + output_len;
    at.size = input_end > output_end ? input_end : output_end;
    return at;
}

/* The call with one output on one input is an argument error, and changes neither of them. */
static int refuses(struct arguments a, int input, int output, int is_last) {
    size_t input_len, output_len = output == ENDS ? (a.count + 1) * sizeof *a.ends : a.count;
    const void *bytes = input_of(&a, input, &input_len);
    if (input_len == 0) return 1; /* It overlaps nothing. */
    struct places at = overlapping(input_len, output_len, input == COLUMN || output == ENDS ? sizeof *a.ends : 1, is_last);
    char *block = malloc(at.size), *before = malloc(at.size);
    if (block == NULL || before == NULL) abort();
    memset(block, 7, at.size);
    memcpy(block + at.input, bytes, input_len);
    memcpy(before, block, at.size);
    set_input(&a, input, block + at.input);
    if (output == ENDS) {
        a.ends = (int64_t *)(void *)(block + at.output);
    } else {
        a.returns = (int8_t *)block + at.output;
    }
    payspec_buf out = {0};
    int ok = call(&a, &out) == PAYSPEC_ERROR_ARGUMENT && names(&out, "argument", output == ENDS ? "/out_offsets" : "/returns");
    if (output == RETURNS) {
        a.has_out = 0;
        a.ends = NULL;
        ok = ok && call(&a, NULL) == PAYSPEC_ERROR_ARGUMENT;
    }
    ok = ok && memcmp(block, before, at.size) == 0;
    if (!ok) printf("input %d, output %d, %s bytes\n", input, output, is_last ? "last" : "first");
    payspec_buf_free(&out);
    free(block);
    free(before);
    return ok;
}

/* Both arrays in each other, and in the memory of a filled buffer. */
static int refuses_outputs(struct arguments a) {
    payspec_buf out = {0};
    int8_t *returns = a.returns;
    a.returns = (int8_t *)a.ends;
    int ok = call(&a, &out) == PAYSPEC_ERROR_ARGUMENT && names(&out, "argument", "/out_offsets");
    if (payspec_rules(engine, &out) != PAYSPEC_ACCEPTED) abort();
    a.returns = (int8_t *)out.data;
    ok = keeps(a, &out) && ok;
    a.returns = returns;
    a.ends = (int64_t *)(void *)out.data;
    ok = keeps(a, &out) && ok;
    if (!ok) printf("an output on an output\n");
    payspec_buf_free(&out);
    return ok;
}

/* Each vector of a batch passes if the batch with its body is refused in all forms. */
static void run(const struct batch *batch) {
    payspec_engine *local_engine = engine_of(batch);
    int64_t *offsets = malloc((batch->count + 1) * sizeof *offsets);
    int64_t *new_ends = malloc((batch->count + 1) * sizeof *new_ends);
    int8_t *returns = malloc(batch->count);
    if (offsets == NULL || new_ends == NULL || returns == NULL) abort();
    memset(returns, 7, batch->count);
    memset(new_ends, 7, (batch->count + 1) * sizeof *new_ends);
    int64_t untouched = new_ends[0];
    char *data = column(batch, 0, offsets);
    struct arguments a = {local_engine, batch->operation.data, batch->operation.len, data, offsets, batch->count,
                          batch->shared.data, batch->shared.len, returns, 1, new_ends};
    int ok = refuses_outputs(a);
    for (int input = 0; input < INPUTS; input++) {
        for (int output = 0; output < OUTPUTS; output++) {
            for (int is_last = 0; is_last < 2; is_last++) ok = refuses(a, input, output, is_last) && ok;
        }
    }
    for (size_t i = 0; i < batch->count; i++) ok = ok && returns[i] == 7 && new_ends[i + 1] == untouched;
    ok = ok && new_ends[0] == untouched;
    if (ok) {
        passed += batch->count;
    } else {
        failed += batch->count;
        printf("%.*s: an overlap is accepted, or memory is changed\n", (int)batch->names[0].len, batch->names[0].data);
    }
    free(data);
    free(returns);
    free(new_ends);
    free(offsets);
    payspec_engine_free(local_engine);
}

static void without_file(void) {
    overlapping_arrays();
    overlapping_buffers();
    inputs_in_the_buffer();
}

int main(int argc, char **argv) { return run_program(argc, argv, run, without_file, "overlaps"); }
