//! The key that deliveries are signed with, `whsec_…`: wiped when dropped, and shown only by
//! `reveal`.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use payspec::WebhookSecret;
use zeroize::Zeroizing;

/// The prefix of a secret, which identifies it.
const PREFIX: &str = "whsec_";
/// The number of bytes of a key. Standard Webhooks: "between 24 bytes and 64 bytes".
const LENGTH: std::ops::RangeInclusive<usize> = 24..=64;
/// The number of bytes of a generated key.
const NEW: usize = 32;

/// A key shared with a receiver.
#[derive(Clone)]
pub struct Secret(Zeroizing<Vec<u8>>);

/// The text is not a secret. The error does not contain it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected whsec_ and 24 to 64 bytes in base64")]
pub struct SecretError;

impl Secret {
    /// Returns a new secret from the randomness of the operating system.
    ///
    /// # Errors
    /// Returns an error if the system has none.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut key = Zeroizing::new(vec![0; NEW]);
        getrandom::fill(&mut key)?;
        Ok(Self(key))
    }

    /// Returns the text, to be stored or given to the receiver. It wipes its memory.
    pub fn reveal(&self) -> Zeroizing<String> {
        let mut text = Zeroizing::new(String::with_capacity(
            PREFIX.len() + self.0.len().div_ceil(3) * 4,
        ));
        text.push_str(PREFIX);
        STANDARD.encode_string(self.0.as_slice(), &mut text);
        text
    }

    /// Returns the secret in the type that the library signs with.
    pub(super) fn to_payspec(&self) -> WebhookSecret {
        self.reveal()
            .parse()
            .expect("reveal writes whsec_ and base64 of at least 24 bytes")
    }
}

impl FromStr for Secret {
    type Err = SecretError;

    fn from_str(text: &str) -> Result<Self, SecretError> {
        let encoded = text.strip_prefix(PREFIX).ok_or(SecretError)?;
        let key = STANDARD
            .decode(encoded)
            .map(Zeroizing::new)
            .map_err(|_| SecretError)?;
        if LENGTH.contains(&key.len()) {
            Ok(Self(key))
        } else {
            Err(SecretError)
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let text = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let secret: Secret = text.parse().unwrap();
        assert_eq!(*secret.reveal(), text);
        assert_eq!(secret.0.len(), 24);
        let of =
            |length: usize| format!("whsec_{}", STANDARD.encode(vec![7; length])).parse::<Secret>();
        assert!(of(23).is_err() && of(24).is_ok() && of(64).is_ok() && of(65).is_err());
        for text in [
            "",
            "whsec_",
            "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS",
            "whsec_%",
        ] {
            assert_eq!(text.parse::<Secret>().unwrap_err(), SecretError, "{text}");
        }
    }

    #[test]
    fn new_ones_differ_and_are_not_shown() {
        let (a, b) = (Secret::generate().unwrap(), Secret::generate().unwrap());
        assert_ne!(*a.reveal(), *b.reveal());
        assert_eq!(a.reveal().parse::<Secret>().unwrap().0, a.0);
        assert_eq!(format!("{a:?}"), "Secret(***)");
    }
}
