//! Explains a rule.

use payspec::{DECISIONS, Engine, Rule};

use super::example::EXAMPLES;
use crate::catalog::sentence;
use crate::failure::Failure;
use crate::page::Page;
use crate::settings;

/// The source of the rules on the legacy API.
const LEGACY: &str = "§9.2";

pub(super) fn explain(engine: &Engine, rule: &Rule, page: &mut Page) -> Result<(), Failure> {
    page.title(rule.name);
    page.paragraph(&sentence(rule.summary));
    page.line("");
    let (default, current) = (rule.severity.name(), engine.severity(rule.code).name());
    let changed = if default == current {
        String::new()
    } else {
        format!("; {current} under this policy")
    };
    page.term("Severity", &format!("{default}{changed}"));
    // A rule about a limit is changed by the limit, so that the rule keeps its meaning.
    let mut term = "Change it";
    for policy in settings::of(rule) {
        page.term(term, &format!("{policy} in the policy"));
        term = "";
    }
    if rule.adjustable {
        let policy = format!(
            "{{\"severity\": {{\"{}\": \"error\" | \"warning\" | \"off\"}}}}",
            rule.name
        );
        page.term(term, &format!("{policy} in the policy"));
    } else if term.is_empty() {
        page.term(term, "Its severity is fixed: the other rules depend on it.");
    } else {
        page.term(term, "not possible: the other rules depend on it");
    }
    match DECISIONS.iter().find(|decision| decision.id == rule.source) {
        Some(decision) => {
            page.term("Source", &format!("{}: {}", decision.id, decision.open));
            page.term("", decision.decision);
            if !decision.changed_by.is_empty() {
                page.term(
                    "",
                    &format!("Changed by {}.", decision.changed_by.join(", ")),
                );
            }
        }
        None => page.term("Source", &format!("{} of the specification", rule.source)),
    }
    if !rule.params.is_empty() {
        page.term("Parameters", &rule.params.join(", "));
    }
    if rule.source == LEGACY {
        page.term(
            "Migrate",
            "`payspec migrate requests --kind pay_in` converts bodies of the legacy API",
        );
    }
    match EXAMPLES.iter().find(|example| example.code == rule.name) {
        Some(example) => example.show(page),
        None => Ok(()),
    }
}
