//! Where the stack is large: the first items stand on it.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Deref;

/// A list that lives as long as a call, with the heap for what is more than `N`.
pub(crate) type List<T, const N: usize> = smallvec::SmallVec<[T; N]>;

/// `list![value; count]`
pub(crate) use smallvec::smallvec as list;

/// A list that grows by many items or that a caller gets. A [`List`] looks at every push whether it is still on the stack, and
/// nobody could touch a body again while a report with one is in scope: it is taken to look at its items when it goes.
#[derive(Clone, Default)]
pub(crate) enum Few<T, const N: usize> {
    #[default]
    None,
    /// So many of them count.
    Inline([T; N], usize),
    Heap(Vec<T>),
}

/// Pushes an item that is made where it will stand, if the list is a long one.
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

/// Four times the room where there is none: items are large, and each time that they move costs as much as reading them.
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

// As a list: what stands behind the items that count is nobody's business.
impl<T: fmt::Debug, const N: usize> fmt::Debug for Few<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
