//! The secrets of webhooks and the reasons for rejecting them (Standard Webhooks).

use alloc::vec;
use alloc::vec::Vec;
use core::str::FromStr;

use base64ct::{Base64, Encoding};
use zeroize::Zeroizing;

use crate::util::debug::impl_opaque_debug;
use crate::util::string_enum::string_enum;

/// The prefix of a secret.
const PREFIX: &str = "whsec_";

/// A secret that the sender and the receiver of webhooks share: `whsec_` and base64.
///
/// Debug output does not show it, and its memory is wiped when it is dropped.
///
/// ```
/// use payspec::{WebhookSecret, WebhookSecretError};
///
/// let secret: WebhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse()?;
/// assert_eq!(format!("{secret:?}"), "WebhookSecret(***)");
/// assert!("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse::<WebhookSecret>().is_err());
/// # Ok::<(), WebhookSecretError>(())
/// ```
#[derive(Clone)]
pub struct WebhookSecret(Zeroizing<Vec<u8>>);

/// The text is not a secret. The error does not contain the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected whsec_ and base64")]
pub struct WebhookSecretError;

impl WebhookSecret {
    /// Returns the bytes of the secret, at least one.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl FromStr for WebhookSecret {
    type Err = WebhookSecretError;

    /// Parses `whsec_` and base64 with padding, of at least one byte. Decoding takes constant time.
    ///
    /// # Errors
    /// Returns [`WebhookSecretError`] for any other text. The error does not contain it.
    fn from_str(text: &str) -> Result<Self, WebhookSecretError> {
        let encoded = text.strip_prefix(PREFIX).ok_or(WebhookSecretError)?;
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
        Ok(WebhookSecret(bytes))
    }
}

impl_opaque_debug! { WebhookSecret "(***)" }

string_enum! {
    /// The reason why a webhook is not verified, in the order of the checks.
    #[derive(thiserror::Error)]
    #[non_exhaustive]
    WebhookRejection {
        /// One of the three headers is missing.
        MissingHeader = "missing_header",
        /// `webhook-timestamp` is not a decimal integer, or `webhook-signature` has no `v1` entry.
        MalformedHeader = "malformed_header",
        /// `webhook-timestamp` differs from the time of the check by more than the tolerance.
        Timestamp = "timestamp",
        /// No `v1` entry of `webhook-signature` matches a secret.
        Signature = "signature",
    }
}
