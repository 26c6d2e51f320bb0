//! The card numbers that a body declares, which are masked in its texts for any scheme and check
//! digit.
//!
//! A text that repeats one of them contains a card number, not an order number that looks like one.

use zeroize::Zeroize;

use super::syntax::{MAX_PAN_DIGITS, MIN_PAN_DIGITS};
use super::text::digits::digit;

/// The maximum number of known PANs of one body.
const MAX_KNOWN_PANS: usize = 8;

/// The known PANs of a body.
#[derive(Default)]
pub(crate) struct KnownPans {
    keys: [PackedDigits; MAX_KNOWN_PANS],
    /// The number of digits of each key.
    lengths: [usize; MAX_KNOWN_PANS],
    /// The number of keys in use.
    count: usize,
    /// Set if the body has more card numbers than fit, or one that is too long. Then any run with
    /// enough digits is masked.
    overflowed: bool,
}

/// Up to 32 digits, four bits each, the last one in the lowest bits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PackedDigits(u128);

impl PackedDigits {
    /// Appends a digit.
    #[inline]
    pub(super) fn push(&mut self, digit: u8) {
        self.0 = self.0 << 4 | u128::from(digit);
    }

    /// Returns the last `count` digits.
    #[inline]
    fn last(self, count: usize) -> Self {
        let unused = u128::BITS.saturating_sub(4_u32.saturating_mul(count.try_into().unwrap_or(0)));
        PackedDigits(self.0 << unused >> unused)
    }
}

/// Known PANs by which every run of enough digits is masked.
pub(super) static ANY_NUMBER: KnownPans = KnownPans {
    keys: [PackedDigits(0); MAX_KNOWN_PANS],
    lengths: [0; MAX_KNOWN_PANS],
    count: 0,
    overflowed: true,
};

impl KnownPans {
    /// Adds the digits of a declared card number, with any characters between them.
    pub(crate) fn collect(&mut self, written: impl Iterator<Item = char>) {
        let (mut key, mut length) = (PackedDigits::default(), 0_usize);
        for digit in written.filter_map(digit) {
            length = length.saturating_add(1);
            key.push(digit);
        }
        if length < MIN_PAN_DIGITS || self.keys().any(|known| known == (key, length)) {
            return;
        }
        let slots = (
            self.keys.get_mut(self.count),
            self.lengths.get_mut(self.count),
        );
        match slots {
            (Some(slot), Some(length_slot)) if length <= MAX_PAN_DIGITS => {
                (*slot, *length_slot) = (key, length);
                self.count = self.count.saturating_add(1);
            }
            _ => self.overflowed = true,
        }
    }

    /// Adds card numbers that could not be read. Then any run with enough digits is masked.
    pub(crate) fn collect_unread(&mut self) {
        self.overflowed = true;
    }

    /// Checks if the body declares no card number.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0 && !self.overflowed
    }

    /// Checks if a known PAN is at the end of `count` digits.
    #[inline]
    pub(super) fn are_at_end(&self, digits: PackedDigits, count: usize) -> bool {
        let is_at_end =
            |(key, length): (PackedDigits, usize)| length <= count && digits.last(length) == key;
        self.overflowed && count >= MIN_PAN_DIGITS || self.keys().any(is_at_end)
    }

    fn keys(&self) -> impl Iterator<Item = (PackedDigits, usize)> {
        let keys = self.keys.iter().copied();
        keys.zip(self.lengths).take(self.count)
    }
}

impl Drop for KnownPans {
    fn drop(&mut self) {
        self.keys.iter_mut().for_each(|key| key.0.zeroize());
    }
}
