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

    /// Counts runs of stars: three alone mask a security code, others a card number.
    fn of(text: &[u8]) -> Self {
        let mut counts = Counts::default();
        let mut at = 0;
        while let Some(found) = memchr(b'*', &text[at..]) {
            let start = at + found;
            let stars = text[start..]
                .iter()
                .take_while(|byte| **byte == b'*')
                .count();
            let is_after_digit = start > 0 && text[start - 1].is_ascii_digit();
            match stars {
                SECURITY_CODE if !is_after_digit => counts.security_codes += 1,
                2.. => counts.card_numbers += 1,
                _ => {}
            }
            at = start + stars;
        }
        counts
    }
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
}
