//! Reading of contexts and policies, which the caller supplies. An invalid member is an [`Error`] with its JSON Pointer.

use alloc::borrow::Cow;

use uuid::Uuid;

use crate::error::{Error, ErrorCode};
use crate::json::{
    FieldPresence, JsonStr, ObjectSchema, ParseError, PathSegment, Root, Value, field_of, integer_value, members, read,
};
use crate::money::{Amount, Currency};
use crate::report::{Pointer, path_by};
use crate::types::timestamp::Timestamp;

/// The accepted levels of objects and arrays in a context or policy. The limit is high, because a stored payment may nest.
pub(crate) const DEPTH: usize = 128;

pub(crate) const REQUIRED: &str = "required";
const REQUIRED_OR_NULL: &str = "required: null if there is none";
pub(crate) const UNKNOWN: &str = "no such member";
pub(crate) const TEXT: &str = "expected a string";
const BOOLEAN: &str = "expected true or false";
pub(crate) const OBJECT: &str = "expected an object";
/// The message for more levels than `DEPTH`.
pub(crate) const TOO_DEEP: &str = "nested deeper than 128 levels";
const _: () = assert!(DEPTH == 128);
pub(crate) const URI: &str = "expected an absolute URI, whose scheme is not javascript, data, vbscript or file";
const INTEGER: &str = "expected a whole number";
pub(crate) const OUT_OF_RANGE: &str = "expected a whole number from 0 to 2^53-1";
pub(crate) const DECIMAL: &str = "expected a decimal string of at most 28 digits";
const TIMESTAMP: &str = "expected an RFC 3339 instant with T, in the years 0000 to 9999 of UTC";
const UUID: &str = "expected a UUID: 8-4-4-4-12 hex digits";
pub(crate) const CURRENCY: &str = "expected an active ISO 4217 code of a currency";

/// The members of a context or policy, by slot.
pub(crate) struct InputObject<'a, 's> {
    slots: &'s [Value<'a>],
    schema: &'static ObjectSchema,
    code: ErrorCode,
}

impl<'a, 's> InputObject<'a, 's> {
    /// Reads `bytes` by `schema`. Unknown and duplicate members are errors, because the caller wrote them.
    pub(crate) fn read(
        bytes: &'a [u8],
        schema: &'static ObjectSchema,
        slots: &'s mut [Value<'a>],
        code: ErrorCode,
    ) -> Result<Self, Error> {
        let text = core::str::from_utf8(bytes).map_err(|_| Error::new(ErrorCode::Utf8, "", "expected UTF-8"))?;
        let mut presence = FieldPresence::default();
        match read(text, DEPTH, schema, slots, &mut presence) {
            Ok(Root::Object) => {}
            Ok(Root::Other(_)) => return Err(Error::new(code, "", OBJECT)),
            Err(ParseError::TooDeep) => return Err(Error::new(code, "", TOO_DEEP)),
            Err(ParseError::Syntax(at)) => return Err(Error::json_syntax(code, bytes, at)),
        };
        let input = InputObject { slots, schema, code };
        if let Some(unknown) = presence.unknown.first() {
            return Err(Error::new(code, Pointer::unknown(unknown).to_text(), UNKNOWN));
        }
        if let Some(slot) = presence.first_duplicate() {
            return Err(input.error_at(slot, "named twice"));
        }
        Ok(input)
    }

    /// Returns an error at the member of `slot`.
    #[cold]
    #[inline(never)]
    pub(crate) fn error_at(&self, slot: usize, message: &'static str) -> Error {
        Error::new(self.code, self.pointer(slot), message)
    }

    /// Returns an error at the path `segments` below the member of `slot`.
    pub(crate) fn error_below(&self, slot: usize, segments: &[PathSegment<'_>], message: &'static str) -> Error {
        Error::new(self.code, path_by(self.pointer(slot), segments), message)
    }

    fn pointer(&self, slot: usize) -> &'static str {
        field_of(self.schema, slot).map_or("", |field| field.pointer)
    }

    pub(crate) fn value(&self, slot: usize) -> Value<'a> {
        self.slots.get(slot).copied().unwrap_or_default()
    }

    /// Returns `value`, or an error if the member of `slot` is missing.
    pub(crate) fn require<T>(&self, slot: usize, value: Option<T>) -> Result<T, Error> {
        value.ok_or_else(|| self.error_at(slot, REQUIRED))
    }

    /// Fails if the member is absent. A null is accepted, because it states the absence explicitly.
    pub(crate) fn need_or_null(&self, slot: usize) -> Result<(), Error> {
        match self.value(slot) {
            Value::Absent => Err(self.error_at(slot, REQUIRED_OR_NULL)),
            _ => Ok(()),
        }
    }

    /// Returns the text of an object, if it is present. The members that its schema names have their own slots.
    pub(crate) fn object(&self, slot: usize) -> Result<Option<&'a str>, Error> {
        match self.value(slot) {
            Value::Object(raw) => Ok(Some(raw)),
            Value::Absent | Value::Null => Ok(None),
            _ => Err(self.error_at(slot, OBJECT)),
        }
    }

    pub(crate) fn array(&self, slot: usize) -> Result<Option<&'a str>, Error> {
        match self.value(slot) {
            Value::Array(raw) => Ok(Some(raw)),
            Value::Absent | Value::Null => Ok(None),
            _ => Err(self.error_at(slot, "expected an array")),
        }
    }

    /// Returns the members of an object without a schema.
    pub(crate) fn members(
        &self,
        slot: usize,
    ) -> Result<impl Iterator<Item = (JsonStr<'a>, Value<'a>)> + use<'a>, Error> {
        Ok(self.object(slot)?.map(members).into_iter().flatten())
    }

    fn raw_text(&self, slot: usize) -> Result<Option<JsonStr<'a>>, Error> {
        match self.value(slot) {
            Value::String(text) => Ok(Some(text)),
            Value::Absent | Value::Null => Ok(None),
            _ => Err(self.error_at(slot, TEXT)),
        }
    }

    pub(crate) fn text(&self, slot: usize) -> Result<Option<Cow<'a, str>>, Error> {
        Ok(self.raw_text(slot)?.map(JsonStr::to_cow))
    }

    pub(crate) fn bool(&self, slot: usize) -> Result<Option<bool>, Error> {
        match self.value(slot) {
            Value::Bool(value) => Ok(Some(value)),
            Value::Absent | Value::Null => Ok(None),
            _ => Err(self.error_at(slot, BOOLEAN)),
        }
    }

    /// Returns an integer. The function that uses it checks the range.
    pub(crate) fn integer(&self, slot: usize) -> Result<Option<u64>, Error> {
        match self.value(slot) {
            Value::Absent | Value::Null => Ok(None),
            Value::Number(digits) => match integer_value(digits) {
                Some(number) => Ok(Some(number)),
                None if digits.starts_with('-') || digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                    Err(self.error_at(slot, OUT_OF_RANGE))
                }
                None => Err(self.error_at(slot, INTEGER)),
            },
            _ => Err(self.error_at(slot, INTEGER)),
        }
    }

    /// Returns the result of `parse` for a string.
    pub(crate) fn parsed<T>(
        &self,
        slot: usize,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(text) = self.raw_text(slot)? else { return Ok(None) };
        parse(&text.decoded()).map(Some).ok_or_else(|| self.error_at(slot, expected))
    }

    pub(crate) fn uuid(&self, slot: usize) -> Result<Option<Uuid>, Error> {
        self.parsed(slot, UUID, parse_uuid)
    }

    pub(crate) fn timestamp(&self, slot: usize) -> Result<Option<Timestamp>, Error> {
        self.parsed(slot, TIMESTAMP, Timestamp::parse)
    }

    pub(crate) fn amount(&self, slot: usize) -> Result<Option<Amount>, Error> {
        self.parsed(slot, DECIMAL, |text| Amount::parse(text).ok())
    }

    pub(crate) fn currency(&self, slot: usize) -> Result<Option<Currency>, Error> {
        self.parsed(slot, CURRENCY, |code| Currency::from_code(code).filter(|currency| currency.is_fiat()))
    }
}

/// Parses a UUID of 8-4-4-4-12 hex digits in either case. The parser of the crate accepts braces and plain hex digits as
/// well.
pub(crate) fn parse_uuid(text: &str) -> Option<Uuid> {
    let hyphens = [8, 13, 18, 23];
    let grammar = text.len() == 36
        && text.bytes().enumerate().all(
            |(at, byte)| {
                if hyphens.contains(&at) { byte == b'-' } else { byte.is_ascii_hexdigit() }
            },
        );
    if grammar { Uuid::try_parse(text).ok() } else { None }
}

/// Returns a plain-text input as text, or an error at `path` if it is not UTF-8.
pub(crate) fn plain<'a>(bytes: &'a [u8], path: &'static str) -> Result<&'a str, Error> {
    core::str::from_utf8(bytes).map_err(|_| Error::new(ErrorCode::Utf8, path, "expected UTF-8"))
}

/// Parses the timestamp in a plain-text input.
pub(crate) fn plain_timestamp(bytes: &[u8], path: &'static str) -> Result<Timestamp, Error> {
    Timestamp::parse(plain(bytes, path)?).ok_or_else(|| Error::context(path, TIMESTAMP))
}
