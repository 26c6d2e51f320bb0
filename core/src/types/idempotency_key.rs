//! The idempotency key in the header Idempotency-Key (§4.1).

use alloc::borrow::Cow;
use alloc::string::String;
use core::str::FromStr;

use crate::util::debug::impl_opaque_debug;

/// The allowed number of characters.
const LENGTH: core::ops::RangeInclusive<usize> = 1..=255;

/// A key of 1 to 255 visible ASCII characters. Debug output does not show it.
///
/// It is parsed from the header Idempotency-Key. A value that begins with `"` must be one RFC 8941
/// string without parameters. Any other value is the key itself, so `x` and `"x"` are one key.
///
/// ```
/// use payspec::IdempotencyKey;
///
/// let plain: IdempotencyKey = "order-7".parse()?;
/// let quoted = IdempotencyKey::try_from(br#""order-7""#.as_slice())?;
/// assert_eq!(quoted, plain);
/// assert_eq!(quoted.as_str(), "order-7");
/// assert!(IdempotencyKey::try_from(r#""order-7";a=1"#).is_err());
/// # Ok::<(), payspec::IdempotencyKeyError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdempotencyKey<'a>(Cow<'a, str>);

/// The value of the header is not an idempotency key. Converts to the outcome 400
/// `invalid_idempotency_key`.
///
/// The error does not contain the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected 1 to 255 visible ASCII characters, or one string of RFC 8941 with such characters"
)]
pub struct IdempotencyKeyError;

impl<'a> IdempotencyKey<'a> {
    /// Returns the key without the quotes and escapes of the header.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns a copy of the key that does not borrow from the header.
    pub fn into_owned(self) -> IdempotencyKey<'static> {
        IdempotencyKey(Cow::Owned(self.0.into_owned()))
    }
}

impl<'a> TryFrom<&'a str> for IdempotencyKey<'a> {
    type Error = IdempotencyKeyError;

    /// Parses the value of the header.
    ///
    /// # Errors
    /// Returns [`IdempotencyKeyError`] if the value is not 1 to 255 visible ASCII characters, or is
    /// a malformed string.
    fn try_from(header: &'a str) -> Result<Self, IdempotencyKeyError> {
        let key = match header.strip_prefix('"') {
            Some(rest) => unquoted(rest).ok_or(IdempotencyKeyError)?,
            None => Cow::Borrowed(header),
        };
        if is_key(&key) {
            Ok(IdempotencyKey(key))
        } else {
            Err(IdempotencyKeyError)
        }
    }
}

impl<'a> TryFrom<&'a [u8]> for IdempotencyKey<'a> {
    type Error = IdempotencyKeyError;

    /// Parses the value of the header. Bytes that are not UTF-8 are not a key.
    ///
    /// # Errors
    /// Returns [`IdempotencyKeyError`] if the value is not 1 to 255 visible ASCII characters, or is
    /// a malformed string.
    fn try_from(header: &'a [u8]) -> Result<Self, IdempotencyKeyError> {
        core::str::from_utf8(header)
            .map_err(|_| IdempotencyKeyError)?
            .try_into()
    }
}

impl FromStr for IdempotencyKey<'static> {
    type Err = IdempotencyKeyError;

    /// Parses the value of the header.
    ///
    /// # Errors
    /// Returns [`IdempotencyKeyError`] if the value is not 1 to 255 visible ASCII characters, or is
    /// a malformed string.
    fn from_str(header: &str) -> Result<Self, IdempotencyKeyError> {
        IdempotencyKey::try_from(header).map(IdempotencyKey::into_owned)
    }
}

impl<'a> From<IdempotencyKey<'a>> for Cow<'a, str> {
    fn from(key: IdempotencyKey<'a>) -> Self {
        key.0
    }
}

impl_opaque_debug! { IdempotencyKey<'_> "(…)" }

/// Checks if the text is 1 to 255 visible ASCII characters.
pub(crate) fn is_key(key: &str) -> bool {
    LENGTH.contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Returns the characters of an RFC 8941 string, from the text after its first quote. The text must
/// end with the string.
fn unquoted(rest: &str) -> Option<Cow<'_, str>> {
    let inside = rest.strip_suffix('"')?;
    if !inside.contains(['"', '\\']) {
        return Some(Cow::Borrowed(inside));
    }
    let mut key = String::with_capacity(inside.len());
    let mut characters = inside.chars();
    while let Some(character) = characters.next() {
        key.push(match character {
            '\\' => characters
                .next()
                .filter(|escaped| matches!(escaped, '"' | '\\'))?,
            '"' => return None,
            plain => plain,
        });
    }
    Some(Cow::Owned(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    fn key(header: &str) -> Option<String> {
        IdempotencyKey::try_from(header)
            .ok()
            .map(|key| key.as_str().into())
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
            (r#""x";a=1"#, None),
            (r#""x", "y""#, None),
            (r#""x" "#, None),
            (r#" "x""#, None),
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
