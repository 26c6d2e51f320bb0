//! The creation request: judged, answered, fingerprinted, made safe to log.

use std::ffi::c_char;

use payspec::operations::index_of;

use crate::buf::payspec_buf;
use crate::call::call;
use crate::engine::payspec_engine;
use crate::guard::guard;
use crate::input::Input;

/// Judges the body of `POST /v1/payments/new` (§2.2): a report of everything that is wrong with it.
///
/// @param engine    from `payspec_engine_new`
/// @param body      the bytes as they came off the wire, whatever they hold
/// @param body_len  its length in bytes
/// @param now       the instant by which cards expire, RFC 3339 as plain text; NULL with length 0: nobody asks
/// @param now_len   its length in bytes
/// @param out       receives the report; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: valid, perhaps with warnings;
///         PAYSPEC_REJECTED: the report lists what is wrong;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL, or `now` is NULL with a length;
///         PAYSPEC_ERROR_UTF8: `now` is not UTF-8;
///         PAYSPEC_ERROR_CONTEXT: `now` is no instant;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_validate_request(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    now: *const c_char,
    now_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe {
        call::<{ index_of("validate_request") }, 2>(engine, [Input::new(body, body_len), Input::new(now, now_len)], out)
    })
}

/// Gives the exact answer to `POST /v1/payments/new` (§4.1): status and body.
///
/// @param engine       from `payspec_engine_new`
/// @param body         the bytes as they came off the wire, whatever they hold
/// @param body_len     its length in bytes
/// @param context      what the caller supplies, as JSON: uid, now, authorization {header, accepted} or
///                     "checked_by_caller"; optional: url, form, merchant_id, idempotency {key, existing
///                     {created_at, fingerprint, payment with a uid, or null} or null}, quote {currency, rate, as_of},
///                     charges {fee, commission, shared_commission}, refusal
/// @param context_len  its length in bytes
/// @param out          receives the outcome; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: 201, with the payment;
///         PAYSPEC_REJECTED: 400, 401, 409, 413, 422 or 455, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine`, `body` or `context` is NULL;
///         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
///         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown or wrong; the path names it;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_create_payment(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe {
        call::<{ index_of("create_payment") }, 2>(
            engine,
            [Input::new(body, body_len), Input::new(context, context_len)],
            out,
        )
    })
}

/// Gives the fingerprint of a request's body, by which a repeated idempotency key is judged (§8).
///
/// @param engine    from `payspec_engine_new`
/// @param body      the bytes as they came off the wire, whatever they hold
/// @param body_len  its length in bytes
/// @param out       receives the fingerprint, or the report of a body that has none; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: there is one;
///         PAYSPEC_REJECTED: the body is no JSON object;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_fingerprint_request(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("fingerprint_request") }, 1>(engine, [Input::new(body, body_len)], out) })
}

/// Makes a body of the interface safe to log: every card number masked, security codes gone, the rest as it was.
///
/// @param engine    from `payspec_engine_new`
/// @param body      any body of the interface, whatever it holds
/// @param body_len  its length in bytes
/// @param out       receives the body, or the report of one that is no JSON; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: the body in `out` may be logged;
///         PAYSPEC_REJECTED: `out` holds a report, which may be logged as well;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_redact(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("redact") }, 1>(engine, [Input::new(body, body_len)], out) })
}

/// Makes any text safe to log, such as a line of a log: masks card numbers, and the values after names of card data.
///
/// @param engine    from `payspec_engine_new`
/// @param text      any text
/// @param text_len  its length in bytes
/// @param out       receives the text; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: the text in `out` may be logged;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `text` is NULL;
///         PAYSPEC_ERROR_UTF8: `text` is not UTF-8;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_redact_text(
    engine: *const payspec_engine,
    text: *const c_char,
    text_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("redact_text") }, 1>(engine, [Input::new(text, text_len)], out) })
}

/// Locates the value at a JSON Pointer in a body, for example the path of a violation: byte range, line, and column.
///
/// @param engine       from `payspec_engine_new`
/// @param body         any body
/// @param body_len     its length in bytes
/// @param pointer      the JSON Pointer (RFC 6901) as plain text
/// @param pointer_len  its length in bytes
/// @param out          receives the location; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: the location is in `out`;
///         PAYSPEC_REJECTED: the body is not JSON or has no such value;
///         PAYSPEC_ERROR_ARGUMENT: `engine`, `body` or `pointer` is NULL;
///         PAYSPEC_ERROR_UTF8: `pointer` is not UTF-8;
///         PAYSPEC_ERROR_CONTEXT: `pointer` is not a JSON Pointer;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_locate(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    pointer: *const c_char,
    pointer_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe {
        call::<{ index_of("locate") }, 2>(engine, [Input::new(body, body_len), Input::new(pointer, pointer_len)], out)
    })
}
