/* Runs payspec_batch: the shared vectors in columns, which must give the answers of single calls, and all invalid
 * arguments. Overlapping arguments are in overlaps.c. */
#include "batch.h"

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

/* Moves all inputs into the memory of the buffer, which is allowed. */
static void move_into(payspec_buf *out, struct arguments *a) {
    size_t offsets_len = (a->count + 1) * sizeof *a->offsets, data_len = (size_t)a->offsets[a->count];
    size_t len = offsets_len + a->operation_len + a->context_len + data_len;
    char *spaces = malloc(len);
    if (spaces == NULL) abort();
    memset(spaces, ' ', len);
    if (payspec_redact_text(engine, spaces, len, out) != PAYSPEC_ACCEPTED || out->len != len) abort();
    free(spaces);
    char *operation = out->data + offsets_len, *context = operation + a->operation_len, *data = context + a->context_len;
    memcpy(out->data, a->offsets, offsets_len);
    memcpy(operation, a->operation, a->operation_len);
    if (a->context_len > 0) memcpy(context, a->context, a->context_len);
    if (data_len > 0) memcpy(data, a->data, data_len);
    a->offsets = (const int64_t *)(const void *)out->data;
    a->operation = operation;
    if (a->context != NULL) a->context = context;
    a->data = data;
}

/* The buffer that the batches have in common. */
static payspec_buf warm;

/* In a new buffer, in a used one, without one, and with all inputs in its memory. */
static void run(const struct batch *batch) {
    payspec_engine *local_engine = engine_of(batch);
    for (int form = 0; form < 4; form++) {
        int64_t *offsets = malloc((batch->count + 1) * sizeof *offsets);
        int64_t *new_ends = malloc((batch->count + 1) * sizeof *new_ends);
        int8_t *returns = malloc(batch->count);
        if (offsets == NULL || new_ends == NULL || returns == NULL) abort();
        returns[0] = 7;
        new_ends[0] = 7;
        char *data = column(batch, form == 0 ? 0 : 3, offsets);
        payspec_buf own = {0};
        payspec_buf *out = form == 1 ? &warm : form == 2 ? NULL : &own;
        struct arguments a = {local_engine, batch->operation.data, batch->operation.len, data, offsets, batch->count,
                              batch->shared.data, batch->shared.len, returns, out != NULL, out ? new_ends : NULL};
        if (form == 3) move_into(out, &a);
        int32_t returned = call(&a, out);
        if (number(batch->returns[0]) < 0) {
            rejected(batch, returned, returns, out, new_ends);
        } else {
            compare(batch, returned, returns, out, new_ends);
        }
        payspec_buf_free(&own);
        free(data);
        free(returns);
        free(new_ends);
        free(offsets);
    }
    payspec_engine_free(local_engine);
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
    INVALID(a.operation_len = SIZE_MAX / 2 + 1, "/operation");
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
    INVALID((a.context = "x", a.context_len = SIZE_MAX / 2 + 1), "/context");
    FAILS((a.context = "", a.context_len = 0), PAYSPEC_ERROR_CONTEXT, "context", "/now");
    FAILS((a.context = "\xff", a.context_len = 1), PAYSPEC_ERROR_UTF8, "utf8", "/now");
    INVALID((a.operation = "create_payment", a.operation_len = 14), "/context");
    INVALID((a.operation = "locate", a.operation_len = 6), "/pointer");
    INVALID((a.operation = "redact", a.operation_len = 6, a.context = "{}", a.context_len = 2), "");
    FAILS((a.operation = "create_payment", a.operation_len = 14, a.context = "{}", a.context_len = 2),
          PAYSPEC_ERROR_CONTEXT, "context", "/uid");
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

static void without_file(void) {
    invalid_arguments();
    small_batches();
}

int main(int argc, char **argv) {
    int status = run_program(argc, argv, run, without_file, "batch");
    payspec_buf_free(&warm);
    return status;
}
