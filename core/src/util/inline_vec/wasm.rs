//! The lists of WebAssembly, which are entirely on the heap. There an allocation is cheap, and a page must load each
//! byte of code.

use alloc::vec::Vec;

/// A list that lives as long as a call.
pub(crate) type List<T, const N: usize> = Vec<T>;

/// A list that grows by many items or is returned to the caller.
pub(crate) type Few<T, const N: usize> = Vec<T>;

/// Creates a list: `list![value; count]`.
pub(crate) use alloc::vec as list;

/// Pushes an item that is built in place.
#[inline(always)]
pub(crate) fn push_made<T>(list: &mut Vec<T>, make: impl FnOnce() -> T) {
    list.push(make());
}
