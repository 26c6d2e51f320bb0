//! Operations on creation requests: validation, outcome, fingerprint, redaction.

use std::ffi::c_char;

use payspec::operations::index_of;

use crate::buf::payspec_buf;
use crate::call::call;
use crate::engine::payspec_engine;
use crate::guard::guard;
use crate::input::Input;

/// Validates the body of `POST /v1/payments/new` (§2.2) and returns a report with all violations.
///
/// @param engine    from `payspec_engine_new`
/// @param body      the body that the client sent, with any content
/// @param body_len  its length in bytes
/// @param now       current time (RFC 3339), used to detect expired cards; pass NULL, 0 to skip the check
/// @param now_len   its length in bytes
/// @param out       receives the report; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the body is valid; the report may contain warnings;
///         PAYSPEC_REJECTED: the report contains an error;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL, or `now` is NULL and `now_len` is not 0;
///         PAYSPEC_ERROR_UTF8: `now` is not UTF-8;
///         PAYSPEC_ERROR_CONTEXT: `now` is not a timestamp;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_validate_request(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    now: *const c_char,
    now_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("validate_request") }, 2>(
            engine,
            [Input::new(body, body_len), Input::new(now, now_len)],
            out,
        )
    })
}

/// Returns the exact outcome of `POST /v1/payments/new` (§4.1).
///
/// @param engine       from `payspec_engine_new`
/// @param body         the body that the client sent, with any content
/// @param body_len     its length in bytes
/// @param context      JSON supplied by the caller: uid, now, authorization {header, accepted} or
///                     "checked_by_caller"; optional: url, form, merchant_id, allowed_merchant_ids [...],
///                     idempotency {key, existing {created_at, fingerprint, payment with a uid, or null} or
///                     null}, quote {currency, rate, as_of}, charges {fee, commission, shared_commission},
///                     info {...}, refusal
/// @param context_len  its length in bytes
/// @param out          receives the outcome (status and body); pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: 201, with the payment;
///         PAYSPEC_REJECTED: 400, 401, 409, 413, 422, or 455, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine`, `body`, or `context` is NULL;
///         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
///         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown, or invalid; the path names it;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_create_payment(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("create_payment") }, 2>(
            engine,
            [Input::new(body, body_len), Input::new(context, context_len)],
            out,
        )
    })
}

/// Returns the fingerprint of the body of a request. payspec_check_idempotency compares it with the stored one (§8).
///
/// @param engine    from `payspec_engine_new`
/// @param body      the body that the client sent, with any content
/// @param body_len  its length in bytes
/// @param out       receives the fingerprint, or the report of a body that is not a JSON object; pass NULL to compute
///                  only the verdict
/// @return PAYSPEC_ACCEPTED: the fingerprint was computed;
///         PAYSPEC_REJECTED: the body is not a JSON object;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_fingerprint_request(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("fingerprint_request") }, 1>(engine, [Input::new(body, body_len)], out)
    })
}

/// Returns a body of the interface in a form that is safe to log: card numbers are masked, security codes are replaced
/// by `"***"`, the rest is unchanged.
///
/// @param engine    from `payspec_engine_new`
/// @param body      any body of the interface, with any content
/// @param body_len  its length in bytes
/// @param out       receives the body, or the report of a body that is not JSON; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the body in `out` may be logged;
///         PAYSPEC_REJECTED: `out` contains a report, which may be logged too;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_redact(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("redact") }, 1>(engine, [Input::new(body, body_len)], out)
    })
}

/// Makes any text safe to log, such as a line of a log: masks card numbers, and the values after names of card data.
///
/// @param engine    from `payspec_engine_new`
/// @param text      any text
/// @param text_len  its length in bytes
/// @param out       receives the text; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the text in `out` may be logged;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `text` is NULL;
///         PAYSPEC_ERROR_UTF8: `text` is not UTF-8;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_redact_text(
    engine: *const payspec_engine,
    text: *const c_char,
    text_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("redact_text") }, 1>(engine, [Input::new(text, text_len)], out)
    })
}

/// Locates the value at a JSON Pointer in a body, for example the path of a violation: byte range, line, and column.
///
/// @param engine       from `payspec_engine_new`
/// @param body         any body
/// @param body_len     its length in bytes
/// @param pointer      the JSON Pointer (RFC 6901) as plain text
/// @param pointer_len  its length in bytes
/// @param out          receives the location; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the location is in `out`;
///         PAYSPEC_REJECTED: the body is not JSON or has no such value;
///         PAYSPEC_ERROR_ARGUMENT: `engine`, `body`, or `pointer` is NULL;
///         PAYSPEC_ERROR_UTF8: `pointer` is not UTF-8;
///         PAYSPEC_ERROR_CONTEXT: `pointer` is not a JSON Pointer;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_locate(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    pointer: *const c_char,
    pointer_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("locate") }, 2>(
            engine,
            [Input::new(body, body_len), Input::new(pointer, pointer_len)],
            out,
        )
    })
}
