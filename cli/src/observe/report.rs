//! The report of an observation, for people and for programs.

use std::collections::BTreeMap;

use payspec::DECISIONS;
use serde_json::{Value, json};

use super::evidence::Sample;
use super::findings::{Findings, Kind, Verdict};
use super::read::plural;
use super::table::{Evidence, OBSERVABLE, Observable};
use crate::json_text;
use crate::page::Page;

/// The width of the column of decisions.
const DECISION: usize = 6;
/// The width of the column of kinds of values.
const KIND: usize = 15;

/// Returns the report for people.
pub(super) fn text(findings: &Findings) -> Vec<u8> {
    let mut page = Page::new();
    page.paragraph(&summary(findings));
    for (verdict, title) in [
        (Verdict::Contradicted, "Contradicted"),
        (Verdict::Confirmed, "Confirmed"),
        (Verdict::NotObserved, "Not observed"),
        (Verdict::NotObservable, "Not observable from outside"),
    ] {
        let rows = || {
            OBSERVABLE
                .iter()
                .filter(|row| findings.verdict(row.decision) == verdict)
        };
        if rows().next().is_none() {
            continue;
        }
        page.line("");
        page.title(title);
        rows().for_each(|row| decision(findings, row, verdict, &mut page));
    }
    values(findings, &mut page);
    page.line("");
    page.title("Policy");
    let mut policy = Vec::new();
    json_text::expand(findings.policy().to_string().as_bytes(), &mut policy);
    page.block(&policy);
    page.bytes()
}

fn summary(findings: &Findings) -> String {
    let mut text = format!(
        "{} of {} {} of the interface, with {} ({} valid) and {} ({} valid).",
        findings.exchanges,
        plural(findings.all, "exchange"),
        if findings.exchanges == 1 { "is" } else { "are" },
        plural(findings.requests, "creation request"),
        findings.valid_requests,
        plural(findings.payments, "payment"),
        findings.valid_payments
    );
    for (count, noun, about) in [
        (
            findings.unreadable,
            "exchange",
            "had a body that is not JSON, or cannot be decoded",
        ),
        (
            findings.unexplained,
            "valid request",
            "got a rejection without a reason that the library knows",
        ),
        (
            findings.not_recorded,
            "answer",
            "over 8 MiB passed the proxy without an observation",
        ),
        (
            findings.failed,
            "call",
            "through the proxy got no complete answer of the service",
        ),
    ] {
        if count > 0 {
            text += &format!(" {} {about}.", plural(count, noun));
        }
    }
    text
}

fn decision(findings: &Findings, row: &Observable, verdict: Verdict, page: &mut Page) {
    let observations = findings.observations(row.decision);
    let total = observations.confirmed + observations.contradicted;
    let text = match (row.evidence, verdict) {
        (Evidence::Traffic(expected), Verdict::Contradicted) => {
            format!(
                "{} of {total}, expected: {expected}",
                observations.contradicted
            )
        }
        (Evidence::Traffic(expected), Verdict::Confirmed) => format!("{total}: {expected}"),
        (Evidence::Traffic(expected), _) => expected.to_owned(),
        (Evidence::None(_), _) => row.reason().unwrap_or_default().to_owned(),
    };
    page.columns(row.decision, DECISION, &text);
    for sample in &observations.samples {
        let Sample {
            place,
            difference,
            status,
            request,
            response,
        } = sample;
        page.block(format!("{place}: status {status}: {difference}").as_bytes());
        for (name, body) in [("request", request), ("response", response)] {
            if let Some(body) = body {
                page.block(format!("  {name}: {}", one_line(body)).as_bytes());
            }
        }
    }
}

/// Returns a body without line breaks and other control characters.
fn one_line(body: &str) -> String {
    body.replace(char::is_control, " ")
}

fn values(findings: &Findings, page: &mut Page) {
    let kinds = Kind::ALL.map(|kind| (kind, findings.values(kind)));
    if kinds.iter().all(|(_, values)| values.is_empty()) {
        return;
    }
    page.line("");
    page.title("Values");
    for (kind, values) in kinds.iter().filter(|(_, values)| !values.is_empty()) {
        let listed = |(value, count): (&String, &u64)| format!("{} ({count})", one_line(value));
        let listed: Vec<_> = values.iter().map(listed).collect();
        page.columns(kind.name(), KIND, &listed.join(", "));
    }
}

/// Returns the report for programs.
pub(super) fn json(findings: &Findings) -> Value {
    let decisions: Vec<Value> = OBSERVABLE
        .iter()
        .zip(DECISIONS)
        .map(|(row, decision)| {
            let observations = findings.observations(row.decision);
            let samples = observations.samples.iter().map(|sample| {
                json!({
                    "place": sample.place, "difference": sample.difference, "status": sample.status,
                    "request": sample.request, "response": sample.response,
                })
            });
            let expected = match row.evidence {
                Evidence::Traffic(expected) => Some(expected),
                Evidence::None(_) => None,
            };
            json!({
                "id": row.decision, "verdict": findings.verdict(row.decision).name(),
                "confirmed": observations.confirmed, "contradicted": observations.contradicted,
                "open": decision.open, "expected": expected, "reason": row.reason(),
                "setting": row.setting, "samples": samples.collect::<Vec<_>>(),
            })
        })
        .collect();
    let values: BTreeMap<&str, BTreeMap<String, u64>> = Kind::ALL
        .iter()
        .map(|kind| (kind.name(), findings.values(*kind)))
        .collect();
    json!({
        "exchanges": findings.exchanges, "all": findings.all,
        "requests": {"count": findings.requests, "valid": findings.valid_requests},
        "payments": {"count": findings.payments, "valid": findings.valid_payments},
        "unreadable": findings.unreadable, "unexplained": findings.unexplained,
        "not_recorded": findings.not_recorded, "failed": findings.failed,
        "decisions": decisions, "values": values, "policy": findings.policy(),
    })
}
