//! Phone numbers of recipients (§2.2, pay_out_details.phone_number).

use crate::util::memory::{Memory, Text};

/// Checks if the text is a phone number (`phone_number_syntax`): an optional `+`, then the 7 to 15 digits of E.164.
pub(crate) fn is_phone<M: Memory>(text: Text<M>) -> bool {
    let has_plus = text.len() != 0 && text.memory.byte(text.at) == b'+';
    let digits = text.part(text.at.wrapping_add(has_plus.into()), text.end);
    matches!(digits.len(), 7..=15) && digits.all_digits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_seven_to_fifteen_digits_after_an_optional_plus() {
        for good in ["1234567", "+1234567", "79161234567", "+79161234567", "123456789012345", "+123456789012345"] {
            assert!(is_phone(good.as_bytes().into()), "{good}");
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
            assert!(!is_phone(bad.as_bytes().into()), "{bad}");
        }
    }
}
