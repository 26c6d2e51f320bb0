//! Card numbers and security codes as values that are printed only masked, and whose memory is
//! wiped when they are dropped.
//!
//! A move may leave a copy in memory that is not wiped, so pass them by reference.

use core::fmt;
use core::str::FromStr;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::luhn::passes_luhn;
use super::mask::{STARS, mask_digits};
use super::scheme::Scheme;
use super::syntax::{MAX_PAN_DIGITS, is_pan_syntax};
use crate::util::bug::or_bug;
use crate::util::bytes::all_digits;
use crate::util::debug::impl_opaque_debug;
use crate::util::string_enum::impl_str_newtype;

/// A card number (§2.2, card_number; `card_number_syntax`): 12 to 19 digits.
///
/// `Debug` and `Display` print the mask, `411111******1111`. Only [`Pan::digits`] returns the
/// number itself.
///
/// ```
/// use payspec::card::{Pan, Scheme};
///
/// let pan: Pan = "4111111111111111".parse()?;
/// assert_eq!((pan.scheme(), pan.passes_luhn()), (Some(Scheme::Visa), true));
/// assert_eq!(format!("{pan} {pan:?}"), "411111******1111 Pan(411111******1111)");
/// # Ok::<(), payspec::card::PanError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Pan(Digits<MAX_PAN_DIGITS>);

impl Pan {
    /// Parses 12 to 19 ASCII digits. The check digit may be wrong.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if is_pan_syntax(text.as_bytes()) {
            Digits::new(text).map(Pan)
        } else {
            None
        }
    }

    /// Returns the number itself. Keep it out of logs and responses.
    #[must_use]
    pub fn digits(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the masked number (D22).
    #[must_use]
    pub fn masked(&self) -> MaskedPan {
        MaskedPan::from_digits(self.digits().as_bytes())
    }

    /// Returns the scheme that the first digits determine.
    #[must_use]
    pub fn scheme(&self) -> Option<Scheme> {
        Scheme::from_digits(self.digits().as_bytes())
    }

    /// Checks if the check digit is correct (`card_number_checksum`).
    #[must_use]
    pub fn passes_luhn(&self) -> bool {
        passes_luhn(self.digits().as_bytes())
    }
}

impl FromStr for Pan {
    type Err = PanError;

    /// Parses 12 to 19 ASCII digits. The check digit may be wrong.
    ///
    /// # Errors
    /// Returns [`PanError`] for any other text. The error does not contain it.
    fn from_str(text: &str) -> Result<Self, PanError> {
        Self::parse(text).ok_or(PanError)
    }
}

/// The text does not consist of 12 to 19 ASCII digits. The error does not contain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 12 to 19 digits")]
pub struct PanError;

impl fmt::Display for Pan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.masked(), f)
    }
}

impl fmt::Debug for Pan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pan({})", self.masked())
    }
}

impl ZeroizeOnDrop for Pan {}

/// A masked card number (D22): the first six and last four digits, and stars for the others. Of a
/// number with fewer than 15 digits, five are hidden.
///
/// ```
/// use payspec::card::Pan;
///
/// let masked = "2200000000000004".parse::<Pan>().expect("12 to 19 digits").masked();
/// assert_eq!(masked.as_str(), "220000******0004");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MaskedPan {
    text: [u8; MAX_PAN_DIGITS],
    length: u8,
}

impl MaskedPan {
    /// Returns the mask of a card number, even if it is unfinished. Any other text becomes six
    /// stars.
    pub(crate) fn from_digits(digits: &[u8]) -> Self {
        if !all_digits(digits) {
            return MaskedPan::stars(6);
        }
        let mut masked = MaskedPan::stars(digits.len());
        if let Some(text) = masked.text.get_mut(..digits.len()) {
            text.copy_from_slice(digits);
            mask_digits(text);
        }
        masked
    }

    /// Returns this number of stars, or six if the number exceeds the length of a card number.
    pub(crate) fn stars(count: usize) -> Self {
        let count = if count > MAX_PAN_DIGITS { 6 } else { count };
        // The bytes after the stars stay zero, so that equal masks have equal bytes.
        let mut text = [0; MAX_PAN_DIGITS];
        text.iter_mut().take(count).for_each(|byte| *byte = b'*');
        let length = u8::try_from(count).unwrap_or_default();
        MaskedPan { text, length }
    }

    /// Returns the digits and stars.
    #[must_use]
    pub fn as_str(&self) -> &str {
        text_of(&self.text, self.length)
    }
}

/// A card's security code (§2.2, security_code; `security_code_syntax`): 3 or 4 digits. It is
/// printed as `***` for both lengths.
#[derive(Clone, PartialEq, Eq)]
pub struct SecurityCode(Digits<4>);

impl SecurityCode {
    /// Parses 3 or 4 ASCII digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_code = matches!(text.len(), 3 | 4) && all_digits(text.as_bytes());
        if is_code {
            Digits::new(text).map(SecurityCode)
        } else {
            None
        }
    }

    /// Returns the code itself. Keep it out of logs, responses, and storage.
    #[must_use]
    pub fn digits(&self) -> &str {
        self.0.as_str()
    }
}

impl FromStr for SecurityCode {
    type Err = SecurityCodeError;

    /// Parses 3 or 4 ASCII digits.
    ///
    /// # Errors
    /// Returns [`SecurityCodeError`] for any other text. The error does not contain it.
    fn from_str(text: &str) -> Result<Self, SecurityCodeError> {
        Self::parse(text).ok_or(SecurityCodeError)
    }
}

/// The text does not consist of 3 or 4 ASCII digits. The error does not contain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 3 or 4 digits")]
pub struct SecurityCodeError;

impl fmt::Display for SecurityCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl_opaque_debug! { SecurityCode "(***)" }

impl ZeroizeOnDrop for SecurityCode {}

/// At most `N` ASCII digits, whose memory is wiped when they are dropped.
#[derive(Clone, PartialEq, Eq)]
struct Digits<const N: usize> {
    digits: [u8; N],
    length: u8,
}

impl<const N: usize> Digits<N> {
    fn new(text: &str) -> Option<Self> {
        let mut digits = [0; N];
        digits
            .get_mut(..text.len())?
            .copy_from_slice(text.as_bytes());
        Some(Self {
            digits,
            length: u8::try_from(text.len()).ok()?,
        })
    }

    fn as_str(&self) -> &str {
        text_of(&self.digits, self.length)
    }

    fn wipe(&mut self) {
        self.digits.zeroize();
        self.length.zeroize();
    }
}

impl<const N: usize> Drop for Digits<N> {
    fn drop(&mut self) {
        self.wipe();
    }
}

/// Returns the first digits as text.
fn text_of(digits: &[u8], length: u8) -> &str {
    // Always valid UTF-8, because all types contain only ASCII.
    or_bug(
        digits
            .get(..usize::from(length))
            .and_then(|digits| core::str::from_utf8(digits).ok()),
        STARS,
    )
}

impl_str_newtype! { MaskedPan }

#[cfg(feature = "serde")]
impl serde::Serialize for MaskedPan {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::{String, ToString};

    use super::*;
    use crate::util::bug::with_bug;

    #[test]
    fn displays_a_card_number_masked() {
        let pan = Pan::parse("4111111111111111").unwrap();
        assert_eq!(
            format!("{pan} {pan:?} {pan:#?}"),
            "411111******1111 Pan(411111******1111) Pan(411111******1111)"
        );
        assert_eq!(
            (pan.masked().as_str(), pan.digits()),
            ("411111******1111", "4111111111111111")
        );
        assert_eq!(pan.scheme(), Some(Scheme::Visa));
        assert!(pan.passes_luhn());
        assert!(!Pan::parse("4111111111111112").unwrap().passes_luhn());
    }

    #[test]
    fn masks_digits_only() {
        for (digits, expected) in [
            ("", ""),
            ("41", "41"),
            ("41111111111", "41*********"),
            ("411111111111", "411*****1111"),
            ("4111111111111111", "411111******1111"),
            ("4111111111111111110", "411111*********1110"),
            ("41111111111111111100", "******"),
            ("4111 1111 1111 1111", "******"),
            ("x", "******"),
            ("٤١١١١١١١١١١١", "******"),
        ] {
            assert_eq!(
                MaskedPan::from_digits(digits.as_bytes()).as_str(),
                expected,
                "{digits}"
            );
        }
        for (count, expected) in [
            (0, ""),
            (3, "***"),
            (19, "*******************"),
            (20, "******"),
            (256, "******"),
        ] {
            assert_eq!(MaskedPan::stars(count).as_str(), expected, "{count}");
        }
    }

    #[test]
    fn returns_stars_for_bytes_that_are_not_text() {
        let number = Digits {
            digits: *b"4111",
            length: 5,
        };
        assert_eq!(with_bug(|| String::from(number.as_str())), STARS);
        let masked = MaskedPan {
            text: [0xFF; MAX_PAN_DIGITS],
            length: 4,
        };
        assert_eq!(with_bug(|| String::from(masked.as_str())), STARS);
    }

    #[test]
    fn accepts_12_to_19_digits() {
        for length in 0..25 {
            let digits = "7".repeat(length);
            let pan = Pan::parse(&digits);
            assert_eq!(
                pan.as_ref().map(Pan::digits),
                (12..=19).contains(&length).then_some(digits.as_str())
            );
        }
        for bad in [
            "4111 1111 1111 1111",
            "411111111111111x",
            "４１１１１１",
            "+411111111111",
        ] {
            assert_eq!(Pan::parse(bad), None);
        }
        assert_eq!(
            Pan::parse("411111111111").unwrap().to_string(),
            "411*****1111"
        );
        assert_eq!(
            Pan::parse("4111111111111111110").unwrap().to_string(),
            "411111*********1110"
        );
    }

    #[test]
    fn hides_a_security_code() {
        for digits in ["123", "1234"] {
            let code = SecurityCode::parse(digits).unwrap();
            assert_eq!(code.digits(), digits);
            assert_eq!(
                format!("{code} {code:?} {code:#?}"),
                "*** SecurityCode(***) SecurityCode(***)"
            );
        }
        for bad in ["", "12", "12345", "12a", "１２３", "1٢", " 12", "12\u{0}"] {
            assert_eq!(SecurityCode::parse(bad), None);
        }
    }

    #[test]
    fn wipes_a_dropped_number() {
        let mut pan = Pan::parse("4111111111111111").unwrap();
        pan.0.wipe();
        assert_eq!((pan.0.digits, pan.0.length), ([0; 19], 0));
        let mut code = SecurityCode::parse("1234").unwrap();
        code.0.wipe();
        assert_eq!((code.0.digits, code.0.length), ([0; 4], 0));
    }
}
