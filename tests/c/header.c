/* Includes only the header, which must compile everywhere without a warning. */
#include <payspec.h>
#include <payspec.h>

int main(void) {
    payspec_buf buf = {0, 0, 0};
    payspec_engine *engine = 0;
#if PAYSPEC_VERSION_NUMBER < 1000 || PAYSPEC_ERROR_ARGUMENT != -1
#error "the macros can be compared in #if"
#endif
    if (payspec_abi_version() != PAYSPEC_ABI_VERSION) return 1;
    if (payspec_engine_new(0, 0, &engine, &buf) != PAYSPEC_ACCEPTED) return 2;
    payspec_engine_free(engine);
    payspec_buf_free(&buf);
    return 0;
}
