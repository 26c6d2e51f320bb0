//! The report on a body, and the error that contains it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::code::Code;
use super::summary::ReportSummary;
use super::violation::Violation;
use crate::json::writer::text_by;
use crate::types::payment_type::{Mode, PaymentType};

/// The verdict on a body, with its violations.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "the report contains the verdict"]
pub struct Report {
    pub(crate) summary: ReportSummary,
    pub(super) violations: Vec<Violation>,
}

impl Report {
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
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Returns whether the body has more violations than `limits.violations`.
    pub fn is_truncated(&self) -> bool {
        self.summary.truncated
    }

    /// Returns the first violation with this code.
    pub fn find(&self, code: Code) -> Option<&Violation> {
        self.violations
            .iter()
            .find(|violation| violation.code() == code)
    }

    /// Appends the report's JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        self.summary.write(&self.violations[..], out);
    }

    /// Returns the report's JSON as text.
    pub fn to_json(&self) -> String {
        text_by(|out| self.write_json(out))
    }
}

impl fmt::Display for Report {
    /// Writes the verdict, and a line for each violation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_valid() {
            "valid"
        } else {
            "not valid"
        })?;
        for violation in self.violations() {
            write!(f, "\n{violation}")?;
        }
        if self.is_truncated() {
            f.write_str("\n…")?;
        }
        Ok(())
    }
}

/// The error of operations that need a valid body or a JSON object: the report on the body.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidBody(pub Report);

#[cfg(feature = "serde")]
impl serde::Serialize for Report {
    /// Writes the members of `write_json`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let members = 5_usize.saturating_add(self.is_truncated().into());
        let mut report = serializer.serialize_struct("Report", members)?;
        report.serialize_field("valid", &self.is_valid())?;
        report.serialize_field("variant", &self.variant())?;
        report.serialize_field("mode", &self.mode())?;
        report.serialize_field("host2host", &self.host2host())?;
        report.serialize_field("violations", self.violations())?;
        if self.is_truncated() {
            report.serialize_field("truncated", &true)?;
        }
        report.end()
    }
}

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
