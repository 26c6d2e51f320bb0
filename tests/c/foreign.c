/*
 * What the checking allocator must catch, one crime per run: `foreign free` frees the library's memory with free(),
 * `foreign buffer` hands it memory of its own. Without an argument it commits none.
 */
#include "check.h"

int main(int argc, char **argv) {
    const char *crime = argc > 1 ? argv[1] : "none";
    payspec_engine *engine = NULL;
    payspec_buf out = {0};
    CHECK(payspec_engine_new(NULL, 0, &engine, NULL) == PAYSPEC_ACCEPTED);
    CHECK(payspec_validate_request(engine, "{}", 2, NULL, 0, &out) == PAYSPEC_REJECTED);
    if (strcmp(crime, "free") == 0) {
        char *data = out.data;
        free(data);
    } else if (strcmp(crime, "buffer") == 0) {
        payspec_buf foreign = {malloc(64), 0, 64};
        payspec_buf_free(&foreign);
    } else if (strcmp(crime, "capacity") == 0) {
        out.cap += 1;
    } else if (strcmp(crime, "twice") == 0) {
        payspec_buf copy = out;
        payspec_buf_free(&copy);
    }
    payspec_buf_free(&out);
    payspec_engine_free(engine);
    return verdict("foreign");
}
