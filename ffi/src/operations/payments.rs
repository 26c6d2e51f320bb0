//! Operations on payments: read, check, convert, advance.

use std::ffi::c_char;

use payspec::operations::index_of;

use crate::buf::payspec_buf;
use crate::call::call;
use crate::engine::payspec_engine;
use crate::guard::guard;
use crate::input::Input;

/// Returns the exact outcome of `GET /v1/payments/{uid}/status` (§4.2).
///
/// @param engine       from `payspec_engine_new`
/// @param context      as JSON: uid; payment, the one stored under that uid, or null; authorization {header, accepted}
///                     or "checked_by_caller"
/// @param context_len  its length in bytes
/// @param out          receives the outcome (status and body); pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: 200, with the stored payment, unchanged;
///         PAYSPEC_REJECTED: 401 or 404, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
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
pub unsafe extern "C" fn payspec_read_payment(
    engine: *const payspec_engine,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("read_payment") }, 1>(engine, [Input::new(context, context_len)], out)
    })
}

/// Returns the exact outcome of `GET /v1/partner/balance` (§4.3).
///
/// @param engine       from `payspec_engine_new`
/// @param context      as JSON: balance, an object with at least cur; authorization {header, accepted} or
///                     "checked_by_caller"
/// @param context_len  its length in bytes
/// @param out          receives the outcome (status and body); pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: 200, with the balance;
///         PAYSPEC_REJECTED: 401, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
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
pub unsafe extern "C" fn payspec_read_balance(
    engine: *const payspec_engine,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("read_balance") }, 1>(engine, [Input::new(context, context_len)], out)
    })
}

/// Validates a payment (§2.1, §3), and checks that it matches the request.
///
/// @param engine       from `payspec_engine_new`
/// @param body         the payment, with any content
/// @param body_len     its length in bytes
/// @param request      the body of the request that the payment belongs to; pass NULL, 0 to skip the comparison
/// @param request_len  its length in bytes
/// @param out          receives the report; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the payment is valid; the report may contain warnings;
///         PAYSPEC_REJECTED: the report contains an error;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL, or `request` is NULL and its length is not 0;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_check_payment(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    request: *const c_char,
    request_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("check_payment") }, 2>(
            engine,
            [Input::new(body, body_len), Input::new(request, request_len)],
            out,
        )
    })
}

/// Returns the currency of each amount of a payment (§1.4).
///
/// @param engine    from `payspec_engine_new`
/// @param body      the payment, with any content
/// @param body_len  its length in bytes
/// @param out       receives the table, or a report if the currencies cannot be determined; pass NULL to compute only
///                  the verdict
/// @return PAYSPEC_ACCEPTED: `out` contains the table;
///         PAYSPEC_REJECTED: the report contains the reason;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_field_currencies(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("field_currencies") }, 1>(engine, [Input::new(body, body_len)], out)
    })
}

/// Converts a fiat amount to USDT exactly, at the rate of a quote (§1.4).
///
/// @param engine       from `payspec_engine_new`
/// @param context      as JSON: amount, currency; optional: quote {currency, rate, as_of}; now, to check
///                     the age of the quote
/// @param context_len  its length in bytes
/// @param out          receives the outcome (status and body); pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: 200, with the amount;
///         PAYSPEC_REJECTED: 455, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
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
pub unsafe extern "C" fn payspec_convert(
    engine: *const payspec_engine,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("convert") }, 1>(engine, [Input::new(context, context_len)], out)
    })
}

/// Applies a transition to a stored payment (§3).
///
/// @param engine       from `payspec_engine_new`
/// @param context      as JSON: payment, to, at; optional, depending on the new state: paid_amount, amount, fail_by,
///                     fail_code, receipts
/// @param context_len  its length in bytes
/// @param out          receives the outcome (status and body); pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: 200, with the changed payment;
///         PAYSPEC_REJECTED: 409, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
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
pub unsafe extern "C" fn payspec_advance_payment(
    engine: *const payspec_engine,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("advance_payment") }, 1>(engine, [Input::new(context, context_len)], out)
    })
}

/// Checks a transition between two states under the policy (§3).
///
/// @param engine       from `payspec_engine_new`
/// @param context      as JSON: from, to
/// @param context_len  its length in bytes
/// @param out          receives verdict, reason, and source; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the verdict is allowed, unspecified, or unchanged;
///         PAYSPEC_REJECTED: the verdict is refused;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
///         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
///         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown, or not a state; the path names it;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_check_transition(
    engine: *const payspec_engine,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("check_transition") }, 1>(engine, [Input::new(context, context_len)], out)
    })
}
