//! The parameters of a violation: what was expected, never a value of the body.

use alloc::string::String;
use alloc::vec::Vec;

use crate::json::writer::write_integer;
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
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Params<'a> {
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
    Allowed(Allowed<'a>),
    /// The rejected values, if all others are accepted.
    Refused(&'static [&'static str]),
    /// The current member that replaces a legacy member, if there is one.
    ReplacedBy(Option<&'static str>),
    /// The number of fraction digits of the currency.
    MinorUnit(u32),
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
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Allowed<'a> {
    /// Names from the specification.
    Names(&'static [&'static str]),
    /// Texts from the policy.
    Texts(&'a [String]),
    /// Currencies from the policy.
    Currencies(&'a [Currency]),
}

impl Allowed<'_> {
    /// Calls `with` for each value.
    fn each(&self, mut with: impl FnMut(&str)) {
        match self {
            Allowed::Names(names) => names.iter().for_each(|name| with(name)),
            Allowed::Texts(texts) => texts.iter().for_each(|text| with(text)),
            Allowed::Currencies(currencies) => {
                currencies.iter().for_each(|currency| with(currency.code()))
            }
        }
    }
}

/// The value of a parameter. No escapes are needed: texts are from the table of rules, names from a
/// checked policy.
#[derive(Clone, Copy)]
enum ParamValue<'p> {
    Integer(u64),
    Name(Option<&'static str>),
    List(Allowed<'p>),
    Bound(Option<Amount>),
}

impl Params<'_> {
    /// Returns the parameters with their names.
    fn values(&self) -> impl Iterator<Item = (&'static str, ParamValue<'_>)> {
        use ParamValue::{Bound, Integer, List, Name};
        let (one, other) = match *self {
            Params::None => (None, None),
            Params::Position { line, column } => (
                Some(("line", Integer(line))),
                Some(("column", Integer(column))),
            ),
            Params::Limit(limit) => (Some(("limit", Integer(limit))), None),
            Params::Types { expected, found } => (
                Some(("expected", Name(Some(expected)))),
                Some(("found", Name(Some(found)))),
            ),
            Params::Allowed(list) => (Some(("allowed", List(list))), None),
            Params::Refused(names) => (Some(("refused", List(Allowed::Names(names)))), None),
            Params::ReplacedBy(name) => (Some(("replaced_by", Name(name))), None),
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
        one.into_iter().chain(other)
    }

    /// Writes the member `params`, if the rule has parameters.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let mut open = b",\"params\":{\"".as_slice();
        for (name, part) in self.values() {
            out.extend_from_slice(open);
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"\":");
            part.write(b"\"", out);
            open = b",\"";
        }
        if open.len() == 2 {
            out.push(b'}');
        }
    }

    /// Writes a message: its first text, and each of the others after a parameter.
    pub(super) fn write_message(&self, texts: &[&str], out: &mut Vec<u8>) {
        let (first, others) = texts.split_first().unwrap_or((&"", &[]));
        out.extend_from_slice(first.as_bytes());
        for (text, (_, value)) in others.iter().zip(self.values()) {
            value.write(b"", out);
            out.extend_from_slice(text.as_bytes());
        }
    }
}

impl ParamValue<'_> {
    /// Writes the value as JSON with texts between `quote`, or as text for a message if `quote` is
    /// empty.
    fn write(self, quote: &[u8], out: &mut Vec<u8>) {
        match self {
            ParamValue::Integer(number) => write_integer(number, out),
            ParamValue::Name(Some(text)) => write_between(quote, text, out),
            ParamValue::Bound(Some(amount)) => {
                out.extend_from_slice(quote);
                amount.write_text(out);
                out.extend_from_slice(quote);
            }
            ParamValue::Name(None) | ParamValue::Bound(None) => out.extend_from_slice(b"null"),
            ParamValue::List(list) => {
                let (begin, between, end) = if quote.is_empty() {
                    ("", ", ", "")
                } else {
                    ("[", ",", "]")
                };
                out.extend_from_slice(begin.as_bytes());
                let mut first = true;
                list.each(|text| {
                    if !first {
                        out.extend_from_slice(between.as_bytes());
                    }
                    write_between(quote, text, out);
                    first = false;
                });
                out.extend_from_slice(end.as_bytes());
            }
        }
    }
}

fn write_between(quote: &[u8], text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(quote);
    out.extend_from_slice(text.as_bytes());
    out.extend_from_slice(quote);
}
