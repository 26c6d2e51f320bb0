//! The idempotency key in the header Idempotency-Key (§4.1).

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::str::FromStr;

use zeroize::Zeroize;

use super::structured_field::string_item;
use crate::util::debug::impl_opaque_debug;

/// The allowed number of characters.
const LENGTH: core::ops::RangeInclusive<usize> = 1..=255;

/// A key of 1 to 255 visible ASCII characters. Debug output does not show it.
///
/// It is parsed from the bytes of the header Idempotency-Key. A value that begins with `"` must be
/// one RFC 8941 item that is a string. Spaces around it and its parameters are ignored. Any other
/// value is the key itself, so `x` and `"x"` are one key.
///
/// ```
/// use payspec::IdempotencyKey;
///
/// let plain: IdempotencyKey = "order-7".parse()?;
/// let quoted = IdempotencyKey::try_from(br#""order-7""#.as_slice())?;
/// assert_eq!(quoted, plain);
/// assert_eq!(quoted.as_str(), "order-7");
/// assert_eq!(IdempotencyKey::new(quoted.as_str())?, plain);
/// assert_eq!(IdempotencyKey::try_from(br#" "order-7";a=1"#.as_slice())?, plain);
/// # Ok::<(), payspec::IdempotencyKeyError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey(String);

/// The value of the header is not an idempotency key. Converts to the outcome 400
/// `invalid_idempotency_key`.
///
/// The error does not contain the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected 1 to 255 visible ASCII characters, or one string of RFC 8941 with such characters"
)]
pub struct IdempotencyKeyError;

impl IdempotencyKey {
    /// Creates a key from its own characters, for example a stored key. Quotes are part of it; to
    /// parse the header, use `FromStr` or `TryFrom`.
    ///
    /// # Errors
    /// Returns [`IdempotencyKeyError`] if the text is not 1 to 255 visible ASCII characters.
    pub fn new(key: impl Into<String>) -> Result<Self, IdempotencyKeyError> {
        let key = key.into();
        check(&key)?;
        Ok(IdempotencyKey(key))
    }

    /// Returns the key without the quotes and escapes of the header.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Overwrites the characters in memory.
    pub(crate) fn wipe(&mut self) {
        self.0.zeroize();
    }
}

impl FromStr for IdempotencyKey {
    type Err = IdempotencyKeyError;

    /// Parses the value of the header.
    ///
    /// # Errors
    /// Returns [`IdempotencyKeyError`] if the value is not 1 to 255 visible ASCII characters, or is
    /// a malformed string.
    fn from_str(header: &str) -> Result<Self, IdempotencyKeyError> {
        if header.trim_start_matches(' ').starts_with('"') {
            return IdempotencyKey::new(string_item(header).ok_or(IdempotencyKeyError)?);
        }
        // Checked before it is copied, so that no copy of another text is left in memory.
        check(header)?;
        Ok(IdempotencyKey(header.to_owned()))
    }
}

impl TryFrom<&[u8]> for IdempotencyKey {
    type Error = IdempotencyKeyError;

    /// Parses the value of the header. Bytes that are not UTF-8 are not a key.
    ///
    /// # Errors
    /// Returns [`IdempotencyKeyError`] if the value is not 1 to 255 visible ASCII characters, or is
    /// a malformed string.
    fn try_from(header: &[u8]) -> Result<Self, IdempotencyKeyError> {
        core::str::from_utf8(header)
            .map_err(|_| IdempotencyKeyError)?
            .parse()
    }
}

impl_opaque_debug! { IdempotencyKey "(…)" }

/// Checks that the text is 1 to 255 visible ASCII characters.
fn check(key: &str) -> Result<(), IdempotencyKeyError> {
    if LENGTH.contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(())
    } else {
        Err(IdempotencyKeyError)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for IdempotencyKey {
    /// Writes the key as text.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn key(header: &str) -> Option<String> {
        let key: IdempotencyKey = header.parse().ok()?;
        Some(key.0)
    }

    #[test]
    fn unquotes_one_string() {
        for (header, expected) in [
            ("x", Some("x")),
            (r#""x""#, Some("x")),
            (r#""a\"b\\c""#, Some(r#"a"b\c"#)),
            (r#"a"b\"#, Some(r#"a"b\"#)),
            (r#""\"""#, Some(r#"""#)),
            ("", None),
            (r#"""#, None),
            (r#""""#, None),
            (r#""x"#, None),
            (r#""x\""#, None),
            (r#""x\\"#, None),
            (r#""x\y""#, None),
            (r#""x"y""#, None),
            (r#""x";a=1"#, Some("x")),
            (r#"  "x" "#, Some("x")),
            (r#""x";"#, None),
            (r#""x" ;a=1"#, None),
            (r#""x", "y""#, None),
            ("\t\"x\"", None),
            (" x", None),
            ("x ", None),
            (r#""x y""#, None),
            ("x y", None),
            ("é", None),
            ("\"é\"", None),
            ("x\u{7f}", None),
        ] {
            assert_eq!(key(header).as_deref(), expected, "{header}");
        }
    }

    #[test]
    fn limits_the_length_without_quotes_and_escapes() {
        let escaped = r"\\".repeat(255);
        for (header, length) in [
            ("k".repeat(255), Some(255)),
            ("k".repeat(256), None),
            (format!("\"{}\"", "k".repeat(255)), Some(255)),
            (format!("\"{}\"", "k".repeat(256)), None),
            (format!("\"{escaped}\""), Some(255)),
            (format!("\"{escaped}k\""), None),
        ] {
            assert_eq!(key(&header).map(|key| key.len()), length);
        }
    }
}
