//! A violation, its JSON and its line of text.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::code::{Code, Severity};
use super::params::Params;
use super::pointer::Pointer;
use crate::json::PathResolver;
use crate::json::writer::{Writer, escape, text_by};

/// A broken rule at one path.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    code: Code,
    severity: Severity,
    is_of_payment: bool,
    /// A path of the specification is borrowed; any other one contains names of the client.
    path: Cow<'static, str>,
    params: Params,
}

impl Violation {
    /// Returns the code of the rule.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the severity under the policy.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the JSON Pointer (RFC 6901).
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the path of a field that the specification defines, which is safe to log because it
    /// contains no client data. Returns `None` if the path contains an unknown name, or leads into
    /// a value of the body.
    pub fn member(&self) -> Option<&'static str> {
        match self.path {
            Cow::Borrowed(path) => Some(path),
            Cow::Owned(_) => None,
        }
    }

    /// Returns the section of the specification, or the decision that fills a gap in it.
    pub fn source(&self) -> &'static str {
        source(self.code, self.is_of_payment, &self.path)
    }

    /// Returns the parameters of the message, from which the caller can build its own messages.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Returns the message in English.
    pub fn message(&self) -> String {
        text_by(|out| self.params.write_message(self.code, out))
    }

    /// Appends the violation's JSON without the members `message` and `source`, for a program that
    /// has the texts of [`RULES`](crate::RULES) elsewhere, or in other languages.
    ///
    /// ```
    /// let report = payspec::Engine::default().validate_request(b"7", None);
    /// let mut json = Vec::new();
    /// report.violations()[0].write_json_without_texts(&mut json);
    /// let expected = r#"{"path":"","code":"type","severity":"error","params":{"expected":"object","found":"number"}}"#;
    /// assert_eq!(str::from_utf8(&json)?, expected);
    /// # Ok::<(), std::str::Utf8Error>(())
    /// ```
    pub fn write_json_without_texts(&self, out: &mut Vec<u8>) {
        self.parts().write_start(|out| escape(&self.path, out), out);
        self.params.write(out);
        out.push(b'}');
    }

    fn parts(&self) -> Parts<'_> {
        Parts {
            code: self.code,
            severity: self.severity,
            source: self.source(),
            params: &self.params,
        }
    }
}

impl fmt::Display for Violation {
    /// Writes one line, such as `error at /amount: the currency has 0 fraction digits
    /// (amount_scale, D6)`. It contains no value of the body; unknown names are escaped as in the
    /// `Debug` output of `str`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = match &*self.path {
            "" => "the body",
            path => path,
        };
        // Names may contain line breaks and control characters that a terminal interprets.
        let path = path.escape_debug();
        let (severity, message) = (self.severity, self.message());
        let (code, source) = (self.code, self.source());
        write!(f, "{severity} at {path}: {message} ({code}, {source})")
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Violation {
    /// Writes the violation as in the JSON of a report.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let has_params = self.params != Params::None;
        let members = 5_usize.saturating_add(has_params.into());
        let mut violation = serializer.serialize_struct("Violation", members)?;
        violation.serialize_field("path", &self.path)?;
        violation.serialize_field("code", &self.code)?;
        violation.serialize_field("severity", &self.severity)?;
        violation.serialize_field("message", &self.message())?;
        violation.serialize_field("source", self.source())?;
        if has_params {
            violation.serialize_field("params", &self.params)?;
        }
        violation.end()
    }
}

/// A violation whose path borrows from the body.
#[derive(Clone)]
pub(crate) struct BorrowedViolation<'a> {
    pub(super) code: Code,
    pub(super) severity: Severity,
    pub(super) is_of_payment: bool,
    pub(super) path: Pointer<'a>,
    pub(super) params: Params,
}

impl BorrowedViolation<'_> {
    fn parts(&self) -> Parts<'_> {
        Parts {
            code: self.code,
            severity: self.severity,
            source: source(self.code, self.is_of_payment, self.path.base()),
            params: &self.params,
        }
    }
}

/// Returns violations that own their paths.
pub(crate) fn to_owned<'a>(violations: &[BorrowedViolation<'a>]) -> Vec<Violation> {
    // Shared by all violations, because many may be inside one value.
    let mut resolver = None;
    let to_owned = |violation: &BorrowedViolation<'a>| Violation {
        code: violation.code,
        severity: violation.severity,
        is_of_payment: violation.is_of_payment,
        path: violation.path.to_text(&mut resolver),
        params: violation.params.clone(),
    };
    violations.iter().map(to_owned).collect()
}

fn source(code: Code, is_of_payment: bool, path: &str) -> &'static str {
    match code {
        // The members that every creation response has, and the table of states.
        Code::Missing if is_of_payment => "§2.1",
        Code::UnsupportedValue if is_of_payment && path == "/state" => "§3",
        code => code.rule().source,
    }
}

/// A list of violations that can be written as JSON.
pub(crate) trait WriteViolations {
    fn is_empty(&self) -> bool;

    /// Writes the list as an array.
    fn write(&self, w: &mut Writer<'_>);
}

impl WriteViolations for [Violation] {
    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    fn write(&self, w: &mut Writer<'_>) {
        w.array(|w| {
            for violation in self {
                let path = |out: &mut Vec<u8>| escape(&violation.path, out);
                w.value_by(|out| violation.parts().write(path, out));
            }
        });
    }
}

impl WriteViolations for [BorrowedViolation<'_>] {
    fn is_empty(&self) -> bool {
        self.is_empty()
    }

    fn write(&self, w: &mut Writer<'_>) {
        // Shared by all violations, because many may be inside one value.
        let mut resolver: Option<PathResolver<'_>> = None;
        w.array(|w| {
            for violation in self {
                let path = |out: &mut Vec<u8>| violation.path.write_escaped(&mut resolver, out);
                w.value_by(|out| violation.parts().write(path, out));
            }
        });
    }
}

/// The members of a violation other than its path.
struct Parts<'v> {
    code: Code,
    severity: Severity,
    source: &'static str,
    params: &'v Params,
}

impl Parts<'_> {
    /// Writes the violation as JSON, and its path by `write_path`, which escapes it.
    ///
    /// Long reports consist mostly of violations, so texts between values are written at once:
    /// member by member, the report on an invalid body takes a third more instructions. The values
    /// need no escapes: they are from the table of rules and a checked policy.
    fn write(&self, write_path: impl FnOnce(&mut Vec<u8>), out: &mut Vec<u8>) {
        self.write_start(write_path, out);
        out.extend_from_slice(b",\"message\":\"");
        self.params.write_message(self.code, out);
        out.extend_from_slice(b"\",\"source\":\"");
        out.extend_from_slice(self.source.as_bytes());
        out.push(b'"');
        self.params.write(out);
        out.push(b'}');
    }

    /// Writes the members before the texts.
    fn write_start(&self, write_path: impl FnOnce(&mut Vec<u8>), out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"path\":\"");
        write_path(out);
        out.extend_from_slice(b"\",\"code\":\"");
        out.extend_from_slice(self.code.name().as_bytes());
        out.extend_from_slice(b"\",\"severity\":\"");
        out.extend_from_slice(self.severity.name().as_bytes());
        out.push(b'"');
    }
}
