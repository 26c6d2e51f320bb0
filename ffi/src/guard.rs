//! The guard that stands round every export: no panic leaves the library.

use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::status::PAYSPEC_ERROR_PANIC;

#[cfg(panic = "abort")]
compile_error!(
    "a panic that aborts cannot be caught: libpayspec promises its callers that it is, so build it with unwinding"
);

/// What a function returns when the library has panicked.
pub(crate) trait OnPanic {
    const VALUE: Self;
}

impl OnPanic for i32 {
    const VALUE: i32 = PAYSPEC_ERROR_PANIC;
}

impl OnPanic for u32 {
    const VALUE: u32 = u32::MAX;
}

impl OnPanic for () {
    const VALUE: () = ();
}

impl OnPanic for *const c_char {
    const VALUE: *const c_char = std::ptr::null();
}

/// Runs the body of an export. A panic becomes the value that says so.
///
/// Nothing is left half done behind it: an engine never changes, and a buffer is handed back by its loan (`buf.rs`).
#[inline]
pub(crate) fn guard<T: OnPanic>(door: impl FnOnce() -> T) -> T {
    match catch_unwind(AssertUnwindSafe(door)) {
        Ok(value) => value,
        Err(payload) => {
            // Dropping what was thrown could panic again.
            std::mem::forget(payload);
            T::VALUE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_value() {
        assert_eq!(guard(|| 1), 1);
        assert_eq!(guard(|| -> i32 { panic!("on purpose") }), PAYSPEC_ERROR_PANIC);
        assert_eq!(guard(|| -> u32 { panic!("on purpose") }), u32::MAX);
        assert!(guard(|| -> *const c_char { panic!("on purpose") }).is_null());
        guard(|| -> () { panic!("on purpose") });
    }

    #[test]
    fn what_a_panic_throws_may_itself_panic() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("on purpose, again");
            }
        }
        assert_eq!(guard(|| -> i32 { std::panic::panic_any(Bomb) }), PAYSPEC_ERROR_PANIC);
    }
}
