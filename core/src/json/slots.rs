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
    reason = "count is at least 1 and at most MAX_SLOTS"
)]
pub(crate) const fn range(first: usize, count: usize) -> u64 {
    if count == 0 {
        0
    } else {
        (u64::MAX >> (MAX_SLOTS - count) as u32) << first as u32
    }
}
