//! Phone numbers of recipients (§2.2, pay_out_details.phone_number).

use crate::util::bytes::all_digits;

/// Checks if the text is a phone number (`phone_number_syntax`): an optional `+`, then the 7 to 15
/// digits of E.164, of which the first is not 0, since no country code begins with it.
pub(crate) fn is_phone(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or(text).as_bytes();
    matches!(digits.len(), 7..=15) && all_digits(digits) && !digits.starts_with(b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_seven_to_fifteen_digits_after_an_optional_plus() {
        for good in [
            "1234567",
            "+1234567",
            "79161234567",
            "+79161234567",
            "123456789012345",
            "+123456789012345",
        ] {
            assert!(is_phone(good), "{good}");
        }
        for bad in [
            "",
            "+",
            "123456",
            "+123456",
            "1234567890123456",
            "+1234567890123456",
            "++1234567",
            "1234567+",
            "+7 916 123",
            "8(916)1234567",
            "7916-1234567",
            " 1234567",
            "1234567 ",
            "１２３４５６７",
            "٠١٢٣٤٥٦٧",
            "abcdefg",
            "-1234567",
            "0123456789",
            "+0123456789",
            "00000000",
        ] {
            assert!(!is_phone(bad), "{bad}");
        }
    }
}
