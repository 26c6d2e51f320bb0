/* Uses one engine in eight threads with a million calls, and frees it after the last one. */
#include <pthread.h>

#include "check.h"

enum { THREADS = 8, CALLS = 1000000 };

struct body {
    const char *text;
    int32_t returns;
    payspec_buf expected;
};

static struct body bodies[] = {
    {"{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"subtype\":\"sbp\",\"cur\":\"RUB\",\"amount\":\"990.50\"}", 0, {0}},
    {"{\"payment_type\":\"pay_out\",\"mode\":\"P2P\",\"subtype\":\"sbp\",\"cur\":\"RUB\",\"amount\":\"0\"}", 1, {0}},
    {"{\"amount\":12}", 1, {0}},
    {"{", 1, {0}},
};

enum { BODIES = sizeof bodies / sizeof bodies[0] };

static payspec_engine *engine;

static void *work(void *argument) {
    payspec_buf out = {0};
    unsigned long *differences = argument;
    for (unsigned long i = 0; i < CALLS / THREADS; i++) {
        const struct body *body = &bodies[i % BODIES];
        int alone = i % 3 == 0;
        int32_t number = payspec_validate_request(engine, body->text, strlen(body->text), NULL, 0, alone ? NULL : &out);
        if (number != body->returns) ++*differences;
        if (!alone && (out.len != body->expected.len || memcmp(out.data, body->expected.data, out.len) != 0)) ++*differences;
    }
    payspec_buf_free(&out);
    return NULL;
}

int main(void) {
    const char *policy = "{\"severity\":{\"unknown_member\":\"error\"}}";
    CHECK(payspec_engine_new(policy, strlen(policy), &engine, NULL) == PAYSPEC_ACCEPTED);
    for (size_t i = 0; i < BODIES; i++) {
        struct body *body = &bodies[i];
        CHECK(payspec_validate_request(engine, body->text, strlen(body->text), NULL, 0, &body->expected) == body->returns);
    }
    pthread_t threads[THREADS];
    unsigned long differences[THREADS] = {0};
    for (size_t i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, work, &differences[i]) != 0) abort();
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(differences[i] == 0);
    }
    payspec_engine_free(engine);
    for (size_t i = 0; i < BODIES; i++) payspec_buf_free(&bodies[i].expected);
    return verdict("threads");
}
