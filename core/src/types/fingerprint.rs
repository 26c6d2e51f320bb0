//! The fingerprint of a request as a value (§8).

use crate::util::bug::or_bug;
use crate::util::string_enum::impl_str_newtype;

/// The fingerprint of a request (§8): 64 hexadecimal digits. Two requests have the same fingerprint
/// exactly if they are equivalent.
///
/// ```
/// use payspec::Engine;
///
/// let engine = Engine::default();
/// let fingerprint = engine.fingerprint_request(br#"{"cur":"RUB","amount":"100"}"#)?;
/// assert_eq!(fingerprint.as_str().len(), 64);
/// assert!(fingerprint.to_string().starts_with(&fingerprint.as_str()[..8]));
/// # Ok::<(), payspec::InvalidBody>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 64]);

impl Fingerprint {
    /// Creates a fingerprint from 64 hexadecimal digits.
    pub(crate) fn new(digits: [u8; 64]) -> Self {
        Fingerprint(digits)
    }

    /// Returns the digits in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Always valid UTF-8, because hexadecimal digits are ASCII.
        or_bug(core::str::from_utf8(&self.0).ok(), "")
    }
}

impl_str_newtype! { Fingerprint }

#[cfg(feature = "serde")]
impl serde::Serialize for Fingerprint {
    /// Writes the digits as text.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
