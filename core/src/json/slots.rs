//! Slots: the indexes of fields in the array of values and in sets of bits.

/// The number of slots that a set can hold.
pub(crate) const MAX_SLOTS: usize = 64;

/// The maximum nesting of objects that a schema may describe, which is the limit of the reader.
pub(crate) const MAX_NESTING: usize = 4;

/// Returns the set that contains one slot.
#[expect(
    clippy::as_conversions,
    reason = "the slot is taken modulo 64, and every slot is below MAX_SLOTS"
)]
#[inline]
pub(crate) const fn bit(slot: usize) -> u64 {
    1_u64.wrapping_shl((slot & 63) as u32)
}

/// Returns the set of `count` slots from `first` on.
#[expect(
    clippy::as_conversions,
    clippy::arithmetic_side_effects,
    reason = "count is at most MAX_SLOTS"
)]
pub(crate) const fn range(first: usize, count: usize) -> u64 {
    if count == 0 {
        0
    } else {
        (u64::MAX >> (MAX_SLOTS - count) as u32) << first as u32
    }
}

/// Returns the slot after the last one of a set, or 0 if the set is empty.
#[inline]
pub(crate) fn end_of(set: u64) -> usize {
    u64::BITS
        .saturating_sub(set.leading_zeros())
        .try_into()
        .unwrap_or(0)
}

/// Iterates over the slots of a set, in ascending order.
#[inline]
pub(crate) fn slots_in(set: u64) -> impl Iterator<Item = usize> {
    let mut rest = set;
    core::iter::from_fn(move || {
        let slot = usize::try_from(rest.trailing_zeros()).ok()?;
        if slot == MAX_SLOTS {
            return None;
        }
        rest &= !bit(slot);
        Some(slot)
    })
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn a_set_has_a_bit_for_every_slot() {
        assert_eq!(range(0, 64), u64::MAX);
        assert_eq!(range(3, 2), bit(3) | bit(4));
        assert_eq!(range(63, 1), bit(63));
        assert_eq!(range(5, 0), 0);
    }

    #[test]
    fn iterates_over_the_slots_of_a_set() {
        let sets: [&[usize]; 4] = [&[], &[0], &[63], &[1, 5, 62]];
        for slots in sets {
            let set = slots.iter().fold(0, |set, slot| set | bit(*slot));
            assert_eq!(slots_in(set).collect::<Vec<_>>(), slots);
        }
        assert!(slots_in(u64::MAX).eq(0..64));
    }
}
