//! The opaque type of an engine.

use payspec::{Engine, Error};

use crate::input::argument_error;

/// An engine: a policy, prepared for use. The type is opaque, and no call changes an engine.
///
/// Threads: any number of threads may use one engine at the same time, without a lock. An engine
/// lives until `payspec_engine_free`. It keeps no pointer to the text of the policy, and buffers
/// that were filled with its help remain valid after it is freed.
#[derive(Debug)]
#[expect(non_camel_case_types, reason = "its name in C")]
pub struct payspec_engine {
    engine: Engine,
}

// The header promises that threads may share an engine, and that it is usable after a panic.
const _: () = {
    const fn shared<T: Send + Sync + std::panic::RefUnwindSafe>() {}
    shared::<payspec_engine>();
};

impl payspec_engine {
    pub(crate) fn new(engine: Engine) -> payspec_engine {
        payspec_engine { engine }
    }

    /// Returns the engine that the caller's pointer refers to.
    ///
    /// # Safety
    /// `engine` is NULL, or was returned by `payspec_engine_new` and is not freed during `'a`.
    #[inline]
    pub(crate) unsafe fn as_ref<'a>(engine: *const payspec_engine) -> Result<&'a Engine, Error> {
        if engine.is_null() {
            return Err(argument_error("engine", "expected an engine, not NULL"));
        }
        if !engine.is_aligned() {
            return Err(argument_error("engine", "the pointer is not aligned"));
        }
        // SAFETY: neither NULL nor misaligned, and the caller guarantees that the engine is not
        // freed.
        Ok(unsafe { &(*engine).engine })
    }
}
