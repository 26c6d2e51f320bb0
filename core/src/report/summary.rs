//! The parts of a report other than the violations, and the JSON of a report.

use alloc::vec::Vec;

use super::code::Code;
use super::violation::WriteViolations;
use crate::json::writer::Writer;
use crate::types::payment_type::{Mode, PaymentType};

/// The parts of a report other than the violations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReportSummary {
    pub(crate) valid: bool,
    pub(crate) variant: Option<PaymentType>,
    pub(crate) mode: Option<Mode>,
    pub(crate) host2host: bool,
    pub(crate) truncated: bool,
    /// The violation that prevented validation, if the body is not a JSON object within the limits.
    pub(crate) fatal: Option<Code>,
}

impl ReportSummary {
    /// Writes the report.
    pub(super) fn write(&self, violations: &(impl WriteViolations + ?Sized), out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            w.name("valid").bool(self.valid);
            w.name("variant")
                .string_or_null(self.variant.map(PaymentType::name));
            w.name("mode").string_or_null(self.mode.map(Mode::name));
            w.name("host2host").bool(self.host2host);
            self.write_violations(violations, w);
        });
    }

    /// Writes the member `violations` and, if the list is truncated, the member `truncated`.
    pub(crate) fn write_violations(
        &self,
        violations: &(impl WriteViolations + ?Sized),
        w: &mut Writer<'_>,
    ) {
        w.name("violations");
        violations.write(w);
        if self.truncated {
            w.name("truncated").bool(true);
        }
    }
}
