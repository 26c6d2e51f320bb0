//! Webhooks (Standard Webhooks): signed by the sender, verified by the receiver.

use std::ffi::c_char;

use payspec::operations::index_of;

use crate::buf::payspec_buf;
use crate::call::call;
use crate::engine::payspec_engine;
use crate::guard::guard;
use crate::input::Input;

/// Signs a webhook, and writes the headers to send with it. The library sends nothing.
///
/// @param engine       from `payspec_engine_new`
/// @param body         the body to send; its bytes are signed as given
/// @param body_len     its length in bytes
/// @param context      as JSON: id, the same in every attempt; timestamp, the time of the attempt; secrets, an array of
///                     `whsec_` and base64 each, one for each signature
/// @param context_len  its length in bytes
/// @param out          receives the headers webhook-id, webhook-timestamp, and webhook-signature; pass NULL to only check
///                     the context
/// @return PAYSPEC_ACCEPTED: the webhook is signed;
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
pub unsafe extern "C" fn payspec_sign_webhook(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("sign_webhook") }, 2>(
            engine,
            [Input::new(body, body_len), Input::new(context, context_len)],
            out,
        )
    })
}

/// Verifies the signature and the time of a received webhook.
///
/// @param engine       from `payspec_engine_new`
/// @param body         the bytes as received
/// @param body_len     its length in bytes
/// @param context      as JSON: headers, an object of names and values; secrets, an array; now; optional: tolerance_s,
///                     300 unless given
/// @param context_len  its length in bytes
/// @param out          receives the verdict, with the reason if the webhook is rejected; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: the webhook is verified;
///         PAYSPEC_REJECTED: missing_header, malformed_header, timestamp, or signature;
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
pub unsafe extern "C" fn payspec_verify_webhook(
    engine: *const payspec_engine,
    body: *const c_char,
    body_len: usize,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("verify_webhook") }, 2>(
            engine,
            [Input::new(body, body_len), Input::new(context, context_len)],
            out,
        )
    })
}
