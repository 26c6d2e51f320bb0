//! Reading of contexts and policies, which the caller supplies. An invalid member is an [`Error`]
//! with its JSON Pointer.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::marker::PhantomData;

use uuid::Uuid;

use crate::error::{Error, ErrorKind};
use crate::json::{
    Field, FieldId, FieldPresence, Integer, JsonStr, ObjectSchema, ParseError, PathSegment, Root,
    Value, bit, items, member, members, read, validate_syntax,
};
use crate::money::{Amount, Currency};
use crate::report::{Pointer, path_by};
use crate::schema::context::CONTEXT_SLOTS;
use crate::types::state::State;
use crate::types::timestamp::Timestamp;
use crate::types::uuid::parse_uuid;
use crate::util::bytes::utf8;

/// The accepted levels of objects and arrays in a context or policy. The limit is high, because a
/// stored payment may nest.
pub(crate) const DEPTH: usize = 128;

pub(crate) const REQUIRED: &str = "required";
pub(crate) const UNKNOWN: &str = "unknown member";
pub(crate) const REPEATED: &str = "repeated";
pub(crate) const TEXT: &str = "expected a string";
pub(crate) const OBJECT: &str = "expected an object";
/// The message for more levels than `DEPTH`.
pub(crate) const TOO_DEEP: &str = "nested deeper than 128 levels";
const _: () = assert!(DEPTH == 128);
pub(crate) const URI: &str =
    "expected an absolute URI whose scheme is not javascript, data, vbscript, or file";
const INTEGER: &str = "expected an integer";
pub(crate) const OUT_OF_RANGE: &str = "expected an integer from 0 to 2^53-1";
pub(crate) const DECIMAL: &str = "expected a decimal string of at most 28 digits";
const TIMESTAMP: &str = "expected an RFC 3339 timestamp with T, in the UTC years 0000 to 9999";
pub(crate) const CURRENCY: &str = "expected an active ISO 4217 code of a currency";

/// One member of a context or policy, present or not. Null counts as absent.
pub(crate) struct InputValue<'a> {
    pub(crate) value: Value<'a>,
    kind: ErrorKind,
    place: Place<'a>,
}

/// The place of a value in its context or policy.
enum Place<'a> {
    /// The JSON Pointer of a field, or of the whole input.
    Pointer(&'static str),
    /// A member of an object.
    Member {
        object: &'a InputValue<'a>,
        name: &'static str,
    },
}

/// Checks that a text is one JSON object.
pub(crate) fn check_object(text: &str, kind: ErrorKind) -> Result<(), Error> {
    check_root(validate_syntax(text, DEPTH), text, kind)
}

fn check_root(
    root: Result<Root<'_>, ParseError>,
    text: &str,
    kind: ErrorKind,
) -> Result<(), Error> {
    match root {
        Ok(Root::Object) => Ok(()),
        Ok(Root::Other(_)) => Err(Error::new(kind, "", OBJECT)),
        Err(ParseError::TooDeep) => Err(Error::new(kind, "", TOO_DEEP)),
        Err(ParseError::Syntax(at)) => Err(Error::json_syntax(kind, text.as_bytes(), at)),
    }
}

/// The members of a context, read by the schemas of the fields `F`.
pub(crate) struct ContextMembers<'a, F> {
    values: [Value<'a>; CONTEXT_SLOTS],
    fields: PhantomData<F>,
}

impl<'a, F: FieldId> ContextMembers<'a, F> {
    /// Reads the JSON form of a context.
    ///
    /// Unknown and repeated members are errors at every level, because the caller wrote them. The
    /// error is that of the repeated member that is first in the schemas or, without one, of the
    /// first unknown member. It precedes errors in values.
    pub(crate) fn read(json: &'a (impl AsRef<[u8]> + ?Sized)) -> Result<Self, Error> {
        const { assert!(F::ALL.len() <= CONTEXT_SLOTS) };
        Ok(ContextMembers {
            values: context_values(json.as_ref(), F::ROOT, F::ALL)?,
            fields: PhantomData,
        })
    }

    /// Returns a member.
    pub(crate) fn get(&self, field: F) -> InputValue<'a> {
        context_member(&self.values, F::ALL, field.slot())
    }
}

/// Returns the member in a slot. One function for all contexts, since each of them calls it often.
#[inline(never)]
fn context_member<'a>(
    values: &[Value<'a>],
    fields: &[&'static Field],
    slot: usize,
) -> InputValue<'a> {
    let pointer = fields.get(slot).map_or("", |field| field.pointer);
    InputValue {
        value: *values.get(slot).unwrap_or(&Value::Absent),
        kind: ErrorKind::Context,
        place: Place::Pointer(pointer),
    }
}

/// Returns the values of the fields by slot.
fn context_values<'a>(
    json: &'a [u8],
    root: &'static ObjectSchema,
    fields: &[&'static Field],
) -> Result<[Value<'a>; CONTEXT_SLOTS], Error> {
    let text = utf8(json).map_err(|_| Error::utf8(""))?;
    let mut values = [Value::Absent; CONTEXT_SLOTS];
    let mut presence = FieldPresence::default();
    // One pass by a schema instead of a pass for each level: -17 % of the instructions of
    // `create_payment` in USDT.
    let read = read(text, DEPTH, root, &mut values, &mut presence);
    check_root(read, text, ErrorKind::Context)?;
    if let Some((_, field)) = fields
        .iter()
        .enumerate()
        .find(|(slot, _)| presence.is_duplicate(*slot))
    {
        return Err(Error::context(field.pointer, REPEATED));
    }
    match presence.unknown.first() {
        Some(unknown) => Err(Error::context(
            Pointer::unknown(unknown).to_text(&mut None).into_owned(),
            UNKNOWN,
        )),
        None => Ok(values),
    }
}

impl<'a> InputValue<'a> {
    /// Parses the JSON form of a context or policy, which must be an object.
    pub(crate) fn root(json: &'a [u8], kind: ErrorKind) -> Result<Self, Error> {
        let text = utf8(json).map_err(|_| Error::utf8(""))?;
        check_object(text, kind)?;
        Ok(InputValue {
            value: Value::Object(text),
            kind,
            place: Place::Pointer(""),
        })
    }

    /// Checks that the members of an object have these names. Returns false if the value is absent.
    ///
    /// Unknown and repeated members are errors, because the caller wrote them.
    pub(crate) fn check_members(&self, names: &[&'static str]) -> Result<bool, Error> {
        let Some(object) = self.object()? else {
            return Ok(false);
        };
        let mut seen = 0;
        for (name, _) in members(object) {
            let known = names.iter().enumerate().find(|(_, known)| name.is(known));
            let Some((index, known)) = known else {
                return Err(self.error_at(&[PathSegment::Key(name)], UNKNOWN));
            };
            if seen & bit(index) != 0 {
                return Err(self.as_member(known, Value::Absent).error(REPEATED));
            }
            seen |= bit(index);
        }
        Ok(true)
    }

    /// Returns the member with this name.
    pub(crate) fn member(&self, name: &'static str) -> InputValue<'_> {
        let value = match self.value {
            Value::Object(raw) => member(raw, name),
            _ => Value::Absent,
        };
        self.as_member(name, value)
    }

    /// Returns a value as the member of this object with this name.
    pub(crate) fn as_member<'b>(&'b self, name: &'static str, value: Value<'b>) -> InputValue<'b> {
        InputValue {
            value,
            kind: self.kind,
            place: Place::Member { object: self, name },
        }
    }

    /// Returns the JSON Pointer. The names need no escapes.
    pub(crate) fn pointer(&self) -> String {
        match self.place {
            Place::Pointer(pointer) => pointer.into(),
            Place::Member { object, name } => [&*object.pointer(), "/", name].concat(),
        }
    }

    /// Returns an error at the member.
    #[cold]
    #[inline(never)]
    pub(crate) fn error(&self, message: &'static str) -> Error {
        Error::new(self.kind, self.pointer(), message)
    }

    /// Returns an error at a value in the member, to which the path `segments` leads.
    pub(crate) fn error_at(&self, segments: &[PathSegment<'_>], message: &'static str) -> Error {
        Error::new(self.kind, path_by(&self.pointer(), segments), message)
    }

    /// Returns the result of `read`, or an error if the member is missing.
    pub(crate) fn require<T>(
        &self,
        read: impl FnOnce(&Self) -> Result<Option<T>, Error>,
    ) -> Result<T, Error> {
        read(self)?.ok_or_else(|| self.error(REQUIRED))
    }

    /// Fails if the member is absent. A null is accepted, because it states the absence explicitly.
    pub(crate) fn require_or_null(&self) -> Result<(), Error> {
        match self.value {
            Value::Absent => Err(self.error("required: null if it does not exist")),
            _ => Ok(()),
        }
    }

    /// Returns the result of `read` for a value that is present, or an error if it is not of the
    /// expected type.
    pub(crate) fn typed<T>(
        &self,
        expected: &'static str,
        read: impl FnOnce(Value<'a>) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        if !self.value.is_present() {
            return Ok(None);
        }
        read(self.value)
            .map(Some)
            .ok_or_else(|| self.error(expected))
    }

    /// Returns the text of an object.
    pub(crate) fn object(&self) -> Result<Option<&'a str>, Error> {
        self.typed(OBJECT, |value| {
            if let Value::Object(raw) = value {
                Some(raw)
            } else {
                None
            }
        })
    }

    /// Returns the members of an object without a schema.
    pub(crate) fn members(
        &self,
    ) -> Result<impl Iterator<Item = (JsonStr<'a>, Value<'a>)> + use<'a>, Error> {
        Ok(members(self.object()?.unwrap_or("{}")))
    }

    /// Parses each item of an array of strings. An error contains the index of its item.
    pub(crate) fn list<T>(
        &self,
        expected: &'static str,
        parse: impl Fn(JsonStr<'a>) -> Option<T>,
    ) -> Result<Option<Vec<T>>, Error> {
        let array = self.typed("expected an array", |value| {
            if let Value::Array(raw) = value {
                Some(raw)
            } else {
                None
            }
        });
        let Some(array) = array? else { return Ok(None) };
        // A loop, since `collect` compiles to more code for each type of item.
        let mut parsed = Vec::new();
        for (index, item) in items(array).enumerate() {
            match item.text().and_then(&parse) {
                Some(item) => parsed.push(item),
                None => return Err(self.error_at(&[PathSegment::Index(index)], expected)),
            }
        }
        Ok(Some(parsed))
    }

    pub(crate) fn text(&self) -> Result<Option<Cow<'a, str>>, Error> {
        self.typed(TEXT, |value| value.text().map(JsonStr::to_cow))
    }

    pub(crate) fn bool(&self) -> Result<Option<bool>, Error> {
        self.typed("expected true or false", |value| {
            if let Value::Bool(is) = value {
                Some(is)
            } else {
                None
            }
        })
    }

    /// Returns an integer. The function that uses it checks the range.
    pub(crate) fn integer(&self) -> Result<Option<u64>, Error> {
        let number = self.typed(INTEGER, |value| {
            if let Value::Number(digits) = value {
                Some(digits)
            } else {
                None
            }
        })?;
        let Some(digits) = number else {
            return Ok(None);
        };
        match Integer::parse(digits) {
            Some(Integer::Fits(value)) => Ok(Some(value)),
            Some(Integer::OutOfRange) => Err(self.error(OUT_OF_RANGE)),
            None => Err(self.error(INTEGER)),
        }
    }

    /// Returns the result of `parse` for a string.
    pub(crate) fn parsed<T>(
        &self,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let Some(text) = self.typed(TEXT, Value::text)? else {
            return Ok(None);
        };
        text.with_decoded(parse)
            .map(Some)
            .ok_or_else(|| self.error(expected))
    }

    pub(crate) fn uuid(&self) -> Result<Option<Uuid>, Error> {
        self.parsed("expected a UUID: 8-4-4-4-12 hex digits", parse_uuid)
    }

    pub(crate) fn timestamp(&self) -> Result<Option<Timestamp>, Error> {
        self.parsed(TIMESTAMP, Timestamp::parse)
    }

    pub(crate) fn amount(&self) -> Result<Option<Amount>, Error> {
        self.parsed(DECIMAL, |text| Amount::parse(text).ok())
    }

    pub(crate) fn currency(&self) -> Result<Option<Currency>, Error> {
        self.parsed(CURRENCY, |code| {
            Currency::from_code(code).filter(|currency| currency.is_fiat())
        })
    }

    pub(crate) fn state(&self) -> Result<Option<State>, Error> {
        self.parsed("expected a state of the interface", State::from_name)
    }
}

/// Returns a plain-text input as text, or an error at `path` if it is not UTF-8.
pub(crate) fn plain_text<'a>(bytes: &'a [u8], path: &'static str) -> Result<&'a str, Error> {
    core::str::from_utf8(bytes).map_err(|_| Error::utf8(path))
}

/// Parses the timestamp in a plain-text input.
pub(crate) fn plain_timestamp(bytes: &[u8], path: &'static str) -> Result<Timestamp, Error> {
    Timestamp::parse(plain_text(bytes, path)?).ok_or_else(|| Error::context(path, TIMESTAMP))
}
