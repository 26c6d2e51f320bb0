//! A violation, its JSON and its line of text.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::code::{Code, Severity};
use super::params::Params;
use super::pointer::{Pointer, PointerTail};
use crate::json::PathResolver;
use crate::json::writer::{Writer, text_by};

pub(crate) fn write_list(violations: &[Violation<'_>], w: &mut Writer<'_>) {
    w.array(|w| {
        let out = w.buffer();
        // Shared by all violations, because many may be inside one value.
        let mut resolver = None;
        for (index, violation) in violations.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            violation.write(&mut resolver, out);
        }
    });
}

/// A broken rule at one path.
#[derive(Clone, Debug)]
pub struct Violation<'a> {
    pub(super) code: Code,
    pub(super) severity: Severity,
    pub(super) is_of_payment: bool,
    pub(super) path: Pointer<'a>,
    pub(super) params: Params<'a>,
}

impl<'a> Violation<'a> {
    /// Returns the code of the rule.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the severity under the policy.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the JSON Pointer (RFC 6901). The string is built on every call; inside free-form
    /// values that means traversing the value, so use
    /// [`Report::write_json`](crate::Report::write_json) for long reports.
    pub fn path(&self) -> String {
        self.path.to_text()
    }

    /// Returns the path of a field that the specification defines, which is safe to log because it
    /// contains no client data. Returns `None` if the path contains an unknown name, or leads into
    /// a value of the body.
    pub fn member(&self) -> Option<&'static str> {
        matches!(self.path.tail, PointerTail::None).then_some(self.path.base)
    }

    /// Passes the pointer to `put` in pieces. `resolver` keeps the position of the last traversal
    /// of a value.
    pub(crate) fn each_part(
        &self,
        resolver: &mut Option<PathResolver<'a>>,
        put: &mut dyn FnMut(&str),
    ) {
        self.path.each(resolver, put);
    }

    /// Returns the section of the specification, or the decision that fills a gap in it.
    pub fn source(&self) -> &'static str {
        match self.code {
            // The members that every creation response has, and the table of states.
            Code::Missing if self.is_of_payment => "§2.1",
            Code::UnsupportedValue if self.is_of_payment && self.path.base == "/state" => "§3",
            code => code.rule().source,
        }
    }

    /// Returns the parameters of the message, from which the caller can build its own messages.
    pub fn params(&self) -> &Params<'a> {
        &self.params
    }

    /// Returns the message in English.
    pub fn message(&self) -> String {
        text_by(|out| self.write_message(out))
    }

    fn write_message(&self, out: &mut Vec<u8>) {
        let texts = match self.params {
            // The summary of the rule describes a list of accepted values.
            Params::Refused(_) => &["the scheme of the URI must not be one of ", ""],
            _ => self.code.texts(),
        };
        self.params.write_message(texts, out);
    }

    /// Writes the violation as JSON. Long reports consist mostly of violations, so constant parts
    /// are written at once.
    fn write(&self, resolver: &mut Option<PathResolver<'a>>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"path\":\"");
        self.path.write_escaped(resolver, out);
        out.extend_from_slice(b"\",\"code\":\"");
        out.extend_from_slice(self.code.name().as_bytes());
        out.extend_from_slice(match self.severity {
            Severity::Error => b"\",\"severity\":\"error\",\"message\":\"".as_slice(),
            Severity::Warning => b"\",\"severity\":\"warning\",\"message\":\"",
            Severity::Off => b"\",\"severity\":\"off\",\"message\":\"",
        });
        // No escapes are needed: the texts are from the table of rules, the names from a checked
        // policy.
        self.write_message(out);
        out.extend_from_slice(b"\",\"source\":\"");
        out.extend_from_slice(self.source().as_bytes());
        out.push(b'"');
        self.params.write(out);
        out.push(b'}');
    }

    /// Writes the violation on one line. `resolver` keeps the position of the last traversal of a
    /// value.
    pub(super) fn print(
        &self,
        resolver: &mut Option<PathResolver<'a>>,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        write!(f, "{} at ", self.severity())?;
        if self.member() == Some("") {
            f.write_str("the body")?;
        }
        let mut printed = Ok(());
        self.each_part(resolver, &mut |part| {
            // Names may contain line breaks and control characters that a terminal interprets.
            printed = printed.and_then(|()| write!(f, "{}", part.escape_debug()));
        });
        printed?;
        write!(
            f,
            ": {} ({}, {})",
            self.message(),
            self.code(),
            self.source()
        )
    }
}

impl fmt::Display for Violation<'_> {
    /// Writes one line, such as `error at /amount: the currency has 0 fraction digits
    /// (amount_scale, D6)`. It contains no value of the body; unknown names are escaped as in the
    /// `Debug` output of `str`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.print(&mut None, f)
    }
}
