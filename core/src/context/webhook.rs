//! The contexts of `sign_webhook` and `verify_webhook`.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, ErrorCode};
use crate::input::{InputObject, OUT_OF_RANGE, TEXT};
use crate::json::{Field, JsonStr, JsonType, ObjectSchema, PathSegment, Value, items};
use crate::policy::MAX_SAFE_INTEGER;
use crate::types::timestamp::Timestamp;
use crate::types::webhook::WebhookSecret;

const ID: usize = 0;
const TIMESTAMP: usize = 1;
const SIGN_SECRETS: usize = 2;
const SIGN_SLOTS: usize = 3;

const HEADERS: usize = 0;
const VERIFY_SECRETS: usize = 1;
const NOW: usize = 2;
const TOLERANCE: usize = 3;
const VERIFY_SLOTS: usize = 4;

/// The names of the headers, in lower case.
pub(crate) const WEBHOOK_ID: &str = "webhook-id";
pub(crate) const WEBHOOK_TIMESTAMP: &str = "webhook-timestamp";
pub(crate) const WEBHOOK_SIGNATURE: &str = "webhook-signature";

/// The default tolerance in seconds: five minutes, as in the libraries of Standard Webhooks.
const DEFAULT_TOLERANCE: u64 = 300;

const ID_EXPECTED: &str = "expected visible ASCII characters without a full stop";
const NO_SECRETS: &str = "expected at least one secret";
const SECRET_EXPECTED: &str = "expected whsec_ and base64";

static SIGN_ROOT: ObjectSchema = ObjectSchema::new(
    "",
    ID,
    &[Field::string("/id"), Field::string("/timestamp"), Field::new("/secrets", JsonType::Array)],
);

static VERIFY_ROOT: ObjectSchema = ObjectSchema::new(
    "",
    HEADERS,
    &[
        Field::new("/headers", JsonType::Object),
        Field::new("/secrets", JsonType::Array),
        Field::string("/now"),
        Field::new("/tolerance_s", JsonType::Integer),
    ],
);

/// The context of a webhook to sign.
#[derive(Clone)]
#[non_exhaustive]
pub struct SignWebhookContext<'a> {
    id: Cow<'a, str>,
    /// The time of the attempt to send it.
    pub timestamp: Timestamp,
    secrets: Vec<WebhookSecret>,
}

impl<'a> SignWebhookContext<'a> {
    /// Creates a context from the identifier of the webhook, which is the same in every attempt, the time of the attempt,
    /// and the secrets. Each secret makes one signature, so a receiver may know the old or the new secret.
    ///
    /// # Errors
    /// Returns a context error if `id` is empty, is not visible ASCII, or contains a full stop, or if there are no secrets.
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
    pub fn new(id: impl Into<Cow<'a, str>>, timestamp: Timestamp, secrets: Vec<WebhookSecret>) -> Result<Self, Error> {
        let id = id.into();
        // A full stop separates the signed parts: with one in the id, two messages could have the same signed text.
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'.') {
            return Err(Error::context("/id", ID_EXPECTED));
        }
        if secrets.is_empty() {
            return Err(Error::context("/secrets", NO_SECRETS));
        }
        Ok(SignWebhookContext { id, timestamp, secrets })
    }

    /// Returns the identifier.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the secrets, at least one.
    pub fn secrets(&self) -> &[WebhookSecret] {
        &self.secrets
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json(json: &'a [u8]) -> Result<Self, Error> {
        let mut slots = [Value::Absent; SIGN_SLOTS];
        let input = InputObject::read(json, &SIGN_ROOT, &mut slots, ErrorCode::Context)?;
        let id = input.require(ID, input.text(ID)?)?;
        let timestamp = input.require(TIMESTAMP, input.timestamp(TIMESTAMP)?)?;
        SignWebhookContext::new(id, timestamp, secrets(&input, SIGN_SECRETS)?)
    }
}

/// The context of a received webhook.
#[derive(Clone)]
#[non_exhaustive]
pub struct VerifyWebhookContext<'a> {
    pub(crate) id: Option<Cow<'a, str>>,
    pub(crate) timestamp: Option<Cow<'a, str>>,
    pub(crate) signature: Option<Cow<'a, str>>,
    secrets: Vec<WebhookSecret>,
    /// The time of the check.
    pub now: Timestamp,
    /// The largest accepted difference between `webhook-timestamp` and `now`, in seconds; 300 unless set.
    pub tolerance_s: u64,
}

impl<'a> VerifyWebhookContext<'a> {
    /// Creates a context from the names and values of the headers, the secrets, and the time of the check. Names are
    /// case-insensitive, the first of several headers with one name counts, and other headers are ignored.
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
        let mut context =
            VerifyWebhookContext { id, timestamp, signature, secrets, now, tolerance_s: DEFAULT_TOLERANCE };
        for (name, value) in headers {
            if let Some(header) = context.header(name.as_ref()).filter(|header| header.is_none()) {
                *header = Some(value.into());
            }
        }
        Ok(context)
    }

    /// Returns the secrets, at least one.
    pub fn secrets(&self) -> &[WebhookSecret] {
        &self.secrets
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json(json: &'a [u8]) -> Result<Self, Error> {
        let mut slots = [Value::Absent; VERIFY_SLOTS];
        let input = InputObject::read(json, &VERIFY_ROOT, &mut slots, ErrorCode::Context)?;
        input.require(HEADERS, input.object(HEADERS)?)?;
        let secrets = secrets(&input, VERIFY_SECRETS)?;
        let now = input.require(NOW, input.timestamp(NOW)?)?;
        let mut context = VerifyWebhookContext::new::<&str>([("", ""); 0], secrets, now)?;
        for (name, value) in input.members(HEADERS)? {
            let Some(header) = name.with_decoded(|name| context.header(name)) else { continue };
            match value {
                Value::String(text) => {
                    header.get_or_insert_with(|| text.to_cow());
                }
                Value::Null => {}
                _ => return Err(input.error_below(HEADERS, &[PathSegment::Key(name)], TEXT)),
            }
        }
        if let Some(tolerance) = input.integer(TOLERANCE)? {
            if tolerance > MAX_SAFE_INTEGER {
                return Err(input.error_at(TOLERANCE, OUT_OF_RANGE));
            }
            context.tolerance_s = tolerance;
        }
        Ok(context)
    }

    /// Returns the field for a header, if it is one of the three.
    fn header(&mut self, name: &str) -> Option<&mut Option<Cow<'a, str>>> {
        if name.eq_ignore_ascii_case(WEBHOOK_ID) {
            Some(&mut self.id)
        } else if name.eq_ignore_ascii_case(WEBHOOK_TIMESTAMP) {
            Some(&mut self.timestamp)
        } else if name.eq_ignore_ascii_case(WEBHOOK_SIGNATURE) {
            Some(&mut self.signature)
        } else {
            None
        }
    }
}

/// Reads the secrets.
fn secrets(input: &InputObject<'_, '_>, slot: usize) -> Result<Vec<WebhookSecret>, Error> {
    let list = input.require(slot, input.array(slot)?)?;
    let mut secrets = Vec::new();
    for (index, item) in items(list).enumerate() {
        let secret = item.text().and_then(|text: JsonStr<'_>| text.with_decoded(|text| text.parse().ok()));
        match secret {
            Some(secret) => secrets.push(secret),
            None => return Err(input.error_below(slot, &[PathSegment::Index(index)], SECRET_EXPECTED)),
        }
    }
    if secrets.is_empty() { Err(input.error_at(slot, NO_SECRETS)) } else { Ok(secrets) }
}

// Identifiers, headers, and secrets do not belong in a log.
impl fmt::Debug for SignWebhookContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignWebhookContext").field("timestamp", &self.timestamp).finish_non_exhaustive()
    }
}

impl fmt::Debug for VerifyWebhookContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VerifyWebhookContext").field("now", &self.now).finish_non_exhaustive()
    }
}

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
        assert_eq!((context.id.as_deref(), context.timestamp, context.signature), (Some("x"), None, None));
    }
}
