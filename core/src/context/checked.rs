//! Texts supplied by the caller that are validated on construction.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use crate::card::finder::contains_pan;
use crate::error::{Error, ErrorKind};
use crate::input::{DEPTH, OBJECT, REQUIRED, TEXT, TOO_DEEP, URI};
use crate::json::{JsonStr, ParseError, Root, Token, Tokens, Value, members, validate_syntax};
use crate::report::Pointer;
use crate::types::uri::is_absolute_uri;
use crate::validate::payment::contains_full_pan;

/// The text of one JSON object that the caller has stored. Debug output does not show it.
///
/// ```
/// use payspec::JsonObject;
///
/// assert_eq!(JsonObject::parse(" {\"state\": \"idle\"}\n")?.as_str(), "{\"state\": \"idle\"}");
/// assert_eq!(JsonObject::parse("{\"state\":").unwrap_err().message(), "invalid JSON at line 1, column 10");
/// assert_eq!(JsonObject::parse("[]").unwrap_err().message(), "expected an object");
/// # Ok::<(), payspec::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct JsonObject<'a>(&'a str);

impl<'a> JsonObject<'a> {
    /// Parses a text that is one JSON object, with or without whitespace around it. The text is not copied.
    ///
    /// # Errors
    /// Returns a context error if the text is not a JSON object, or nests deeper than the 128 levels of a context. In a
    /// JSON context, the levels around the object count as well: every binding accepts a stored payment of 125 levels.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        match validate_syntax(text, DEPTH) {
            Ok(Root::Object) => Ok(JsonObject(text.trim_matches([' ', '\t', '\r', '\n']))),
            Ok(Root::Other(_)) => Err(Error::context("", OBJECT)),
            Err(ParseError::TooDeep) => Err(Error::context("", TOO_DEEP)),
            Err(ParseError::Syntax(at)) => Err(Error::json_syntax(ErrorKind::Context, text.as_bytes(), at)),
        }
    }

    /// Wraps an object from a context that was parsed before.
    pub(crate) fn unchecked(text: &'a str) -> Self {
        JsonObject(text)
    }

    /// Returns the text.
    pub fn as_str(self) -> &'a str {
        self.0
    }
}

/// Returns the string in the member `name` of the object, or the error message for that member.
fn string_member<'a>(object: JsonObject<'a>, name: &str) -> Result<JsonStr<'a>, &'static str> {
    match members(object.as_str()).find(|(known, _)| known.is(name)) {
        Some((_, Value::String(text))) => Ok(text),
        Some(_) => Err(TEXT),
        None => Err(REQUIRED),
    }
}

/// The required member of a stored payment.
pub(super) const UID: &str = "uid";

/// A payment that the caller has stored: a JSON object with a `uid`. Debug output does not show it.
///
/// ```
/// use payspec::StoredPayment;
///
/// assert!(StoredPayment::parse(r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","state":"idle"}"#).is_ok());
/// assert_eq!(StoredPayment::parse(r#"{"state":"idle"}"#).unwrap_err().path(), "/uid");
/// ```
#[derive(Clone, Copy)]
pub struct StoredPayment<'a> {
    object: JsonObject<'a>,
    uid: JsonStr<'a>,
}

impl<'a> StoredPayment<'a> {
    /// Parses the text of a JSON object with a `uid`. The text is not copied.
    ///
    /// # Errors
    /// Returns a context error if the text is not a [`JsonObject`], or its `uid` is missing or not a string.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        JsonObject::parse(text)?.try_into()
    }

    /// Checks that the object has a `uid`. Fails with the error message for that member.
    pub(super) fn checked(object: JsonObject<'a>) -> Result<Self, &'static str> {
        Ok(StoredPayment { object, uid: string_member(object, UID)? })
    }

    /// Returns the text.
    pub fn as_str(self) -> &'a str {
        self.object.as_str()
    }

    /// Returns the object.
    pub fn object(self) -> JsonObject<'a> {
        self.object
    }

    /// Returns whether the payment has the requested `uid`. For two UUIDs, comparing the texts without case compares their
    /// values.
    pub(super) fn has_uid(self, requested: &str) -> bool {
        self.uid.with_decoded(|uid| uid.eq_ignore_ascii_case(requested))
    }
}

impl PartialEq for StoredPayment<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.object == other.object
    }
}

impl Eq for StoredPayment<'_> {}

impl<'a> TryFrom<JsonObject<'a>> for StoredPayment<'a> {
    type Error = Error;

    /// Checks that the object has a `uid`.
    fn try_from(object: JsonObject<'a>) -> Result<Self, Error> {
        Self::checked(object).map_err(|message| Error::context("/uid", message))
    }
}

/// The balance of a partner: a JSON object with a text `cur` (§2.3). Debug output does not show it.
///
/// ```
/// use payspec::Balance;
///
/// assert!(Balance::parse(r#"{"cur":"USDT","available":"12.5"}"#).is_ok());
/// assert_eq!(Balance::parse(r#"{"available":"12.5"}"#).unwrap_err().path(), "/cur");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Balance<'a>(JsonObject<'a>);

impl<'a> Balance<'a> {
    /// Parses the text of a JSON object with a text `cur`. The text is not copied.
    ///
    /// # Errors
    /// Returns a context error if the text is not a [`JsonObject`], or its `cur` is missing or not a string.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        JsonObject::parse(text)?.try_into()
    }

    /// Checks that the object has a text `cur`. Fails with the error message for that member.
    pub(super) fn checked(object: JsonObject<'a>) -> Result<Self, &'static str> {
        string_member(object, CUR).map(|_| Balance(object))
    }

    /// Returns the text of the object.
    pub fn as_str(self) -> &'a str {
        self.0.as_str()
    }
}

/// The required member of a balance.
pub(super) const CUR: &str = "cur";

impl<'a> TryFrom<JsonObject<'a>> for Balance<'a> {
    type Error = Error;

    /// Checks that the object has a text `cur`.
    fn try_from(object: JsonObject<'a>) -> Result<Self, Error> {
        Self::checked(object).map_err(|message| Error::context("/cur", message))
    }
}

/// Further members of `info` in host-to-host mode, such as the bank, the recipient, or the text of a QR code. Debug output
/// does not show them.
///
/// ```
/// use payspec::InfoDetails;
///
/// assert!(InfoDetails::parse(r#"{"bank":"Example","phone":"+79990000000"}"#).is_ok());
/// assert_eq!(InfoDetails::parse(r#"{"type":"card"}"#).unwrap_err().path(), "/type");
/// assert_eq!(InfoDetails::parse(r#"{"card":"4111111111111111"}"#).unwrap_err().path(), "/card");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct InfoDetails<'a>(JsonObject<'a>);

impl<'a> InfoDetails<'a> {
    /// Parses the text of a JSON object. The text is not copied.
    ///
    /// # Errors
    /// Returns a context error if the text is not a [`JsonObject`] or contains an unmasked card number. The
    /// members `type` and `card_number` are errors as well, because the library writes them.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        JsonObject::parse(text)?.try_into()
    }

    /// Checks the members of the object. Fails with the JSON Pointer of the invalid member and its error message.
    pub(super) fn checked(object: JsonObject<'a>) -> Result<Self, (String, &'static str)> {
        let text = object.as_str();
        if let Some(name) = INFO_MEMBERS.into_iter().find(|name| members(text).any(|(known, _)| known.is(name))) {
            return Err((["/", name].concat(), "reserved: the library writes this member"));
        }
        let is_full = |token| match token {
            Token::Name(text) | Token::String(text) => text.with_decoded(is_card_number),
            Token::Number(digits) => is_card_number(digits),
        };
        match Tokens::new(text).find(|(token, _)| is_full(*token)) {
            None => Ok(InfoDetails(object)),
            Some((_, at)) => Err((Pointer::inside("", text, at.start).to_text(), "contains an unmasked card number")),
        }
    }

    /// Returns the text of the object.
    pub fn as_str(self) -> &'a str {
        self.0.as_str()
    }
}

/// The members of `info` that creation writes (§2.1).
const INFO_MEMBERS: [&str; 2] = ["type", "card_number"];

fn is_card_number(text: &str) -> bool {
    contains_full_pan(text) || contains_pan(text)
}

impl<'a> TryFrom<JsonObject<'a>> for InfoDetails<'a> {
    type Error = Error;

    /// Checks the members of the object.
    fn try_from(object: JsonObject<'a>) -> Result<Self, Error> {
        Self::checked(object).map_err(|(path, message)| Error::context(path, message))
    }
}

/// An absolute URI of RFC 3986, such as the address of a payment page or a receipt. Any scheme except javascript, data,
/// vbscript, and file is accepted, because bank applications have their own. Debug output does not show the URI.
///
/// ```
/// use payspec::AbsoluteUri;
///
/// assert_eq!(AbsoluteUri::parse("https://pay.example/7")?.as_str(), "https://pay.example/7");
/// assert!(AbsoluteUri::parse("bank100000000111://qr.example/7").is_ok());
/// assert!(AbsoluteUri::parse("javascript:alert(1)").is_err());
/// assert!(AbsoluteUri::parse("/7").is_err());
/// # Ok::<(), payspec::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct AbsoluteUri<'a>(Cow<'a, str>);

impl<'a> AbsoluteUri<'a> {
    /// Parses a text that is an absolute URI.
    ///
    /// # Errors
    /// Returns a context error if the text is not an absolute URI or its scheme is not accepted. A URI with the scheme http
    /// or https must have a host.
    pub fn parse(text: impl Into<Cow<'a, str>>) -> Result<Self, Error> {
        Self::checked(text.into()).ok_or_else(|| Error::context("", URI))
    }

    pub(crate) fn checked(text: Cow<'a, str>) -> Option<Self> {
        is_absolute_uri(&text).then_some(AbsoluteUri(text))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn text(&self) -> &Cow<'a, str> {
        &self.0
    }
}

/// Implements `TryFrom<&str>` by `parse`, and `Debug` without the content.
macro_rules! impl_checked_text {
    ($($checked:ident)*) => {
        $(
            impl<'a> TryFrom<&'a str> for $checked<'a> {
                type Error = Error;

                #[doc = concat!("Parses the text like [`", stringify!($checked), "::parse`].")]
                fn try_from(text: &'a str) -> Result<Self, Error> {
                    Self::parse(text)
                }
            }

            impl fmt::Debug for $checked<'_> {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(concat!(stringify!($checked), "(…)"))
                }
            }
        )*
    };
}

impl_checked_text! { JsonObject StoredPayment Balance InfoDetails AbsoluteUri }
