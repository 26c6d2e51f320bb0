//! Signatures of webhooks (Standard Webhooks): HMAC-SHA256 over `id.timestamp.body`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use base64ct::{Base64, Encoding};
use hmac::digest::CtOutput;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::context::{
    SignWebhookContext, VerifyWebhookContext, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP,
};
use crate::json::writer::{Writer, text_by};
use crate::types::timestamp::NANOS_PER_SECOND;
use crate::types::webhook::{WebhookRejection, WebhookSecret};

/// The version of the signature scheme, which precedes each signature.
const VERSION: &str = "v1,";
/// The length of an HMAC-SHA256 in bytes.
const MAC_BYTES: usize = 32;
/// The length of an HMAC-SHA256 in base64 characters.
const MAC_CHARACTERS: usize = 44;

type AuthenticationCode = CtOutput<Hmac<Sha256>>;

/// The headers of a signed webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WebhookHeaders {
    /// The value of `webhook-id`.
    pub id: String,
    /// The value of `webhook-timestamp`: whole seconds since 1970.
    pub timestamp: String,
    /// The value of `webhook-signature`: one `v1` signature for each secret, separated by a space.
    pub signature: String,
}

impl WebhookHeaders {
    /// Returns the names, in lower case, and values of the headers.
    ///
    /// ```
    /// use payspec::{Engine, SignWebhookContext};
    ///
    /// let context = SignWebhookContext::from_json(
    ///     br#"{"id":"msg_1","timestamp":"2021-02-25T15:02:10Z","secrets":["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]}"#,
    /// )?;
    /// let headers = Engine::default().sign_webhook(b"{}", &context);
    /// assert_eq!(headers.iter().next(), Some(("webhook-id", "msg_1")));
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [
            (WEBHOOK_ID, &self.id),
            (WEBHOOK_TIMESTAMP, &self.timestamp),
            (WEBHOOK_SIGNATURE, &self.signature),
        ]
        .into_iter()
        .map(|(name, value)| (name, value.as_str()))
    }

    /// Appends `{"headers":{"webhook-id":…,"webhook-timestamp":…,"webhook-signature":…}}`.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            w.name("headers").object(|w| {
                for (name, value) in self.iter() {
                    w.name(name).string(value);
                }
            });
        });
    }
}

/// Signs a webhook with each secret.
pub(crate) fn sign(body: &[u8], context: &SignWebhookContext<'_>) -> WebhookHeaders {
    let timestamp = text_by(|out| Writer::new(out).signed(context.timestamp().unix_seconds()));
    let codes = context
        .secrets()
        .iter()
        .filter_map(|secret| code(secret, context.id(), &timestamp, body));
    let entry = |code: AuthenticationCode| {
        [
            VERSION,
            Base64::encode(code.as_bytes(), &mut [0; MAC_CHARACTERS]).unwrap_or_default(),
        ]
        .concat()
    };
    let signature = codes.map(entry).collect::<Vec<_>>().join(" ");
    WebhookHeaders {
        id: context.id().to_owned(),
        timestamp,
        signature,
    }
}

/// Verifies a webhook.
///
/// # Errors
/// Returns the first reason to reject the webhook, if there is one.
pub(crate) fn verify(
    body: &[u8],
    context: &VerifyWebhookContext<'_>,
) -> Result<(), WebhookRejection> {
    let (Some(id), Some(timestamp), Some(signature)) =
        (&context.id, &context.timestamp, &context.signature)
    else {
        return Err(WebhookRejection::MissingHeader);
    };
    let entries = || {
        signature
            .split(' ')
            .filter_map(|entry| entry.strip_prefix(VERSION))
    };
    if !is_integer(timestamp) || entries().next().is_none() {
        return Err(WebhookRejection::MalformedHeader);
    }
    if !is_within(timestamp, context) {
        return Err(WebhookRejection::Timestamp);
    }
    // `CtOutput` compares in constant time.
    let has_entry = |expected| entries().filter_map(decoded).any(|entry| entry == expected);
    let mut codes = context
        .secrets()
        .iter()
        .filter_map(|secret| code(secret, id, timestamp, body));
    if codes.any(has_entry) {
        Ok(())
    } else {
        Err(WebhookRejection::Signature)
    }
}

/// Returns the authentication code of `id.timestamp.body`. It is never `None`, since HMAC accepts
/// keys of any length.
fn code(
    secret: &WebhookSecret,
    id: &str,
    timestamp: &str,
    body: &[u8],
) -> Option<AuthenticationCode> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.bytes()).ok()?;
    for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
        mac.update(part);
    }
    Some(mac.finalize())
}

/// Decodes the authentication code of an entry from base64.
fn decoded(entry: &str) -> Option<AuthenticationCode> {
    let mut bytes = [0; MAC_BYTES];
    let length = Base64::decode(entry, &mut bytes).ok()?.len();
    (length == MAC_BYTES).then(|| AuthenticationCode::new(bytes.into()))
}

/// Returns whether the text is a decimal integer of any size.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a decimal integer is a time within the tolerance, exact to the nanosecond.
///
/// The tolerance has at most 64 bits, so an integer of more than 65 is outside. No product of the
/// others overflows.
fn is_within(seconds: &str, context: &VerifyWebhookContext<'_>) -> bool {
    let in_nanos = |seconds: i128| seconds.wrapping_mul(i128::from(NANOS_PER_SECOND));
    let sent = seconds
        .parse()
        .ok()
        .filter(|sent: &i128| sent.unsigned_abs() >> 65 == 0);
    let tolerance = in_nanos(i128::from(context.tolerance_s)).unsigned_abs();
    sent.is_some_and(|sent| {
        in_nanos(sent)
            .wrapping_sub(context.now().nanos())
            .unsigned_abs()
            <= tolerance
    })
}

#[cfg(feature = "serde")]
crate::json::serialize::impl_serialize_via_json! { serialize_object WebhookHeaders }
