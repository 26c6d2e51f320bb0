//! Counts masks by kind.

use std::fmt;

use memchr::memchr;

/// The numbers of masked values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    card_numbers: u64,
    security_codes: u64,
}

/// The mask of a security code.
const SECURITY_CODE: usize = 3;

/// The characters between the groups of a card number. Spaces may be two.
const SEPARATORS: [&str; 14] = [
    " ", "  ", "\t", "\u{a0}", "\u{202f}", "\u{2009}", "-", "\u{2010}", "\u{2011}", "\u{2012}",
    "\u{2013}", ".", "_", "+",
];

/// The longest escape of a separator, as in `\u00a0`.
const LONGEST_ESCAPE: usize = 6;

/// The digits that a mask keeps at the end of a card number.
const LAST_DIGITS: usize = 4;

impl Counts {
    pub(super) fn add(&mut self, other: &Counts) {
        self.card_numbers += other.card_numbers;
        self.security_codes += other.security_codes;
    }

    /// Counts the masks that the output has in addition to the input.
    pub(super) fn add_difference(&mut self, input: &[u8], output: &[u8]) {
        if input == output {
            return;
        }
        let (before, after) = (Counts::of(input), Counts::of(output));
        self.card_numbers += after.card_numbers.saturating_sub(before.card_numbers);
        self.security_codes += after.security_codes.saturating_sub(before.security_codes);
    }

    /// Counts masks: three stars alone mask a security code, others a card number.
    fn of(text: &[u8]) -> Self {
        let mut counts = Counts::default();
        let mut mask = Mask::default();
        let mut at = 0;
        while let Some(found) = memchr(b'*', &text[at..]) {
            let start = at + found;
            let stars = text[start..]
                .iter()
                .take_while(|byte| **byte == b'*')
                .count();
            let before = &text[at..start];
            if !mask.is_continued_after(before) {
                counts.count(&mask);
                mask = Mask {
                    stars: 0,
                    is_after_digit: before.last().is_some_and(u8::is_ascii_digit),
                };
            }
            mask.stars += stars;
            at = start + stars;
        }
        counts.count(&mask);
        counts
    }

    fn count(&mut self, mask: &Mask) {
        match mask.stars {
            SECURITY_CODE if !mask.is_after_digit => self.security_codes += 1,
            2.. => self.card_numbers += 1,
            _ => {}
        }
    }
}

/// The stars of one value, which may be in groups.
#[derive(Default)]
struct Mask {
    stars: usize,
    is_after_digit: bool,
}

impl Mask {
    /// Returns whether the stars after a text mask the same value: the next group of a card number,
    /// or the rest of its track.
    fn is_continued_after(&self, text: &[u8]) -> bool {
        self.stars > 0 && (is_separator(text) || is_track(text))
    }
}

fn is_separator(text: &[u8]) -> bool {
    let is_escape = matches!(text.first(), Some(b'\\' | b'%' | b'&'))
        && text.len() <= LONGEST_ESCAPE
        && !text.contains(&b'=');
    is_escape || SEPARATORS.iter().any(|one| one.as_bytes() == text)
}

/// Returns whether the text is the end of a card number and what follows it on a magnetic stripe.
fn is_track(text: &[u8]) -> bool {
    let Some((digits, after)) = text.split_at_checked(LAST_DIGITS) else {
        return false;
    };
    let ends = |end: &[u8]| after.starts_with(end) && after.ends_with(end);
    digits.iter().all(u8::is_ascii_digit)
        && (matches!(after, b"=" | b"D" | b"d" | b"%3D" | b"%3d") || ends(b"^") || ends(b"%5E"))
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |count: u64| if count == 1 { "" } else { "s" };
        let Counts {
            card_numbers,
            security_codes,
        } = *self;
        write!(f, "masked {card_numbers} card number{}", s(card_numbers))?;
        write!(
            f,
            " and {security_codes} security code{}",
            s(security_codes)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_what_was_masked() {
        let mut counts = Counts::default();
        counts.add_difference(b"a *** b", b"a *** b");
        counts.add_difference(
            b"** cvv=1 pan=4111111111111111",
            b"** cvv=*** pan=411111******1111",
        );
        counts.add_difference(b"pan=\"x\" cvc=***", b"pan=\"******\" cvc=***");
        assert_eq!(
            counts,
            Counts {
                card_numbers: 2,
                security_codes: 1
            }
        );
        assert_eq!(
            counts.to_string(),
            "masked 2 card numbers and 1 security code"
        );
    }

    #[test]
    fn counts_numbers_and_not_their_groups() {
        let engine = payspec::Engine::default();
        for (text, card_numbers, security_codes) in [
            ("4111 1111 1111 1111", 1, 0),
            ("4111-1111-1111-1111 4111-1111-1111-1111", 2, 0),
            ("4111111111111111 4111111111111111", 2, 0),
            ("4111  1111  1111  1111\n4111  1111  1111  1111", 2, 0),
            ("4111\u{a0}1111\u{a0}1111\u{a0}1111", 1, 0),
            ("4111\u{2013}1111\u{2013}1111\u{2013}1111", 1, 0),
            (r"4111\u00a01111\u00a01111\u00a01111", 1, 0),
            ("4111%201111%201111%201111 3056 930902 5904", 2, 0),
            (";4111111111111111=25121011234567890?", 1, 0),
            ("%B4111111111111111^DOE/JOHN^2512101123456789?", 1, 0),
            ("4111111111111111D25121011234567890", 1, 0),
            ("cvv 123 cvc 456", 0, 2),
            ("cvv=123&cvc=4567&pan=4111111111111111", 1, 2),
            ("cardnumber=x cvv=12", 1, 1),
        ] {
            let mut counts = Counts::default();
            let output = engine.redact_text(text);
            counts.add_difference(text.as_bytes(), output.as_bytes());
            let expected = Counts {
                card_numbers,
                security_codes,
            };
            assert_eq!(counts, expected, "{output}");
        }
    }
}
