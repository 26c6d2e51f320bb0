//! The guard around every exported function: no panic leaves the library.

use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::status::PAYSPEC_ERROR_PANIC;

#[cfg(panic = "abort")]
compile_error!(
    "libpayspec must catch panics, and a panic that aborts cannot be caught: build it with panic = unwind"
);

/// The value that a function returns if the library panics.
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

/// Runs the body of an exported function. If it panics, returns [`OnPanic::VALUE`].
///
/// A panic leaves no invalid state: no call changes an engine, and `OutBuffer` (`buf.rs`) fills the
/// caller's buffer.
#[inline]
pub(crate) fn guard<T: OnPanic>(body: impl FnOnce() -> T) -> T {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(value) => value,
        Err(payload) => {
            // Dropping the payload could panic again.
            std::mem::forget(payload);
            T::VALUE
        }
    }
}

/// The JSON form of the error after a panic.
pub(crate) const PANIC: &str =
    r#"{"error":{"code":"panic","path":"","message":"the library panicked, which is a bug"}}"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_a_value_after_a_panic() {
        assert_eq!(guard(|| 1), 1);
        assert_eq!(
            guard(|| -> i32 { panic!("on purpose") }),
            PAYSPEC_ERROR_PANIC
        );
        assert_eq!(guard(|| -> u32 { panic!("on purpose") }), u32::MAX);
        assert!(guard(|| -> *const c_char { panic!("on purpose") }).is_null());
        guard(|| -> () { panic!("on purpose") });
    }

    #[test]
    fn does_not_drop_a_payload_that_panics() {
        struct Bomb;
        impl Drop for Bomb {
            fn drop(&mut self) {
                panic!("on purpose, again");
            }
        }
        assert_eq!(
            guard(|| -> i32 { std::panic::panic_any(Bomb) }),
            PAYSPEC_ERROR_PANIC
        );
    }
}
