//! Deserialization of the policy with serde, for callers that store it in another format than JSON.
//! The input is copied into the JSON form first, so that there is one grammar and one check. The
//! only difference is `-0`, an integer in JSON that serde_json parses as a float.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use zeroize::Zeroizing;

use super::Policy;
use crate::json::writer::Writer;

impl<'de> serde::Deserialize<'de> for Policy {
    /// Deserializes the members of the JSON form. An unknown or duplicate member is an error.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Overwritten on drop, because it may contain the fingerprint key.
        let mut json = Zeroizing::new(Vec::new());
        JsonCopier(&mut Writer::new(&mut json)).deserialize(deserializer)?;
        Policy::from_json(&json).map_err(D::Error::custom)
    }
}

/// Writes any input as JSON, including duplicate members. The parser of the format limits the
/// depth.
struct JsonCopier<'w, 'o>(&'w mut Writer<'o>);

impl JsonCopier<'_, '_> {
    fn write<E>(self, fill: impl FnOnce(&mut Writer<'_>)) -> Result<(), E> {
        fill(self.0);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for JsonCopier<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonCopier<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a policy")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.write(|w| w.bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.write(|w| w.signed(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.write(|w| w.integer(value))
    }

    // No setting accepts a fraction, so a float is written as a fraction, which is rejected at its
    // path.
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        self.write(|w| w.raw("0.5"))
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.write(|w| w.string(text))
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.write(|w| w.null())
    }

    fn visit_none<E>(self) -> Result<(), E> {
        self.write(|w| w.null())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut result = Ok(());
        self.0.array(|w| {
            result = (|| {
                while items.next_element_seed(JsonCopier(w))?.is_some() {}
                Ok(())
            })();
        });
        result
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut result = Ok(());
        self.0.object(|w| {
            result = (|| {
                while let Some(name) = members.next_key::<String>()? {
                    members.next_value_seed(JsonCopier(w.foreign_name(&name)))?;
                }
                Ok(())
            })();
        });
        result
    }
}
