//! Texts supplied by the caller that are validated on construction.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use crate::card::document::CardDocument;
use crate::error::{Error, ErrorKind};
use crate::input::{REPEATED, REQUIRED, TEXT, URI, check_object};
use crate::json::{JsonStr, PathSegment, Value, member, members};
use crate::report::{Pointer, path_by};
use crate::types::uri::is_absolute_uri;
use crate::types::uuid::parse_uuid;
use crate::util::debug::impl_opaque_debug;

/// The text of one JSON object that the caller has stored. Debug output does not show it.
///
/// ```
/// use payspec::JsonObject;
///
/// assert_eq!(JsonObject::try_from(" {\"state\": \"idle\"}\n")?.as_str(), "{\"state\": \"idle\"}");
/// assert_eq!(JsonObject::try_from("{\"state\":").unwrap_err().message(), "invalid JSON at line 1, column 10");
/// assert_eq!(JsonObject::try_from("[]").unwrap_err().message(), "expected an object");
/// # Ok::<(), payspec::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct JsonObject<'a>(pub(super) &'a str);

impl<'a> JsonObject<'a> {
    /// Returns the text.
    pub fn as_str(self) -> &'a str {
        self.0
    }
}

impl<'a> TryFrom<&'a str> for JsonObject<'a> {
    type Error = Error;

    /// Checks that the text is one JSON object, with or without whitespace around it. The text is
    /// not copied.
    ///
    /// # Errors
    /// Returns a context error if the text is not a JSON object, or nests deeper than the 128
    /// levels of a context. In a JSON context, the levels around the object count as well: every
    /// binding accepts a stored payment of 125 levels.
    fn try_from(text: &'a str) -> Result<Self, Error> {
        check_object(text, ErrorKind::Context)?;
        Ok(JsonObject(text.trim_matches([' ', '\t', '\r', '\n'])))
    }
}

/// Returns the string in a required member of the object.
fn string_member<'a>(object: JsonObject<'a>, name: &'static str) -> Result<JsonStr<'a>, Error> {
    let error = |message| Err(Error::context(["/", name].concat(), message));
    match member(object.as_str(), name) {
        Value::String(text) => Ok(text),
        Value::Absent => error(REQUIRED),
        _ => error(TEXT),
    }
}

/// A payment that the caller has stored: a JSON object with a `uid`. Debug output does not show it.
///
/// ```
/// use payspec::StoredPayment;
///
/// assert!(StoredPayment::try_from(r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","state":"idle"}"#).is_ok());
/// assert_eq!(StoredPayment::try_from(r#"{"state":"idle"}"#).unwrap_err().path(), "/uid");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct StoredPayment<'a>(JsonObject<'a>);

impl<'a> StoredPayment<'a> {
    /// Returns the object.
    pub fn object(self) -> JsonObject<'a> {
        self.0
    }

    /// Returns the `uid` if it is a UUID. Another text may contain card data, so no answer repeats
    /// it.
    pub(crate) fn uid(self) -> Option<String> {
        let uid = string_member(self.0, "uid").ok()?.to_cow();
        parse_uuid(&uid)?;
        Some(uid.into_owned())
    }

    /// Returns whether the payment has the requested `uid`. For two UUIDs, comparing the texts
    /// without case compares their values.
    pub(super) fn has_uid(self, requested: &str) -> bool {
        string_member(self.0, "uid")
            .is_ok_and(|uid| uid.with_decoded(|uid| uid.eq_ignore_ascii_case(requested)))
    }
}

impl<'a> TryFrom<JsonObject<'a>> for StoredPayment<'a> {
    type Error = Error;

    /// Checks that the object has a `uid`.
    ///
    /// # Errors
    /// Returns a context error if `uid` is missing or not a string.
    fn try_from(object: JsonObject<'a>) -> Result<Self, Error> {
        string_member(object, "uid").map(|_| StoredPayment(object))
    }
}

/// The balance of a partner: a JSON object with a text `cur` (§2.3). Debug output does not show it.
///
/// ```
/// use payspec::Balance;
///
/// assert!(Balance::try_from(r#"{"cur":"USDT","available":"12.5"}"#).is_ok());
/// assert_eq!(Balance::try_from(r#"{"available":"12.5"}"#).unwrap_err().path(), "/cur");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Balance<'a>(JsonObject<'a>);

impl<'a> TryFrom<JsonObject<'a>> for Balance<'a> {
    type Error = Error;

    /// Checks that the object has a text `cur`.
    ///
    /// # Errors
    /// Returns a context error if `cur` is missing or not a string.
    fn try_from(object: JsonObject<'a>) -> Result<Self, Error> {
        string_member(object, "cur").map(|_| Balance(object))
    }
}

/// Further members of `info` in host-to-host mode, such as the bank, the recipient, or the text of
/// a QR code. Debug output does not show them.
///
/// ```
/// use payspec::InfoDetails;
///
/// assert!(InfoDetails::try_from(r#"{"bank":"Example","phone":"+79990000000"}"#).is_ok());
/// assert_eq!(InfoDetails::try_from(r#"{"type":"card"}"#).unwrap_err().path(), "/type");
/// assert_eq!(InfoDetails::try_from(r#"{"card":"4111111111111111"}"#).unwrap_err().path(), "/card");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct InfoDetails<'a>(JsonObject<'a>);

/// The members of `info` that creation writes (§2.1).
const INFO_MEMBERS: [&str; 2] = ["type", "card_number"];

impl<'a> TryFrom<JsonObject<'a>> for InfoDetails<'a> {
    type Error = Error;

    /// Checks the members of the object.
    ///
    /// # Errors
    /// Returns a context error if the object repeats a member or contains an unmasked card number.
    /// The members `type` and `card_number` are errors as well, because the library writes them.
    fn try_from(object: JsonObject<'a>) -> Result<Self, Error> {
        let text = object.as_str();
        if let Some(name) = INFO_MEMBERS
            .into_iter()
            .find(|name| !matches!(member(text, name), Value::Absent))
        {
            return Err(Error::context(
                ["/", name].concat(),
                "reserved: the library writes this member",
            ));
        }
        let mut names: Vec<JsonStr<'_>> = members(text).map(|(name, _)| name).collect();
        names.sort_unstable_by(|one, other| one.compare(*other));
        if let Some((name, _)) = names
            .iter()
            .zip(names.iter().skip(1))
            .find(|(one, next)| one.compare(**next).is_eq())
        {
            return Err(Error::context(
                path_by("", &[PathSegment::Key(*name)]),
                REPEATED,
            ));
        }
        let document = CardDocument::read(text);
        if let Some(start) = document.unmasked_numbers().next() {
            let path = Pointer::inside("", text, start).to_text(&mut None);
            return Err(Error::context(path, "contains an unmasked card number"));
        }
        Ok(InfoDetails(object))
    }
}

/// An absolute URI of RFC 3986, such as the address of a payment page or a receipt. Any scheme
/// except javascript, data, vbscript, and file is accepted, because bank applications have their
/// own. Debug output does not show the URI.
///
/// ```
/// use payspec::AbsoluteUri;
///
/// assert_eq!(AbsoluteUri::try_from("https://pay.example/7")?.as_str(), "https://pay.example/7");
/// assert!(AbsoluteUri::try_from("bank100000000111://qr.example/7").is_ok());
/// assert!(AbsoluteUri::try_from("javascript:alert(1)").is_err());
/// assert!(AbsoluteUri::try_from("/7").is_err());
/// # Ok::<(), payspec::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct AbsoluteUri<'a>(Cow<'a, str>);

impl<'a> AbsoluteUri<'a> {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn text(&self) -> &Cow<'a, str> {
        &self.0
    }
}

impl<'a> TryFrom<Cow<'a, str>> for AbsoluteUri<'a> {
    type Error = Error;

    /// Checks that the text is an absolute URI.
    ///
    /// # Errors
    /// Returns a context error if the text is not an absolute URI or its scheme is not accepted. A
    /// URI with the scheme http or https must have a host.
    fn try_from(text: Cow<'a, str>) -> Result<Self, Error> {
        if is_absolute_uri(&text) {
            Ok(AbsoluteUri(text))
        } else {
            Err(Error::context("", URI))
        }
    }
}

impl<'a> TryFrom<&'a str> for AbsoluteUri<'a> {
    type Error = Error;

    /// Checks that the text is an absolute URI, without copying it.
    fn try_from(text: &'a str) -> Result<Self, Error> {
        Cow::Borrowed(text).try_into()
    }
}

/// Implements what objects with an invariant of their own have in common.
macro_rules! impl_checked_object {
    ($($checked:ident)*) => {
        $(
            impl<'a> $checked<'a> {
                /// Returns the text of the object.
                pub fn as_str(self) -> &'a str {
                    self.0.as_str()
                }
            }

            impl<'a> TryFrom<&'a str> for $checked<'a> {
                type Error = Error;

                /// Checks that the text is a [`JsonObject`], and its members. The text is not
                /// copied.
                fn try_from(text: &'a str) -> Result<Self, Error> {
                    JsonObject::try_from(text)?.try_into()
                }
            }
        )*
    };
}

impl_checked_object! { StoredPayment Balance InfoDetails }

impl_opaque_debug! {
    JsonObject<'_> "(…)"
    StoredPayment<'_> "(…)"
    Balance<'_> "(…)"
    InfoDetails<'_> "(…)"
    AbsoluteUri<'_> "(…)"
}
