//! The policy by way of serde, for hosts that keep it in a file of their own format. It is copied into the JSON form
//! first, so that there is one grammar, and one place that judges it. But for `-0`: JSON has it, serde_json makes a float of it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use zeroize::Zeroizing;

use super::Policy;
use crate::json::writer::Writer;

impl<'de> serde::Deserialize<'de> for Policy {
    /// From the members of the JSON form. Unknown and repeated ones are refused.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The fingerprint key may be in it.
        let mut json = Zeroizing::new(Vec::new());
        Copy(&mut json).deserialize(deserializer)?;
        Policy::from_json(&json).map_err(D::Error::custom)
    }
}

/// Writes whatever comes as JSON, repeated members too. How deep it nests is for the format's reader to limit.
struct Copy<'o>(&'o mut Vec<u8>);

impl Copy<'_> {
    fn write<E>(self, fill: impl FnOnce(&mut Writer<'_>)) -> Result<(), E> {
        fill(&mut Writer::within(self.0));
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Copy<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Copy<'_> {
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

    // No policy has a fraction: any will be refused, at its place.
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
        Writer::within(self.0).array(|w| {
            result = (|| {
                while items.next_element_seed(Copy(w.buffer()))?.is_some() {}
                Ok(())
            })();
        });
        result
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut result = Ok(());
        Writer::within(self.0).object(|w| {
            result = (|| {
                while let Some(name) = members.next_key::<String>()? {
                    w.foreign_name(&name);
                    members.next_value_seed(Copy(w.buffer()))?;
                }
                Ok(())
            })();
        });
        result
    }
}
