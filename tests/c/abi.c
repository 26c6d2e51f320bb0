/* ABI 1 of libpayspec: numbers, layouts, functions and their types. Programs that were compiled with an earlier header
 * rely on each of them, so lines are added and never changed; a change requires another ABI, by PAYSPEC_ABI_VERSION and
 * the SONAME. The compiler compares the header with this file, the linker the library. */

#include <payspec.h>
#include <stddef.h>
#include <stdint.h>

#define HOLDS(condition) _Static_assert(condition, #condition)

/* Numbers that are compiled into programs. */
HOLDS(PAYSPEC_ABI_VERSION == 1);
HOLDS(PAYSPEC_ACCEPTED == 0);
HOLDS(PAYSPEC_REJECTED == 1);
HOLDS(PAYSPEC_ERROR_ARGUMENT == -1);
HOLDS(PAYSPEC_ERROR_UTF8 == -2);
HOLDS(PAYSPEC_ERROR_PANIC == -3);
HOLDS(PAYSPEC_ERROR_CONTEXT == -4);
HOLDS(PAYSPEC_ERROR_POLICY == -5);

/* The only structure whose members programs access: three words, in this order. */
HOLDS(sizeof(payspec_buf) == 3 * sizeof(void *));
HOLDS(_Alignof(payspec_buf) == _Alignof(void *));
HOLDS(offsetof(payspec_buf, data) == 0);
HOLDS(offsetof(payspec_buf, len) == sizeof(void *));
HOLDS(offsetof(payspec_buf, cap) == 2 * sizeof(void *));
HOLDS(_Generic(((payspec_buf *)0)->data, char *: 1, default: 0));
HOLDS(_Generic(((payspec_buf *)0)->len, size_t: 1, default: 0));
HOLDS(_Generic(((payspec_buf *)0)->cap, size_t: 1, default: 0));

/* If a declaration differs from the header, the compiler reports an error. */
const char *payspec_version(void);
uint32_t payspec_version_number(void);
uint32_t payspec_abi_version(void);
void payspec_buf_free(payspec_buf *buf);
int32_t payspec_engine_new(const char *policy, size_t policy_len, payspec_engine **out, payspec_buf *error);
void payspec_engine_free(payspec_engine *engine);
int32_t payspec_validate_request(const payspec_engine *engine, const char *body, size_t body_len, const char *now,
    size_t now_len, payspec_buf *out);
int32_t payspec_create_payment(const payspec_engine *engine, const char *body, size_t body_len, const char *context,
    size_t context_len, payspec_buf *out);
int32_t payspec_fingerprint_request(const payspec_engine *engine, const char *body, size_t body_len,
    payspec_buf *out);
int32_t payspec_redact(const payspec_engine *engine, const char *body, size_t body_len, payspec_buf *out);
int32_t payspec_redact_text(const payspec_engine *engine, const char *text, size_t text_len, payspec_buf *out);
int32_t payspec_locate(const payspec_engine *engine, const char *body, size_t body_len, const char *pointer,
    size_t pointer_len, payspec_buf *out);
int32_t payspec_read_payment(const payspec_engine *engine, const char *context, size_t context_len,
    payspec_buf *out);
int32_t payspec_read_balance(const payspec_engine *engine, const char *context, size_t context_len,
    payspec_buf *out);
int32_t payspec_check_payment(const payspec_engine *engine, const char *body, size_t body_len, const char *request,
    size_t request_len, payspec_buf *out);
int32_t payspec_field_currencies(const payspec_engine *engine, const char *body, size_t body_len, payspec_buf *out);
int32_t payspec_convert(const payspec_engine *engine, const char *context, size_t context_len, payspec_buf *out);
int32_t payspec_advance_payment(const payspec_engine *engine, const char *context, size_t context_len,
    payspec_buf *out);
int32_t payspec_check_transition(const payspec_engine *engine, const char *context, size_t context_len,
    payspec_buf *out);
int32_t payspec_authorize(const payspec_engine *engine, const char *header, size_t header_len, payspec_buf *out);
int32_t payspec_check_idempotency(const payspec_engine *engine, const char *context, size_t context_len,
    payspec_buf *out);
int32_t payspec_idempotency_key(const payspec_engine *engine, const char *header, size_t header_len, payspec_buf *out);
int32_t payspec_sign_webhook(const payspec_engine *engine, const char *body, size_t body_len, const char *context,
    size_t context_len, payspec_buf *out);
int32_t payspec_verify_webhook(const payspec_engine *engine, const char *body, size_t body_len, const char *context,
    size_t context_len, payspec_buf *out);
int32_t payspec_upgrade_request(const payspec_engine *engine, const char *kind, size_t kind_len, const char *body,
    size_t body_len, payspec_buf *out);
int32_t payspec_downgrade_request(const payspec_engine *engine, const char *body, size_t body_len,
                                  payspec_buf *out);
int32_t payspec_upgrade_balance(const payspec_engine *engine, const char *body, size_t body_len, payspec_buf *out);
int32_t payspec_downgrade_balance(const payspec_engine *engine, const char *body, size_t body_len,
                                  payspec_buf *out);
int32_t payspec_upgrade_payment(const payspec_engine *engine, const char *body, size_t body_len, payspec_buf *out);
int32_t payspec_downgrade_payment(const payspec_engine *engine, const char *body, size_t body_len,
    payspec_buf *out);
int32_t payspec_card_info(const payspec_engine *engine, const char *digits, size_t digits_len, payspec_buf *out);
int32_t payspec_compare_policies(const payspec_engine *engine, const char *context, size_t context_len,
    payspec_buf *out);
int32_t payspec_states(const payspec_engine *engine, payspec_buf *out);
int32_t payspec_rules(const payspec_engine *engine, payspec_buf *out);
int32_t payspec_decisions(const payspec_engine *engine, payspec_buf *out);
int32_t payspec_openapi(const payspec_engine *engine, payspec_buf *out);
int32_t payspec_batch(const payspec_engine *engine, const char *operation, size_t operation_len, const char *data,
    const int64_t *offsets, size_t count, const char *context, size_t context_len, int8_t *returns, payspec_buf *out,
    int64_t *out_offsets);

/* If the library does not export a function, the linker reports an error. */
#define FUNCTION(name) (void (*)(void)) name
static void (*const functions[])(void) = {
    FUNCTION(payspec_version), FUNCTION(payspec_version_number), FUNCTION(payspec_abi_version),
    FUNCTION(payspec_buf_free), FUNCTION(payspec_engine_new), FUNCTION(payspec_engine_free),
    FUNCTION(payspec_validate_request), FUNCTION(payspec_create_payment), FUNCTION(payspec_fingerprint_request),
    FUNCTION(payspec_redact), FUNCTION(payspec_read_payment), FUNCTION(payspec_read_balance),
    FUNCTION(payspec_check_payment), FUNCTION(payspec_field_currencies), FUNCTION(payspec_convert),
    FUNCTION(payspec_advance_payment), FUNCTION(payspec_check_transition), FUNCTION(payspec_authorize),
    FUNCTION(payspec_check_idempotency), FUNCTION(payspec_upgrade_request), FUNCTION(payspec_upgrade_payment),
    FUNCTION(payspec_downgrade_request), FUNCTION(payspec_upgrade_balance), FUNCTION(payspec_downgrade_balance),
    FUNCTION(payspec_downgrade_payment), FUNCTION(payspec_card_info), FUNCTION(payspec_states),
    FUNCTION(payspec_rules), FUNCTION(payspec_decisions), FUNCTION(payspec_openapi),
    FUNCTION(payspec_idempotency_key), FUNCTION(payspec_sign_webhook), FUNCTION(payspec_verify_webhook),
    FUNCTION(payspec_redact_text), FUNCTION(payspec_locate), FUNCTION(payspec_batch),
    FUNCTION(payspec_compare_policies),
};

int main(void) {
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (functions[i] == NULL) return 1;
    }
    return payspec_abi_version() == PAYSPEC_ABI_VERSION ? 0 : 1;
}
