//! How codes, violations and reports read in a host's own log lines, and how codes are read from its settings. No
//! operation formats anything: their answers are written as bytes, elsewhere.

use core::fmt;
use core::str::FromStr;

use crate::card::{MaskedPan, Scheme};
use crate::error::ErrorCode;
use crate::fingerprint::Fingerprint;
use crate::kinds::UnknownName;
use crate::money::Rounding;
use crate::problem::ProblemCode;
use crate::report::{Report, Violation};
use crate::rules::{Code, Severity};

macro_rules! by_name {
    ($($named:ident)*) => {
        $(impl fmt::Display for $named {
            /// The name in JSON.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        })*
    };
}

by_name! { Code ErrorCode ProblemCode Rounding Scheme Severity }

macro_rules! from_name {
    ($($named:ident)*) => {
        $(impl FromStr for $named {
            type Err = UnknownName;

            /// The one of that name in JSON. Case matters.
            fn from_str(name: &str) -> Result<Self, UnknownName> {
                Self::from_name(name).ok_or(UnknownName)
            }
        })*
    };
}

from_name! { Code Rounding Severity }

/// What is a text and no more, printed as it stands: it tells nobody a secret.
macro_rules! by_text {
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

by_text! { Fingerprint MaskedPan }

impl fmt::Display for Violation<'_> {
    /// `error at /amount: the currency has 0 fraction digits (amount_scale, D6)`. No value of the body.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        let place = if path.is_empty() { "the body" } else { &path };
        write!(f, "{} at {place}: {} ({}, {})", self.severity(), self.message(), self.code(), self.source())
    }
}

impl fmt::Display for Report<'_> {
    /// The verdict, and a line for each violation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_valid() { "valid" } else { "not valid" })?;
        for violation in self.violations() {
            write!(f, "\n{violation}")?;
        }
        if self.is_truncated() { f.write_str("\n…") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use crate::{Code, Engine, Severity};

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
