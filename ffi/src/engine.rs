//! The engine as an opaque pointer.

use std::ffi::c_char;

use payspec::operations::Verdict;
use payspec::{Engine, Error};

use crate::buf::payspec_buf;
use crate::call::answer;
use crate::guard::guard;
use crate::input::{Input, wrong};

/// A policy, ready for use: opaque, and never changed by any call.
///
/// Threads: any number of them may use one engine at once, without a lock. It lives until `payspec_engine_free`; the
/// policy's text and the buffers that it filled do not depend on it.
#[derive(Debug)]
#[expect(non_camel_case_types, reason = "its name in C")]
pub struct payspec_engine {
    engine: Engine,
}

// What the header promises of it: threads share it, and a panic in one of them leaves nothing half done for the others.
const _: () = {
    const fn shared<T: Send + Sync + std::panic::RefUnwindSafe>() {}
    shared::<payspec_engine>();
};

impl payspec_engine {
    /// The engine behind a pointer of the caller.
    ///
    /// # Safety
    /// `engine` is NULL or came from `payspec_engine_new`, and is not freed within `'a`.
    #[inline]
    pub(crate) unsafe fn behind<'a>(engine: *const payspec_engine) -> Result<&'a Engine, Error> {
        if engine.is_null() {
            return Err(wrong("engine", "a pointer is needed: it is NULL"));
        }
        if !engine.is_aligned() {
            return Err(wrong("engine", "the pointer is not aligned"));
        }
        // SAFETY: neither NULL nor misaligned, and the caller vouches that it is a living engine.
        Ok(unsafe { &(*engine).engine })
    }
}

/// Makes an engine of a policy. It is worth keeping: build it once, share it, free it at the end.
///
/// @param policy      the policy as JSON, every member optional (README.md lists them); NULL with length 0: the default
///                    one. It is read during the call alone.
/// @param policy_len  its length in bytes
/// @param out         receives the engine, which is the caller's to free; NULL where the call fails
/// @param error       receives the error where the call fails, and is emptied otherwise; NULL: the number is enough
/// @return PAYSPEC_ACCEPTED;
///         PAYSPEC_ERROR_ARGUMENT: `out` is NULL, or `policy` is NULL with a length;
///         PAYSPEC_ERROR_UTF8: the policy is not UTF-8;
///         PAYSPEC_ERROR_POLICY: it is no JSON object, names an unknown member, or sets what cannot be set;
///         PAYSPEC_ERROR_PANIC.
///
/// Threads: any number at once, each with an `out` and an `error` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
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
            // NULL first, whatever fails below: an unsound `error` as well.
            // SAFETY: neither NULL nor misaligned; the caller vouches that an engine's pointer fits there.
            unsafe { out.write(std::ptr::null_mut()) };
        }
        let build = |_: Option<&mut Vec<u8>>| {
            if !has_out {
                return Err(wrong("out", "a pointer is needed: it is NULL or not aligned"));
            }
            // SAFETY: the caller vouches for pointer and length.
            let engine = match unsafe { policy.bytes("policy") }? {
                Some(text) => Engine::from_json(text)?,
                None => Engine::default(),
            };
            // SAFETY: `has_out`: as for the NULL that was written there.
            unsafe { out.write(Box::into_raw(Box::new(payspec_engine { engine }))) };
            Ok(Verdict::Accepted)
        };
        // SAFETY: the caller vouches for `error`.
        unsafe { answer(error, "error", &[policy], build) }
    })
}

/// Frees an engine. Every call with it must have returned.
///
/// @param engine  from `payspec_engine_new`, freed once; NULL is fine
///
/// Threads: any, not only the one that made it. Errors: none.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_engine_free(engine: *mut payspec_engine) {
    guard(|| {
        if !engine.is_null() && engine.is_aligned() {
            // SAFETY: the caller vouches that `payspec_engine_new` made it and that nobody uses it any more.
            drop(unsafe { Box::from_raw(engine) });
        }
    });
}
