//! What has a JSON form goes through serde in that form: the same members in the same order, as `write_json` writes them.

use alloc::string::String;
use alloc::vec::Vec;

use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::value::RawValue;

use super::{Value, items, members};
use crate::error;
use crate::model::outcome::Outcome;
use crate::model::payment::Payment;
use crate::ops::fingerprint::Fingerprint;
use crate::ops::idempotency::IdempotencyCheck;
use crate::policy::Policy;
use crate::report::Report;
use crate::types::state::Transition;

/// A text of the library's own making: one JSON object.
fn serialize_object<S: Serializer>(json: Vec<u8>, serializer: S) -> Result<S::Ok, S::Error> {
    let json = String::from_utf8(json).map_err(S::Error::custom)?;
    Written(Value::Object(&json)).serialize(serializer)
}

/// JSON that the library has written: its numbers are whole, and it nests a few levels.
struct Written<'a>(Value<'a>);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Absent | Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(value),
            Value::Number(digits) => match digits.parse::<u64>() {
                Ok(number) => serializer.serialize_u64(number),
                Err(_) => serializer.serialize_i64(digits.parse().map_err(S::Error::custom)?),
            },
            // A part of an answer, which the serializer keeps.
            Value::String(text) => serializer.serialize_str(&text.to_cow()),
            Value::Array(array) => {
                // Formats that write the length first must know it.
                let mut sequence = serializer.serialize_seq(Some(items(array).count()))?;
                for item in items(array) {
                    sequence.serialize_element(&Written(item))?;
                }
                sequence.end()
            }
            Value::Object(object) => {
                let mut map = serializer.serialize_map(Some(members(object).count()))?;
                for (name, value) in members(object) {
                    map.serialize_entry(&*name.to_cow(), &Written(value))?;
                }
                map.end()
            }
        }
    }
}

impl Serialize for Fingerprint {
    /// Its digits, as text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

macro_rules! as_written {
    ($($(#[$about:meta])* $named:ty;)*) => {
        $(impl Serialize for $named {
            $(#[$about])*
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut json = Vec::new();
                self.write_json(&mut json);
                serialize_object(json, serializer)
            }
        })*
    };
}

as_written! {
    /// The members of [`Payment::write_json`].
    Payment<'_>;
    /// The members of [`Report::write_json`].
    Report<'_>;
    /// The members of [`Transition::write_json`].
    Transition;
    /// The members of [`IdempotencyCheck::write_json`].
    IdempotencyCheck;
    /// The members of [`error::Error::write_json`].
    error::Error;
    /// The members of [`Policy::write_json`], so the fingerprint key is null.
    Policy;
}

impl Serialize for Outcome<'_> {
    /// The bytes of [`Outcome::write_json`]: a stored body goes out as it stands. So this is for serde_json alone, as its
    /// [`RawValue`] is; for another format take the parts.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut json = Vec::new();
        self.write_json(&mut json);
        let json = String::from_utf8(json).map_err(S::Error::custom)?;
        RawValue::from_string(json).map_err(S::Error::custom)?.serialize(serializer)
    }
}
