//! Values for cases that cannot occur.

/// Returns the value of an option that is always present.
///
/// If the library has a bug, a debug build panics, so that tests and fuzzers find it. A release
/// build never panics: it returns `fallback`.
#[inline(always)]
pub(crate) fn or_bug<T>(value: Option<T>, fallback: T) -> T {
    debug_assert!(value.is_some(), "a bug in payspec");
    value.unwrap_or(fallback)
}
