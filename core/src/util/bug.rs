//! Cases that cannot occur.

/// Reports a case that cannot occur.
///
/// If the library has a bug, a debug build panics, so that tests and fuzzers find it. A release
/// build never panics: the caller continues with a safe value.
#[inline(always)]
pub(crate) fn report_bug() {
    debug_assert!(is_expected(), "a bug in payspec");
}

/// Returns the value of an option that is always present, otherwise reports a bug and returns
/// `fallback`.
#[inline(always)]
pub(crate) fn or_bug<T>(value: Option<T>, fallback: T) -> T {
    if value.is_none() {
        report_bug();
    }
    value.unwrap_or(fallback)
}

#[cfg(not(test))]
const fn is_expected() -> bool {
    false
}

#[cfg(test)]
pub(crate) use expected::{is_expected, with_bug};

/// Lets unit tests observe the behavior of a release build.
#[cfg(test)]
mod expected {
    extern crate std;

    use core::cell::Cell;

    std::thread_local! {
        static IS_EXPECTED: Cell<bool> = const { Cell::new(false) };
        static WAS_REPORTED: Cell<bool> = const { Cell::new(false) };
    }

    pub(crate) fn is_expected() -> bool {
        WAS_REPORTED.set(true);
        IS_EXPECTED.get()
    }

    /// Returns the result of `run`, which must report a bug. It does not panic.
    pub(crate) fn with_bug<R>(run: impl FnOnce() -> R) -> R {
        WAS_REPORTED.set(false);
        IS_EXPECTED.set(true);
        let result = run();
        IS_EXPECTED.set(false);
        assert!(WAS_REPORTED.get(), "a bug is reported");
        result
    }
}
