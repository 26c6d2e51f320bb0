//! The result of `card_info`: the facts about a card number that is being typed.

use super::luhn::has_check_digit;
use super::pan::MaskedPan;
use super::scheme::{GROUPING, Issuer, LENGTHS, Scheme, SecurityCodeFormat};
use super::syntax::is_pan_syntax;
use crate::util::bytes::all_digits;

/// The facts about a card that follow from the digits typed so far (§2.2, card_number). It contains
/// only the masked number.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct CardInfo {
    /// The scheme, if no further digit can change it.
    pub scheme: Option<Scheme>,
    /// The possible lengths of the finished number, in ascending order. They are 12 to 19 if the
    /// scheme is unknown.
    pub lengths: &'static [u8],
    /// The digits after which the number is split for reading.
    #[cfg_attr(feature = "serde", serde(rename = "gaps"))]
    pub grouping: &'static [u8],
    /// The name and the length of the security code, if the scheme is known.
    #[cfg_attr(feature = "serde", serde(rename = "code"))]
    pub security_code: Option<SecurityCodeFormat>,
    /// Set if the digits are a card number or can become one. An empty text is possible.
    pub possible: bool,
    /// Set if the digits are a card number: a length of the scheme, and the correct check digit.
    ///
    /// UnionPay has issued numbers without a check digit, which a request may have: they are not
    /// valid here, and lead to the warning `card_number_no_check_digit` there.
    pub valid: bool,
    /// The masked PAN: `411111******1111`.
    ///
    /// A text with other characters has a star for each character, or six stars if it is longer
    /// than a card number.
    pub masked: MaskedPan,
}

/// Returns the facts about a card that follow from the digits typed so far. A text with characters
/// other than ASCII digits is neither possible nor valid.
///
/// # Examples
/// ```
/// use payspec::card::{Scheme, card_info};
///
/// let info = card_info("378282");
/// assert_eq!(info.scheme, Some(Scheme::AmericanExpress));
/// assert!(info.possible && !info.valid);
/// assert_eq!(info.security_code.map(|code| code.length), Some(4));
/// assert_eq!(card_info("4111111111111111").masked.as_str(), "411111******1111");
/// ```
#[must_use]
pub fn card_info(digits: &str) -> CardInfo {
    let bytes = digits.as_bytes();
    let is_digits = all_digits(bytes);
    let issuer = Issuer::from_digits(bytes).filter(|_| is_digits);
    let scheme = issuer.map(|issuer| issuer.scheme);
    let lengths = issuer.map_or(LENGTHS, |issuer| issuer.lengths);
    let has_length = match issuer {
        Some(issuer) => issuer.has_length(bytes.len()),
        None => is_pan_syntax(bytes),
    };
    let longest = lengths.last().map_or(0, |longest| usize::from(*longest));
    let is_checked = has_check_digit(bytes);
    // One more digit can still correct the sum.
    let possible = bytes.len() < longest || bytes.len() == longest && is_checked;
    CardInfo {
        scheme,
        lengths,
        grouping: scheme.map_or(GROUPING, |scheme| scheme.grouping(bytes.len())),
        security_code: scheme.map(Scheme::security_code),
        possible: is_digits && possible,
        valid: has_length && is_checked,
        masked: if is_digits {
            MaskedPan::from_digits(bytes)
        } else {
            MaskedPan::stars(digits.chars().count())
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_no_scheme_without_digits() {
        let info = card_info("");
        assert_eq!(
            (info.scheme, info.security_code, info.possible, info.valid),
            (None, None, true, false)
        );
        assert_eq!(
            (info.lengths, info.grouping, info.masked.as_str()),
            (LENGTHS, GROUPING, "")
        );
    }

    #[test]
    fn returns_the_example_of_a_visa_card() {
        let info = card_info("4111111111111111");
        assert_eq!(info.scheme, Some(Scheme::Visa));
        assert_eq!(
            (info.lengths, info.grouping),
            (&[13, 16, 19][..], &[4, 8, 12][..])
        );
        assert_eq!(
            info.security_code,
            Some(SecurityCodeFormat {
                name: "CVV",
                length: 3
            })
        );
        assert!(info.possible && info.valid);
        assert_eq!(info.masked.as_str(), "411111******1111");
    }

    #[test]
    fn follows_a_number_while_it_is_typed() {
        for (typed, possible, valid) in [
            ("4", true, false),
            ("411111111111", true, false),
            ("4222222222222", true, true), // 13 digits, and 16 or 19 may follow
            ("4222222222223", true, false), // wrong check digit at 13, more may follow
            ("4111111111111112", true, false), // wrong check digit at 16, three more may follow
            ("41111111111111110", true, false), // Visa has 19 digits, not 17
            ("4111111111111111110", true, true), // 19 digits
            ("4111111111111111111", false, false), // wrong check digit at the maximum length
            ("41111111111111111100", false, false), // too long
            ("5555555555554444", true, true),
            ("5555555555554445", false, false),
            ("55555555555544440", false, false),
            ("378282246310005", true, true),
            ("378282246310006", false, false),
            ("30569309025904", true, true),
            ("30569309025905", true, false),
            ("7", true, false),
            ("70000000000", true, false),
            ("700000000005", true, true), // 12 digits without a scheme
            ("7000000000000000003", true, true),
            ("7000000000000000004", false, false),
            ("70000000000000000039", false, false),
            ("0000000000000000", true, false), // zeros pass Luhn
            ("0000000000000000000", false, false),
            ("180000000000002", true, true), // JCB, 15 digits
            ("1800000000000002", false, false),
            ("352800000000009", true, false), // JCB has 16 to 19 digits after 3528
        ] {
            let info = card_info(typed);
            assert_eq!((info.possible, info.valid), (possible, valid), "{typed}");
        }
    }

    #[test]
    fn lengths_follow_the_prefix() {
        for (typed, scheme, lengths) in [
            ("3528", Scheme::Jcb, &[16, 17, 18, 19][..]),
            ("2131", Scheme::Jcb, &[15]),
            ("62", Scheme::UnionPay, &[14, 15, 16, 17, 18, 19]),
            ("9704", Scheme::Napas, &[16, 19]),
        ] {
            let info = card_info(typed);
            assert_eq!((info.scheme, info.lengths), (Some(scheme), lengths));
        }
    }

    #[test]
    fn grouping_follows_the_length() {
        assert_eq!(card_info("3782").grouping, [4, 10]);
        assert_eq!(card_info("3056").grouping, [4, 10]);
        assert_eq!(card_info("3056930902590400").grouping, [4, 8, 12]);
        assert_eq!(card_info("22").grouping, [4, 8, 12]);
    }

    #[test]
    fn ignores_other_characters() {
        for (typed, masked) in [
            ("4111 1111", "*********"),
            ("x", "*"),
            ("٤١", "**"),
            ("-4111", "*****"),
            ("4111\n", "*****"),
        ] {
            let info = card_info(typed);
            assert_eq!(
                (info.scheme, info.security_code, info.possible, info.valid),
                (None, None, false, false),
                "{typed}"
            );
            assert_eq!(
                (info.masked.as_str(), info.lengths),
                (masked, LENGTHS),
                "{typed}"
            );
        }
    }

    #[test]
    fn masks_a_number_while_it_is_typed() {
        for (typed, masked) in [
            ("41", "41"),
            ("4111", "41**"),
            ("41111111111", "41*********"),
            ("411111111111", "411*****1111"),
            ("4111111111111", "4111*****1111"),
            ("41111111111111111111", "******"),
        ] {
            assert_eq!(card_info(typed).masked.as_str(), masked);
        }
    }
}
