/*
 * payspec: the interface of a payment service as a library. Version 0.1.0.
 *
 * Generated from the sources in ffi/ by `cargo xtask header`; edit those, not this file.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 *     payspec_engine *engine = NULL;
 *     payspec_buf report = {0};
 *     if (payspec_engine_new(NULL, 0, &engine, NULL) != PAYSPEC_ACCEPTED) abort();
 *     int32_t verdict = payspec_validate_request(engine, body, body_len, NULL, 0, &report);
 *     if (verdict == PAYSPEC_REJECTED) fprintf(stderr, "%s\n", report.data);
 *     payspec_buf_free(&report);
 *     payspec_engine_free(engine);
 *
 * § refers to the specification of the service. docs/src/reference has examples of bodies, contexts, and answers, and
 * lists the members of a policy. payspec_rules, payspec_decisions, and payspec_openapi return the remaining
 * documentation.
 *
 * The following applies to every function below.
 *
 * Inputs. Each input is a pointer and a length in bytes. No NUL is needed at the end, and a NUL inside is an ordinary
 * byte. Inputs are read only during the call. A body is untrusted and may contain anything: an invalid body results in
 * a report, never in an error. Contexts, policies, and plain texts are supplied by the caller: if one is invalid, the
 * call fails with an error.
 *
 * Returns. PAYSPEC_ACCEPTED (0), PAYSPEC_REJECTED (1), or a negative number, PAYSPEC_ERROR_..., if the call failed. A
 * call that failed writes {"error":{"code":"...","path":"...","message":"..."}} to the buffer. `path` is the JSON
 * Pointer of the argument ("/body") or of the member of the context or policy ("/quote/rate"). No message contains a
 * value from a body. A number is never reused with another meaning.
 *
 * NULL. Pass NULL, 0 for a missing input. PAYSPEC_ERROR_ARGUMENT is returned if a required input is missing, if a
 * pointer is NULL and its length is not 0, or if the engine is NULL. Length 0 with another pointer is an empty text:
 * an empty body is rejected with a report. `out` may be NULL: then only the return code is computed, which is the
 * fastest. payspec_engine_free and payspec_buf_free accept NULL. payspec_batch documents the rules for its arrays.
 *
 * Ownership. The library owns what it allocates: free engines with payspec_engine_free and buffers with
 * payspec_buf_free, each exactly once, and never with free(). Inputs remain the property of the caller. The text of
 * payspec_version is static; do not free it.
 *
 * Buffers. Zero a payspec_buf before its first use and pass it to any number of calls. Each call replaces the text, and
 * allocates memory if the buffer is too small. `data` is valid until the next use of the buffer, and followed by a NUL.
 * An input may be in the memory of `out`: the answer is then written to new memory, and the input is freed when the
 * call ends. A buffer that the library cannot have filled (data without cap, or cap without data) is not changed, and
 * PAYSPEC_ERROR_ARGUMENT is returned; other corruption is not detected.
 *
 * Allocation. payspec_validate_request allocates no memory if the body is valid, the report has at most four warnings,
 * and the buffer is large enough or NULL. Other functions may allocate.
 *
 * Threads. No call changes an engine: any number of threads may use it at the same time, without a lock. Free it after
 * the last call has returned. A payspec_buf is used by one thread at a time, and may be moved between threads. The
 * library has no other state: no globals, thread locals, errno, locale, clock, files, or network.
 *
 * Fork and signals. The library starts no thread and holds no lock: after fork(), parent and child may both use an
 * engine created before, and each frees its own copy. Calls may allocate; do not make them in signal handlers.
 *
 * Panics. No call unwinds into C, throws, or jumps. A panic is a bug in the library, and is caught: the call returns
 * PAYSPEC_ERROR_PANIC, `out` contains the error, and engine and buffer remain usable. One line is written to standard
 * error; it contains a location in the source, never a body. If memory cannot be allocated, the process is aborted.
 *
 * Undefined behavior, since it cannot be detected: pointers that do not meet these requirements, an engine or buffer
 * that is used after it was freed, an input that another thread changes during the call, a buffer that two threads use
 * at the same time.
 */

#ifndef PAYSPEC_H
#define PAYSPEC_H

#include <stddef.h>
#include <stdint.h>

/** The version of this header; payspec_version() at run time. */
#define PAYSPEC_VERSION "0.1.0"

/** The parts of the version in Cargo.toml. */
#define PAYSPEC_VERSION_MAJOR 0
#define PAYSPEC_VERSION_MINOR 1
#define PAYSPEC_VERSION_PATCH 0

/** MAJOR * 1000000 + MINOR * 1000 + PATCH, for comparisons; payspec_version_number() at run time. */
#define PAYSPEC_VERSION_NUMBER 1000

/** The binary interface: MINOR while MAJOR is 0, then 100 * MAJOR. payspec_abi_version() at run time. */
#define PAYSPEC_ABI_VERSION 1

/**
 * Accepted: the body is valid, the status of the outcome is 2xx, or the verdict permits the
 * request. A transition is accepted unless it is `refused`.
 */
#define PAYSPEC_ACCEPTED 0

/**
 * Rejected: `out` contains the report, problem, or verdict with the reason.
 */
#define PAYSPEC_REJECTED 1

/**
 * Invalid argument. A required input is missing, a required pointer is NULL, a pointer is NULL and
 * its length is not 0, a length is over PTRDIFF_MAX, a pointer is not aligned, or a `payspec_buf`
 * was neither zeroed nor filled by the library.
 */
#define PAYSPEC_ERROR_ARGUMENT (-1)

/**
 * Invalid UTF-8 in a context, a policy, or a plain text of the caller. (In a body it is a
 * violation, `json_syntax`.)
 */
#define PAYSPEC_ERROR_UTF8 (-2)

/**
 * The library panicked, which is a bug in it. The call had no effect, except that a batch keeps
 * its other answers; engine and buffer remain usable.
 */
#define PAYSPEC_ERROR_PANIC (-3)

/**
 * Invalid context or plain text: the operation requires something else. The path in `out` names
 * the member.
 */
#define PAYSPEC_ERROR_CONTEXT (-4)

/**
 * Invalid policy: it contains an invalid setting. The path in `error` names the member.
 */
#define PAYSPEC_ERROR_POLICY (-5)

/**
 * An engine: a policy, prepared for use. The type is opaque, and no call changes an engine.
 *
 * Threads: any number of threads may use one engine at the same time, without a lock. An engine
 * lives until `payspec_engine_free`. It keeps no pointer to the text of the policy, and buffers
 * that were filled with its help remain valid after it is freed.
 */
typedef struct payspec_engine payspec_engine;

/**
 * A buffer for text. The library writes the text and owns its memory.
 *
 * Zero it before its first use (`payspec_buf buf = {0};`), pass it to any number of calls, and
 * free it with `payspec_buf_free` at the end. Each call replaces the text, and reuses the memory
 * if it is large enough.
 *
 * It may be moved, or copied bytewise if only one of the copies is used afterwards. Only one
 * thread at a time may use it. Calling `free()` or `realloc()` on `data`, or storing a pointer of
 * your own in it, is undefined behavior.
 */
typedef struct {
  /**
   * The text: UTF-8, followed by a NUL; NULL before the first call. It is valid until the next
   * call with this buffer.
   */
  char *data;
  /**
   * The length of the text in bytes, without the NUL.
   */
  size_t len;
  /**
   * The size of the memory. Do not change it.
   */
  size_t cap;
} payspec_buf;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the version of the linked library, `"MAJOR.MINOR.PATCH"`: `PAYSPEC_VERSION` at run time.
 *
 * @return a NUL-terminated text, which is static; do not free it
 *
 * Threads: any number at the same time. Errors: none.
 */
const char *payspec_version(void);

/**
 * Returns the version of the linked library as one number, for comparison: `PAYSPEC_VERSION_NUMBER` at run time.
 *
 * @return MAJOR * 1000000 + MINOR * 1000 + PATCH
 *
 * Threads: any number at the same time. Errors: none.
 */
uint32_t payspec_version_number(void);

/**
 * Returns the number of the binary interface, which is `PAYSPEC_ABI_VERSION` at run time. If the two are equal, the
 * library fits the header that the program was compiled with.
 *
 * @return MINOR while MAJOR is 0, then 100 * MAJOR
 *
 * Threads: any number at the same time. Errors: none.
 */
uint32_t payspec_abi_version(void);

/**
 * Frees the memory of a buffer and zeroes the buffer. It can be used again; freeing it twice has no effect.
 *
 * @param buf  a buffer that is not in use; NULL has no effect
 *
 * Threads: any thread, not only the one that filled it. Errors: none; a buffer that the library cannot have filled is
 * only zeroed.
 */
void payspec_buf_free(payspec_buf *buf);

/**
 * Creates an engine from a policy. Create it once, share it, and free it at the end.
 *
 * @param policy      the policy as JSON, every member optional (docs/src/reference/policy.md lists them); pass NULL, 0
 *                    for the default policy
 * @param policy_len  its length in bytes
 * @param out         receives the engine, to be freed with `payspec_engine_free`; NULL if the call fails
 * @param error       receives the error if the call fails, otherwise the empty text; pass NULL if the return code is
 *                    enough
 * @return PAYSPEC_ACCEPTED: the engine was created;
 *         PAYSPEC_ERROR_ARGUMENT: `out` is NULL, or `policy` is NULL and its length is not 0;
 *         PAYSPEC_ERROR_UTF8: the policy is not UTF-8;
 *         PAYSPEC_ERROR_POLICY: the policy is not a JSON object, or contains an unknown member or an invalid setting;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `error` is valid until its next use. Threads: any number at the
 * same time, each with its own `out` and `error`.
 */
int32_t payspec_engine_new(const char *policy,
                           size_t policy_len,
                           payspec_engine **out,
                           payspec_buf *error);

/**
 * Frees an engine. All calls with it must have returned.
 *
 * @param engine  from `payspec_engine_new`, freed at most once; NULL has no effect
 *
 * Threads: any thread, not only the one that created it. Errors: none.
 */
void payspec_engine_free(payspec_engine *engine);

/**
 * Validates the body of `POST /v1/payments/new` (§2.2) and returns a report with all violations.
 *
 * @param engine    from `payspec_engine_new`
 * @param body      the body that the client sent, with any content
 * @param body_len  its length in bytes
 * @param now       current time (RFC 3339), used to detect expired cards; pass NULL, 0 to skip the check
 * @param now_len   its length in bytes
 * @param out       receives the report; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the body is valid; the report may contain warnings;
 *         PAYSPEC_REJECTED: the report contains an error;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL, or `now` is NULL and `now_len` is not 0;
 *         PAYSPEC_ERROR_UTF8: `now` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: `now` is not a timestamp;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_validate_request(const payspec_engine *engine,
                                 const char *body,
                                 size_t body_len,
                                 const char *now,
                                 size_t now_len,
                                 payspec_buf *out);

/**
 * Returns the exact outcome of `POST /v1/payments/new` (§4.1).
 *
 * @param engine       from `payspec_engine_new`
 * @param body         the body that the client sent, with any content
 * @param body_len     its length in bytes
 * @param context      JSON supplied by the caller: uid, now, authorization {header, accepted} or
 *                     "checked_by_caller"; optional: url, form, merchant_id, allowed_merchant_ids [...],
 *                     idempotency {key, existing {created_at, fingerprint, payment with a uid, or null} or
 *                     null}, quote {currency, rate, as_of}, charges {fee, commission, shared_commission},
 *                     info {...}, refusal
 * @param context_len  its length in bytes
 * @param out          receives the outcome (status and body); pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: 201, with the payment;
 *         PAYSPEC_REJECTED: 400, 401, 409, 413, 422, or 455, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine`, `body`, or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown, or invalid; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_create_payment(const payspec_engine *engine,
                               const char *body,
                               size_t body_len,
                               const char *context,
                               size_t context_len,
                               payspec_buf *out);

/**
 * Returns the fingerprint of the body of a request. payspec_check_idempotency compares it with the stored one (§8).
 *
 * @param engine    from `payspec_engine_new`
 * @param body      the body that the client sent, with any content
 * @param body_len  its length in bytes
 * @param out       receives the fingerprint, or the report of a body that is not a JSON object; pass NULL to compute
 *                  only the verdict
 * @return PAYSPEC_ACCEPTED: the fingerprint was computed;
 *         PAYSPEC_REJECTED: the body is not a JSON object;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_fingerprint_request(const payspec_engine *engine,
                                    const char *body,
                                    size_t body_len,
                                    payspec_buf *out);

/**
 * Returns a body of the interface in a form that is safe to log: card numbers are masked, security codes are replaced
 * by `"***"`, the rest is unchanged.
 *
 * @param engine    from `payspec_engine_new`
 * @param body      any body of the interface, with any content
 * @param body_len  its length in bytes
 * @param out       receives the body, or the report of a body that is not JSON; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the body in `out` may be logged;
 *         PAYSPEC_REJECTED: `out` contains a report, which may be logged too;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_redact(const payspec_engine *engine,
                       const char *body,
                       size_t body_len,
                       payspec_buf *out);

/**
 * Makes any text safe to log, such as a line of a log: masks card numbers, and the values after names of card data.
 *
 * @param engine    from `payspec_engine_new`
 * @param text      any text
 * @param text_len  its length in bytes
 * @param out       receives the text; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the text in `out` may be logged;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `text` is NULL;
 *         PAYSPEC_ERROR_UTF8: `text` is not UTF-8;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_redact_text(const payspec_engine *engine,
                            const char *text,
                            size_t text_len,
                            payspec_buf *out);

/**
 * Locates the value at a JSON Pointer in a body, for example the path of a violation: byte range, line, and column.
 *
 * @param engine       from `payspec_engine_new`
 * @param body         any body
 * @param body_len     its length in bytes
 * @param pointer      the JSON Pointer (RFC 6901) as plain text
 * @param pointer_len  its length in bytes
 * @param out          receives the location; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the location is in `out`;
 *         PAYSPEC_REJECTED: the body is not JSON or has no such value;
 *         PAYSPEC_ERROR_ARGUMENT: `engine`, `body`, or `pointer` is NULL;
 *         PAYSPEC_ERROR_UTF8: `pointer` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: `pointer` is not a JSON Pointer;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_locate(const payspec_engine *engine,
                       const char *body,
                       size_t body_len,
                       const char *pointer,
                       size_t pointer_len,
                       payspec_buf *out);

/**
 * Returns the exact outcome of `GET /v1/payments/{uid}/status` (§4.2).
 *
 * @param engine       from `payspec_engine_new`
 * @param context      as JSON: uid; payment, the one stored under that uid, or null; authorization {header, accepted}
 *                     or "checked_by_caller"
 * @param context_len  its length in bytes
 * @param out          receives the outcome (status and body); pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: 200, with the stored payment, unchanged;
 *         PAYSPEC_REJECTED: 401 or 404, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown, or invalid; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_read_payment(const payspec_engine *engine,
                             const char *context,
                             size_t context_len,
                             payspec_buf *out);

/**
 * Returns the exact outcome of `GET /v1/partner/balance` (§4.3).
 *
 * @param engine       from `payspec_engine_new`
 * @param context      as JSON: balance, an object with at least cur; authorization {header, accepted} or
 *                     "checked_by_caller"
 * @param context_len  its length in bytes
 * @param out          receives the outcome (status and body); pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: 200, with the balance;
 *         PAYSPEC_REJECTED: 401, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown, or invalid; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_read_balance(const payspec_engine *engine,
                             const char *context,
                             size_t context_len,
                             payspec_buf *out);

/**
 * Validates a payment (§2.1, §3), and checks that it matches the request.
 *
 * @param engine       from `payspec_engine_new`
 * @param body         the payment, with any content
 * @param body_len     its length in bytes
 * @param request      the body of the request that the payment belongs to; pass NULL, 0 to skip the comparison
 * @param request_len  its length in bytes
 * @param out          receives the report; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the payment is valid; the report may contain warnings;
 *         PAYSPEC_REJECTED: the report contains an error;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL, or `request` is NULL and its length is not 0;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_check_payment(const payspec_engine *engine,
                              const char *body,
                              size_t body_len,
                              const char *request,
                              size_t request_len,
                              payspec_buf *out);

/**
 * Returns the currency of each amount of a payment (§1.4).
 *
 * @param engine    from `payspec_engine_new`
 * @param body      the payment, with any content
 * @param body_len  its length in bytes
 * @param out       receives the table, or a report if the currencies cannot be determined; pass NULL to compute only
 *                  the verdict
 * @return PAYSPEC_ACCEPTED: `out` contains the table;
 *         PAYSPEC_REJECTED: the report contains the reason;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_field_currencies(const payspec_engine *engine,
                                 const char *body,
                                 size_t body_len,
                                 payspec_buf *out);

/**
 * Converts a fiat amount to USDT exactly, at the rate of a quote (§1.4).
 *
 * @param engine       from `payspec_engine_new`
 * @param context      as JSON: amount, currency; optional: quote {currency, rate, as_of}; now, to check
 *                     the age of the quote
 * @param context_len  its length in bytes
 * @param out          receives the outcome (status and body); pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: 200, with the amount;
 *         PAYSPEC_REJECTED: 455, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown, or invalid; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_convert(const payspec_engine *engine,
                        const char *context,
                        size_t context_len,
                        payspec_buf *out);

/**
 * Applies a transition to a stored payment (§3).
 *
 * @param engine       from `payspec_engine_new`
 * @param context      as JSON: payment, to, at; optional, depending on the new state: paid_amount, amount, fail_by,
 *                     fail_code, receipts
 * @param context_len  its length in bytes
 * @param out          receives the outcome (status and body); pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: 200, with the changed payment;
 *         PAYSPEC_REJECTED: 409, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown, or invalid; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_advance_payment(const payspec_engine *engine,
                                const char *context,
                                size_t context_len,
                                payspec_buf *out);

/**
 * Checks a transition between two states under the policy (§3).
 *
 * @param engine       from `payspec_engine_new`
 * @param context      as JSON: from, to
 * @param context_len  its length in bytes
 * @param out          receives verdict, reason, and source; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the verdict is allowed, unspecified, or unchanged;
 *         PAYSPEC_REJECTED: the verdict is refused;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown, or not a state; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_check_transition(const payspec_engine *engine,
                                 const char *context,
                                 size_t context_len,
                                 payspec_buf *out);

/**
 * Parses the value of an Authorization header (§5) by the grammar of RFC 6750. The caller decides if the token is
 * accepted.
 *
 * @param engine      from `payspec_engine_new`
 * @param header      the value of the header that the client sent, with any content; pass NULL, 0 if
 *                    the request has no such header
 * @param header_len  its length in bytes
 * @param out         receives the token, or an outcome with status 401; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the header contains a token;
 *         PAYSPEC_REJECTED: 401, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL, or `header` is NULL and `header_len` is not 0;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_authorize(const payspec_engine *engine,
                          const char *header,
                          size_t header_len,
                          payspec_buf *out);

/**
 * Compares a request with the record stored under its idempotency key (§8).
 *
 * @param engine       from `payspec_engine_new`
 * @param context      as JSON: now; fingerprint, that of the request; existing {created_at, fingerprint, payment}, the
 *                     record under the key, or null; optional: key, to check its syntax
 * @param context_len  its length in bytes
 * @param out          receives verdict, status, and age; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the verdict is new or replay;
 *         PAYSPEC_REJECTED: the verdict is in_progress, mismatch, conflict, or invalid_key;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown, or invalid; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_check_idempotency(const payspec_engine *engine,
                                  const char *context,
                                  size_t context_len,
                                  payspec_buf *out);

/**
 * Returns the key in the value of an Idempotency-Key header: unquoted if it is a string of RFC 8941, otherwise as given.
 *
 * @param engine      from `payspec_engine_new`
 * @param header      the value of the header that the client sent, with any content; pass NULL, 0 if
 *                    the request has no such header
 * @param header_len  its length in bytes
 * @param out         receives the key, which is null without a header, or an outcome with status 400; pass NULL to
 *                    compute only the verdict
 * @return PAYSPEC_ACCEPTED: the header is a key, or it is absent;
 *         PAYSPEC_REJECTED: 400, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL, or `header` is NULL and `header_len` is not 0;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_idempotency_key(const payspec_engine *engine,
                                const char *header,
                                size_t header_len,
                                payspec_buf *out);

/**
 * Signs a webhook, and writes the headers to send with it. The library sends nothing.
 *
 * @param engine       from `payspec_engine_new`
 * @param body         the body to send; its bytes are signed as given
 * @param body_len     its length in bytes
 * @param context      as JSON: id, the same in every attempt; timestamp, the time of the attempt; secrets, an array of
 *                     `whsec_` and base64 each, one for each signature
 * @param context_len  its length in bytes
 * @param out          receives the headers webhook-id, webhook-timestamp, and webhook-signature; pass NULL to only check
 *                     the context
 * @return PAYSPEC_ACCEPTED: the webhook is signed;
 *         PAYSPEC_ERROR_ARGUMENT: `engine`, `body`, or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown, or invalid; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_sign_webhook(const payspec_engine *engine,
                             const char *body,
                             size_t body_len,
                             const char *context,
                             size_t context_len,
                             payspec_buf *out);

/**
 * Verifies the signature and the time of a received webhook.
 *
 * @param engine       from `payspec_engine_new`
 * @param body         the bytes as received
 * @param body_len     its length in bytes
 * @param context      as JSON: headers, an object of names and values; secrets, an array; now; optional: tolerance_s,
 *                     300 unless given
 * @param context_len  its length in bytes
 * @param out          receives the verdict, with the reason if the webhook is rejected; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the webhook is verified;
 *         PAYSPEC_REJECTED: missing_header, malformed_header, timestamp, or signature;
 *         PAYSPEC_ERROR_ARGUMENT: `engine`, `body`, or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown, or invalid; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_verify_webhook(const payspec_engine *engine,
                               const char *body,
                               size_t body_len,
                               const char *context,
                               size_t context_len,
                               payspec_buf *out);

/**
 * Migrates a request of the legacy API to the current one (§9.2).
 *
 * @param engine    from `payspec_engine_new`
 * @param kind      `pay_in` or `pay_out`: a body of the legacy API does not contain it
 * @param kind_len  its length in bytes
 * @param body      the body of the legacy API, with any content
 * @param body_len  its length in bytes
 * @param out       receives body, changes, unresolved members, and an idempotency key if the body contains one, or the
 *                  report of a body that is not a JSON object; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the body was migrated;
 *         PAYSPEC_REJECTED: the report contains the reason;
 *         PAYSPEC_ERROR_ARGUMENT: `engine`, `kind` or `body` is NULL;
 *         PAYSPEC_ERROR_UTF8: `kind` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: `kind` is not `pay_in` or `pay_out`;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_upgrade_request(const payspec_engine *engine,
                                const char *kind,
                                size_t kind_len,
                                const char *body,
                                size_t body_len,
                                payspec_buf *out);

/**
 * Migrates a request to the legacy API (§9.2). Its `payment_type` selects the legacy endpoint.
 *
 * @param engine    from `payspec_engine_new`
 * @param body      the request of the current API, with any content
 * @param body_len  its length in bytes
 * @param out       receives body, changes, and unresolved members, or the report of a body that is not a JSON object;
 *                  pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the request was migrated;
 *         PAYSPEC_REJECTED: the report contains the reason;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_downgrade_request(const payspec_engine *engine,
                                  const char *body,
                                  size_t body_len,
                                  payspec_buf *out);

/**
 * Migrates a balance of the legacy API to the current one (§9.2): `currency` becomes `cur`.
 *
 * @param engine    from `payspec_engine_new`
 * @param body      the balance of the legacy API, with any content
 * @param body_len  its length in bytes
 * @param out       receives body, changes, and unresolved members, or the report of a body that is not a JSON object;
 *                  pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the balance was migrated;
 *         PAYSPEC_REJECTED: the report contains the reason;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_upgrade_balance(const payspec_engine *engine,
                                const char *body,
                                size_t body_len,
                                payspec_buf *out);

/**
 * Migrates a balance to the legacy API (§9.2): `cur` becomes `currency`.
 *
 * @param engine    from `payspec_engine_new`
 * @param body      the balance of the current API, with any content
 * @param body_len  its length in bytes
 * @param out       receives body, changes, and unresolved members, or the report of a body that is not a JSON object;
 *                  pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the balance was migrated;
 *         PAYSPEC_REJECTED: the report contains the reason;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_downgrade_balance(const payspec_engine *engine,
                                  const char *body,
                                  size_t body_len,
                                  payspec_buf *out);

/**
 * Migrates a payment of the legacy API to the current one (§9.2).
 *
 * @param engine    from `payspec_engine_new`
 * @param body      the payment of the legacy API, with any content
 * @param body_len  its length in bytes
 * @param out       receives body, changes, and unresolved members, or the report of a body that is not a JSON object;
 *                  pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the payment was migrated;
 *         PAYSPEC_REJECTED: the report contains the reason;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_upgrade_payment(const payspec_engine *engine,
                                const char *body,
                                size_t body_len,
                                payspec_buf *out);

/**
 * Migrates a payment to the legacy API (§9.2).
 *
 * @param engine    from `payspec_engine_new`
 * @param body      the payment of the current API, with any content
 * @param body_len  its length in bytes
 * @param out       receives body, changes, and unresolved members, or the report of a body that is not a JSON object;
 *                  pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: the payment was migrated;
 *         PAYSPEC_REJECTED: the report contains the reason;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_downgrade_payment(const payspec_engine *engine,
                                  const char *body,
                                  size_t body_len,
                                  payspec_buf *out);

/**
 * Returns the scheme and the format of a card from the digits typed so far, for use in forms.
 *
 * @param engine      from `payspec_engine_new`
 * @param digits      the digits, as plain text
 * @param digits_len  its length in bytes
 * @param out         receives scheme, lengths, gaps, code, possible, valid, and masked; pass NULL to compute only the
 *                    verdict
 * @return PAYSPEC_ACCEPTED: for any digits;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `digits` is NULL;
 *         PAYSPEC_ERROR_UTF8: `digits` is not UTF-8;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_card_info(const payspec_engine *engine,
                          const char *digits,
                          size_t digits_len,
                          payspec_buf *out);

/**
 * Compares the requests that two policies accept. The policy of the engine does not matter.
 *
 * @param engine       from `payspec_engine_new`
 * @param context      as JSON: before and after, two policies; a policy that is missing is the default one
 * @param context_len  its length in bytes
 * @param out          receives the relation and the differences, with a request for each that exactly one of the two
 *                     policies accepts; pass NULL to only check the context
 * @return PAYSPEC_ACCEPTED: for any two policies;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is unknown or not a valid policy; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `out`.
 */
int32_t payspec_compare_policies(const payspec_engine *engine,
                                 const char *context,
                                 size_t context_len,
                                 payspec_buf *out);

/**
 * Returns the table of states (§3).
 *
 * @param engine  from `payspec_engine_new`
 * @param out     receives the table; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: always, if the arguments are valid;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * The text in `out` is valid until its next use. Threads: any number at the same time with one engine, each with its
 * own `out`.
 */
int32_t payspec_states(const payspec_engine *engine,
                       payspec_buf *out);

/**
 * Returns the catalog of violation codes, with severity, source, summary, and parameters.
 *
 * @param engine  from `payspec_engine_new`
 * @param out     receives the catalog; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: always, if the arguments are valid;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * The text in `out` is valid until its next use. Threads: any number at the same time with one engine, each with its
 * own `out`.
 */
int32_t payspec_rules(const payspec_engine *engine,
                      payspec_buf *out);

/**
 * Returns the decision register: the questions that the specification leaves open, and the behavior of the library.
 *
 * @param engine  from `payspec_engine_new`
 * @param out     receives the register; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: always, if the arguments are valid;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * The text in `out` is valid until its next use. Threads: any number at the same time with one engine, each with its
 * own `out`.
 */
int32_t payspec_decisions(const payspec_engine *engine,
                          payspec_buf *out);

/**
 * Returns an OpenAPI 3.1 document of the interface under the policy of the engine.
 *
 * @param engine  from `payspec_engine_new`
 * @param out     receives the document; pass NULL to compute only the verdict
 * @return PAYSPEC_ACCEPTED: always, if the arguments are valid;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * The text in `out` is valid until its next use. Threads: any number at the same time with one engine, each with its
 * own `out`.
 */
int32_t payspec_openapi(const payspec_engine *engine,
                        payspec_buf *out);

/**
 * Runs an operation with each body of a column: the same as one call for each, but the second input is parsed once.
 *
 * A column is text with count + 1 offsets into it, like an Arrow LargeBinary array without nulls: body i is
 * `data[offsets[i]]` up to, but not including, `data[offsets[i + 1]]`. The first offset may be greater than 0, as in
 * a slice of an array. If `count` is 0, `data`, `offsets`, and `returns` are not used and may be NULL.
 *
 * @param engine         from `payspec_engine_new`
 * @param operation      the name of an operation whose first input is a body, for example "validate_request"
 * @param operation_len  its length in bytes
 * @param data           the bodies, with any content; NULL only if the last offset is 0
 * @param offsets        count + 1 offsets, from 0 and not decreasing; their last is the length of `data`
 * @param count          the number of bodies
 * @param context        the second input of the operation, which all bodies share; pass NULL, 0 if it is missing or
 *                       the operation does not have one
 * @param context_len    its length in bytes
 * @param returns        receives the return code of each call: `count` elements
 * @param out            receives the answers, one after the other; pass NULL to compute only the verdicts
 * @param out_offsets    receives count + 1 offsets into `out`, from 0; NULL exactly if `out` is NULL
 * @return PAYSPEC_ACCEPTED: every element of `returns` is PAYSPEC_ACCEPTED, or there are no bodies;
 *         PAYSPEC_REJECTED: an element of `returns` is another one. It is negative only for a bug in the library,
 *         PAYSPEC_ERROR_PANIC, and the answer is then the error;
 *         PAYSPEC_ERROR_ARGUMENT: `engine`, `operation`, or a required array is NULL, an array is not aligned,
 *         arguments overlap as described below, the offsets are invalid, `count` is too large, no operation with a
 *         body has the name, or its required second input is missing;
 *         PAYSPEC_ERROR_UTF8: `operation` or `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: the operation would reject `context`, as in a single call;
 *         PAYSPEC_ERROR_PANIC: a bug in the library.
 *
 * After a negative return code no body was read, `out` contains the error, and nothing was written to `returns` and
 * `out_offsets`.
 *
 * Overlaps. The outputs are the arrays `returns` and `out_offsets`, the struct `out`, and the memory of `out`. No output
 * may overlap another output or an input: `operation`, `data`, `offsets`, or `context`. The only exception is that
 * inputs may be in the memory of `out`, as in every call. If an overlap includes the struct `out`, or an array in the
 * memory of `out`, the buffer is not changed and contains no error.
 *
 * Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
 * time with one engine, each with its own `returns`, `out`, and `out_offsets`.
 */
int32_t payspec_batch(const payspec_engine *engine,
                      const char *operation,
                      size_t operation_len,
                      const char *data,
                      const int64_t *offsets,
                      size_t count,
                      const char *context,
                      size_t context_len,
                      int8_t *returns,
                      payspec_buf *out,
                      int64_t *out_offsets);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PAYSPEC_H */
