//! The parts of a report other than the violations, and the JSON of a report.

use alloc::vec::Vec;

use super::code::Code;
use super::violation::WriteViolations;
use crate::json::writer::Writer;
use crate::types::payment_type::{Mode, PaymentType};
use crate::util::string_enum::StringEnum;

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
    /// Writes the report. For a valid body, this is the whole cost over a verdict, so texts between
    /// values are written at once: member by member, a report takes 400 instructions more.
    pub(super) fn write(&self, violations: &(impl WriteViolations + ?Sized), out: &mut Vec<u8>) {
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
            out.extend_from_slice(b"[]}");
        } else {
            self.write_list(violations, out);
        }
    }

    /// Writes the violations and the end of the report.
    #[inline(never)]
    fn write_list(&self, violations: &(impl WriteViolations + ?Sized), out: &mut Vec<u8>) {
        violations.write(&mut Writer::new(out));
        out.extend_from_slice(match self.truncated {
            true => b",\"truncated\":true}".as_slice(),
            false => b"}",
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
