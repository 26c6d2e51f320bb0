//! Enums whose variants have a name in JSON, and text newtypes: one macro for each trait that they
//! share.

use alloc::vec::Vec;

/// Declares an enum with the names of its variants.
///
/// For example,
///
/// ```text
/// string_enum! {
///     /// The direction of a refund.
///     Direction { In = "in", Out = "out" }
/// }
/// ```
///
/// expands to:
///
/// ```text
/// /// The direction of a refund.
/// #[derive(Clone, Copy, …)]
/// pub enum Direction { In, Out }
///
/// impl Direction {
///     pub const ALL: &[Direction] = &[Direction::In, Direction::Out];
///     pub const NAMES: &[&str] = &["in", "out"];
///     pub const fn name(self) -> &'static str { … }
///     pub(crate) fn from_name(name: &str) -> Option<Self> { … }
/// }
/// ```
///
/// and to `Display`, `FromStr`, `Serialize`, and `Deserialize` by the name.
macro_rules! string_enum {
    ($(#[$about:meta])* $kind:ident { $($(#[$doc:meta])* $variant:ident = $name:literal),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind { $($(#[$doc])* $variant),* }

        impl $kind {
            /// All variants, in order.
            pub const ALL: &'static [$kind] = &[$($kind::$variant),*];
            /// The names of the variants in JSON, in the same order.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Returns the name in JSON.
            pub const fn name(self) -> &'static str {
                match self { $($kind::$variant => $name),* }
            }

            /// Returns the variant with this name. Names are case-sensitive.
            #[inline]
            pub(crate) fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some($kind::$variant),)*
                    _ => None,
                }
            }
        }

        impl $crate::util::string_enum::StringEnum for $kind {
            const NAMES: &'static [&'static str] = $kind::NAMES;

            #[inline]
            fn is_name(text: &str) -> bool {
                Self::from_name(text).is_some()
            }

            #[inline]
            fn write_or_null(value: Option<Self>, out: &mut alloc::vec::Vec<u8>) {
                // The compiler sees the length of each text, so no copy is a call.
                match value {
                    $(Some($kind::$variant) => {
                        out.extend_from_slice(concat!("\"", $name, "\"").as_bytes());
                    })*
                    None => out.extend_from_slice(b"null"),
                }
            }
        }

        $crate::util::string_enum::impl_display_via_name! { $kind }
        $crate::util::string_enum::impl_from_str_via_name! { $kind }
    };
}

/// An enum whose variants have a name in JSON.
pub(crate) trait StringEnum: Sized {
    /// The names of the variants, in order.
    const NAMES: &'static [&'static str];

    /// Checks if a variant has this name.
    fn is_name(text: &str) -> bool;

    /// Appends the name as a JSON string, or `null`.
    fn write_or_null(value: Option<Self>, out: &mut Vec<u8>);
}

/// Implements `Display` and `Serialize` as the name in JSON.
macro_rules! impl_display_via_name {
    ($($named:ident)*) => {
        $(
            impl core::fmt::Display for $named {
                /// Writes the name in JSON.
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    f.pad(self.name())
                }
            }

            #[cfg(feature = "serde")]
            impl serde::Serialize for $named {
                /// Writes the name in JSON.
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.name())
                }
            }
        )*
    };
}

/// Implements `FromStr` and `Deserialize` from the name in JSON.
macro_rules! impl_from_str_via_name {
    ($($named:ident)*) => {
        $(
            impl core::str::FromStr for $named {
                type Err = $crate::util::string_enum::ParseEnumError;

                /// Parses the name in JSON. Names are case-sensitive.
                ///
                /// # Errors
                /// Returns an error for an unknown name. The error does not contain it.
                fn from_str(name: &str) -> Result<Self, Self::Err> {
                    Self::from_name(name).ok_or($crate::util::string_enum::ParseEnumError)
                }
            }

            #[cfg(feature = "serde")]
            impl<'de> serde::Deserialize<'de> for $named {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let expected = concat!("a name of ", stringify!($named));
                    $crate::util::serde_str::deserialize(deserializer, expected, Self::from_name)
                }
            }
        )*
    };
}

/// Implements comparison, `Display` and `Debug` for a text that is safe to print.
macro_rules! impl_str_newtype {
    ($($text:ident)*) => {
        $(
            impl AsRef<str> for $text {
                fn as_ref(&self) -> &str {
                    self.as_str()
                }
            }

            impl PartialEq<str> for $text {
                fn eq(&self, text: &str) -> bool {
                    self.as_str() == text
                }
            }

            impl core::fmt::Display for $text {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    f.pad(self.as_str())
                }
            }

            impl core::fmt::Debug for $text {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    f.write_str(self.as_str())
                }
            }
        )*
    };
}

pub(crate) use {impl_display_via_name, impl_from_str_via_name, impl_str_newtype, string_enum};

/// The text is not a known name. The error does not contain the input.
///
/// ```
/// use payspec::{Mode, ParseEnumError, State};
///
/// assert_eq!("not_fully".parse(), Ok(State::NotFully));
/// assert_eq!("p2p".parse::<Mode>(), Err(ParseEnumError));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a known name")]
pub struct ParseEnumError;
