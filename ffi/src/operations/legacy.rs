//! Migration to and from the legacy API.

use std::ffi::c_char;

use payspec::operations::index_of;

use crate::buf::payspec_buf;
use crate::call::call;
use crate::engine::payspec_engine;
use crate::guard::guard;
use crate::input::Input;

/// Migrates a request of the legacy API to the current one (§9.2).
///
/// @param engine    from `payspec_engine_new`
/// @param kind      `pay_in` or `pay_out`: a body of the legacy API does not contain it
/// @param kind_len  its length in bytes
/// @param body      the body of the legacy API, with any content
/// @param body_len  its length in bytes
/// @param out       receives body, changes, unresolved members, and an idempotency key if the body contains one, or the
///                  report of a body that is not a JSON object; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the body was migrated;
///         PAYSPEC_REJECTED: the report contains the reason;
///         PAYSPEC_ERROR_ARGUMENT: `engine`, `kind` or `body` is NULL;
///         PAYSPEC_ERROR_UTF8: `kind` is not UTF-8;
///         PAYSPEC_ERROR_CONTEXT: `kind` is not `pay_in` or `pay_out`;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_upgrade_request(
    engine: *const payspec_engine,
    kind: *const c_char,
    kind_len: usize,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("upgrade_request") }, 2>(
            engine,
            [Input::new(kind, kind_len), Input::new(body, body_len)],
            out,
        )
    })
}

/// Migrates a request to the legacy API (§9.2). Its `payment_type` selects the legacy endpoint.
///
/// @param engine    from `payspec_engine_new`
/// @param body      the request of the current API, with any content
/// @param body_len  its length in bytes
/// @param out       receives body, changes, and unresolved members, or the report of a body that is not a JSON object;
///                  pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the request was migrated;
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
pub unsafe extern "C" fn payspec_downgrade_request(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("downgrade_request") }, 1>(engine, [Input::new(body, body_len)], out)
    })
}

/// Migrates a balance of the legacy API to the current one (§9.2): `currency` becomes `cur`.
///
/// @param engine    from `payspec_engine_new`
/// @param body      the balance of the legacy API, with any content
/// @param body_len  its length in bytes
/// @param out       receives body, changes, and unresolved members, or the report of a body that is not a JSON object;
///                  pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the balance was migrated;
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
pub unsafe extern "C" fn payspec_upgrade_balance(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("upgrade_balance") }, 1>(engine, [Input::new(body, body_len)], out)
    })
}

/// Migrates a balance to the legacy API (§9.2): `cur` becomes `currency`.
///
/// @param engine    from `payspec_engine_new`
/// @param body      the balance of the current API, with any content
/// @param body_len  its length in bytes
/// @param out       receives body, changes, and unresolved members, or the report of a body that is not a JSON object;
///                  pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the balance was migrated;
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
pub unsafe extern "C" fn payspec_downgrade_balance(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("downgrade_balance") }, 1>(engine, [Input::new(body, body_len)], out)
    })
}

/// Migrates a payment of the legacy API to the current one (§9.2).
///
/// @param engine    from `payspec_engine_new`
/// @param body      the payment of the legacy API, with any content
/// @param body_len  its length in bytes
/// @param out       receives body, changes, and unresolved members, or the report of a body that is not a JSON object;
///                  pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the payment was migrated;
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
pub unsafe extern "C" fn payspec_upgrade_payment(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("upgrade_payment") }, 1>(engine, [Input::new(body, body_len)], out)
    })
}

/// Migrates a payment to the legacy API (§9.2).
///
/// @param engine    from `payspec_engine_new`
/// @param body      the payment of the current API, with any content
/// @param body_len  its length in bytes
/// @param out       receives body, changes, and unresolved members, or the report of a body that is not a JSON object;
///                  pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the payment was migrated;
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
pub unsafe extern "C" fn payspec_downgrade_payment(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("downgrade_payment") }, 1>(engine, [Input::new(body, body_len)], out)
    })
}
