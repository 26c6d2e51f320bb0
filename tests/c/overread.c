/* Lies about a length. Under AddressSanitizer or valgrind this must not end well: it shows that they are at work. */
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
