//! Samples for the tests of the rules.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{RequestBody, RuleInputs, validate};
use crate::policy::{Policy, Ruleset};
use crate::report::Report;

/// Returns the violations of a body under a policy, each as path and code.
pub(super) fn violations_under(policy: &str, body: &str) -> Vec<String> {
    let ruleset = Ruleset::new(Policy::from_json(policy).unwrap());
    let now = "2026-11-20T10:15:30Z".parse().unwrap();
    let mut members = RequestBody::new();
    members.read(&ruleset, body.as_bytes()).unwrap();
    let mut report = ruleset.report_builder();
    validate(&ruleset, &members, RuleInputs::at(Some(now)), &mut report);
    Report::from(report)
        .violations()
        .iter()
        .map(|violation| format!("{} {}", violation.path(), violation.code()))
        .collect()
}

/// Checks the violations of a valid pay-in with further members, for each row of a table.
#[track_caller]
pub(super) fn check(rows: &[(&str, &[&str])]) {
    check_under("{}", rows);
}

/// Checks the same under a policy.
#[track_caller]
pub(super) fn check_under(policy: &str, rows: &[(&str, &[&str])]) {
    for (members, expected) in rows {
        let mut body = String::from(r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp""#);
        for (name, value) in [("cur", "RUB"), ("amount", "100.00")] {
            if !members.contains(&format!("\"{name}\"")) {
                body.push_str(&format!(r#","{name}":"{value}""#));
            }
        }
        body.push_str(&format!(",{members}}}"));
        assert_eq!(violations_under(policy, &body), *expected, "{members}");
    }
}
