//! An exchange in JSON: an entry of a HAR, or a line of a recording.
//!
//! Both have `request` and `response`. The values that no decision needs are skipped without a
//! copy, and so is the response of another service, which may be a download.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::exchange::{Body, Endpoint, Exchange, Message};
use super::source::Budget;

/// Reads an exchange.
#[derive(Clone)]
pub(super) struct EntrySeed {
    pub(super) budget: Budget,
}

impl<'de> DeserializeSeed<'de> for EntrySeed {
    type Value = Exchange;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Exchange, D::Error> {
        self.budget.begin();
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for EntrySeed {
    type Value = Exchange;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with request and response")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Exchange, A::Error> {
        let mut exchange = Exchange::default();
        while let Some(name) = map.next_key::<String>()? {
            self.member(&name, &mut exchange, &mut map)?;
        }
        Ok(exchange)
    }
}

impl EntrySeed {
    /// Reads the value of a member.
    pub(super) fn member<'de, A: MapAccess<'de>>(
        &self,
        name: &str,
        exchange: &mut Exchange,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match name {
            "request" => map.next_value_seed(Part {
                seed: self,
                exchange,
                is_request: true,
            }),
            "response" => map.next_value_seed(Part {
                seed: self,
                exchange,
                is_request: false,
            }),
            "startedDateTime" | "started" => {
                let text: Option<String> = map.next_value()?;
                exchange.started = text.and_then(|text| text.parse().ok());
                Ok(())
            }
            "time" | "duration_ms" => {
                exchange.duration_ms = map.next_value::<Milliseconds>()?.0;
                Ok(())
            }
            _ => self.skip(map),
        }
    }

    pub(super) fn skip<'de, A: MapAccess<'de>>(&self, map: &mut A) -> Result<(), A::Error> {
        self.budget.without(|| map.next_value::<IgnoredAny>())?;
        Ok(())
    }
}

/// A duration, which HAR has as a number with a fraction. It is rounded up.
#[derive(Default)]
struct Milliseconds(u64);

impl<'de> Deserialize<'de> for Milliseconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = Option::<serde_json::Number>::deserialize(deserializer)?;
        let text = number.map(|number| number.to_string()).unwrap_or_default();
        let whole = text.split(['.', 'e', 'E']).next().unwrap_or_default();
        let whole: u64 = whole.parse().unwrap_or_default();
        Ok(Milliseconds(whole + u64::from(text.contains('.'))))
    }
}

/// Reads the request or the response of an exchange.
struct Part<'s> {
    seed: &'s EntrySeed,
    exchange: &'s mut Exchange,
    is_request: bool,
}

impl<'de> DeserializeSeed<'de> for Part<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Part<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the object of a request or of a response")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut message = Message::default();
        while let Some(name) = map.next_key::<String>()? {
            let url = &self.exchange.url;
            // The response may come first, and then the URL is not known yet.
            let is_other = !url.is_empty() && Endpoint::find(url) == Endpoint::Other;
            match name.as_str() {
                "method" if self.is_request => self.exchange.method = map.next_value()?,
                "url" if self.is_request => self.exchange.url = map.next_value()?,
                "status" if !self.is_request => {
                    let status: i64 = map.next_value()?;
                    self.exchange.status = u16::try_from(status).unwrap_or_default();
                }
                "headers" => message.headers = map.next_value::<Headers>()?.0,
                // The response to a callback, or another service's, decides nothing.
                "content" | "body" if is_other && !self.is_request => self.seed.skip(&mut map)?,
                "postData" | "content" => message.body = map.next_value_seed(Content(self.seed))?,
                "body" => {
                    let raw: Box<RawValue> = map.next_value()?;
                    message.body = given(&raw);
                }
                _ => self.seed.skip(&mut map)?,
            }
        }
        match self.is_request {
            true => self.exchange.request = message,
            false => self.exchange.response = message,
        }
        Ok(())
    }
}

/// Returns the body of a recording: a text is the body, and any other value is it as JSON.
fn given(raw: &RawValue) -> Body {
    match raw.get() {
        "null" => Body::Absent,
        json if json.starts_with('"') => match serde_json::from_str::<String>(json) {
            Ok(text) => Body::Bytes(text.into_bytes()),
            Err(_) => Body::Unreadable,
        },
        json => Body::Bytes(json.as_bytes().to_vec()),
    }
}

/// Headers: a list of objects with name and value, or an object.
struct Headers(Vec<(String, String)>);

#[derive(Deserialize)]
struct Header {
    name: String,
    #[serde(default)]
    value: String,
}

impl<'de> Deserialize<'de> for Headers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct HeadersVisitor;
        impl<'de> Visitor<'de> for HeadersVisitor {
            type Value = Headers;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("headers: a list of objects with name and value, or an object")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Headers, A::Error> {
                let mut headers = Vec::new();
                while let Some(Header { name, value }) = list.next_element()? {
                    headers.push((name.to_lowercase(), value));
                }
                Ok(Headers(headers))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Headers, A::Error> {
                let mut headers = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, String>()? {
                    headers.push((name.to_lowercase(), value));
                }
                Ok(Headers(headers))
            }
        }
        deserializer.deserialize_any(HeadersVisitor)
    }
}

/// Reads `postData` or `content` of a HAR.
struct Content<'s>(&'s EntrySeed);

impl<'de> DeserializeSeed<'de> for Content<'_> {
    type Value = Body;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Body, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Content<'_> {
    type Value = Body;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the object of a body")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Body, A::Error> {
        let (mut text, mut encoding) = (None::<String>, None::<String>);
        let mut is_json = true;
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "mimeType" => {
                    let kind: Option<String> = map.next_value()?;
                    // A service that names no type, or a wrong one, is read too.
                    is_json = kind.is_none_or(|kind| !is_binary(&kind));
                }
                "text" if is_json => text = map.next_value()?,
                "encoding" => encoding = map.next_value()?,
                _ => self.0.skip(&mut map)?,
            }
        }
        Ok(match (text, encoding.as_deref()) {
            (None, _) => Body::Absent,
            (Some(text), None | Some("")) => Body::Bytes(text.into_bytes()),
            (Some(text), Some("base64")) => match BASE64_STANDARD.decode(text) {
                Ok(bytes) => Body::Bytes(bytes),
                Err(_) => Body::Unreadable,
            },
            (Some(_), Some(_)) => Body::Unreadable,
        })
    }
}

/// Returns whether a media type is that of a file, which no endpoint has.
fn is_binary(kind: &str) -> bool {
    ["image/", "video/", "audio/", "font/", "multipart/"]
        .iter()
        .any(|prefix| kind.starts_with(prefix))
}
