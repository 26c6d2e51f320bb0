//! Texts of the host's own that are checked once, where they come in.

use alloc::borrow::Cow;
use core::fmt;

use crate::error::Error;
use crate::host::{DEPTH, NO_JSON, OBJECT, TOO_DEEP, URI};
use crate::read::{Fault, Root, walk};
use crate::uri::is_absolute_uri;

/// The text of one JSON object that the host has stored. Debug output does not show it.
///
/// ```
/// use payspec::JsonObject;
///
/// assert_eq!(JsonObject::parse(" {\"state\": \"idle\"}\n")?.as_str(), "{\"state\": \"idle\"}");
/// assert_eq!(JsonObject::parse("{\"state\":").unwrap_err().message(), "expected one JSON text");
/// assert_eq!(JsonObject::parse("[]").unwrap_err().message(), "expected an object");
/// # Ok::<(), payspec::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct JsonObject<'a>(&'a str);

impl<'a> JsonObject<'a> {
    /// Takes a text that is one JSON object, blanks round it or not. It is walked through once and not copied.
    ///
    /// # Errors
    /// A context error where it is none, or nests deeper than the 128 levels of a context. In a
    /// context in JSON the levels round it count as well: a stored payment of 125 is taken by every door.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        match walk(text, DEPTH) {
            Ok(Root::Object) => Ok(JsonObject(text.trim_matches([' ', '\t', '\r', '\n']))),
            Ok(Root::Other(_)) => Err(Error::context("", OBJECT)),
            Err(Fault::TooDeep) => Err(Error::context("", TOO_DEEP)),
            Err(Fault::Syntax(_)) => Err(Error::context("", NO_JSON)),
        }
    }

    /// The value of a context that was read as a whole.
    pub(crate) fn unchecked(text: &'a str) -> Self {
        JsonObject(text)
    }

    /// The text.
    pub fn as_str(self) -> &'a str {
        self.0
    }
}

impl fmt::Debug for JsonObject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JsonObject(…)")
    }
}

impl<'a> TryFrom<&'a str> for JsonObject<'a> {
    type Error = Error;

    /// [`JsonObject::parse`].
    fn try_from(text: &'a str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

/// An absolute URI of RFC 3986 with a host, such as the address of a payment page or a receipt. Debug output does not
/// show it.
///
/// ```
/// use payspec::AbsoluteUri;
///
/// assert_eq!(AbsoluteUri::parse("https://pay.example/7")?.as_str(), "https://pay.example/7");
/// assert!(AbsoluteUri::parse("/7").is_err());
/// # Ok::<(), payspec::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct AbsoluteUri<'a>(Cow<'a, str>);

impl<'a> AbsoluteUri<'a> {
    /// Takes a text that is one, as it stands.
    ///
    /// # Errors
    /// A context error where it is none.
    pub fn parse(text: impl Into<Cow<'a, str>>) -> Result<Self, Error> {
        Self::checked(text.into()).ok_or_else(|| Error::context("", URI))
    }

    /// A text that was found to be one.
    pub(crate) fn unchecked(text: Cow<'a, str>) -> Self {
        AbsoluteUri(text)
    }

    pub(crate) fn checked(text: Cow<'a, str>) -> Option<Self> {
        is_absolute_uri(&text).then_some(AbsoluteUri(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn text(&self) -> &Cow<'a, str> {
        &self.0
    }
}

impl fmt::Debug for AbsoluteUri<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AbsoluteUri(…)")
    }
}

impl<'a> TryFrom<&'a str> for AbsoluteUri<'a> {
    type Error = Error;

    /// [`AbsoluteUri::parse`].
    fn try_from(text: &'a str) -> Result<Self, Error> {
        Self::parse(text)
    }
}
