//! A vector in memory of the caller.

/// A vector that uses a slice, which must be long enough.
pub(crate) struct SliceVec<'m, T> {
    items: &'m mut [T],
    len: usize,
}

impl<'m, T> SliceVec<'m, T> {
    pub(crate) fn new(items: &'m mut [T]) -> Self {
        SliceVec { items, len: 0 }
    }

    pub(crate) fn push(&mut self, item: T) {
        if let Some(target) = self.items.get_mut(self.len) {
            *target = item;
            self.len = self.len.wrapping_add(1);
        }
    }
}

impl<T> core::ops::Deref for SliceVec<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.items.get(..self.len).unwrap_or_default()
    }
}

impl<T> core::ops::DerefMut for SliceVec<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.items.get_mut(..self.len).unwrap_or_default()
    }
}
