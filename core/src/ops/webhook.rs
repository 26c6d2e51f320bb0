//! Signatures of webhooks (Standard Webhooks): HMAC-SHA256 or Ed25519 over `id.timestamp.body`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use base64ct::{Base64, Encoding};
use ed25519_dalek::{SIGNATURE_LENGTH, Signature, Signer};
use hmac::digest::CtOutput;
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::context::{
    SignWebhookContext, VerifyWebhookContext, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP,
};
use crate::json::writer::{Writer, text_by};
use crate::types::timestamp::NANOS_PER_SECOND;
use crate::types::webhook::{WebhookKey, WebhookRejection};
use crate::util::bytes::all_digits;
use crate::util::hmac::hmac_sha256;

/// The scheme of HMAC-SHA256, which precedes each signature.
const SHARED: &str = "v1,";
/// The scheme of Ed25519.
const ASYMMETRIC: &str = "v1a,";
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
    /// The value of `webhook-signature`: a `v1` signature for each secret and a `v1a` signature for
    /// each private key, separated by a space.
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
    let message = Message {
        id: context.id(),
        timestamp: &timestamp,
        body,
    };
    let keys = context.secrets().iter().map(|secret| &secret.0);
    let entries: Vec<String> = keys.filter_map(|key| message.entry(key)).collect();
    WebhookHeaders {
        id: context.id().to_owned(),
        signature: entries.join(" "),
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
    let (id, timestamp, signature) = (&context.id, &context.timestamp, &context.signature);
    if [id, timestamp, signature]
        .iter()
        .any(|header| header.is_missing())
    {
        return Err(WebhookRejection::MissingHeader);
    }
    let (Some(id), Some(timestamp)) = (id.single(), timestamp.single()) else {
        return Err(WebhookRejection::MalformedHeader);
    };
    let entries = || signature.all().iter().flat_map(|value| entries(value));
    let has_scheme = |entry: &str| entry.starts_with(SHARED) || entry.starts_with(ASYMMETRIC);
    if signature.is_malformed() || !is_integer(timestamp) || !entries().any(has_scheme) {
        return Err(WebhookRejection::MalformedHeader);
    }
    if !is_within(timestamp, context) {
        return Err(WebhookRejection::Timestamp);
    }
    let message = Message {
        id,
        timestamp,
        body,
    };
    let mut keys = context.secrets().iter().map(|secret| &secret.0);
    if keys.any(|key| message.is_signed_by(key, entries())) {
        Ok(())
    } else {
        Err(WebhookRejection::Signature)
    }
}

/// Returns the entries of a value of `webhook-signature`. Many servers join several headers of one
/// name by a comma and a space: `v1,A, v1,B`.
fn entries(value: &str) -> impl Iterator<Item = &str> {
    value.split(", ").flat_map(|header| header.split(' '))
}

/// The parts of a signed message: `id.timestamp.body`.
struct Message<'m> {
    id: &'m str,
    timestamp: &'m str,
    body: &'m [u8],
}

impl Message<'_> {
    fn parts(&self) -> [&[u8]; 5] {
        let (id, timestamp) = (self.id.as_bytes(), self.timestamp.as_bytes());
        [id, b".", timestamp, b".", self.body]
    }

    /// Returns the entry of `webhook-signature` for a key. A public key has none.
    fn entry(&self, key: &WebhookKey) -> Option<String> {
        let (scheme, signature) = match key {
            WebhookKey::Shared(secret) => {
                (SHARED, Base64::encode_string(self.code(secret).as_bytes()))
            }
            WebhookKey::Private(key) => {
                let signature = key.sign(&self.parts().concat());
                (ASYMMETRIC, Base64::encode_string(&signature.to_bytes()))
            }
            WebhookKey::Public(_) => return None,
        };
        Some([scheme, &signature].concat())
    }

    /// Checks if one of the entries is the signature of a key. A private key verifies none.
    fn is_signed_by<'e>(&self, key: &WebhookKey, entries: impl Iterator<Item = &'e str>) -> bool {
        match key {
            WebhookKey::Shared(secret) => {
                let expected = self.code(secret);
                // `CtOutput` compares in constant time.
                decoded::<MAC_BYTES>(entries, SHARED)
                    .any(|entry| AuthenticationCode::new(entry.into()) == expected)
            }
            WebhookKey::Public(key) => {
                let text = self.parts().concat();
                decoded::<SIGNATURE_LENGTH>(entries, ASYMMETRIC).any(|entry| {
                    key.verify_strict(&text, &Signature::from_bytes(&entry))
                        .is_ok()
                })
            }
            WebhookKey::Private(_) => false,
        }
    }

    /// Returns the authentication code.
    fn code(&self, secret: &[u8]) -> AuthenticationCode {
        let mut mac = hmac_sha256(secret);
        self.parts().iter().for_each(|part| mac.update(part));
        mac.finalize()
    }
}

/// Decodes the entries of a scheme from base64. Entries of another length are omitted.
fn decoded<'e, const LENGTH: usize>(
    entries: impl Iterator<Item = &'e str>,
    scheme: &str,
) -> impl Iterator<Item = [u8; LENGTH]> {
    entries.filter_map(move |entry| {
        let mut bytes = [0; LENGTH];
        let length = Base64::decode(entry.strip_prefix(scheme)?, &mut bytes)
            .ok()?
            .len();
        (length == LENGTH).then_some(bytes)
    })
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
                let codes = decoded::<MAC_BYTES>([*entry].into_iter(), SHARED);
                assert_eq!(codes.count(), 1, "{entry}");
            }
        }
    }

    /// The example of Svix, whose private key is followed by its public key.
    const PRIVATE: &str = "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==";
    const PUBLIC: &str = "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=";

    #[test]
    fn signs_with_each_kind_of_key() {
        let seed = "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbc=";
        let signature = sign_with(&["AA==", PRIVATE, "whsec_AA==", seed]).signature;
        let entries: Vec<&str> = signature.split(' ').collect();
        assert_eq!((entries[0], entries[1]), (entries[2], entries[3]));
        assert!(entries[0].starts_with(SHARED) && entries[1].starts_with(ASYMMETRIC));
    }

    #[test]
    fn equals_the_published_signature() {
        let context = SignWebhookContext::from_json(&format!(
            r#"{{"id":"msg_p5jXN8AQM9LWM0D4loKWxJek","timestamp":"2021-02-25T15:02:10Z","secrets":["{PRIVATE}"]}}"#
        ))
        .map(|context| sign(br#"{"test": 2432232314}"#, &context).signature);
        assert_eq!(
            context.as_deref(),
            Ok(
                "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg=="
            )
        );
    }

    #[test]
    fn verifies_with_the_public_key() {
        let headers = sign_with(&[PRIVATE]);
        let verified = |signature: &str, secret: &str| {
            let context = format!(
                r#"{{"headers":{{"webhook-id":"msg_1","webhook-timestamp":"{}","webhook-signature":{signature}}},"secrets":["{secret}"],"now":"2021-02-25T15:02:10Z"}}"#,
                headers.timestamp
            );
            verify(b"{}", &VerifyWebhookContext::from_json(&context).unwrap())
        };
        let right = &headers.signature;
        let wrong = Err(WebhookRejection::Signature);
        assert_eq!(verified(&format!("{right:?}"), PUBLIC), Ok(()));
        for several in [
            format!(r#"["v1,AA==","v1a,AA== {right}"]"#),
            format!(r#""{right}, v1,AA==""#),
            format!(r#""v1,AA==, {right}""#),
        ] {
            assert_eq!(verified(&several, PUBLIC), Ok(()), "{several}");
        }
        assert_eq!(verified(&format!("{right:?}"), "AA=="), wrong);
        let other = format!("{:?}", right.replace("v1a,", "v1,"));
        assert_eq!(verified(&other, PUBLIC), wrong);
        let other = "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
        assert_eq!(verified(&format!("{right:?}"), other), wrong);
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
