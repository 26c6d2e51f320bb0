/* Passes a wrong length. AddressSanitizer and valgrind must report it, which shows that they work. */
#include "check.h"

int main(void) {
    payspec_engine *engine = NULL;
    CHECK(payspec_engine_new(NULL, 0, &engine, NULL) == PAYSPEC_ACCEPTED);
    char *body = exact("{\"description\":\"", 16);
    CHECK(payspec_validate_request(engine, body, 24, NULL, 0, NULL) == PAYSPEC_REJECTED);
    free(body);
    payspec_engine_free(engine);
    return verdict("overread");
}
