//! A vector that stores its first items without the heap.

/// A vector for values that live as long as a call. More than `N` items are moved to the heap.
pub(crate) type InlineVec<T, const N: usize> = smallvec::SmallVec<[T; N]>;
