//! Deserializes typed values from strings. The errors contain the expected value and never the
//! actual one.

use core::fmt;

use serde::de::{Deserializer, Error, Visitor};

/// Deserializes a string that `parse` accepts. Any other value, such as a number, is an error that
/// names `expected`.
pub(crate) fn deserialize<'de, D, T, F>(
    deserializer: D,
    expected: &'static str,
    parse: F,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    F: FnOnce(&str) -> Option<T>,
{
    let text = StrVisitor { expected, parse };
    // `deserialize_str` of serde_json repeats a number in its error; `deserialize_any` calls the
    // visitor instead.
    if deserializer.is_human_readable() {
        deserializer.deserialize_any(text)
    } else {
        deserializer.deserialize_str(text)
    }
}

/// Implements `Serialize` by `Display` and `Deserialize` by `FromStr`.
macro_rules! impl_serde_via_str {
    ($type:ty, $expected:literal) => {
        impl serde::Serialize for $type {
            /// Writes the text of `Display` as a string.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            /// Reads a string. Any other value, such as a number, is an error.
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::util::serde_str::deserialize(deserializer, $expected, |text| {
                    text.parse().ok()
                })
            }
        }
    };
}

pub(crate) use impl_serde_via_str;

/// Implements the methods for values of other types. The default error of serde would repeat the
/// value.
macro_rules! reject {
    ($($visit:ident $type:ty),*) => {
        $(fn $visit<E: Error>(self, _: $type) -> Result<T, E> {
            Err(self.invalid_value())
        })*
    };
}

struct StrVisitor<F> {
    expected: &'static str,
    parse: F,
}

impl<F> StrVisitor<F> {
    fn invalid_value<E: Error>(&self) -> E {
        E::custom(format_args!("expected {}", self.expected))
    }
}

impl<T, F: FnOnce(&str) -> Option<T>> Visitor<'_> for StrVisitor<F> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let invalid_value = self.invalid_value();
        (self.parse)(text).ok_or(invalid_value)
    }

    reject! {
        visit_bool bool, visit_i64 i64, visit_u64 u64, visit_i128 i128, visit_u128 u128,
        visit_f64 f64
    }
}
