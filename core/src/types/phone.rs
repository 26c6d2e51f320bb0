//! Phone numbers of recipients (§2.2, pay_out_details.phone_number).

use crate::util::text::Text;

/// Checks if the text is a phone number (`phone_number_syntax`): an optional `+`, then the 7 to 15
/// digits of E.164.
pub(crate) fn is_phone<T: Text>(text: T) -> bool {
    let has_plus = !text.is_empty() && text.byte(text.start()) == b'+';
    let start = text.start().wrapping_add(has_plus.into());
    matches!(text.end().wrapping_sub(start), 7..=15) && text.all_digits(start, text.end())
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
            assert!(is_phone(good.as_bytes()), "{good}");
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
        ] {
            assert!(!is_phone(bad.as_bytes()), "{bad}");
        }
    }
}
