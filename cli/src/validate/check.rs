//! Validates one body, of the current or of the legacy API.

use payspec::legacy::MigratedBody;
use payspec::{Engine, InvalidBody, PaymentType, Severity, Timestamp};

use super::finding::Finding;
use super::formats::Writer;
use super::tally::Tally;
use super::unit::{Checked, Unit};

/// The kind of bodies.
#[derive(Clone, Copy)]
pub(super) enum Subject<'e> {
    Request,
    /// Requests of the legacy API.
    LegacyRequest(PaymentType),
    /// Payments, which may have to match a request.
    Payment {
        request: Option<&'e [u8]>,
    },
}

/// How bodies are validated.
#[derive(Clone, Copy)]
pub(super) struct Check<'e> {
    pub(super) engine: &'e Engine,
    pub(super) now: Option<Timestamp>,
    pub(super) subject: Subject<'e>,
    pub(super) has_warnings: bool,
}

impl Check<'_> {
    /// Validates the body, appends its report in the format, and counts it.
    pub(super) fn report(
        &self,
        unit: Unit<'_>,
        format: &Writer,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) {
        let (report, migrated) = match self.subject {
            Subject::Request => (self.engine.validate_request(unit.body, self.now), None),
            Subject::Payment { request } => (self.engine.check_payment(unit.body, request), None),
            Subject::LegacyRequest(kind) => match self.engine.upgrade_request(kind, unit.body) {
                Ok(migrated) => {
                    let body = migrated.body().as_bytes();
                    (self.engine.validate_request(body, self.now), Some(migrated))
                }
                Err(InvalidBody(report)) => (report, None),
            },
        };
        let checked = Checked {
            report: &report,
            migrated: migrated.as_ref(),
        };
        self.write(unit, checked, format, out, tally);
    }

    fn write(
        &self,
        unit: Unit<'_>,
        checked: Checked<'_>,
        format: &Writer,
        out: &mut Vec<u8>,
        tally: &mut Tally,
    ) {
        tally.bodies += 1;
        tally.invalid += u64::from(!checked.is_valid());
        // Most bodies have no violation, and need no list.
        let is_clean = checked.is_valid() && checked.report.violations().is_empty();
        let findings = if is_clean {
            Vec::new()
        } else {
            self.findings(checked)
        };
        findings
            .iter()
            .for_each(|finding| tally.count(finding.severity));
        format.body(self.engine, unit, checked, &findings, out);
    }

    fn findings(&self, checked: Checked<'_>) -> Vec<Finding> {
        let changes = checked
            .migrated
            .map(MigratedBody::changes)
            .unwrap_or_default();
        let unresolved = checked
            .migrated
            .map(MigratedBody::unresolved)
            .unwrap_or_default();
        let violations = checked.report.violations().iter();
        let mut findings: Vec<Finding> = violations
            .filter(|violation| self.has_warnings || violation.severity() == Severity::Error)
            .map(|violation| Finding::of_violation(self.engine, violation, changes))
            .collect();
        // A member that a migration leaves unresolved is often missing in its result, and reported
        // already.
        let unresolved = unresolved
            .iter()
            .map(|unresolved| Finding::of_unresolved(self.engine, unresolved));
        let unreported: Vec<Finding> = unresolved
            .filter(|open| findings.iter().all(|finding| finding.path != open.path))
            .collect();
        findings.extend(unreported);
        findings
    }
}
