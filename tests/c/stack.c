/*
 * Checks that no call leaves a card number on the stack. Each call runs on a stack in memory of this program, which is
 * searched after the thread has ended.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

#include "check.h"

enum { STACK = 1 << 20 };

#define NUMBER "4539578763621486"
/* The same number in the form that the library compares: four bits a digit, the last digit lowest. */
#define PACKED "\x86\x14\x62\x63\x87\x57\x39\x45"
#define BODY(number, text)                                                                                                \
    "{\"payment_type\":\"pay_in\",\"mode\":\"ACQUIRING\",\"subtype\":\"bank_card\",\"cur\":\"RUB\",\"amount\":\"990.50\","     \
    "\"host2host\":true,\"description\":\"" text "\",\"pay_in_details\":{\"card\":{\"card_number\":\"" number "\"}}}"

#define IN_A_TEXT(number)                                                                                                 \
    "{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"subtype\":\"sbp\",\"cur\":\"RUB\",\"amount\":\"990.50\","                    \
    "\"merchant_id\":\"%s\",\"description\":\"paid with " number "\"}"

/* Plain, escaped, in a text, in a text with an escape, more than once, in addition to the number of the body. */
static const char *const bodies[] = {
    BODY(NUMBER, "x"),
    BODY("\\u0034539578763621486", "x"),
    BODY("4111111111111111", "paid with " NUMBER),
    BODY("4111111111111111", "\\u0070aid with " NUMBER),
    BODY(NUMBER, "paid with " NUMBER ", " NUMBER " and " NUMBER),
    BODY("4111111111111111", "paid with 4111111111111111 and " NUMBER),
};
static const char context[] = "{\"uid\":\"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11\",\"now\":\"2026-11-20T10:15:30.250Z\","
                              "\"authorization\":\"checked_by_caller\",\"idempotency\":{\"key\":\"k\",\"existing\":null}}";

static payspec_engine *engine;
static payspec_buf out;

static int32_t verdict_alone(const char *body) { return payspec_validate_request(engine, body, strlen(body), NULL, 0, NULL); }
static int32_t validate(const char *body) { return payspec_validate_request(engine, body, strlen(body), "2026-01-02T03:04:05Z", 20, &out); }
static int32_t create(const char *body) { return payspec_create_payment(engine, body, strlen(body), context, strlen(context), &out); }
static int32_t fingerprint(const char *body) { return payspec_fingerprint_request(engine, body, strlen(body), &out); }
static int32_t redact(const char *body) { return payspec_redact(engine, body, strlen(body), &out); }
static int32_t upgrade(const char *body) { return payspec_upgrade_request(engine, "pay_in", 6, body, strlen(body), &out); }
static int32_t check_payment(const char *body) { return payspec_check_payment(engine, body, strlen(body), NULL, 0, &out) < 0; }
/* Leaves a number on the stack, which the test must find. */
static int32_t careless(const char *body) {
    char copy[1024];
    memcpy(copy, body, strlen(body));
    __asm__ volatile("" : : "r"(copy) : "memory");
    return 0;
}

static const struct operation {
    const char *name;
    int32_t (*run)(const char *body);
} operations[] = {
    {"verdict", verdict_alone}, {"validate_request", validate}, {"create_payment", create},
    {"fingerprint_request", fingerprint}, {"redact", redact}, {"upgrade_request", upgrade},
    {"check_payment", check_payment}, {"careless", careless},
};

struct call {
    const struct operation *operation;
    const char *body;
    int32_t returned;
};

static void *work(void *argument) {
    struct call *call = argument;
    call->returned = call->operation->run(call->body);
    return NULL;
}

/* Returns whether a thread that makes the call leaves the number on its stack. */
static int leaves(struct call *call) {
    void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    if (stack == MAP_FAILED || pthread_attr_init(&attributes) != 0) abort();
    if (pthread_attr_setstack(&attributes, stack, STACK) != 0 || pthread_create(&thread, &attributes, work, call) != 0) abort();
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    int left = memmem(stack, STACK, NUMBER, strlen(NUMBER)) != NULL || memmem(stack, STACK, PACKED, strlen(PACKED)) != NULL;
    munmap(stack, STACK);
    return left;
}

static void look(const struct operation *operation, const char *policy, const char *body) {
    struct call call = {operation, body, -1};
    int expected = operation->run == careless && strstr(body, NUMBER) != NULL;
    if (!CHECK(leaves(&call) == expected && call.returned == 0)) {
        printf("%s under %s: %d of %s\n", operation->name, policy, (int)call.returned, body);
    }
}

int main(void) {
    static const char *const policies[] = {"{}", "{\"fingerprint_key\":\"00112233445566778899aabbccddeeff\"}"};
    static const char letters[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
    for (size_t p = 0; p < sizeof policies / sizeof *policies; p++) {
        CHECK(payspec_engine_new(policies[p], strlen(policies[p]), &engine, NULL) == PAYSPEC_ACCEPTED);
        for (size_t o = 0; o < sizeof operations / sizeof *operations; o++) {
            for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) look(&operations[o], policies[p], bodies[b]);
            /* The number at every position in the blocks of the scanner, as a card number and in a text. */
            for (size_t shift = 0; shift < 64; shift++) {
                char body[512];
                snprintf(body, sizeof body, BODY(NUMBER, "%s"), letters + shift);
                look(&operations[o], policies[p], body);
                snprintf(body, sizeof body, IN_A_TEXT(NUMBER), letters + shift);
                look(&operations[o], policies[p], body);
            }
        }
        payspec_engine_free(engine);
    }
    payspec_buf_free(&out);
    return verdict("stack");
}
