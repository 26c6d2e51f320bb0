//! In WebAssembly all of a list is on the heap: there an allocation costs little, and each byte of code is loaded by a page.

use alloc::vec::Vec;

/// A list that lives as long as a call.
pub(crate) type List<T, const N: usize> = Vec<T>;

/// A list that grows by many items or that a caller gets.
pub(crate) type Few<T, const N: usize> = Vec<T>;

/// `list![value; count]`
pub(crate) use alloc::vec as list;

/// Pushes an item that is made where it will stand.
#[inline(always)]
pub(crate) fn push_made<T>(list: &mut Vec<T>, make: impl FnOnce() -> T) {
    list.push(make());
}
