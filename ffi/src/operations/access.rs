//! Authorization and idempotency keys.

use std::ffi::c_char;

use payspec::operations::index_of;

use crate::buf::payspec_buf;
use crate::call::call;
use crate::engine::payspec_engine;
use crate::guard::guard;
use crate::input::Input;

/// Parses the value of an Authorization header (§5) by the grammar of RFC 6750. The caller decides if the token is
/// accepted.
///
/// @param engine      from `payspec_engine_new`
/// @param header      the value of the header that the client sent, with any content; pass NULL, 0 if
///                    the request has no such header
/// @param header_len  its length in bytes
/// @param out         receives the token, or an outcome with status 401; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the header contains a token;
///         PAYSPEC_REJECTED: 401, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL, or `header` is NULL and `header_len` is not 0;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_authorize(
    engine: *const payspec_engine,
    header: *const c_char,
    header_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("authorize") }, 1>(engine, [Input::new(header, header_len)], out)
    })
}

/// Compares a request with the record stored under its idempotency key (§8).
///
/// @param engine       from `payspec_engine_new`
/// @param context      as JSON: now; fingerprint, that of the request; existing {created_at, fingerprint, payment}, the
///                     record under the key, or null; optional: key, to check its syntax
/// @param context_len  its length in bytes
/// @param out          receives verdict, status, and age; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the verdict is new or replay;
///         PAYSPEC_REJECTED: the verdict is in_progress, mismatch, conflict, or invalid_key;
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
pub unsafe extern "C" fn payspec_check_idempotency(
    engine: *const payspec_engine,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("check_idempotency") }, 1>(
            engine,
            [Input::new(context, context_len)],
            out,
        )
    })
}

/// Returns the key in the value of an Idempotency-Key header: unquoted if it is a string of RFC 8941, otherwise as given.
///
/// @param engine      from `payspec_engine_new`
/// @param header      the value of the header that the client sent, with any content; pass NULL, 0 if
///                    the request has no such header
/// @param header_len  its length in bytes
/// @param out         receives the key, which is null without a header, or an outcome with status 400; pass NULL to
///                    compute only the verdict
/// @return PAYSPEC_ACCEPTED: the header is a key, or it is absent;
///         PAYSPEC_REJECTED: 400, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL, or `header` is NULL and `header_len` is not 0;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_idempotency_key(
    engine: *const payspec_engine,
    header: *const c_char,
    header_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("idempotency_key") }, 1>(engine, [Input::new(header, header_len)], out)
    })
}
