/*
 * Errors that the checking allocator must detect, one per run: `foreign free` frees the library's memory with free(),
 * `foreign buffer` passes memory of this program to the library. Without an argument, no error is made.
 */
#include "check.h"

int main(int argc, char **argv) {
    const char *error = argc > 1 ? argv[1] : "none";
    payspec_engine *engine = NULL;
    payspec_buf out = {0};
    CHECK(payspec_engine_new(NULL, 0, &engine, NULL) == PAYSPEC_ACCEPTED);
    CHECK(payspec_validate_request(engine, "{}", 2, NULL, 0, &out) == PAYSPEC_REJECTED);
    if (strcmp(error, "free") == 0) {
        char *data = out.data;
        free(data);
    } else if (strcmp(error, "buffer") == 0) {
        payspec_buf foreign = {malloc(64), 0, 64};
        payspec_buf_free(&foreign);
    } else if (strcmp(error, "capacity") == 0) {
        out.cap += 1;
    } else if (strcmp(error, "twice") == 0) {
        payspec_buf copy = out;
        payspec_buf_free(&copy);
    }
    payspec_buf_free(&out);
    payspec_engine_free(engine);
    return verdict("foreign");
}
