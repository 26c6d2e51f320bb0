//! How codes, violations and reports read in a host's own log lines, and how codes are read from its settings. No
//! operation formats anything: their answers are written as bytes, elsewhere.

use core::fmt;

use crate::card::pan::MaskedPan;
use crate::card::scheme::Scheme;
use crate::error::{Error, ErrorCode};
use crate::json::PathResolver;
use crate::model::problem::ProblemCode;
use crate::money::Rounding;
use crate::ops::fingerprint::Fingerprint;
use crate::report::code::{Code, Severity};
use crate::report::{Report, Violation};

/// What has a name in JSON: written by it.
macro_rules! impl_display_via_name {
    ($($named:ident)*) => {
        $(
            impl core::fmt::Display for $named {
                /// The name in JSON.
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    f.pad(self.name())
                }
            }

            #[cfg(feature = "serde")]
            impl serde::Serialize for $named {
                /// The name in JSON.
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.name())
                }
            }
        )*
    };
}

impl_display_via_name! { Code ErrorCode ProblemCode Rounding Scheme Severity }

/// And read by it.
macro_rules! impl_from_str_via_name {
    ($($named:ident)*) => {
        $(
            impl core::str::FromStr for $named {
                type Err = $crate::types::payment_type::UnknownName;

                /// The one of that name in JSON. Case matters.
                fn from_str(name: &str) -> Result<Self, Self::Err> {
                    Self::from_name(name).ok_or($crate::types::payment_type::UnknownName)
                }
            }

            #[cfg(feature = "serde")]
            impl<'de> serde::Deserialize<'de> for $named {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let expected = concat!("the name of a ", stringify!($named));
                    $crate::util::serde_str::deserialize(deserializer, expected, Self::from_name)
                }
            }
        )*
    };
}

impl_from_str_via_name! { Code Rounding Severity }

pub(crate) use {impl_display_via_name, impl_from_str_via_name};

/// What is a text and no more, printed as it stands: it tells nobody a secret.
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

            impl fmt::Display for $text {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.pad(self.as_str())
                }
            }

            impl fmt::Debug for $text {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(self.as_str())
                }
            }
        )*
    };
}

impl_str_newtype! { Fingerprint MaskedPan }

impl fmt::Display for Violation<'_> {
    /// `error at /amount: the currency has 0 fraction digits (amount_scale, D6)`. No value of the body, and one line: names that
    /// nobody knows are escaped as in Rust's own Debug.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(&mut None, f)
    }
}

impl<'a> Violation<'a> {
    /// `walk` is what the pointer of another violation left behind.
    fn print(&self, resolver: &mut Option<PathResolver<'a>>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at ", self.severity())?;
        if self.member() == Some("") {
            f.write_str("the body")?;
        }
        let mut printed = Ok(());
        self.each_part(resolver, &mut |part| {
            // Names may hold line breaks, and controls that a terminal obeys.
            printed = printed.and_then(|()| write!(f, "{}", part.escape_debug()));
        });
        printed?;
        write!(f, ": {} ({}, {})", self.message(), self.code(), self.source())
    }
}

impl fmt::Display for Error {
    /// `context error at /url: expected an absolute URI`. One line, as above.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.path().is_empty() { "the input" } else { self.path() };
        write!(f, "{} error at {}: {}", self.code(), place.escape_debug(), self.message())
    }
}

impl fmt::Display for Report<'_> {
    /// The verdict, and a line for each violation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_valid() { "valid" } else { "not valid" })?;
        let mut resolver = None;
        for violation in self.violations() {
            f.write_str("\n")?;
            violation.print(&mut resolver, f)?;
        }
        if self.is_truncated() { f.write_str("\n…") } else { Ok(()) }
    }
}

/// Operations give a report back in the place of an error where the body is not what they can work with.
impl core::error::Error for Report<'_> {}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use crate::{Code, Engine, Severity};

    #[test]
    fn names_off_the_wire_forge_no_line() {
        let engine = Engine::default();
        let body = br#"{"x\nerror at /amount: y":1,"\u001b[2J\u202e\u0000~/\"'":2}"#;
        let text = engine.validate_request(body, None).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6, "{text}");
        assert!(lines[4].contains(r" at /x\nerror at ~1amount: y: "), "{text}");
        assert!(lines[5].contains(r#" at /\u{1b}[2J\u{202e}\0~0~1\"\': "#), "{text}");
    }

    #[test]
    fn a_report_reads_line_by_line() {
        let engine = Engine::from_json(r#"{"limits":{"violations":1}}"#).unwrap();
        let report = engine.validate_request(br#"{"payment_type":"pay_in","mode":"x","cur":"JPY"}"#, None);
        let text = "not valid\nerror at /mode: not a listed value: expected one of P2P, ACQUIRING, CRYPTO \
                    (unsupported_value, §2.2)\n…";
        assert_eq!(report.to_string(), text);
        assert_eq!(
            engine.validate_request(b"7", None).to_string().lines().nth(1),
            Some("error at the body: wrong JSON type: expected object, found number (type, §2)")
        );
        assert_eq!((Code::Type.to_string(), Severity::Off.to_string()), ("type".into(), "off".into()));
    }
}
