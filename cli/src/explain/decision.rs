//! Explains a decision.

use payspec::{Decision, RULES};

use crate::page::Page;

pub(super) fn explain(decision: &Decision, page: &mut Page) {
    page.title(decision.id);
    page.term("Open", decision.open);
    page.term("Decision", decision.decision);
    page.term(
        "Source",
        &format!("{} of the specification", decision.source),
    );
    let changed_by = decision.changed_by.join(", ");
    page.term(
        "Changed by",
        if changed_by.is_empty() {
            "nothing"
        } else {
            &changed_by
        },
    );
    let rules: Vec<&str> = RULES
        .iter()
        .filter(|rule| rule.source == decision.id)
        .map(|rule| rule.name)
        .collect();
    if !rules.is_empty() {
        page.term("Rules", &rules.join(", "));
    }
}
