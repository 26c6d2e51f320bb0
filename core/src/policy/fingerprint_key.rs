//! The key of fingerprints.

use alloc::vec::Vec;
use core::str::FromStr;

use zeroize::Zeroizing;

use crate::error::{Error, ErrorKind};
use crate::util::debug::impl_opaque_debug;

pub(super) const KEY: &str = "expected hex digits, two per byte";

/// The secret key of fingerprints (HMAC-SHA-256), at least one byte. It is never displayed, and its
/// memory is overwritten on drop.
///
/// ```
/// use payspec::policy::FingerprintKey;
///
/// let key = FingerprintKey::new(vec![0x17; 32])?;
/// assert_eq!(format!("{key:?}"), "FingerprintKey(***)");
/// assert_eq!(key, "17".repeat(32).parse()?);
/// assert_eq!(FingerprintKey::new([]).unwrap_err().path(), "/fingerprint_key");
/// # Ok::<(), payspec::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct FingerprintKey(Zeroizing<Vec<u8>>);

impl FingerprintKey {
    /// Creates a key from these bytes.
    ///
    /// # Errors
    /// Returns a policy error if `bytes` is empty.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        let key = FingerprintKey(Zeroizing::new(bytes.into()));
        if key.0.is_empty() {
            return Err(Error::new(
                ErrorKind::Policy,
                "/fingerprint_key",
                "expected at least one byte",
            ));
        }
        Ok(key)
    }

    pub(super) fn from_hex(hex: &str) -> Option<Self> {
        let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
        let digit = |byte: u8| {
            char::from(byte)
                .to_digit(16)
                .and_then(|digit| u8::try_from(digit).ok())
        };
        // The full capacity is reserved, because a vector that grows leaves a copy of the key in
        // memory.
        let mut bytes = Zeroizing::new(Vec::with_capacity(pairs.len()));
        for &[high, low] in pairs {
            bytes.push(digit(high)? << 4 | digit(low)?);
        }
        (rest.is_empty() && !bytes.is_empty()).then_some(FingerprintKey(bytes))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl FromStr for FingerprintKey {
    type Err = Error;

    /// Parses a key in the form of a JSON policy.
    ///
    /// # Errors
    /// Returns a policy error if the text is empty, or is not hex digits, two for each byte.
    fn from_str(hex: &str) -> Result<Self, Error> {
        Self::from_hex(hex).ok_or_else(|| Error::new(ErrorKind::Policy, "/fingerprint_key", KEY))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for FingerprintKey {
    /// Writes null, because the key is a secret.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl_opaque_debug! { FingerprintKey "(***)" }
