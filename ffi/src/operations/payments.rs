//! Payments: read, checked, converted, moved from state to state.

use std::ffi::c_char;

use payspec::operations::index_of;

use crate::buf::payspec_buf;
use crate::call::call;
use crate::engine::payspec_engine;
use crate::guard::guard;
use crate::input::Input;

/// Gives the exact answer to `GET /v1/payments/{uid}/status` (§4.2).
///
/// @param engine       from `payspec_engine_new`
/// @param context      as JSON: uid; payment, the stored one with that uid or null; authorization {header, accepted} or
///                     "checked_by_caller"
/// @param context_len  its length in bytes
/// @param out          receives the outcome; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: 200, with the payment as it was stored;
///         PAYSPEC_REJECTED: 401 or 404, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
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
pub unsafe extern "C" fn payspec_read_payment(
    engine: *const payspec_engine,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("read_payment") }, 1>(engine, [Input::new(context, context_len)], out) })
}

/// Gives the exact answer to `GET /v1/partner/balance` (§4.3).
///
/// @param engine       from `payspec_engine_new`
/// @param context      as JSON: balance, an object with at least cur; authorization {header, accepted} or
///                     "checked_by_caller"
/// @param context_len  its length in bytes
/// @param out          receives the outcome; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: 200, with the balance;
///         PAYSPEC_REJECTED: 401, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
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
pub unsafe extern "C" fn payspec_read_balance(
    engine: *const payspec_engine,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("read_balance") }, 1>(engine, [Input::new(context, context_len)], out) })
}

/// Judges a payment (§2.1, §3), and whether it answers the request.
///
/// @param engine       from `payspec_engine_new`
/// @param body         the payment, whatever it holds
/// @param body_len     its length in bytes
/// @param request      the body of the request that it answers; NULL with length 0: it is judged alone
/// @param request_len  its length in bytes
/// @param out          receives the report; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: sound, perhaps with warnings;
///         PAYSPEC_REJECTED: the report lists what is wrong;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL, or `request` is NULL with a length;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_check_payment(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    request: *const c_char,
    request_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe {
        call::<{ index_of("check_payment") }, 2>(
            engine,
            [Input::new(body, body_len), Input::new(request, request_len)],
            out,
        )
    })
}

/// Tells which amount of a payment is in which currency (§1.4).
///
/// @param engine    from `payspec_engine_new`
/// @param body      the payment, whatever it holds
/// @param body_len  its length in bytes
/// @param out       receives the table, or the report of a body that has none; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: the table stands in `out`;
///         PAYSPEC_REJECTED: the report says why there is none;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_field_currencies(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("field_currencies") }, 1>(engine, [Input::new(body, body_len)], out) })
}

/// Converts a fiat amount to USDT by a quote (§1.4), exactly.
///
/// @param engine       from `payspec_engine_new`
/// @param context      as JSON: amount, currency, quote {currency, rate, as_of} and, where its age counts, now
/// @param context_len  its length in bytes
/// @param out          receives the outcome; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: 200, with the amount;
///         PAYSPEC_REJECTED: 455, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
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
pub unsafe extern "C" fn payspec_convert(
    engine: *const payspec_engine,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("convert") }, 1>(engine, [Input::new(context, context_len)], out) })
}

/// Moves a stored payment to another state (§3).
///
/// @param engine       from `payspec_engine_new`
/// @param context      as JSON: payment, to, at; and what changes with the state: paid_amount, amount, fail_by, fail_code,
///                     receipts
/// @param context_len  its length in bytes
/// @param out          receives the outcome; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: 200, with the payment as it is now;
///         PAYSPEC_REJECTED: 409, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
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
pub unsafe extern "C" fn payspec_advance_payment(
    engine: *const payspec_engine,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("advance_payment") }, 1>(engine, [Input::new(context, context_len)], out) })
}

/// Judges a step from one state to another under the policy (§3).
///
/// @param engine       from `payspec_engine_new`
/// @param context      from and to, as JSON
/// @param context_len  its length in bytes
/// @param out          receives the verdict with its reason and source; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: allowed, unspecified or unchanged;
///         PAYSPEC_REJECTED: refused;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
///         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
///         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown or no state; the path names it;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_check_transition(
    engine: *const payspec_engine,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("check_transition") }, 1>(engine, [Input::new(context, context_len)], out) })
}
