//! The earlier interface, up and down.

use std::ffi::c_char;

use payspec::operations::index_of;

use crate::buf::payspec_buf;
use crate::call::call;
use crate::engine::payspec_engine;
use crate::guard::guard;
use crate::input::Input;

/// Carries a request of the earlier interface over to the current one (§9.2).
///
/// @param engine    from `payspec_engine_new`
/// @param kind      `pay_in` or `pay_out`, as plain text: the earlier interface did not say it in the body
/// @param kind_len  its length in bytes
/// @param body      the body of the earlier interface, whatever it holds
/// @param body_len  its length in bytes
/// @param out       receives body, changes and what stays unresolved, or the report of a body that is no JSON object;
///                  NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: the body was carried over;
///         PAYSPEC_REJECTED: the report says why not;
///         PAYSPEC_ERROR_ARGUMENT: `engine`, `kind` or `body` is NULL;
///         PAYSPEC_ERROR_UTF8: `kind` is not UTF-8;
///         PAYSPEC_ERROR_CONTEXT: `kind` is neither of the two;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_upgrade_request(
    engine: *const payspec_engine,
    kind: *const c_char,
    kind_len: usize,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe {
        call::<{ index_of("upgrade_request") }, 2>(
            engine,
            [Input::new(kind, kind_len), Input::new(body, body_len)],
            out,
        )
    })
}

/// Carries a payment of the earlier interface over to the current one (§9.2).
///
/// @param engine    from `payspec_engine_new`
/// @param body      the payment in its earlier form, whatever it holds
/// @param body_len  its length in bytes
/// @param out       receives body, changes and what stays unresolved, or the report of a body that is no JSON object;
///                  NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: the payment was carried over;
///         PAYSPEC_REJECTED: the report says why not;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_upgrade_payment(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("upgrade_payment") }, 1>(engine, [Input::new(body, body_len)], out) })
}

/// Carries a payment over to the earlier interface (§9.2).
///
/// @param engine    from `payspec_engine_new`
/// @param body      the payment in its current form, whatever it holds
/// @param body_len  its length in bytes
/// @param out       receives body, changes and what stays unresolved, or the report of a body that is no JSON object;
///                  NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: the payment was carried over;
///         PAYSPEC_REJECTED: the report says why not;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `body` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_downgrade_payment(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("downgrade_payment") }, 1>(engine, [Input::new(body, body_len)], out) })
}
