//! The values of settings in JSON. Types and names are checked here, values in `Policy::check`.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::fingerprint_key::FingerprintKey;
use crate::error::Error;
use crate::input::{InputValue, REPEATED};
use crate::json::writer::Writer;
use crate::json::{PathSegment, Value, items};
use crate::money::{Amount, Currency, Rounding};
use crate::report::code::{Code, Severity};
use crate::types::state::{State, Transitions};

pub(super) const NO_CURRENCY: &str = "not a currency";

/// A value in the JSON form of the policy.
pub(super) trait Setting: Sized {
    /// Reads the value. Returns `None` to keep the default if the member is absent or null; an
    /// optional setting, whose default is `None`, returns `Some(None)`. `expected` is the message
    /// for an invalid one.
    fn read(input: &InputValue<'_>, expected: &'static str) -> Result<Option<Self>, Error>;

    /// Replaces the value by that of a member of the object, unless it is absent or null.
    #[inline(never)]
    fn update_member(
        &mut self,
        object: &InputValue<'_>,
        name: &'static str,
        expected: &'static str,
    ) -> Result<(), Error> {
        self.update(&object.member(name), expected)
    }

    /// Replaces the value, unless the new one is absent or null.
    fn update(&mut self, input: &InputValue<'_>, expected: &'static str) -> Result<(), Error> {
        if let Some(value) = Self::read(input, expected)? {
            *self = value;
        }
        Ok(())
    }

    fn write(&self, w: &mut Writer<'_>);

    /// Checks if the member is left out of the JSON form.
    fn is_absent(&self) -> bool {
        false
    }
}

/// Declares objects of settings: for each member a public field with its default, and the message
/// for an invalid value.
macro_rules! settings {
    ($($(#[$about:meta])* $object:ident {
        $($(#[$doc:meta])* $field:ident: $type:ty $(= $default:expr)? $(=> $expected:expr)?,)*
    })*) => {
        $(
            $(#[$about])*
            #[cfg_attr(feature = "serde", derive(serde::Serialize))]
            #[non_exhaustive]
            pub struct $object {
                $(
                    $(#[$doc])*
                    #[cfg_attr(
                        feature = "serde",
                        serde(skip_serializing_if = "Setting::is_absent")
                    )]
                    pub $field: $type,
                )*
            }

            impl Default for $object {
                fn default() -> Self {
                    $object { $($field: settings!(@value $($default)?),)* }
                }
            }

            impl Setting for $object {
                fn read(input: &InputValue<'_>, expected: &'static str) -> Result<Option<Self>, Error> {
                    let mut object = $object::default();
                    object.update(input, expected)?;
                    Ok(input.value.is_present().then_some(object))
                }

                // In place: an object that is read and then moved takes more code.
                fn update(&mut self, input: &InputValue<'_>, _: &'static str) -> Result<(), Error> {
                    if input.check_members(&[$(stringify!($field)),*])? {
                        $(self.$field.update_member(input, stringify!($field), settings!(@value $($expected)?))?;)*
                    }
                    Ok(())
                }

                fn write(&self, w: &mut Writer<'_>) {
                    w.object(|w| {
                        $(if !self.$field.is_absent() {
                            self.$field.write(w.name(stringify!($field)));
                        })*
                    });
                }
            }
        )*
    };
    (@value) => { Default::default() };
    (@value $value:expr) => { $value };
}

pub(super) use settings;

/// Implements [`Setting`] for a value by expressions that read and write it, and a function that
/// checks if it is left out.
macro_rules! impl_setting {
    (
        $type:ty,
        |$input:ident, $expected:pat_param| $read:expr,
        |$value:pat_param, $writer:ident| $write:expr $(, $is_absent:expr)?
    ) => {
        impl Setting for $type {
            fn read($input: &InputValue<'_>, $expected: &'static str) -> Result<Option<Self>, Error> {
                $read
            }

            fn write(&self, $writer: &mut Writer<'_>) {
                let $value = self;
                $write;
            }

            $(fn is_absent(&self) -> bool {
                $is_absent(self)
            })?
        }
    };
}

pub(super) use impl_setting;

impl_setting!(u64, |input, _| input.integer(), |number, w| w
    .integer(*number));
impl_setting!(
    u32,
    |input, _| Ok(input
        .integer()?
        .map(|number| u32::try_from(number).unwrap_or(u32::MAX))),
    |number, w| w.integer(*number)
);
impl_setting!(
    Severity,
    |input, expected| input.typed(expected, |value| value.parsed(Severity::from_name)),
    |severity, w| w.string(severity.name())
);
impl_setting!(
    Rounding,
    |input, expected| input.parsed(expected, Rounding::from_name),
    |rounding, w| w.string(rounding.name())
);
impl_setting!(
    Vec<String>,
    |input, expected| input.list(expected, |text| Some(text.to_cow().into_owned())),
    |texts, w| w.strings(texts.iter().map(String::as_str))
);
impl_setting!(
    Option<Vec<Currency>>,
    |input, expected| input
        .list(expected, |code| code.with_decoded(Currency::from_code))
        .map(Some),
    |currencies, w| w.strings(currencies.iter().flatten().map(|currency| currency.code())),
    Option::is_none
);
impl_setting!(
    Option<Amount>,
    |input, expected| input
        .typed(expected, |value| value.parsed(|text| text.parse().ok()))
        .map(Some),
    |amount, w| w.plain(|out| amount.iter().for_each(|amount| amount.write_text(out))),
    Option::is_none
);
// The key is a secret, so null is written.
impl_setting!(
    Option<FingerprintKey>,
    |input, expected| input.parsed(expected, FingerprintKey::from_hex).map(Some),
    |_, w| w.null()
);
impl_setting!(
    Transitions,
    |input, expected| transitions(input, expected),
    |transitions, w| match transitions {
        Transitions::Open => w.string("open"),
        Transitions::Conventional => w.string("conventional"),
        Transitions::List(pairs) => w.array(|w| {
            pairs
                .iter()
                .for_each(|(from, to)| w.strings([from.name(), to.name()]));
        }),
    }
);

/// Implements [`Setting`] for maps with this type of key, by the functions that convert it from and
/// to its name.
macro_rules! impl_map_setting {
    ($key:ident $from_name:ident $name:ident $unknown:expr) => {
        impl<V: Setting> Setting for BTreeMap<$key, V> {
            fn read(input: &InputValue<'_>, expected: &'static str) -> Result<Option<Self>, Error> {
                let mut map = BTreeMap::new();
                for (name, json) in input.members()? {
                    let unknown = || input.error_at(&[PathSegment::Key(name)], $unknown);
                    let key = name.with_decoded($key::$from_name).ok_or_else(unknown)?;
                    let entry = input.as_member(key.$name(), json);
                    let value = V::read(&entry, expected)?.ok_or_else(|| entry.error(expected))?;
                    if map.insert(key, value).is_some() {
                        return Err(entry.error(REPEATED));
                    }
                }
                Ok(Some(map))
            }

            fn write(&self, w: &mut Writer<'_>) {
                w.object(|w| {
                    self.iter()
                        .for_each(|(key, value)| value.write(w.name(key.$name())))
                });
            }
        }
    };
}

impl_map_setting! { Code from_name name "not a code of a rule" }
impl_map_setting! { Currency from_code code NO_CURRENCY }

fn transitions(
    input: &InputValue<'_>,
    expected: &'static str,
) -> Result<Option<Transitions>, Error> {
    let array = match input.value {
        Value::Absent | Value::Null => return Ok(None),
        Value::String(text) if text.is("open") => return Ok(Some(Transitions::Open)),
        Value::String(text) if text.is("conventional") => {
            return Ok(Some(Transitions::Conventional));
        }
        Value::Array(array) => array,
        _ => return Err(input.error(expected)),
    };
    let mut pairs = Vec::new();
    for (index, item) in items(array).enumerate() {
        pairs.push(pair_of_states(input, PathSegment::Index(index), item)?);
    }
    Ok(Some(Transitions::List(pairs)))
}

fn pair_of_states(
    input: &InputValue<'_>,
    index: PathSegment<'_>,
    pair: Value<'_>,
) -> Result<(State, State), Error> {
    let error =
        |segments: &[PathSegment<'_>]| input.error_at(segments, "expected a pair of states");
    let Value::Array(pair) = pair else {
        return Err(error(&[index]));
    };
    let mut states = Vec::new();
    for (end, value) in items(pair).enumerate() {
        states.push(
            value
                .parsed(State::from_name)
                .ok_or_else(|| error(&[index, PathSegment::Index(end)]))?,
        );
    }
    match *states {
        [from, to] => Ok((from, to)),
        _ => Err(error(&[index])),
    }
}
