/* Creates and frees 3,000 engines, of which none leaves memory. The functions of the allocator in this program replace those
 * of the C library, for the shared and the static libpayspec. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stddef.h>

/* The bytes that are allocated and not freed. */
static ptrdiff_t live;

/* The functions of glibc under their internal names. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static void *counted(void *memory) {
    live += (ptrdiff_t)malloc_usable_size(memory);
    return memory;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *realloc(void *old, size_t size) {
    ptrdiff_t before = (ptrdiff_t)malloc_usable_size(old);
    void *memory = __libc_realloc(old, size);
    if (memory != NULL) live -= before;
    return counted(memory);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    *out = counted(__libc_memalign(alignment, size));
    return *out == NULL;
}

void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void free(void *memory) {
    live -= (ptrdiff_t)malloc_usable_size(memory);
    __libc_free(memory);
}

#include "check.h"

enum { ENGINES = 3000 };

static const char POLICY[] = "{\"severity\":{\"unknown_member\":\"error\"}}";
static const char BODY[] = "{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"subtype\":\"sbp\",\"cur\":\"RUB\",\"amount\":\"990.50\"}";

/* Uses an engine, and creates none from a wrong policy. */
static int uses_one(void) {
    payspec_engine *engine = NULL;
    payspec_buf out = {0};
    int ok = payspec_engine_new(POLICY, sizeof POLICY - 1, &engine, &out) == PAYSPEC_ACCEPTED;
    ok = ok && payspec_validate_request(engine, BODY, sizeof BODY - 1, NULL, 0, &out) == PAYSPEC_ACCEPTED;
    ok = ok && payspec_rules(engine, &out) == PAYSPEC_ACCEPTED;
    payspec_engine_free(engine);
    ok = ok && payspec_engine_new(POLICY, sizeof POLICY - 2, &engine, &out) == PAYSPEC_ERROR_POLICY && engine == NULL;
    payspec_buf_free(&out);
    return ok;
}

int main(void) {
    /* The first use may allocate what stays until the end of the program. */
    CHECK(uses_one());
    ptrdiff_t before = live;
    unsigned long wrong = 0;
    for (int i = 0; i < ENGINES; i++) wrong += uses_one() ? 0 : 1;
    CHECK(wrong == 0);
    CHECK(live == before);

    /* The count finds one engine that is not freed. */
    payspec_engine *kept = NULL;
    CHECK(payspec_engine_new(POLICY, sizeof POLICY - 1, &kept, NULL) == PAYSPEC_ACCEPTED);
    CHECK(live > before);
    payspec_engine_free(kept);
    CHECK(live == before);
    return verdict("engines");
}
