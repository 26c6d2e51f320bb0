//! The text of an amount: a plain decimal, which `DecimalText` parses back.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use super::amount::{Amount, MAX_DIGITS};
use crate::json::writer::text_by;
use crate::util::bug::or_bug;

/// The number of consecutive digits from which on a text may be a card number.
const SHORTEST_PAN: usize = 12;

impl Amount {
    /// Appends the plain decimal with at least `min_scale` fraction digits, and with more only if
    /// the value needs them.
    ///
    /// Only zeros are ever omitted. A `min_scale` over 28 counts as 28.
    pub fn write(self, min_scale: u32, out: &mut Vec<u8>) {
        let value = self.trimmed(min_scale);
        let missing_zeros = min_scale.min(MAX_DIGITS).saturating_sub(value.scale());
        // A division by 10 returns the last digit, so the text is written from its end.
        let start = out.len();
        out.extend((0..missing_zeros).map(|_| b'0'));
        let mut rest = value.mantissa();
        for _ in 0..value.scale() {
            out.push(remove_last_digit(&mut rest));
        }
        if out.len() > start {
            out.push(b'.');
        }
        out.push(remove_last_digit(&mut rest));
        while rest > 0 {
            out.push(remove_last_digit(&mut rest));
        }
        or_bug(out.get_mut(start..), &mut []).reverse();
    }

    /// Appends the plain decimal with all fraction digits of the amount.
    pub fn write_text(self, out: &mut Vec<u8>) {
        self.write(self.scale(), out);
    }
}

/// Divides a number by 10, and returns the ASCII digit of the remainder.
fn remove_last_digit(number: &mut u128) -> u8 {
    // Ordinary amounts need no division of 128 bits, which would add 2 to 4 % to the instructions of
    // a created payment.
    let remainder;
    if let Ok(small) = u64::try_from(*number) {
        remainder = u8::try_from(small % 10);
        *number = u128::from(small / 10);
    } else {
        remainder = u8::try_from(*number % 10);
        *number /= 10;
    }
    b'0' | or_bug(remainder.ok(), 0)
}

impl fmt::Display for Amount {
    /// Writes the text of [`Amount::write_text`]. The width applies, but a precision does not
    /// truncate the value.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad_integral(true, "", &text_by(|out| self.write_text(out)))
    }
}

impl fmt::Debug for Amount {
    /// Omits a number with twelve or more consecutive digits, because a user may enter a card
    /// number into the wrong field.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.to_string();
        let may_be_pan = text.split('.').any(|digits| digits.len() >= SHORTEST_PAN);
        let shown = if may_be_pan { ".." } else { &text };
        write!(formatter, "Amount({shown})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).unwrap()
    }

    fn written(text: &str, min_scale: u32) -> String {
        let mut out = Vec::new();
        amount(text).write(min_scale, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn writes_at_least_the_minor_unit() {
        for (text, min_scale, expected) in [
            ("0", 0, "0"),
            ("0", 2, "0.00"),
            ("100", 2, "100.00"),
            ("100.00", 0, "100"),
            ("100.5", 0, "100.5"),
            ("100.500", 2, "100.50"),
            ("100.505", 2, "100.505"),
            ("0.001000", 2, "0.001"),
            ("0.000", 0, "0"),
        ] {
            assert_eq!(written(text, min_scale), expected);
        }
        assert_eq!(written("1.0", u32::MAX), format!("1.{:0<28}", ""));
    }

    #[test]
    fn writes_all_28_digits() {
        for text in [
            "9999999999999999999999999999",
            "0.000000000000000000000000001",
            "18446744073709551616.5",
            "1.00",
        ] {
            assert_eq!(amount(text).to_string(), text);
        }
    }

    #[test]
    fn applies_the_width_but_no_precision() {
        let amount = amount("1.25");
        assert_eq!(format!("[{amount:>7}] [{amount:.1}]"), "[   1.25] [1.25]");
    }

    #[test]
    fn hides_long_numbers_in_debug_output() {
        for (text, shown) in [
            ("1500.50", "Amount(1500.50)"),
            ("99999999999.99", "Amount(99999999999.99)"),
            ("411111111111", "Amount(..)"),
            ("4111111111111111.00", "Amount(..)"),
            ("0.4111111111111111", "Amount(..)"),
        ] {
            assert_eq!(format!("{:?}", amount(text)), shown);
        }
    }
}
