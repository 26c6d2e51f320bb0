//! The secrets of webhooks and the reasons for rejecting them (Standard Webhooks).

use alloc::vec;
use alloc::vec::Vec;
use core::str::FromStr;

use base64ct::{Base64, Encoding};
use ed25519_dalek::{KEYPAIR_LENGTH, SecretKey, SigningKey, VerifyingKey};
use zeroize::Zeroizing;

use crate::util::debug::impl_opaque_debug;
use crate::util::string_enum::string_enum;

/// The prefix of a shared secret, which may be omitted.
const SHARED: &str = "whsec_";
/// The prefix of a private key.
const PRIVATE: &str = "whsk_";
/// The prefix of a public key.
const PUBLIC: &str = "whpk_";

/// A secret or a key of webhooks, in base64:
///
/// - a secret that the sender and the receiver share, with or without the prefix `whsec_`
/// - a private key of Ed25519, `whsk_`, which signs: its 32 bytes, alone or followed by the public
///   key
/// - a public key of Ed25519, `whpk_`, which verifies
///
/// Debug output does not show it, and the memory of secrets and private keys is wiped when they are
/// dropped.
///
/// ```
/// use payspec::{WebhookSecret, WebhookSecretError};
///
/// let secret: WebhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse()?;
/// assert_eq!(format!("{secret:?}"), "WebhookSecret(***)");
/// assert!("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse::<WebhookSecret>().is_ok());
/// assert!("whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=".parse::<WebhookSecret>().is_ok());
/// assert!("MfKQ9r8G?".parse::<WebhookSecret>().is_err());
/// # Ok::<(), WebhookSecretError>(())
/// ```
#[derive(Clone)]
pub struct WebhookSecret(pub(crate) WebhookKey);

/// The key of a secret, by the scheme of its signatures.
#[derive(Clone)]
pub(crate) enum WebhookKey {
    /// HMAC-SHA256, with at least one byte.
    Shared(Zeroizing<Vec<u8>>),
    Private(SigningKey),
    Public(VerifyingKey),
}

/// The text is not a secret. The error does not contain the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected base64, alone or after whsec_, or a key of Ed25519 after whsk_ or whpk_")]
pub struct WebhookSecretError;

impl FromStr for WebhookSecret {
    type Err = WebhookSecretError;

    /// Parses base64 with padding, of at least one byte, after an optional prefix. Decoding takes
    /// constant time.
    ///
    /// # Errors
    /// Returns [`WebhookSecretError`] for any other text. The error does not contain it.
    fn from_str(text: &str) -> Result<Self, WebhookSecretError> {
        let key = if let Some(encoded) = text.strip_prefix(PRIVATE) {
            signing_key(&decoded(encoded)?).map(WebhookKey::Private)
        } else if let Some(encoded) = text.strip_prefix(PUBLIC) {
            verifying_key(&decoded(encoded)?).map(WebhookKey::Public)
        } else {
            let encoded = text.strip_prefix(SHARED).unwrap_or(text);
            Some(WebhookKey::Shared(decoded(encoded)?))
        };
        key.map(WebhookSecret).ok_or(WebhookSecretError)
    }
}

/// Decodes base64 of at least one byte.
fn decoded(encoded: &str) -> Result<Zeroizing<Vec<u8>>, WebhookSecretError> {
    // Decoded directly in memory that is wiped. `decode_vec` would leave its bytes in memory if
    // the text is invalid.
    let mut bytes = Zeroizing::new(vec![0; encoded.len()]);
    let length = Base64::decode(encoded, &mut bytes)
        .map_err(|_| WebhookSecretError)?
        .len();
    if length == 0 {
        return Err(WebhookSecretError);
    }
    bytes.truncate(length);
    Ok(bytes)
}

/// Returns the private key in 32 bytes, or in 64 bytes with its public key.
fn signing_key(bytes: &[u8]) -> Option<SigningKey> {
    if let Ok(pair) = <&[u8; KEYPAIR_LENGTH]>::try_from(bytes) {
        SigningKey::from_keypair_bytes(pair).ok()
    } else {
        let seed = <&SecretKey>::try_from(bytes).ok()?;
        Some(SigningKey::from_bytes(seed))
    }
}

/// Returns the public key in 32 bytes. A weak key, with which one signature fits several messages,
/// is rejected.
fn verifying_key(bytes: &[u8]) -> Option<VerifyingKey> {
    let key = VerifyingKey::from_bytes(bytes.try_into().ok()?).ok()?;
    (!key.is_weak()).then_some(key)
}

impl_opaque_debug! { WebhookSecret "(***)" }

string_enum! {
    /// The reason why a webhook is not verified, in the order of the checks.
    #[derive(thiserror::Error)]
    #[non_exhaustive]
    WebhookRejection {
        /// One of the three headers is missing or empty.
        MissingHeader = "missing_header",
        /// A header is not text, `webhook-id` or `webhook-timestamp` has several values,
        /// `webhook-timestamp` is not a decimal integer, or `webhook-signature` has neither a `v1`
        /// nor a `v1a` entry.
        MalformedHeader = "malformed_header",
        /// `webhook-timestamp` differs from the time of the check by more than the tolerance.
        Timestamp = "timestamp",
        /// No entry of `webhook-signature` matches a secret.
        Signature = "signature",
    }
}
