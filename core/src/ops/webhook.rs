//! Signatures of webhooks (Standard Webhooks): HMAC-SHA256 over `id.timestamp.body`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use base64ct::{Base64, Encoding};
use hmac::digest::CtOutput;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::context::{
    SignWebhookContext, VerifyWebhookContext, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP,
};
use crate::json::writer::{Writer, text_by};
use crate::types::timestamp::NANOS_PER_SECOND;
use crate::types::webhook::{WebhookRejection, WebhookSecret};
use crate::util::bytes::all_digits;
use crate::util::hmac::hmac_sha256;

/// The version of the signature scheme, which precedes each signature.
const VERSION: &str = "v1,";
/// The length of an HMAC-SHA256 in bytes.
const MAC_BYTES: usize = 32;

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
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> + Clone {
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
    let entry = |secret: &WebhookSecret| {
        let code = code(secret, context.id(), &timestamp, body);
        [VERSION, &Base64::encode_string(code.as_bytes())].concat()
    };
    let signature = context.secrets().iter().map(entry).collect::<Vec<_>>();
    WebhookHeaders {
        id: context.id().to_owned(),
        signature: signature.join(" "),
        timestamp,
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
        .map(|secret| code(secret, id, timestamp, body));
    if codes.any(has_entry) {
        Ok(())
    } else {
        Err(WebhookRejection::Signature)
    }
}

/// Returns the authentication code of `id.timestamp.body`.
fn code(secret: &WebhookSecret, id: &str, timestamp: &str, body: &[u8]) -> AuthenticationCode {
    let mut mac = hmac_sha256(secret.bytes());
    for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
        mac.update(part);
    }
    mac.finalize()
}

/// Decodes the authentication code of an entry from base64.
fn decoded(entry: &str) -> Option<AuthenticationCode> {
    let mut bytes = [0; MAC_BYTES];
    let length = Base64::decode(entry, &mut bytes).ok()?.len();
    (length == MAC_BYTES).then(|| AuthenticationCode::new(bytes.into()))
}

/// Checks if the text is a decimal integer of any size.
fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && all_digits(digits.as_bytes())
}

/// Checks if a decimal integer is a time within the tolerance, exact to the nanosecond.
///
/// An integer that does not fit in 128 bits as nanoseconds is outside, since the tolerance has at
/// most 94 bits.
fn is_within(seconds: &str, context: &VerifyWebhookContext<'_>) -> bool {
    let sent = seconds
        .parse::<i128>()
        .ok()
        .and_then(|sent| sent.checked_mul(NANOS_PER_SECOND.into()));
    let tolerance = u128::from(context.tolerance_s).saturating_mul(NANOS_PER_SECOND.into());
    sent.is_some_and(|sent| sent.abs_diff(context.now().nanos()) <= tolerance)
}

#[cfg(feature = "serde")]
impl serde::Serialize for WebhookHeaders {
    /// Writes the members of `write_json`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut headers = serializer.serialize_struct("WebhookHeaders", 1)?;
        headers.serialize_field("headers", &crate::util::serialize::Members(self.iter()))?;
        headers.end()
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    fn sign_with(secrets: &[&str]) -> WebhookHeaders {
        let secrets: Vec<String> = secrets.iter().map(|secret| format!("{secret:?}")).collect();
        let context = format!(
            r#"{{"id":"msg_1","timestamp":"2021-02-25T15:02:10Z","secrets":[{}]}}"#,
            secrets.join(",")
        );
        let context = SignWebhookContext::from_json(context.as_bytes()).unwrap();
        sign(b"{}", &context)
    }

    #[test]
    fn signs_once_for_each_secret() {
        for secrets in [
            &["whsec_AA=="][..],
            &["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_AQ=="],
            &[
                &format!("whsec_{}", "QUJD".repeat(40)),
                "whsec_AA==",
                "whsec_AQ==",
            ],
        ] {
            let signature = sign_with(secrets).signature;
            let entries: Vec<&str> = signature.split(' ').collect();
            assert_eq!(entries.len(), secrets.len());
            for entry in &entries {
                let code = entry.strip_prefix(VERSION).and_then(decoded);
                assert!(code.is_some(), "{entry}");
            }
        }
    }

    #[test]
    fn compares_times_exactly() {
        for (seconds, tolerance, expected) in [
            ("1614265330", 0, true),
            ("1614265331", 0, false),
            ("1614265630", 300, true),
            ("1614265631", 300, false),
            ("1614265030", 300, true),
            ("1614265029", 300, false),
            ("-18446744073709551615", u64::MAX, false),
            ("-1", u64::MAX, true),
            ("170141183460469231731687303715", u64::MAX, false),
            ("170141183460469231731687303715884105727", u64::MAX, false),
            (
                "999999999999999999999999999999999999999999",
                u64::MAX,
                false,
            ),
        ] {
            let context = r#"{"headers":{},"secrets":["whsec_AA=="],"now":"2021-02-25T15:02:10Z"}"#;
            let mut context = VerifyWebhookContext::from_json(context.as_bytes()).unwrap();
            context.tolerance_s = tolerance;
            assert_eq!(is_within(seconds, &context), expected, "{seconds}");
        }
    }
}
