//! Explains a rule.

use payspec::{DECISIONS, Engine, Rule};

use super::example::EXAMPLES;
use super::page::Page;
use crate::failure::Failure;

pub(super) fn explain(engine: &Engine, rule: &Rule, page: &mut Page) -> Result<(), Failure> {
    page.title(rule.name);
    page.paragraph(&sentence(rule.summary));
    page.line("");
    let (default, current) = (rule.severity.name(), engine.severity(rule.code).name());
    let changed = if default == current { String::new() } else { format!("; {current} under this policy") };
    page.term("Severity", &format!("{default}{changed}"));
    page.term(
        "Change it",
        &if rule.adjustable {
            format!("{{\"severity\": {{\"{}\": \"error\" | \"warning\" | \"off\"}}}} in the policy", rule.name)
        } else {
            "not possible: the other rules depend on it".to_owned()
        },
    );
    match DECISIONS.iter().find(|decision| decision.id == rule.source) {
        Some(decision) => {
            page.term("Source", &format!("{}: {}", decision.id, decision.open));
            page.term("", decision.decision);
            if !decision.changed_by.is_empty() {
                page.term("", &format!("Changed by {}.", decision.changed_by.join(", ")));
            }
        }
        None => page.term("Source", &format!("{} of the specification", rule.source)),
    }
    if !rule.params.is_empty() {
        page.term("Parameters", &rule.params.join(", "));
    }
    match EXAMPLES.iter().find(|example| example.code == rule.name) {
        Some(example) => example.show(page),
        None => Ok(()),
    }
}

/// Returns a message as a sentence. Its parameters are shown by name.
pub(crate) fn sentence(message: &str) -> String {
    let mut characters = message.chars();
    let first: String = characters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}
