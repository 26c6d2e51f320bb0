//! The result of an examination.

use clap::ValueEnum;

use super::check::{Check, Verdict};

/// The format of the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    Html,
    Junit,
    Json,
}

/// A check and its result; a check that neither the profile nor a setting selects has none.
pub(super) struct Finding {
    pub(super) check: &'static Check,
    pub(super) verdict: Option<Verdict>,
}

/// The result of an examination.
pub(crate) struct Examination {
    /// Without credentials.
    pub(super) url: String,
    pub(super) profile: String,
    /// Seconds since 1970.
    pub(super) at: u64,
    pub(super) findings: Vec<Finding>,
}

/// How many checks have each result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) skipped: usize,
    pub(super) unselected: usize,
}

impl Examination {
    pub(super) fn counts(&self) -> Counts {
        let count = |test: fn(&Option<Verdict>) -> bool| {
            self.findings
                .iter()
                .filter(|finding| test(&finding.verdict))
                .count()
        };
        Counts {
            passed: count(|verdict| *verdict == Some(Verdict::Passed)),
            failed: count(|verdict| matches!(verdict, Some(Verdict::Failed(_)))),
            skipped: count(|verdict| matches!(verdict, Some(Verdict::Skipped(_)))),
            unselected: count(Option::is_none),
        }
    }

    /// Returns the findings by section.
    pub(super) fn sections(&self) -> Vec<(&'static str, Vec<&Finding>)> {
        let mut sections: Vec<(&'static str, Vec<&Finding>)> = Vec::new();
        for finding in &self.findings {
            match sections
                .last_mut()
                .filter(|(section, _)| *section == finding.check.section)
            {
                Some((_, findings)) => findings.push(finding),
                None => sections.push((finding.check.section, vec![finding])),
            }
        }
        sections
    }
}

/// Returns the title of a section of the specification.
pub(super) fn title(section: &str) -> &'static str {
    match section {
        "§1" => "What the service does",
        "§2.1" => "Payment",
        "§2.2" => "Creation request",
        "§3" => "States",
        "§4.1" => "POST /v1/payments/new",
        "§4.2" => "GET /v1/payments/{uid}/status",
        "§4.3" => "GET /v1/partner/balance",
        "§5" => "Authentication",
        "§7" => "Errors",
        "§8" => "Limits and the idempotency window",
        "§9" => "Versioning",
        _ => "",
    }
}
