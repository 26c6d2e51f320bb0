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
    /// Writes the report. For a valid body, this is the whole cost over a verdict, so texts between
    /// values are written at once: member by member, a report takes 400 instructions more.
    pub(super) fn write(&self, violations: &(impl WriteViolations + ?Sized), out: &mut Vec<u8>) {
        out.extend_from_slice(match self.valid {
            true => b"{\"valid\":true,\"variant\":".as_slice(),
            false => b"{\"valid\":false,\"variant\":",
        });
        let variant = self.variant.map_or("null", PaymentType::quoted_name);
        out.extend_from_slice(variant.as_bytes());
        out.extend_from_slice(b",\"mode\":");
        let mode = self.mode.map_or("null", Mode::quoted_name);
        out.extend_from_slice(mode.as_bytes());
        out.extend_from_slice(match self.host2host {
            true => b",\"host2host\":true,\"violations\":".as_slice(),
            false => b",\"host2host\":false,\"violations\":",
        });
        if violations.is_empty() && !self.truncated {
            return out.extend_from_slice(b"[]}");
        }
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
