//! Creates and frees engines.

use std::ffi::c_char;

use payspec::Engine;
use payspec::operations::Verdict;

use crate::buf::payspec_buf;
use crate::call::answer;
use crate::guard::guard;
use crate::input::{Input, argument_error};

// The type is in a separate file, because `call` imports it and is imported here.
pub use crate::engine_handle::payspec_engine;

/// Creates an engine from a policy. Create it once, share it, and free it at the end.
///
/// @param policy      the policy as JSON, every member optional (docs/src/reference/policy.md lists them); pass NULL, 0
///                    for the default policy
/// @param policy_len  its length in bytes
/// @param out         receives the engine, to be freed with `payspec_engine_free`; NULL if the call fails
/// @param error       receives the error if the call fails, otherwise the empty text; pass NULL if the return code is
///                    enough
/// @return PAYSPEC_ACCEPTED: the engine was created;
///         PAYSPEC_ERROR_ARGUMENT: `out` is NULL, or `policy` is NULL and its length is not 0;
///         PAYSPEC_ERROR_UTF8: the policy is not UTF-8;
///         PAYSPEC_ERROR_POLICY: the policy is not a JSON object, or contains an unknown member or an invalid setting;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `error` is valid until its next use. Threads: any number at the
/// same time, each with its own `out` and `error`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_engine_new(
    policy: *const c_char,
    policy_len: usize,
    out: *mut *mut payspec_engine,
    error: *mut payspec_buf,
) -> i32 {
    guard(|| {
        let policy = Input::new(policy, policy_len);
        let has_out = !out.is_null() && out.is_aligned();
        if has_out {
            // NULL first, so that every failure below leaves NULL there, including an invalid
            // `error`. SAFETY: neither NULL nor misaligned; the caller guarantees memory for a
            // pointer there.
            unsafe { out.write(std::ptr::null_mut()) };
        }
        let build = |_: Option<&mut Vec<u8>>| {
            if !has_out {
                return Err(argument_error(
                    "out",
                    "expected an aligned pointer, not NULL",
                ));
            }
            // SAFETY: the caller guarantees pointer and length.
            let engine = match unsafe { policy.bytes("policy") }? {
                Some(text) => Engine::from_json(text)?,
                None => Engine::default(),
            };
            // SAFETY: `has_out`: as for the NULL that was written there.
            unsafe { out.write(Box::into_raw(Box::new(payspec_engine::new(engine)))) };
            Ok(Verdict::Accepted)
        };
        // SAFETY: the caller guarantees `error`.
        unsafe { answer(error, "error", &[policy], build) }
    })
}

/// Frees an engine. All calls with it must have returned.
///
/// @param engine  from `payspec_engine_new`, freed at most once; NULL has no effect
///
/// Threads: any thread, not only the one that created it. Errors: none.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_engine_free(engine: *mut payspec_engine) {
    guard(|| {
        if !engine.is_null() && engine.is_aligned() {
            // SAFETY: the caller guarantees that `payspec_engine_new` created it and that it is no
            // longer in use.
            drop(unsafe { Box::from_raw(engine) });
        }
    });
}
