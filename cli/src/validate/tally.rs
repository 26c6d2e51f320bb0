//! Counts of bodies and violations.

use std::fmt;

use payspec::Severity;

use crate::failure::Status;

/// The counts of a run, or of a part of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) bodies: u64,
    pub(super) invalid: u64,
    pub(super) errors: u64,
    pub(super) warnings: u64,
    /// Inputs that could not be read.
    pub(super) failures: u64,
    /// Whether a report has been written, after which another one needs a separator.
    pub(super) has_output: bool,
}

impl Tally {
    pub(super) fn count(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.errors += 1,
            _ => self.warnings += 1,
        }
    }

    pub(super) fn add(&mut self, other: &Tally) {
        self.bodies += other.bodies;
        self.invalid += other.invalid;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.failures += other.failures;
    }

    pub(super) fn status(&self) -> Status {
        match self {
            Tally { failures: 1.., .. } => Status::Failed,
            Tally { invalid: 1.., .. } => Status::Rejected,
            _ => Status::Accepted,
        }
    }
}

/// `2 of 8 bodies are invalid: 17 errors, 5 warnings`
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |count: u64| if count == 1 { "" } else { "s" };
        let Tally {
            bodies,
            invalid,
            errors,
            warnings,
            ..
        } = *self;
        match (bodies, invalid) {
            (1, 0) => write!(f, "the body is valid")?,
            (1, _) => write!(f, "the body is invalid")?,
            (2, 0) => write!(f, "both bodies are valid")?,
            (_, 0) => write!(f, "all {bodies} bodies are valid")?,
            (_, 1) => write!(f, "1 of {bodies} bodies is invalid")?,
            _ => write!(f, "{invalid} of {bodies} bodies are invalid")?,
        }
        match (errors, warnings) {
            (0, 0) => Ok(()),
            (0, _) => write!(f, ": {warnings} warning{}", s(warnings)),
            (_, 0) => write!(f, ": {errors} error{}", s(errors)),
            _ => write!(
                f,
                ": {errors} error{}, {warnings} warning{}",
                s(errors),
                s(warnings)
            ),
        }
    }
}
