//! The contexts of `sign_webhook` and `verify_webhook`.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use crate::error::Error;
use crate::input::{ContextMembers, InputValue, OUT_OF_RANGE, TEXT};
use crate::json::{JsonStr, PathSegment, Value};
use crate::policy::MAX_SAFE_INTEGER;
use crate::schema::context::{SignWebhookField, VerifyWebhookField};
use crate::types::timestamp::Timestamp;
use crate::types::webhook::WebhookSecret;
use crate::util::debug::impl_debug_of_fields;

/// The names of the headers, in lower case.
pub(crate) const WEBHOOK_ID: &str = "webhook-id";
pub(crate) const WEBHOOK_TIMESTAMP: &str = "webhook-timestamp";
pub(crate) const WEBHOOK_SIGNATURE: &str = "webhook-signature";

/// The default tolerance in seconds: five minutes, as in the libraries of Standard Webhooks.
const DEFAULT_TOLERANCE: u64 = 300;

const NO_SECRETS: &str = "expected at least one secret";

/// The context of a webhook to sign.
#[derive(Clone)]
pub struct SignWebhookContext<'a> {
    id: Cow<'a, str>,
    timestamp: Timestamp,
    secrets: Vec<WebhookSecret>,
}

impl<'a> SignWebhookContext<'a> {
    /// Creates a context from the identifier of the webhook, which is the same in every attempt,
    /// the time of the attempt, and the secrets. Each secret makes one signature, so a receiver may
    /// know the old or the new secret.
    ///
    /// # Errors
    /// Returns a context error if `id` is empty, is not visible ASCII, or contains a full stop, or
    /// if there are no secrets.
    ///
    /// # Examples
    /// ```
    /// use payspec::{SignWebhookContext, WebhookSecret};
    ///
    /// let secret: WebhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".parse()?;
    /// let now = "2021-02-25T15:02:10Z".parse()?;
    /// assert!(SignWebhookContext::new("msg_1", now, vec![secret.clone()]).is_ok());
    /// assert_eq!(SignWebhookContext::new("msg.1", now, vec![secret]).unwrap_err().path(), "/id");
    /// assert_eq!(SignWebhookContext::new("msg_1", now, Vec::new()).unwrap_err().path(), "/secrets");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        id: impl Into<Cow<'a, str>>,
        timestamp: Timestamp,
        secrets: Vec<WebhookSecret>,
    ) -> Result<Self, Error> {
        let id = id.into();
        // A full stop separates the signed parts: with one in the id, two messages could have the
        // same signed text.
        if id.is_empty()
            || !id
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && byte != b'.')
        {
            return Err(Error::context(
                "/id",
                "expected visible ASCII characters without a full stop",
            ));
        }
        if secrets.is_empty() {
            return Err(Error::context("/secrets", NO_SECRETS));
        }
        Ok(SignWebhookContext {
            id,
            timestamp,
            secrets,
        })
    }

    /// Returns the identifier.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the time of the attempt to send the webhook.
    pub fn timestamp(&self) -> Timestamp {
        self.timestamp
    }

    /// Returns the secrets, at least one.
    pub fn secrets(&self) -> &[WebhookSecret] {
        &self.secrets
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &'a T) -> Result<Self, Error> {
        let members = ContextMembers::<SignWebhookField>::read(json)?;
        SignWebhookContext::new(
            members
                .get(SignWebhookField::Id)
                .require(InputValue::text)?,
            members
                .get(SignWebhookField::Timestamp)
                .require(InputValue::timestamp)?,
            secrets(&members.get(SignWebhookField::Secrets))?,
        )
    }
}

/// The context of a received webhook.
#[derive(Clone)]
pub struct VerifyWebhookContext<'a> {
    pub(crate) id: Option<Cow<'a, str>>,
    pub(crate) timestamp: Option<Cow<'a, str>>,
    pub(crate) signature: Option<Cow<'a, str>>,
    secrets: Vec<WebhookSecret>,
    now: Timestamp,
    pub(crate) tolerance_s: u64,
}

impl<'a> VerifyWebhookContext<'a> {
    /// Creates a context from the names and values of the headers, the secrets, and the time of the
    /// check. Names are case-insensitive, the first of several headers with one name counts, and
    /// other headers are ignored.
    ///
    /// # Errors
    /// Returns a context error if there are no secrets.
    pub fn new<V: Into<Cow<'a, str>>>(
        headers: impl IntoIterator<Item = (impl AsRef<str>, V)>,
        secrets: Vec<WebhookSecret>,
        now: Timestamp,
    ) -> Result<Self, Error> {
        if secrets.is_empty() {
            return Err(Error::context("/secrets", NO_SECRETS));
        }
        let (id, timestamp, signature) = (None, None, None);
        let mut context = VerifyWebhookContext {
            id,
            timestamp,
            signature,
            secrets,
            now,
            tolerance_s: DEFAULT_TOLERANCE,
        };
        for (name, value) in headers {
            if let Some(header) = context
                .header(name.as_ref())
                .filter(|header| header.is_none())
            {
                *header = Some(value.into());
            }
        }
        Ok(context)
    }

    /// Returns the time of the check.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Returns the largest accepted difference between `webhook-timestamp` and the time of the
    /// check, in seconds.
    pub fn tolerance_s(&self) -> u64 {
        self.tolerance_s
    }

    /// Sets the tolerance in seconds, which is 300 by default. Any value is accepted; the JSON form
    /// accepts up to 2^53−1.
    pub fn set_tolerance_s(&mut self, seconds: u64) {
        self.tolerance_s = seconds;
    }

    /// Returns the secrets, at least one.
    pub fn secrets(&self) -> &[WebhookSecret] {
        &self.secrets
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &'a T) -> Result<Self, Error> {
        let members = ContextMembers::<VerifyWebhookField>::read(json)?;
        let headers = members.get(VerifyWebhookField::Headers);
        let tolerance = members.get(VerifyWebhookField::Tolerance);
        headers.require(InputValue::object)?;
        let secrets = secrets(&members.get(VerifyWebhookField::Secrets))?;
        let now = members
            .get(VerifyWebhookField::Now)
            .require(InputValue::timestamp)?;
        let mut context = VerifyWebhookContext::new::<&str>([("", ""); 0], secrets, now)?;
        for (name, value) in headers.members()? {
            let Some(header) = name.with_decoded(|name| context.header(name)) else {
                continue;
            };
            match value {
                Value::String(text) => {
                    header.get_or_insert_with(|| text.to_cow());
                }
                Value::Null => {}
                _ => return Err(headers.error_at(&[PathSegment::Key(name)], TEXT)),
            }
        }
        if let Some(seconds) = tolerance.integer()? {
            if seconds > MAX_SAFE_INTEGER {
                return Err(tolerance.error(OUT_OF_RANGE));
            }
            context.tolerance_s = seconds;
        }
        Ok(context)
    }

    /// Returns the field for a header, if it is one of the three.
    fn header(&mut self, name: &str) -> Option<&mut Option<Cow<'a, str>>> {
        let [id, timestamp, signature] = [&mut self.id, &mut self.timestamp, &mut self.signature];
        let headers = [
            (WEBHOOK_ID, id),
            (WEBHOOK_TIMESTAMP, timestamp),
            (WEBHOOK_SIGNATURE, signature),
        ];
        headers
            .into_iter()
            .find_map(|(known, header)| name.eq_ignore_ascii_case(known).then_some(header))
    }
}

/// Reads the secrets.
fn secrets(secrets: &InputValue<'_>) -> Result<Vec<WebhookSecret>, Error> {
    let parse = |text: JsonStr<'_>| text.with_decoded(|text| text.parse().ok());
    secrets.require(|secrets| secrets.list("expected whsec_ and base64", parse))
}

impl_debug_of_fields! { SignWebhookContext<'_> { timestamp } VerifyWebhookContext<'_> { now } }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_other_headers_of_any_type() {
        let context = VerifyWebhookContext::from_json(
            br#"{"headers":{"a":1,"webhook-id":"x","b":{},"webhook":[1],"c":true,"d":null},
                "secrets":["whsec_AA=="],"now":"2021-02-25T15:02:10Z"}"#,
        )
        .unwrap();
        assert_eq!(
            (context.id.as_deref(), context.timestamp, context.signature),
            (Some("x"), None, None)
        );
    }
}
