//! The parameters of a violation: what was expected, never a value of the body.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::code::Code;
use crate::json::writer::{Writer, write_integer};
use crate::money::{Amount, Currency};
use crate::types::uri::UriPart;

/// The parameters of a violation, which describe what was expected. They never contain a value from
/// the body.
///
/// ```
/// use payspec::{Code, Engine, Params};
///
/// let engine = Engine::default();
/// let report = engine.validate_request(br#"{"cur":"JPY","amount":"1.5"}"#, None);
/// let violation = report.find(Code::AmountScale).expect("a yen has no cents");
/// assert_eq!(violation.params(), &Params::MinorUnit(0));
/// assert_eq!(violation.message(), "the currency has 0 fraction digits");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Params {
    /// The rule has no parameters.
    None,
    /// The position at which the JSON becomes invalid. Both numbers start at 1; the column counts
    /// characters.
    Position {
        /// The line.
        line: u64,
        /// The column.
        column: u64,
    },
    /// The position of a byte order mark, which is line 1, column 1.
    ByteOrderMark,
    /// The largest accepted number of bytes, levels, or characters.
    Limit(u64),
    /// The expected and the actual JSON type.
    Types {
        /// The type that the interface requires.
        expected: &'static str,
        /// The type in the body.
        found: &'static str,
    },
    /// The accepted values.
    Allowed(Allowed),
    /// The rejected values, if all others are accepted.
    Refused(&'static [&'static str]),
    /// The current member that replaces a legacy member, if there is one.
    ReplacedBy(Option<&'static str>),
    /// The number of fraction digits of the currency.
    MinorUnit(u32),
    /// The month or the year in which ISO 4217 has withdrawn the currency: `2026-01`.
    Withdrawn(&'static str),
    /// The largest accepted numbers of digits before and after the decimal point.
    Digits {
        /// The digits before the decimal point.
        integer: u64,
        /// The digits after the decimal point.
        fraction: u64,
    },
    /// The smallest and the largest accepted number.
    Range {
        /// The smallest number.
        min: u64,
        /// The largest number.
        max: u64,
    },
    /// The part of a URI that is missing or not valid.
    Reason(UriPart),
    /// The policy's bounds for the currency.
    Amounts {
        /// The smallest amount, if the policy sets one.
        min: Option<Amount>,
        /// The largest amount, if the policy sets one.
        max: Option<Amount>,
    },
}

/// A list of accepted values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Allowed {
    /// Names from the specification.
    Names(&'static [&'static str]),
    /// Texts from the policy.
    Texts(Arc<[String]>),
    /// Currencies from the policy.
    Currencies(Arc<[Currency]>),
}

impl Allowed {
    /// Calls `action` for each value.
    fn for_each(&self, mut action: impl FnMut(&str)) {
        match self {
            Allowed::Names(names) => names.iter().for_each(|name| action(name)),
            Allowed::Texts(texts) => texts.iter().for_each(|text| action(text)),
            Allowed::Currencies(currencies) => currencies
                .iter()
                .for_each(|currency| action(currency.code())),
        }
    }

    /// Writes the values as a part of a message.
    fn write_text(&self, out: &mut Vec<u8>) {
        let mut separator = "";
        self.for_each(|text| {
            out.extend_from_slice(separator.as_bytes());
            out.extend_from_slice(text.as_bytes());
            separator = ", ";
        });
    }
}

/// The value of a parameter.
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
enum ParamValue<'p> {
    Integer(u64),
    Name(Option<&'static str>),
    Names(&'static [&'static str]),
    List(&'p Allowed),
    Bound(Option<Amount>),
}

impl Params {
    /// Returns the parameters with their names.
    fn values(&self) -> impl Iterator<Item = (&'static str, ParamValue<'_>)> {
        use ParamValue::{Bound, Integer, List, Name, Names};
        let (first, second) = match *self {
            Params::None => (None, None),
            Params::Position { line, column } => (
                Some(("line", Integer(line))),
                Some(("column", Integer(column))),
            ),
            Params::ByteOrderMark => (Some(("line", Integer(1))), Some(("column", Integer(1)))),
            Params::Limit(limit) => (Some(("limit", Integer(limit))), None),
            Params::Types { expected, found } => (
                Some(("expected", Name(Some(expected)))),
                Some(("found", Name(Some(found)))),
            ),
            Params::Allowed(ref list) => (Some(("allowed", List(list))), None),
            Params::Refused(names) => (Some(("refused", Names(names))), None),
            Params::ReplacedBy(name) => (Some(("replaced_by", Name(name))), None),
            Params::Withdrawn(date) => (Some(("withdrawn", Name(Some(date)))), None),
            Params::MinorUnit(digits) => (Some(("minor_unit", Integer(digits.into()))), None),
            Params::Digits { integer, fraction } => (
                Some(("integer_digits", Integer(integer))),
                Some(("fraction_digits", Integer(fraction))),
            ),
            Params::Reason(part) => (Some(("reason", Name(Some(part.name())))), None),
            Params::Range { min, max } => {
                (Some(("min", Integer(min))), Some(("max", Integer(max))))
            }
            Params::Amounts { min, max } => (Some(("min", Bound(min))), Some(("max", Bound(max)))),
        };
        first.into_iter().chain(second)
    }

    /// Writes a comma and the member `params`, if the rule has parameters.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        if *self == Params::None {
            return;
        }
        out.extend_from_slice(b",\"params\":");
        Writer::new(out).object(|w| {
            for (name, value) in self.values() {
                value.write(w.name(name));
            }
        });
    }

    /// Writes the message of a rule: its first text, and each of the others after a parameter.
    pub(super) fn write_message(&self, code: Code, out: &mut Vec<u8>) {
        let texts: &[&str] = match self {
            // The summary of the rule describes a list of accepted values.
            Params::Refused(_) => &["the scheme of the URI must not be one of ", ""],
            Params::ByteOrderMark => &[
                "invalid JSON at line ",
                ", column ",
                ": the body begins with a byte order mark",
            ],
            _ => code.texts(),
        };
        let (first, others) = texts.split_first().unwrap_or((&"", &[]));
        out.extend_from_slice(first.as_bytes());
        for (text, (_, value)) in others.iter().zip(self.values()) {
            value.write_text(out);
            out.extend_from_slice(text.as_bytes());
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Params {
    /// Writes the parameters with their names.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.values())
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Allowed {
    /// Writes the list.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Allowed::Names(names) => names.serialize(serializer),
            Allowed::Texts(texts) => texts[..].serialize(serializer),
            Allowed::Currencies(currencies) => currencies[..].serialize(serializer),
        }
    }
}

impl ParamValue<'_> {
    /// Writes the value as JSON.
    fn write(self, w: &mut Writer<'_>) {
        match self {
            ParamValue::Integer(number) => w.integer(number),
            ParamValue::Name(name) => w.word_or_null(name),
            ParamValue::Names(names) => w.strings(names.iter().copied()),
            ParamValue::Bound(Some(amount)) => w.plain(|out| amount.write_text(out)),
            ParamValue::Bound(None) => w.null(),
            ParamValue::List(list) => w.array(|w| list.for_each(|text| w.string(text))),
        }
    }

    /// Writes the value as a part of a message.
    fn write_text(self, out: &mut Vec<u8>) {
        match self {
            ParamValue::Integer(number) => write_integer(number, out),
            ParamValue::Name(name) => out.extend_from_slice(name.unwrap_or("null").as_bytes()),
            ParamValue::Bound(Some(amount)) => amount.write_text(out),
            ParamValue::Bound(None) => out.extend_from_slice(b"null"),
            ParamValue::Names(names) => Allowed::Names(names).write_text(out),
            ParamValue::List(list) => list.write_text(out),
        }
    }
}
