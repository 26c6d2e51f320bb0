//! A vector that stores its first items without the heap.

/// A vector for values that live as long as a call. More than `N` items are moved to the heap.
#[cfg(not(target_family = "wasm"))]
pub(crate) type InlineVec<T, const N: usize> = smallvec::SmallVec<[T; N]>;

/// A vector on the heap. In WebAssembly an allocation is cheap, and `SmallVec` would increase the
/// module for pages by 3,500 bytes after gzip.
#[cfg(target_family = "wasm")]
pub(crate) type InlineVec<T, const N: usize> = alloc::vec::Vec<T>;
