//! The pages of the decisions.

use super::markdown::table;
use crate::common::Page;
use payspec::{DECISIONS, RULES};

pub(super) fn pages() -> Vec<Page> {
    DECISIONS.iter().map(page).collect()
}

fn page(decision: &payspec::Decision) -> Page {
    let payspec::Decision {
        id,
        source,
        open,
        decision: text,
        changed_by,
        ..
    } = decision;
    let members: Vec<String> = changed_by.iter().map(|member| changed(member)).collect();
    let changes = match members.is_empty() {
        true => "This decision cannot be changed.".to_owned(),
        false => format!("Changed by: {}.", members.join(", ")),
    };
    let rules: Vec<_> = RULES.iter().filter(|rule| rule.source == *id).collect();
    let rules = match rules.is_empty() {
        true => String::new(),
        false => format!(
            "\n## Rules that rest on it\n\n{}",
            table(
                ["rule", "severity", "meaning"],
                rules.iter().map(|rule| [
                    format!("[`{0}`](../rules/{0}.md)", rule.name),
                    rule.severity.name().to_owned(),
                    super::markdown::sentence(rule.summary),
                ])
            )
        ),
    };
    let text = format!(
        "# {id}: {title}\n\n| | |\n|---|---|\n| Open in | {source} of the specification |\n\n## What is open\n\n{open}\n\n\
         ## What the library does\n\n{text}\n\n## How to change it\n\n{changes}\n{rules}",
        title = open.trim_end_matches('.'),
    );
    Page {
        path: format!("reference/decisions/{id}.md"),
        title: format!("{id}: {}", open.trim_end_matches('.')),
        text,
    }
}

/// Returns a member of the policy, or of the context of an operation, as a link.
fn changed(member: &str) -> String {
    let operation = member.split(": ").next().unwrap_or_default();
    match payspec::operations::operation(operation) {
        Some(_) => format!("`{member}` ([{operation}](../operations/{operation}.md))"),
        None => format!("`{member}` in the [policy](../policy.md)"),
    }
}
