//! Lists whose first items need no heap.

use alloc::vec::Vec;
#[cfg(not(target_family = "wasm"))]
use core::fmt;

/// A list that lives as long as a call, with the heap for what is more than `N`.
#[cfg(not(target_family = "wasm"))]
pub(crate) type List<T, const N: usize> = smallvec::SmallVec<[T; N]>;
/// In WebAssembly all of it is on the heap: there an allocation costs little, and each byte of code is loaded by a page.
#[cfg(target_family = "wasm")]
pub(crate) type List<T, const N: usize> = Vec<T>;

/// `list![value; count]`
#[cfg(target_family = "wasm")]
pub(crate) use alloc::vec as list;
/// `list![value; count]`
#[cfg(not(target_family = "wasm"))]
pub(crate) use smallvec::smallvec as list;

/// A list that grows by many items or that a caller gets. A [`List`] looks at every push whether it is still on the stack, and
/// nobody could touch a body again while a report with one is in scope: it is taken to look at its items when it goes.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Default)]
pub(crate) enum Few<T, const N: usize> {
    #[default]
    None,
    /// So many of them count.
    Inline([T; N], usize),
    Heap(Vec<T>),
}

#[cfg(target_family = "wasm")]
pub(crate) type Few<T, const N: usize> = Vec<T>;

/// Pushes an item that is made where it will stand, if the list is a long one.
#[cfg(not(target_family = "wasm"))]
#[inline(always)]
pub(crate) fn push_made<T: Clone, const N: usize>(list: &mut Few<T, N>, make: impl FnOnce() -> T) {
    match list {
        Few::Heap(many) => many.push(make()),
        few => few.push(make()),
    }
}

/// The same.
#[cfg(target_family = "wasm")]
#[inline(always)]
pub(crate) fn push_made<T>(list: &mut Vec<T>, make: impl FnOnce() -> T) {
    list.push(make());
}

#[cfg(not(target_family = "wasm"))]
impl<T: Clone, const N: usize> Few<T, N> {
    #[inline(never)]
    pub(crate) fn push(&mut self, item: T) {
        match self {
            Few::None => *self = Few::Inline(core::array::from_fn(|_| item.clone()), 1),
            Few::Inline(items, count) => match items.get_mut(*count) {
                Some(place) => {
                    *place = item;
                    *count = count.saturating_add(1);
                }
                None => {
                    let mut many = Vec::with_capacity(N.saturating_mul(2));
                    many.extend_from_slice(items);
                    many.push(item);
                    *self = Few::Heap(many);
                }
            },
            Few::Heap(many) => many.push(item),
        }
    }
}

#[cfg(not(target_family = "wasm"))]
impl<T, const N: usize> core::ops::Deref for Few<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Few::None => &[],
            Few::Inline(items, count) => items.get(..*count).unwrap_or_default(),
            Few::Heap(many) => many,
        }
    }
}

#[cfg(not(target_family = "wasm"))]
impl<T: Clone, const N: usize> From<Few<T, N>> for Vec<T> {
    fn from(few: Few<T, N>) -> Self {
        match few {
            Few::Heap(many) => many,
            few => few.to_vec(),
        }
    }
}

// As a list: what stands behind the items that count is nobody's business.
#[cfg(not(target_family = "wasm"))]
impl<T: fmt::Debug, const N: usize> fmt::Debug for Few<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_stand_in_their_order_wherever_they_are() {
        let mut few: Few<usize, 3> = Few::default();
        for count in 0..20 {
            assert!(few.iter().copied().eq(0..count), "{count}");
            assert_eq!(matches!(few, Few::Heap(_)), count > 3, "{count}");
            assert_eq!(alloc::format!("{few:?}"), alloc::format!("{:?}", &*few));
            assert!(Vec::from(few.clone()).into_iter().eq(0..count));
            few.push(count);
        }
    }
}
