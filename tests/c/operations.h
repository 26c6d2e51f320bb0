/* Every operation with its name. The compiler checks the types of the functions against the header. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <payspec.h>

typedef int32_t operation0(const payspec_engine *, payspec_buf *);
typedef int32_t operation1(const payspec_engine *, const char *, size_t, payspec_buf *);
typedef int32_t operation2(const payspec_engine *, const char *, size_t, const char *, size_t, payspec_buf *);

struct operation {
    const char *name;
    /* The names of the inputs, in order. The name of an optional input ends with a question mark. */
    const char *inputs[2];
    operation0 *none;
    operation1 *one;
    operation2 *two;
};

#define NONE(name) {#name, {NULL, NULL}, payspec_##name, NULL, NULL}
#define ONE(name, a) {#name, {a, NULL}, NULL, payspec_##name, NULL}
#define TWO(name, a, b) {#name, {a, b}, NULL, NULL, payspec_##name}

static const struct operation operations[] = {
    TWO(validate_request, "body", "now?"),
    TWO(create_payment, "body", "context"),
    ONE(read_payment, "context"),
    ONE(read_balance, "context"),
    TWO(check_payment, "body", "request?"),
    ONE(field_currencies, "body"),
    ONE(convert, "context"),
    ONE(advance_payment, "context"),
    ONE(check_transition, "context"),
    NONE(states),
    ONE(check_idempotency, "context"),
    ONE(idempotency_key, "header?"),
    ONE(fingerprint_request, "body"),
    ONE(authorize, "header?"),
    TWO(upgrade_request, "kind", "body"),
    ONE(downgrade_request, "body"),
    ONE(upgrade_balance, "body"),
    ONE(downgrade_balance, "body"),
    ONE(upgrade_payment, "body"),
    ONE(downgrade_payment, "body"),
    ONE(redact, "body"),
    ONE(redact_text, "text"),
    TWO(sign_webhook, "body", "context"),
    TWO(verify_webhook, "body", "context"),
    TWO(locate, "body", "pointer"),
    ONE(card_info, "digits"),
    ONE(compare_policies, "context"),
    NONE(rules),
    NONE(decisions),
    NONE(openapi),
};

enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* One input. `data` is NULL if it is omitted. */
struct input {
    const char *data;
    size_t len;
};

static inline int32_t call(const struct operation *operation, const payspec_engine *engine, const struct input *in,
                           payspec_buf *out) {
    if (operation->two) return operation->two(engine, in[0].data, in[0].len, in[1].data, in[1].len, out);
    if (operation->one) return operation->one(engine, in[0].data, in[0].len, out);
    return operation->none(engine, out);
}

#endif
