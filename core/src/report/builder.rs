//! A report under construction, whose paths borrow from the body.

use alloc::vec::Vec;

use super::code::{Code, Severity};
use super::params::Params;
use super::pointer::Pointer;
use super::report::Report;
use super::summary::ReportSummary;
use super::violation::{BorrowedViolation, to_owned};
use crate::util::inline_vec::InlineVec;

/// A list of violations. Up to four need no heap allocation; a valid body has one or two warnings.
type Violations<'a> = InlineVec<BorrowedViolation<'a>, 4>;

/// A report under construction. It is filled in place, because it is too large to move.
///
/// The bindings write its JSON without an owned [`Report`], so that a valid body allocates nothing.
pub(crate) struct ReportBuilder<'a> {
    pub(crate) summary: ReportSummary,
    violations: Violations<'a>,
    limit: usize,
    /// Whether the body is a payment. The specification describes its members in other sections
    /// than those of a request.
    pub(crate) is_of_payment: bool,
    /// Whether violations are listed; if not, only the verdict is computed.
    is_listed: bool,
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
            is_listed: true,
        }
    }

    /// Creates an empty report that computes only the verdict and lists no violations.
    pub(crate) fn verdict_only() -> Self {
        ReportBuilder {
            is_listed: false,
            ..ReportBuilder::new(0)
        }
    }

    /// Returns whether a violation of this severity changes the verdict or the list.
    pub(crate) fn is_observable(&self, severity: Severity) -> bool {
        severity == Severity::Error || (self.is_listed && severity == Severity::Warning)
    }

    pub(crate) fn push(
        &mut self,
        severity: Severity,
        code: Code,
        path: Pointer<'a>,
        params: Params,
    ) {
        self.summary.valid &= severity != Severity::Error;
        if self.violations.len() < self.limit {
            self.violations.push(BorrowedViolation {
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

    /// Returns the violations.
    pub(crate) fn violations(&self) -> &[BorrowedViolation<'a>] {
        &self.violations
    }

    /// Appends the report's JSON.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        self.summary.write(self.violations(), out);
    }
}

impl From<ReportBuilder<'_>> for Report {
    /// Copies the paths, so that the report outlives the body.
    fn from(builder: ReportBuilder<'_>) -> Self {
        Report {
            summary: builder.summary,
            violations: to_owned(builder.violations()),
        }
    }
}
