//! Authorization and idempotency keys.

use std::ffi::c_char;

use payspec::operations::index_of;

use crate::buf::payspec_buf;
use crate::call::call;
use crate::engine::payspec_engine;
use crate::guard::guard;
use crate::input::Input;

/// Judges the value of an Authorization header (§5) by the grammar of RFC 6750. Whether the token is known is the host's
/// to say.
///
/// @param engine      from `payspec_engine_new`
/// @param header      the value of the header as the client sent it: any bytes; NULL with length 0 if the request has
///                    none
/// @param header_len  its length in bytes
/// @param out         receives the token, or the outcome 401; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: there is a token;
///         PAYSPEC_REJECTED: 401, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL, or `header` is NULL with a length;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// See the requirements at the head of this file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_authorize(
    engine: *const payspec_engine,
    header: *const c_char,
    header_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps the requirements at the head of the header.
    guard(|| unsafe { call::<{ index_of("authorize") }, 1>(engine, [Input::new(header, header_len)], out) })
}

/// Judges a repeated idempotency key (§8).
///
/// @param engine       from `payspec_engine_new`
/// @param context      as JSON: now; fingerprint, of the request; existing {created_at, fingerprint, payment}, what is
///                     stored under the key, or null; and the key, where its syntax is to be judged
/// @param context_len  its length in bytes
/// @param out          receives verdict, status and age; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED: new or replay;
///         PAYSPEC_REJECTED: in_progress, mismatch or conflict;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
///         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
///         PAYSPEC_ERROR_CONTEXT: a member of `context` is missing, unknown or wrong; the path names it;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// See the requirements at the head of this file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_check_idempotency(
    engine: *const payspec_engine,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps the requirements at the head of the header.
    guard(|| unsafe { call::<{ index_of("check_idempotency") }, 1>(engine, [Input::new(context, context_len)], out) })
}

/// Returns the key in the value of an Idempotency-Key header: unquoted if it is a string of RFC 8941, otherwise as given.
///
/// @param engine      from `payspec_engine_new`
/// @param header      the value of the header as the client sent it: any bytes
/// @param header_len  its length in bytes
/// @param out         receives the key, or the outcome 400; NULL: the return code only
/// @return PAYSPEC_ACCEPTED: the header is a key;
///         PAYSPEC_REJECTED: 400, with the problem;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `header` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// See the requirements at the head of this file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_idempotency_key(
    engine: *const payspec_engine,
    header: *const c_char,
    header_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps the requirements at the head of the header.
    guard(|| unsafe { call::<{ index_of("idempotency_key") }, 1>(engine, [Input::new(header, header_len)], out) })
}
