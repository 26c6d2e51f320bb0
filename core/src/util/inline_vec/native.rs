//! The lists of targets with a large stack, which store their first items on it.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

/// A list that lives as long as a call. More than `N` items are moved to the heap.
pub(crate) type List<T, const N: usize> = smallvec::SmallVec<[T; N]>;

/// Creates a list: `list![value; count]`.
pub(crate) use smallvec::smallvec as list;

/// A list that grows by many items or is returned to the caller.
///
/// A [`List`] checks on every push if it is still on the stack. It also implements `Drop`, so the borrow checker would
/// keep the body borrowed until the report is dropped.
#[derive(Clone, Default)]
pub(crate) enum Few<T, const N: usize> {
    #[default]
    None,
    /// The items, of which only this many are in use.
    Inline([T; N], usize),
    Heap(Vec<T>),
}

/// Pushes an item. In a list on the heap, the item is built in place.
#[inline(always)]
pub(crate) fn push_made<T: Clone, const N: usize>(list: &mut Few<T, N>, make: impl FnOnce() -> T) {
    match list {
        Few::Heap(many) => {
            make_room(many);
            many.push(make());
        }
        few => few.push(make()),
    }
}

/// Grows a full list to four times its capacity. Items are large, and each move costs as much as reading them.
#[inline]
fn make_room<T>(many: &mut Vec<T>) {
    if many.len() == many.capacity() {
        many.reserve_exact(many.len().saturating_mul(3));
    }
}

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
            Few::Heap(many) => {
                make_room(many);
                many.push(item);
            }
        }
    }
}

impl<T, const N: usize> Deref for Few<T, N> {
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

impl<T: Clone, const N: usize> From<Few<T, N>> for Vec<T> {
    fn from(few: Few<T, N>) -> Self {
        match few {
            Few::Heap(many) => many,
            few => few.to_vec(),
        }
    }
}

// Shows the list without the unused items.
impl<T: fmt::Debug, const N: usize> fmt::Debug for Few<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
