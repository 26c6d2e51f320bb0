//! The report and its JSON.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::code::{Code, Severity};
use super::params::Params;
use super::pointer::Pointer;
use super::violation::{Violation, write_list};
use crate::json::writer::{Writer, text_by};
use crate::types::payment_type::{Mode, PaymentType};
use crate::util::inline_vec::InlineVec;
use crate::util::string_enum::WriteOrNull;

/// The verdict on a body, with its violations.
#[derive(Clone, Debug)]
#[must_use = "the report contains the verdict"]
pub struct Report<'a> {
    pub(crate) summary: ReportSummary,
    violations: Vec<Violation<'a>>,
}

/// The parts of a report other than the violations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportSummary {
    pub(crate) valid: bool,
    pub(crate) variant: Option<PaymentType>,
    pub(crate) mode: Option<Mode>,
    pub(crate) host2host: bool,
    pub(crate) truncated: bool,
    /// The violation that prevented validation, if the body is not a JSON object within the limits.
    pub(crate) fatal: Option<Code>,
}

impl<'a> Report<'a> {
    /// Returns whether the report has no violation of severity `error`.
    pub fn is_valid(&self) -> bool {
        self.summary.valid
    }

    /// Returns pay-in or pay-out, if `payment_type` has a known value.
    pub fn variant(&self) -> Option<PaymentType> {
        self.summary.variant
    }

    /// Returns the processing mode, if it is known.
    pub fn mode(&self) -> Option<Mode> {
        self.summary.mode
    }

    /// Returns whether the body is in host-to-host mode.
    pub fn host2host(&self) -> bool {
        self.summary.host2host
    }

    /// Returns the violations, at most `limits.violations` of them.
    pub fn violations(&self) -> &[Violation<'a>] {
        &self.violations
    }

    /// Returns whether the body has more violations than `limits.violations`.
    pub fn is_truncated(&self) -> bool {
        self.summary.truncated
    }

    /// Returns the first violation with this code.
    pub fn find(&self, code: Code) -> Option<&Violation<'a>> {
        self.violations
            .iter()
            .find(|violation| violation.code() == code)
    }

    /// Appends the report's JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        self.summary.write(&self.violations, out);
    }

    /// Returns the report's JSON as text.
    pub fn to_json(&self) -> String {
        text_by(|out| self.write_json(out))
    }
}

/// A list of violations. Up to four need no heap allocation; a valid body has one or two warnings.
pub(crate) type Violations<'a> = InlineVec<Violation<'a>, 4>;

/// A report under construction. It is filled in place, because it is too large to move.
pub(crate) struct ReportBuilder<'a> {
    pub(crate) summary: ReportSummary,
    pub(crate) violations: Violations<'a>,
    limit: usize,
    /// Whether the body is a payment. The specification describes its members in other sections
    /// than those of a request.
    pub(crate) is_of_payment: bool,
    /// Whether violations are listed; if not, only the verdict is computed.
    listed: bool,
}

impl<'a> ReportBuilder<'a> {
    /// Creates an empty report that lists at most `limit` violations.
    pub(crate) fn new(limit: usize) -> Self {
        let summary = ReportSummary {
            valid: true,
            variant: None,
            mode: None,
            host2host: false,
            truncated: false,
            fatal: None,
        };
        ReportBuilder {
            summary,
            violations: Violations::default(),
            limit,
            is_of_payment: false,
            listed: true,
        }
    }

    /// Creates an empty report that computes only the verdict and lists no violations.
    pub(crate) fn verdict_only() -> Self {
        ReportBuilder {
            listed: false,
            ..ReportBuilder::new(0)
        }
    }

    /// Returns whether a violation of this severity changes the verdict or the list.
    pub(crate) fn is_observable(&self, severity: Severity) -> bool {
        severity == Severity::Error || (self.listed && severity == Severity::Warning)
    }

    pub(crate) fn push(
        &mut self,
        severity: Severity,
        code: Code,
        path: Pointer<'a>,
        params: Params<'a>,
    ) {
        self.summary.valid &= severity != Severity::Error;
        if self.violations.len() < self.limit {
            self.violations.push(Violation {
                code,
                severity,
                is_of_payment: self.is_of_payment,
                path,
                params,
            });
        } else {
            self.summary.truncated = true;
        }
    }

    /// Appends the report's JSON.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        self.summary.write(&self.violations, out);
    }
}

impl<'a> From<ReportBuilder<'a>> for Report<'a> {
    fn from(builder: ReportBuilder<'a>) -> Self {
        Report {
            summary: builder.summary,
            violations: builder.violations.into_iter().collect(),
        }
    }
}

impl ReportSummary {
    /// Writes the report. For a valid body, this is the whole cost over a verdict, so constant
    /// parts are written at once.
    fn write(&self, violations: &[Violation<'_>], out: &mut Vec<u8>) {
        if self.valid {
            out.extend_from_slice(b"{\"valid\":true,\"variant\":");
        } else {
            out.extend_from_slice(b"{\"valid\":false,\"variant\":");
        }
        PaymentType::write_or_null(self.variant, out);
        out.extend_from_slice(b",\"mode\":");
        Mode::write_or_null(self.mode, out);
        if self.host2host {
            out.extend_from_slice(b",\"host2host\":true,\"violations\":");
        } else {
            out.extend_from_slice(b",\"host2host\":false,\"violations\":");
        }
        if violations.is_empty() && !self.truncated {
            // With the general case, a report costs 43 instructions more (P6).
            return out.extend_from_slice(b"[]}");
        }
        write_list(violations, &mut Writer::new(out));
        out.extend_from_slice(if self.truncated {
            b",\"truncated\":true}"
        } else {
            b"}"
        });
    }

    /// Writes the member `violations` and, if the list is truncated, the member `truncated`.
    pub(crate) fn write_violations(&self, violations: &[Violation<'_>], w: &mut Writer<'_>) {
        w.name("violations");
        write_list(violations, w);
        if self.truncated {
            w.name("truncated").bool(true);
        }
    }
}

impl fmt::Display for Report<'_> {
    /// Writes the verdict, and a line for each violation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_valid() {
            "valid"
        } else {
            "not valid"
        })?;
        let mut resolver = None;
        for violation in self.violations() {
            f.write_str("\n")?;
            violation.print(&mut resolver, f)?;
        }
        if self.is_truncated() {
            f.write_str("\n…")
        } else {
            Ok(())
        }
    }
}

/// The error of operations that need a valid body or a JSON object: the report on the body.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidBody<'a>(pub Report<'a>);

#[cfg(feature = "serde")]
crate::json::serialize::impl_serialize_via_json! { serialize_object Report<'_> }

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use crate::{Code, Engine, Severity};

    #[test]
    fn escapes_line_breaks_in_names() {
        let engine = Engine::default();
        let body = br#"{"x\nerror at /amount: y":1,"\u001b[2J\u202e\u0000~/\"'":2}"#;
        let text = engine.validate_request(body, None).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6, "{text}");
        assert!(
            lines[4].contains(r" at /x\nerror at ~1amount: y: "),
            "{text}"
        );
        assert!(
            lines[5].contains(r#" at /\u{1b}[2J\u{202e}\0~0~1\"\': "#),
            "{text}"
        );
    }

    #[test]
    fn displays_one_line_for_each_violation() {
        let engine = Engine::from_json(r#"{"limits":{"violations":1}}"#).unwrap();
        let report =
            engine.validate_request(br#"{"payment_type":"pay_in","mode":"x","cur":"JPY"}"#, None);
        let text = "not valid\nerror at /mode: unsupported value: expected one of P2P, ACQUIRING, CRYPTO \
                    (unsupported_value, §2.2)\n…";
        assert_eq!(report.to_string(), text);
        assert_eq!(
            engine
                .validate_request(b"7", None)
                .to_string()
                .lines()
                .nth(1),
            Some("error at the body: wrong JSON type: expected object, found number (type, §2)")
        );
        assert_eq!(
            (Code::Type.to_string(), Severity::Off.to_string()),
            ("type".into(), "off".into())
        );
    }
}
