//! The contexts of `sign_webhook` and `verify_webhook`.

use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

use crate::error::Error;
use crate::input::{ContextMembers, InputValue, OUT_OF_RANGE};
use crate::json::{JsonStr, Value, items};
use crate::policy::MAX_SAFE_INTEGER;
use crate::schema::context::{SignWebhookField, VerifyWebhookField};
use crate::types::timestamp::Timestamp;
use crate::types::webhook::{WebhookKey, WebhookSecret};
use crate::util::debug::impl_debug_of_fields;

/// The names of the headers, in lower case.
pub(crate) const WEBHOOK_ID: &str = "webhook-id";
pub(crate) const WEBHOOK_TIMESTAMP: &str = "webhook-timestamp";
pub(crate) const WEBHOOK_SIGNATURE: &str = "webhook-signature";

/// The default tolerance in seconds: five minutes, as in the libraries of Standard Webhooks.
const DEFAULT_TOLERANCE: u64 = 300;

const NO_SECRETS: &str = "expected at least one secret";
const SECRET: &str = "expected base64, alone or after whsec_, whsk_, or whpk_";
const NOT_TO_SIGN: &str = "expected a secret or whsk_: a public key does not sign";
const NOT_TO_VERIFY: &str = "expected a secret or whpk_: a private key does not verify";

/// The context of a webhook to sign.
#[derive(Clone)]
pub struct SignWebhookContext<'a> {
    id: Cow<'a, str>,
    timestamp: Timestamp,
    secrets: Vec<WebhookSecret>,
}

impl<'a> SignWebhookContext<'a> {
    /// Creates a context from the identifier of the webhook, which is the same in every attempt,
    /// the time of the attempt, and the secrets. Each secret or private key makes one signature, so
    /// a receiver may know the old or the new one.
    ///
    /// # Errors
    /// Returns a context error if `id` is empty, is not visible ASCII, or contains a full stop, if
    /// there are no secrets, or if one is a public key.
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
        let is_usable = |key: &WebhookKey| !matches!(key, WebhookKey::Public(_));
        check_secrets(&secrets, is_usable, NOT_TO_SIGN)?;
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
    pub(crate) id: HeaderValues<'a>,
    pub(crate) timestamp: HeaderValues<'a>,
    pub(crate) signature: HeaderValues<'a>,
    secrets: Vec<WebhookSecret>,
    now: Timestamp,
    pub(crate) tolerance_s: u64,
}

/// The values of one header.
#[derive(Clone, Default)]
pub(crate) struct HeaderValues<'a> {
    texts: Vec<Cow<'a, str>>,
    /// Set if a value is not text.
    is_malformed: bool,
}

impl HeaderValues<'_> {
    /// Returns whether the header is absent or empty.
    pub(crate) fn is_missing(&self) -> bool {
        !self.is_malformed && self.texts.iter().all(|text| text.is_empty())
    }

    /// Returns the value, if there is exactly one.
    pub(crate) fn single(&self) -> Option<&str> {
        match (self.all(), self.is_malformed) {
            ([text], false) => Some(text),
            _ => None,
        }
    }

    /// Returns the texts.
    pub(crate) fn all(&self) -> &[Cow<'_, str>] {
        &self.texts
    }

    /// Returns whether there is no value yet.
    fn is_unset(&self) -> bool {
        self.texts.is_empty() && !self.is_malformed
    }

    /// Returns whether a value is not text.
    pub(crate) fn is_malformed(&self) -> bool {
        self.is_malformed
    }
}

impl<'a> HeaderValues<'a> {
    /// Returns the values of a JSON member, which may be a string or an array of strings.
    fn from_json(value: Value<'a>) -> Self {
        let mut values = HeaderValues::default();
        match value {
            Value::Array(array) => items(array).for_each(|item| values.add(item)),
            single => values.add(single),
        }
        values
    }

    fn add(&mut self, value: Value<'a>) {
        match value.text() {
            Some(text) => self.texts.push(text.to_cow()),
            None => self.is_malformed = true,
        }
    }
}

impl<'a> VerifyWebhookContext<'a> {
    /// Creates a context from the names and values of the headers, the secrets, and the time of the
    /// check. Names are case-insensitive, and other headers are ignored. All values of
    /// `webhook-signature` count; several values of another header are malformed.
    ///
    /// # Errors
    /// Returns a context error if there are no secrets, or if one is a private key.
    pub fn new<V: Into<Cow<'a, str>>>(
        headers: impl IntoIterator<Item = (impl AsRef<str>, V)>,
        secrets: Vec<WebhookSecret>,
        now: Timestamp,
    ) -> Result<Self, Error> {
        let is_usable = |key: &WebhookKey| !matches!(key, WebhookKey::Private(_));
        check_secrets(&secrets, is_usable, NOT_TO_VERIFY)?;
        let mut context = VerifyWebhookContext {
            id: HeaderValues::default(),
            timestamp: HeaderValues::default(),
            signature: HeaderValues::default(),
            secrets,
            now,
            tolerance_s: DEFAULT_TOLERANCE,
        };
        for (name, value) in headers {
            if let Some(header) = context.header(name.as_ref()) {
                header.texts.push(value.into());
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
            let header = name.with_decoded(|name| context.header(name));
            // The first of several members with one name counts.
            if let Some(header) = header.filter(|header| header.is_unset() && value.is_present()) {
                *header = HeaderValues::from_json(value);
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
    fn header(&mut self, name: &str) -> Option<&mut HeaderValues<'a>> {
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

/// Checks that there are secrets, and that each of them is usable.
fn check_secrets(
    secrets: &[WebhookSecret],
    is_usable: impl Fn(&WebhookKey) -> bool,
    expected: &'static str,
) -> Result<(), Error> {
    if secrets.is_empty() {
        return Err(Error::context("/secrets", NO_SECRETS));
    }
    match secrets.iter().position(|secret| !is_usable(&secret.0)) {
        Some(index) => Err(Error::context(format!("/secrets/{index}"), expected)),
        None => Ok(()),
    }
}

/// Reads the secrets.
fn secrets(secrets: &InputValue<'_>) -> Result<Vec<WebhookSecret>, Error> {
    let parse = |text: JsonStr<'_>| text.with_decoded(|text| text.parse().ok());
    secrets.require(|secrets| secrets.list(SECRET, parse))
}

impl_debug_of_fields! { SignWebhookContext<'_> { timestamp } VerifyWebhookContext<'_> { now } }

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;

    fn context(headers: &str) -> VerifyWebhookContext<'static> {
        let json = format!(
            r#"{{"headers":{headers},"secrets":["whsec_AA=="],"now":"2021-02-25T15:02:10Z"}}"#
        );
        VerifyWebhookContext::from_json(json.leak()).unwrap()
    }

    #[test]
    fn ignores_other_headers_of_any_type() {
        let context = context(
            r#"{"a":1,"webhook-id":"x","b":{},"webhook":[1],"c":true,"d":null,"WEBHOOK-ID":"y"}"#,
        );
        assert_eq!(context.id.single(), Some("x"));
        assert!(context.timestamp.is_missing() && context.signature.is_missing());
    }

    #[test]
    fn reads_lists_of_values() {
        for (value, single, is_missing, is_malformed) in [
            (r#""x""#, Some("x"), false, false),
            (r#"["x"]"#, Some("x"), false, false),
            (r#"["x","y"]"#, None, false, false),
            (r#""""#, Some(""), true, false),
            (r#"[""]"#, Some(""), true, false),
            ("[]", None, true, false),
            ("null", None, true, false),
            ("1", None, false, true),
            ("[null]", None, false, true),
            (r#"["x",1]"#, None, false, true),
            ("{}", None, false, true),
        ] {
            let header = context(&format!(r#"{{"webhook-id":{value}}}"#)).id;
            assert_eq!(header.single(), single, "{value}");
            assert_eq!(header.is_missing(), is_missing, "{value}");
            assert_eq!(header.is_malformed(), is_malformed, "{value}");
        }
    }

    #[test]
    fn counts_every_value_of_a_header() {
        let headers = [
            ("webhook-id", "x"),
            ("Webhook-Signature", "a"),
            ("webhook-signature", "b"),
        ];
        let secret = "AA==".parse().unwrap();
        let now = "2021-02-25T15:02:10Z".parse().unwrap();
        let context = VerifyWebhookContext::new(headers, alloc::vec![secret], now).unwrap();
        assert_eq!(context.id.single(), Some("x"));
        assert_eq!(context.signature.all(), ["a", "b"]);
    }

    #[test]
    fn keys_sign_or_verify() {
        let at = "2021-02-25T15:02:10Z".parse().unwrap();
        let secret = |text: &str| text.parse::<WebhookSecret>().unwrap();
        let shared = secret("AA==");
        let private = secret("whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbc=");
        let public = secret("whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=");
        let sign = |secrets: &[&WebhookSecret]| {
            SignWebhookContext::new("a", at, secrets.iter().copied().cloned().collect())
                .map(|_| ())
                .map_err(|error| String::from(error.path()))
        };
        let verify = |secrets: &[&WebhookSecret]| {
            let secrets = secrets.iter().copied().cloned().collect();
            VerifyWebhookContext::new([("", ""); 0], secrets, at)
                .map(|_| ())
                .map_err(|error| String::from(error.path()))
        };
        assert_eq!(sign(&[&shared, &private]), Ok(()));
        assert_eq!(sign(&[&shared, &public]), Err("/secrets/1".into()));
        assert_eq!(verify(&[&shared, &public]), Ok(()));
        assert_eq!(verify(&[&private, &shared]), Err("/secrets/0".into()));
    }
}
