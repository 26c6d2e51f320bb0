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
 * § numbers are those of the service's specification. README.md shows bodies, contexts and answers, and lists what a
 * policy can set; payspec_rules, payspec_decisions and payspec_openapi tell the rest.
 *
 * THE CONTRACT, the same for every function below.
 *
 * Inputs. A pointer and a length in bytes; no NUL is needed behind them, and one within them is a byte like any other.
 * They are read during the call and never kept. A body came off the wire: whatever it holds, the answer is a report and
 * never an error. Contexts, policies and plain texts are the caller's own: what is wrong with them is misuse.
 *
 * Returns. PAYSPEC_ACCEPTED (0), PAYSPEC_REJECTED (1), or a negative number for misuse, PAYSPEC_ERROR_...; then the
 * buffer holds {"error":{"code":"...","path":"...","message":"..."}}, whose path names the argument ("/body") or the
 * member of the context or policy ("/quote/rate"). No message ever holds a value from a body. The numbers are never
 * used again for something else.
 *
 * NULL. A missing input is NULL with length 0. PAYSPEC_ERROR_ARGUMENT is returned for a missing required input, a NULL
 * with a length, and a NULL engine. Length 0 with any other pointer is an empty text: an empty body is rejected with a
 * report. `out` may always be NULL: only the number is computed, which is fastest. The two functions that free take NULL.
 *
 * Ownership. What the library makes, the library frees: engines by payspec_engine_free, buffers by payspec_buf_free,
 * both exactly once, never by free(). Inputs stay the caller's. Texts of payspec_version are nobody's to free.
 *
 * Buffers. Zero a payspec_buf before its first use and pass it to as many calls as you like: each call replaces what
 * the one before has left, and allocates only where its memory is too small. Otherwise no call with valid inputs
 * allocates, up to four warnings, eight members that the interface has not, 64 values for a fingerprint, 64 members of a
 * body that is carried over and 16 of its details, 16 receipts, texts of 1024 bytes with a card number to mask; a payment
 * that repeats a text with escapes, or one in which a card number is masked, takes memory for it. `data` is valid until
 * the buffer's next use, with a NUL one past `len`. An input may lie in the memory of `out` itself: the answer then gets
 * memory of its own, and the input is gone after the call. A buffer that is visibly not the library's (data without cap,
 * cap without data) is PAYSPEC_ERROR_ARGUMENT and stays as it was; other corruption cannot be seen.
 *
 * Threads. An engine never changes: any number of threads may use it at once, without a lock; free it after the last
 * call has returned. A payspec_buf belongs to one thread at a time, and may wander from one to another. The library
 * has no state of its own besides: no globals, no thread locals, no errno, no locale, no clock, no files, no network.
 *
 * Fork and signals. The library starts no thread and holds no lock: an engine made before fork() may be used by parent
 * and child, each of which frees its own copy. Calls may allocate and are therefore not for signal handlers.
 *
 * Panics. Nothing unwinds into C, throws or jumps. A panic inside, which would be a bug, is caught: the call returns
 * PAYSPEC_ERROR_PANIC, the buffer tells so, and engine and buffer can be used on. One line goes to standard error; it
 * holds a place in the source, never a body. Out of memory, the process is aborted, as is the custom in Rust.
 *
 * Undefined, since it cannot be seen: pointers that do not point at what is said here, an engine or buffer used after
 * it was freed, an input that another thread changes during the call, a buffer used by two threads at once.
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

/** MAJOR * 1000000 + MINOR * 1000 + PATCH, for #if; payspec_version_number() at run time. */
#define PAYSPEC_VERSION_NUMBER 1000

/** The binary interface: MINOR while MAJOR is 0, then 100 * MAJOR. payspec_abi_version() at run time. */
#define PAYSPEC_ABI_VERSION 1

/**
 * The body is valid, the status 2xx, the transition possible: the answer says yes.
 */
#define PAYSPEC_ACCEPTED 0

/**
 * The answer says no: the report, problem or verdict in `out` tells why.
 */
#define PAYSPEC_REJECTED 1

/**
 * Misuse: an argument that cannot be. A pointer is NULL where something must be, a length stands beside a NULL
 * pointer or is over PTRDIFF_MAX, a pointer is not aligned, or a `payspec_buf` is neither zeroed nor the library's.
 */
#define PAYSPEC_ERROR_ARGUMENT (-1)

/**
 * Misuse: a context, a policy or a plain text of the host is not UTF-8. (In a body that is a violation, `json_syntax`.)
 */
#define PAYSPEC_ERROR_UTF8 (-2)

/**
 * The library panicked, which is a bug of it. The call had no effect; the engine and the buffer are as good as before.
 */
#define PAYSPEC_ERROR_PANIC (-3)

/**
 * Misuse: a context or a plain text does not hold what the operation needs. The path in `out` names the member.
 */
#define PAYSPEC_ERROR_CONTEXT (-4)

/**
 * Misuse: a policy holds something that no policy can. The path in `error` names the member.
 */
#define PAYSPEC_ERROR_POLICY (-5)

/**
 * A policy, ready for use: opaque, and never changed by any call.
 *
 * Threads: any number of them may use one engine at once, without a lock. It lives until `payspec_engine_free`; the
 * policy's text and the buffers that it filled do not depend on it.
 */
typedef struct payspec_engine payspec_engine;

/**
 * A text that the library writes and owns the memory of.
 *
 * Zero it before its first use (`payspec_buf buf = {0};`), pass it to any number of calls, and give it to
 * `payspec_buf_free` at the end. Each call replaces what the one before has left, in the same memory where it fits.
 *
 * It may be moved and copied bytewise, as long as only one of the copies is used from then on. It belongs to one
 * thread at a time. A `free()` or `realloc()` of `data`, or memory of your own in it, is undefined behaviour.
 */
typedef struct {
  /**
   * UTF-8, with a NUL one past `len`; NULL as long as nothing was written. It is valid until the next call that is
   * given this buffer.
   */
  char *data;
  /**
   * The number of bytes, without the NUL.
   */
  size_t len;
  /**
   * The library's own: do not change it.
   */
  size_t cap;
} payspec_buf;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library that is linked, `"MAJOR.MINOR.PATCH"`: the run-time twin of `PAYSPEC_VERSION`.
 *
 * @return a text that lives as long as the library is loaded; never free it.
 *
 * Threads: any number at once. Errors: none.
 */
const char *payspec_version(void);

/**
 * The version as one number that can be compared: the run-time twin of `PAYSPEC_VERSION_NUMBER`.
 *
 * @return MAJOR * 1000000 + MINOR * 1000 + PATCH
 *
 * Threads: any number at once. Errors: none.
 */
uint32_t payspec_version_number(void);

/**
 * Returns the number of the binary interface, which is `PAYSPEC_ABI_VERSION` at run time. If the two are equal, the
 * library fits the header that the program was compiled with.
 *
 * @return MINOR while MAJOR is 0, then 100 * MAJOR
 *
 * Threads: any number at once. Errors: none.
 */
uint32_t payspec_abi_version(void);

/**
 * Frees what a buffer holds and zeroes it, so that it can be used again, or freed again, which does nothing.
 *
 * @param buf  a buffer of the caller; NULL is fine. Nobody else may be using it.
 *
 * Threads: any, whichever filled it. Errors: none; a buffer that cannot be the library's is only zeroed.
 */
void payspec_buf_free(payspec_buf *buf);

/**
 * Makes an engine of a policy. It is worth keeping: build it once, share it, free it at the end.
 *
 * @param policy      the policy as JSON, every member optional (README.md lists them); NULL with length 0: the default
 *                    one. It is read during the call alone.
 * @param policy_len  its length in bytes
 * @param out         receives the engine, which is the caller's to free; NULL where the call fails
 * @param error       receives the error where the call fails, and is emptied otherwise; NULL: the number is enough
 * @return PAYSPEC_ACCEPTED;
 *         PAYSPEC_ERROR_ARGUMENT: `out` is NULL, or `policy` is NULL with a length;
 *         PAYSPEC_ERROR_UTF8: the policy is not UTF-8;
 *         PAYSPEC_ERROR_POLICY: it is no JSON object, names an unknown member, or sets what cannot be set;
 *         PAYSPEC_ERROR_PANIC.
 *
 * Threads: any number at once, each with an `out` and an `error` of its own.
 */
int32_t payspec_engine_new(const char *policy,
                           size_t policy_len,
                           payspec_engine **out,
                           payspec_buf *error);

/**
 * Frees an engine. Every call with it must have returned.
 *
 * @param engine  from `payspec_engine_new`, freed once; NULL is fine
 *
 * Threads: any, not only the one that made it. Errors: none.
 */
void payspec_engine_free(payspec_engine *engine);

/**
 * Judges the body of `POST /v1/payments/new` (§2.2): a report of everything that is wrong with it.
 *
 * @param engine    from `payspec_engine_new`
 * @param body      the bytes as they came off the wire, whatever they hold
 * @param body_len  its length in bytes
 * @param now       the instant by which cards expire, RFC 3339 as plain text; NULL with length 0: nobody asks
 * @param now_len   its length in bytes
 * @param out       receives the report; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: valid, perhaps with warnings;
 *         PAYSPEC_REJECTED: the report lists what is wrong;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL, or `now` is NULL with a length;
 *         PAYSPEC_ERROR_UTF8: `now` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: `now` is no instant;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_validate_request(const payspec_engine *engine,
                                 const char *body,
                                 size_t body_len,
                                 const char *now,
                                 size_t now_len,
                                 payspec_buf *out);

/**
 * Gives the exact answer to `POST /v1/payments/new` (§4.1): status and body.
 *
 * @param engine       from `payspec_engine_new`
 * @param body         the bytes as they came off the wire, whatever they hold
 * @param body_len     its length in bytes
 * @param context      what the caller supplies, as JSON: uid, now, authorization {header, accepted} or
 *                     "checked_by_caller"; optional: url, form, merchant_id, idempotency {key, existing
 *                     {created_at, fingerprint, payment with a uid, or null} or null}, quote {currency, rate, as_of},
 *                     charges {fee, commission, shared_commission}, refusal
 * @param context_len  its length in bytes
 * @param out          receives the outcome; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: 201, with the payment;
 *         PAYSPEC_REJECTED: 400, 401, 409, 413, 422 or 455, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine`, `body` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown or wrong; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_create_payment(const payspec_engine *engine,
                               const char *body,
                               size_t body_len,
                               const char *context,
                               size_t context_len,
                               payspec_buf *out);

/**
 * Gives the fingerprint of a request's body, by which a repeated idempotency key is judged (§8).
 *
 * @param engine    from `payspec_engine_new`
 * @param body      the bytes as they came off the wire, whatever they hold
 * @param body_len  its length in bytes
 * @param out       receives the fingerprint, or the report of a body that has none; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: there is one;
 *         PAYSPEC_REJECTED: the body is no JSON object;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_fingerprint_request(const payspec_engine *engine,
                                    const char *body,
                                    size_t body_len,
                                    payspec_buf *out);

/**
 * Makes a body of the interface safe to log: every card number masked, security codes gone, the rest as it was.
 *
 * @param engine    from `payspec_engine_new`
 * @param body      any body of the interface, whatever it holds
 * @param body_len  its length in bytes
 * @param out       receives the body, or the report of one that is no JSON; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: the body in `out` may be logged;
 *         PAYSPEC_REJECTED: `out` holds a report, which may be logged as well;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
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
 * @param out       receives the text; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: the text in `out` may be logged;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `text` is NULL;
 *         PAYSPEC_ERROR_UTF8: `text` is not UTF-8;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
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
 * @param out          receives the location; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: the location is in `out`;
 *         PAYSPEC_REJECTED: the body is not JSON or has no such value;
 *         PAYSPEC_ERROR_ARGUMENT: `engine`, `body` or `pointer` is NULL;
 *         PAYSPEC_ERROR_UTF8: `pointer` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: `pointer` is not a JSON Pointer;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_locate(const payspec_engine *engine,
                       const char *body,
                       size_t body_len,
                       const char *pointer,
                       size_t pointer_len,
                       payspec_buf *out);

/**
 * Gives the exact answer to `GET /v1/payments/{uid}/status` (§4.2).
 *
 * @param engine       from `payspec_engine_new`
 * @param context      as JSON: uid; payment, the stored one with that uid or null; authorization {header, accepted} or
 *                     "checked_by_caller"
 * @param context_len  its length in bytes
 * @param out          receives the outcome; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: 200, with the payment as it was stored;
 *         PAYSPEC_REJECTED: 401 or 404, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown or wrong; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_read_payment(const payspec_engine *engine,
                             const char *context,
                             size_t context_len,
                             payspec_buf *out);

/**
 * Gives the exact answer to `GET /v1/partner/balance` (§4.3).
 *
 * @param engine       from `payspec_engine_new`
 * @param context      as JSON: balance, an object with at least cur; authorization {header, accepted} or
 *                     "checked_by_caller"
 * @param context_len  its length in bytes
 * @param out          receives the outcome; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: 200, with the balance;
 *         PAYSPEC_REJECTED: 401, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown or wrong; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_read_balance(const payspec_engine *engine,
                             const char *context,
                             size_t context_len,
                             payspec_buf *out);

/**
 * Judges a payment (§2.1, §3), and whether it answers the request.
 *
 * @param engine       from `payspec_engine_new`
 * @param body         the payment, whatever it holds
 * @param body_len     its length in bytes
 * @param request      the body of the request that it answers; NULL with length 0: it is judged alone
 * @param request_len  its length in bytes
 * @param out          receives the report; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: sound, perhaps with warnings;
 *         PAYSPEC_REJECTED: the report lists what is wrong;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL, or `request` is NULL with a length;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_check_payment(const payspec_engine *engine,
                              const char *body,
                              size_t body_len,
                              const char *request,
                              size_t request_len,
                              payspec_buf *out);

/**
 * Tells which amount of a payment is in which currency (§1.4).
 *
 * @param engine    from `payspec_engine_new`
 * @param body      the payment, whatever it holds
 * @param body_len  its length in bytes
 * @param out       receives the table, or the report of a body that has none; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: the table stands in `out`;
 *         PAYSPEC_REJECTED: the report says why there is none;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_field_currencies(const payspec_engine *engine,
                                 const char *body,
                                 size_t body_len,
                                 payspec_buf *out);

/**
 * Converts a fiat amount to USDT by a quote (§1.4), exactly.
 *
 * @param engine       from `payspec_engine_new`
 * @param context      as JSON: amount, currency, quote {currency, rate, as_of} and, where its age counts, now
 * @param context_len  its length in bytes
 * @param out          receives the outcome; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: 200, with the amount;
 *         PAYSPEC_REJECTED: 455, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown or wrong; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_convert(const payspec_engine *engine,
                        const char *context,
                        size_t context_len,
                        payspec_buf *out);

/**
 * Moves a stored payment to another state (§3).
 *
 * @param engine       from `payspec_engine_new`
 * @param context      as JSON: payment, to, at; and what changes with the state: paid_amount, amount, fail_by, fail_code,
 *                     receipts
 * @param context_len  its length in bytes
 * @param out          receives the outcome; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: 200, with the payment as it is now;
 *         PAYSPEC_REJECTED: 409, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown or wrong; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_advance_payment(const payspec_engine *engine,
                                const char *context,
                                size_t context_len,
                                payspec_buf *out);

/**
 * Judges a step from one state to another under the policy (§3).
 *
 * @param engine       from `payspec_engine_new`
 * @param context      from and to, as JSON
 * @param context_len  its length in bytes
 * @param out          receives the verdict with its reason and source; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: allowed, unspecified or unchanged;
 *         PAYSPEC_REJECTED: refused;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown or no state; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_check_transition(const payspec_engine *engine,
                                 const char *context,
                                 size_t context_len,
                                 payspec_buf *out);

/**
 * Judges the value of an Authorization header (§5) by the grammar of RFC 6750. Whether the token is known is the host's
 * to say.
 *
 * @param engine      from `payspec_engine_new`
 * @param header      the value of the header as the client sent it: any bytes; NULL with length 0 if the request has
 *                    none
 * @param header_len  its length in bytes
 * @param out         receives the token, or the outcome 401; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: there is a token;
 *         PAYSPEC_REJECTED: 401, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL, or `header` is NULL with a length;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_authorize(const payspec_engine *engine,
                          const char *header,
                          size_t header_len,
                          payspec_buf *out);

/**
 * Judges a repeated idempotency key (§8).
 *
 * @param engine       from `payspec_engine_new`
 * @param context      as JSON: now; fingerprint, of the request; existing {created_at, fingerprint, payment}, what is
 *                     stored under the key, or null; and the key, where its syntax is to be judged
 * @param context_len  its length in bytes
 * @param out          receives verdict, status and age; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: new or replay;
 *         PAYSPEC_REJECTED: in_progress, mismatch or conflict;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown or wrong; the path names it;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_check_idempotency(const payspec_engine *engine,
                                  const char *context,
                                  size_t context_len,
                                  payspec_buf *out);

/**
 * Returns the key in the value of an Idempotency-Key header: unquoted if it is a string of RFC 8941, otherwise as given.
 *
 * @param engine      from `payspec_engine_new`
 * @param header      the value of the header as the client sent it: any bytes
 * @param header_len  its length in bytes
 * @param out         receives the key, or the outcome 400; NULL: the return code only
 * @return PAYSPEC_ACCEPTED: the header is a key;
 *         PAYSPEC_REJECTED: 400, with the problem;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `header` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
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
 * @param out          receives the headers webhook-id, webhook-timestamp and webhook-signature; NULL: the context is
 *                     checked
 * @return PAYSPEC_ACCEPTED: the webhook is signed;
 *         PAYSPEC_ERROR_ARGUMENT: `engine`, `body` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown or invalid; the error contains its path;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
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
 * @param out          receives the verdict, with the reason if the webhook is rejected; NULL: the return code only
 * @return PAYSPEC_ACCEPTED: the webhook is verified;
 *         PAYSPEC_REJECTED: missing_header, malformed_header, timestamp or signature;
 *         PAYSPEC_ERROR_ARGUMENT: `engine`, `body` or `context` is NULL;
 *         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown or invalid; the error contains its path;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_verify_webhook(const payspec_engine *engine,
                               const char *body,
                               size_t body_len,
                               const char *context,
                               size_t context_len,
                               payspec_buf *out);

/**
 * Carries a request of the earlier interface over to the current one (§9.2).
 *
 * @param engine    from `payspec_engine_new`
 * @param kind      `pay_in` or `pay_out`, as plain text: the earlier interface did not say it in the body
 * @param kind_len  its length in bytes
 * @param body      the body of the earlier interface, whatever it holds
 * @param body_len  its length in bytes
 * @param out       receives body, changes and what stays unresolved, or the report of a body that is no JSON object;
 *                  NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: the body was carried over;
 *         PAYSPEC_REJECTED: the report says why not;
 *         PAYSPEC_ERROR_ARGUMENT: `engine`, `kind` or `body` is NULL;
 *         PAYSPEC_ERROR_UTF8: `kind` is not UTF-8;
 *         PAYSPEC_ERROR_CONTEXT: `kind` is neither of the two;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_upgrade_request(const payspec_engine *engine,
                                const char *kind,
                                size_t kind_len,
                                const char *body,
                                size_t body_len,
                                payspec_buf *out);

/**
 * Carries a payment of the earlier interface over to the current one (§9.2).
 *
 * @param engine    from `payspec_engine_new`
 * @param body      the payment in its earlier form, whatever it holds
 * @param body_len  its length in bytes
 * @param out       receives body, changes and what stays unresolved, or the report of a body that is no JSON object;
 *                  NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: the payment was carried over;
 *         PAYSPEC_REJECTED: the report says why not;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_upgrade_payment(const payspec_engine *engine,
                                const char *body,
                                size_t body_len,
                                payspec_buf *out);

/**
 * Carries a payment over to the earlier interface (§9.2).
 *
 * @param engine    from `payspec_engine_new`
 * @param body      the payment in its current form, whatever it holds
 * @param body_len  its length in bytes
 * @param out       receives body, changes and what stays unresolved, or the report of a body that is no JSON object;
 *                  NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED: the payment was carried over;
 *         PAYSPEC_REJECTED: the report says why not;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_downgrade_payment(const payspec_engine *engine,
                                  const char *body,
                                  size_t body_len,
                                  payspec_buf *out);

/**
 * Tells what the digits typed so far say of a card, for a form that helps while one types.
 *
 * @param engine      from `payspec_engine_new`
 * @param digits      the digits as plain text
 * @param digits_len  its length in bytes
 * @param out         receives scheme, lengths, gaps, code and whether the number is possible or valid; NULL: the
 *                    verdict alone
 * @return PAYSPEC_ACCEPTED: whatever the digits are;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` or `digits` is NULL;
 *         PAYSPEC_ERROR_UTF8: `digits` is not UTF-8;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
 * on one engine, each with an `out` of its own.
 */
int32_t payspec_card_info(const payspec_engine *engine,
                          const char *digits,
                          size_t digits_len,
                          payspec_buf *out);

/**
 * Gives the table of states (§3).
 *
 * @param engine  from `payspec_engine_new`
 * @param out     receives the table; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * What `out` holds stays until its next use. Threads: any number at once on one engine, each with an `out` of its
 * own.
 */
int32_t payspec_states(const payspec_engine *engine,
                       payspec_buf *out);

/**
 * Gives the catalogue of violation codes, with severity, source, summary and parameters.
 *
 * @param engine  from `payspec_engine_new`
 * @param out     receives the catalogue; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * What `out` holds stays until its next use. Threads: any number at once on one engine, each with an `out` of its
 * own.
 */
int32_t payspec_rules(const payspec_engine *engine,
                      payspec_buf *out);

/**
 * Gives the register of what the specification leaves open, and what the library does there.
 *
 * @param engine  from `payspec_engine_new`
 * @param out     receives the register; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * What `out` holds stays until its next use. Threads: any number at once on one engine, each with an `out` of its
 * own.
 */
int32_t payspec_decisions(const payspec_engine *engine,
                          payspec_buf *out);

/**
 * Gives an OpenAPI 3.1 document of the interface, under the engine's policy.
 *
 * @param engine  from `payspec_engine_new`
 * @param out     receives the document; NULL: the verdict alone
 * @return PAYSPEC_ACCEPTED;
 *         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
 *         PAYSPEC_ERROR_PANIC: a bug of the library.
 *
 * What `out` holds stays until its next use. Threads: any number at once on one engine, each with an `out` of its
 * own.
 */
int32_t payspec_openapi(const payspec_engine *engine,
                        payspec_buf *out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PAYSPEC_H */
