//! Serializes types with a JSON form through serde: the same members in the same order as in
//! `write_json`.

use alloc::string::String;
use alloc::vec::Vec;

use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{Value, items, members};

/// Serializes a text that the library has written: one JSON object.
pub(crate) fn serialize_object<S: Serializer>(
    json: Vec<u8>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let json = String::from_utf8(json).map_err(S::Error::custom)?;
    Written(Value::Object(&json)).serialize(serializer)
}

/// Serializes a text with values of a caller, which are written unchanged. This needs `RawValue` of
/// serde_json.
#[cfg(feature = "serde_json")]
pub(crate) fn serialize_raw<S: Serializer>(
    json: Vec<u8>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let json = String::from_utf8(json).map_err(S::Error::custom)?;
    serde_json::value::RawValue::from_string(json)
        .map_err(S::Error::custom)?
        .serialize(serializer)
}

/// A JSON value that the library has written: its numbers are integers, and it nests a few levels.
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
            // The serializer keeps a copy in any case, so this one need not be wiped.
            Value::String(text) => serializer.serialize_str(&text.to_cow()),
            Value::Array(array) => {
                // Formats that write the length first need it here.
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

/// Implements `Serialize` as the members that `write_json` writes.
macro_rules! impl_serialize_via_json {
    ($(#[$about:meta])* $serialize:ident $named:ty) => {
        impl ::serde::Serialize for $named {
            /// Writes the JSON of `write_json`.
            $(#[$about])*
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut json = alloc::vec::Vec::new();
                self.write_json(&mut json);
                $crate::json::serialize::$serialize(json, serializer)
            }
        }
    };
}

pub(crate) use impl_serialize_via_json;
