//! The card numbers that a body declares, which are masked in its texts for any scheme and check
//! digit.
//!
//! A text that repeats one of them contains a card number, not an order number that looks like one.

use zeroize::Zeroize;

use super::syntax::{MAX_PAN_DIGITS, MIN_PAN_DIGITS};

/// The maximum number of known PANs of one body.
const MAX_KNOWN_PANS: usize = 8;

/// The known PANs of a body.
#[derive(Default)]
pub(crate) struct KnownPans {
    keys: [Key; MAX_KNOWN_PANS],
    /// The number of keys in use.
    count: usize,
    /// Set if the body has more card numbers than fit, or one that is too long. Then any run with
    /// enough digits is masked.
    overflowed: bool,
}

/// The digits of a number, four bits each, and a mask of the bits in use.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Key {
    digits: u128,
    mask: u128,
}

impl KnownPans {
    /// Adds the digits of a declared card number, with any characters between them.
    pub(crate) fn collect(&mut self, written: impl Iterator<Item = char>) {
        let mut key = Key::default();
        let mut length = 0_usize;
        for digit in written.filter_map(|character| character.to_digit(10)) {
            length = length.saturating_add(1);
            key = Key {
                digits: key.digits << 4 | u128::from(digit),
                mask: key.mask << 4 | 0xF,
            };
        }
        if length < MIN_PAN_DIGITS || self.keys().any(|known| *known == key) {
            return;
        }
        match self.keys.get_mut(self.count) {
            Some(slot) if length <= MAX_PAN_DIGITS => {
                *slot = key;
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

    /// Checks if a run of digits and separators contains a known PAN. One pass searches for all of
    /// them.
    pub(super) fn are_in(&self, run: &[u8]) -> bool {
        // Four set bits are not a digit, so they match no key.
        let mut last = u128::MAX;
        self.overflowed
            || run
                .iter()
                .filter(|byte| byte.is_ascii_digit())
                .any(|digit| {
                    last = last << 4 | u128::from(digit & 0xF);
                    self.keys().any(|key| last & key.mask == key.digits)
                })
    }

    fn keys(&self) -> impl Iterator<Item = &Key> {
        self.keys.iter().take(self.count)
    }
}

impl Drop for KnownPans {
    fn drop(&mut self) {
        self.keys.iter_mut().for_each(|key| key.digits.zeroize());
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::card::mask::Masked;
    use crate::card::scanner::PanScanner;

    fn of(numbers: &[&str]) -> KnownPans {
        let mut known_pans = KnownPans::default();
        numbers
            .iter()
            .for_each(|number| known_pans.collect(number.chars()));
        known_pans
    }

    #[test]
    fn masks_a_known_number_only() {
        for (number, text, expected) in [
            (
                "4111111111111111",
                "4111111111111111",
                Some("411111******1111"),
            ),
            (
                "4111-1111.1111 x1111",
                "of 4111 1111-1111 1111",
                Some("of 4111 11**-**** 1111"),
            ),
            (
                "500000000009",
                "500000000009, order 600000000007",
                Some("500000**0009, order 600000000007"),
            ),
            (
                "500000000009",
                "order 600000000007, 5000-0000-0009",
                Some("order 600000000007, 5000-00**-0009"),
            ),
            ("500000000009", "1500000000009", Some("150000***0009")),
            (
                "500000000009",
                "00000000500000000009",
                Some("********************"),
            ),
            (
                "4111111111111111123",
                "of 4111-1111-1111-1111 123",
                Some("of 4111-11**-****-***1 123"),
            ),
            ("4111111111111111123", "of 4111111111111111124", None),
            ("500000000009", "5000  00000009", None),
            ("500000000009", "00000000009", None),
            ("50000000000", "50000000000 and 600000000007", None),
            ("", "500000000009", None),
            // Longer than a card number, so any of its digits may belong to one.
            (
                "41111111111111111234",
                "of 411111111111",
                Some("of 411111**1111"),
            ),
        ] {
            assert_eq!(
                PanScanner::known(&of(&[number]))
                    .mask(text)
                    .as_ref()
                    .map(Masked::as_str),
                expected,
                "{number} in {text}"
            );
        }
    }

    #[test]
    fn masks_other_card_numbers_too() {
        for (number, text, expected) in [
            (
                "500000000009",
                "500000000009, 4111111111111111",
                Some("500000**0009, 411111******1111"),
            ),
            ("500000000009", "4111111111111111", Some("411111******1111")),
            // One run that is too long for a card number, but contains the known PAN.
            (
                "500000000009",
                "4111 1111 1111 1111 500000000009",
                Some("**** **** **** **** ************"),
            ),
            // If numbers overlap, the middle of each is masked.
            (
                "111111111000",
                "4111 1111 1111 1111 000",
                Some("4111 11** **** ***1 000"),
            ),
            ("500000000009", "600000000007", None),
        ] {
            assert_eq!(
                PanScanner::text_and_known(&of(&[number]))
                    .mask(text)
                    .as_ref()
                    .map(Masked::as_str),
                expected,
                "{number} in {text}"
            );
        }
    }

    #[test]
    fn masks_long_runs_beyond_the_limit_of_known_numbers() {
        let number = |last: usize| format!("90000000000000{last:02}");
        let mask = |known_pans: &KnownPans, text: &str| PanScanner::known(known_pans).mask(text);
        let mut known_pans = of(&[]);
        (0..MAX_KNOWN_PANS)
            .chain(0..MAX_KNOWN_PANS)
            .for_each(|last| known_pans.collect(number(last).chars()));
        assert!(mask(&known_pans, "123456789012").is_none());
        for last in 0..MAX_KNOWN_PANS {
            assert!(mask(&known_pans, &number(last)).is_some());
        }
        known_pans.collect(number(MAX_KNOWN_PANS).chars());
        assert!(
            mask(&known_pans, "123456789012").is_some()
                && mask(&known_pans, "12345678901").is_none()
        );
    }

    #[test]
    fn masks_long_runs_after_unread_numbers() {
        let mut known_pans = KnownPans::default();
        assert!(known_pans.is_empty());
        known_pans.collect_unread();
        let masked = PanScanner::known(&known_pans)
            .mask("of 123456789012")
            .unwrap();
        assert_eq!(masked.as_str(), "of 123456**9012");
    }
}
