//! Integers in JSON: numbers whose value is an integer, as in JSON Schema 2020-12. `3600.0` and
//! `36e2` are integers.

/// The value of a number that is an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integer {
    Fits(u64),
    /// A negative number, or one of more than 64 bits.
    OutOfRange,
}

impl Integer {
    /// Parses a JSON number. Returns `None` if its value is not an integer.
    pub(crate) fn parse(number: &str) -> Option<Self> {
        match number.parse() {
            Ok(value) => Some(Integer::Fits(value)),
            Err(_) => parse_any(number),
        }
    }
}

/// Returns the value of an integer in JSON. Returns `None` for any other number, and for an integer
/// that is negative or has more than 64 bits.
pub(crate) fn integer_value(number: &str) -> Option<u64> {
    match Integer::parse(number)? {
        Integer::Fits(value) => Some(value),
        Integer::OutOfRange => None,
    }
}

/// Parses a number with a sign, a fraction, an exponent, or many digits.
///
/// Its value is `whole.fraction` × 10^`exponent`. Without the zeros at the end of the fraction, the
/// value is an integer if the exponent is at least the number of digits in the fraction. Without a
/// fraction, it is also one if `whole` ends with enough zeros for a negative exponent.
fn parse_any(number: &str) -> Option<Integer> {
    let unsigned = number.strip_prefix('-').unwrap_or(number);
    let (decimal, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = decimal.split_once('.').unwrap_or((decimal, ""));
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() && whole.bytes().all(|digit| digit == b'0') {
        return Some(Integer::Fits(0));
    }
    // An exponent that does not fit is beyond the digits of any text.
    let exponent = exponent.parse().unwrap_or(if exponent.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    });
    let places = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    let shift = exponent.saturating_sub(places);
    let value = match u64::try_from(shift) {
        Ok(zeros) => shifted(whole.bytes().chain(fraction.bytes()), zeros),
        Err(_) if fraction.is_empty() => {
            let removed = usize::try_from(shift.unsigned_abs()).ok()?;
            let (digits, zeros) = whole.split_at_checked(whole.len().checked_sub(removed)?)?;
            if zeros.bytes().any(|digit| digit != b'0') {
                return None;
            }
            shifted(digits.bytes(), 0)
        }
        Err(_) => return None,
    };
    let is_negative = unsigned.len() < number.len();
    Some(match value {
        Some(value) if !is_negative => Integer::Fits(value),
        _ => Integer::OutOfRange,
    })
}

/// Returns the value of digits followed by zeros, if it fits.
fn shifted(digits: impl Iterator<Item = u8>, zeros: u64) -> Option<u64> {
    let mut value = 0_u64;
    for digit in digits {
        let digit = char::from(digit).to_digit(10)?;
        value = value.checked_mul(10)?.checked_add(digit.into())?;
    }
    let power = 10_u64.checked_pow(u32::try_from(zeros).ok()?)?;
    value.checked_mul(power)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    #[test]
    fn reads_integers_by_value() {
        let fits = |value| Some(Integer::Fits(value));
        for (number, expected) in [
            ("0", fits(0)),
            ("-0", fits(0)),
            ("0.000", fits(0)),
            ("-0.0e-9", fits(0)),
            ("0e99999999999999999999", fits(0)),
            ("12", fits(12)),
            ("3600.0", fits(3600)),
            ("36e2", fits(3600)),
            ("36E+2", fits(3600)),
            ("3.6e3", fits(3600)),
            ("0.0036e6", fits(3600)),
            ("360000e-2", fits(3600)),
            ("360000.00e-2", fits(3600)),
            ("1e0", fits(1)),
            ("18446744073709551615", fits(u64::MAX)),
            ("18446744073709551615.0", fits(u64::MAX)),
            ("1844674407370955161.5e1", fits(u64::MAX)),
            ("18446744073709551616", Some(Integer::OutOfRange)),
            ("1e20", Some(Integer::OutOfRange)),
            ("1e99999999999999999999", Some(Integer::OutOfRange)),
            ("-1", Some(Integer::OutOfRange)),
            ("-1.0", Some(Integer::OutOfRange)),
            ("-5e3", Some(Integer::OutOfRange)),
            ("3600.5", None),
            ("-0.1", None),
            ("1e-1", None),
            ("36e-2", None),
            ("3600.5e0", None),
            ("3600.55e1", None),
            ("10e-3", None),
            ("1e-99999999999999999999", None),
        ] {
            assert_eq!(Integer::parse(number), expected, "{number}");
        }
    }

    #[test]
    fn reads_long_numbers() {
        let zeros = "0".repeat(5000);
        for (number, expected) in [
            (["7", &zeros, "e-5000"].concat(), Some(Integer::Fits(7))),
            (["7.", &zeros].concat(), Some(Integer::Fits(7))),
            (["0.", &zeros, "7e5001"].concat(), Some(Integer::Fits(7))),
            (["7", &zeros].concat(), Some(Integer::OutOfRange)),
            (["7", &zeros, "e-5001"].concat(), None),
            (["7.", &zeros, "1"].concat(), None),
        ] {
            let number: String = number;
            assert_eq!(Integer::parse(&number), expected);
        }
    }
}
