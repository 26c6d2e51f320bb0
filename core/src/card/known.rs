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
    /// The number of keys in use.
    count: usize,
    /// Set if the body has more card numbers than fit. Then any run with enough digits is masked.
    overflowed: bool,
}

/// Up to 32 digits, four bits each, the last one in the lowest bits, and a mask of the bits in use.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct PackedDigits {
    digits: u128,
    mask: u128,
}

impl PackedDigits {
    /// Appends a digit.
    #[inline]
    pub(super) fn push(&mut self, digit: u8) {
        self.digits = self.digits << 4 | u128::from(digit);
        self.mask = self.mask << 4 | 0xF;
    }

    /// Checks if these digits end with those of a number.
    #[inline]
    fn end_with(self, number: PackedDigits) -> bool {
        self.digits & number.mask == number.digits && self.mask & number.mask == number.mask
    }
}

/// Known PANs by which every run of enough digits is masked.
pub(super) static ANY_NUMBER: KnownPans = KnownPans {
    keys: [PackedDigits { digits: 0, mask: 0 }; MAX_KNOWN_PANS],
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
        // Longer digits are no card number: nothing is known of those that a text repeats.
        if !(MIN_PAN_DIGITS..=MAX_PAN_DIGITS).contains(&length)
            || self.keys().any(|known| *known == key)
        {
            return;
        }
        match self.keys.get_mut(self.count) {
            Some(slot) => {
                *slot = key;
                self.count = self.count.saturating_add(1);
            }
            None => self.overflowed = true,
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
        self.overflowed && count >= MIN_PAN_DIGITS
            || self.keys().any(|known| digits.end_with(*known))
    }

    fn keys(&self) -> impl Iterator<Item = &PackedDigits> {
        self.keys.iter().take(self.count)
    }
}

impl Drop for KnownPans {
    fn drop(&mut self) {
        self.keys.iter_mut().for_each(|key| key.digits.zeroize());
    }
}
