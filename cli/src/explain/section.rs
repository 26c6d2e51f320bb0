//! Explains a section of the specification, and a status: what is based on it.

use payspec::{DECISIONS, ProblemCode, RULES};

use crate::page::Page;

/// The column of names.
const NAME: usize = 26;

/// Lists the rules and decisions whose source is the section, with or without `§`. Returns whether
/// there are any.
pub(super) fn explain(section: &str, page: &mut Page) -> bool {
    let section = &*format!("§{}", section.trim_start_matches('§'));
    let rules = RULES
        .iter()
        .filter(|rule| rule.source == section)
        .map(|rule| (rule.name, rule.summary));
    let decisions = DECISIONS
        .iter()
        .filter(|decision| decision.source == section);
    let entries: Vec<_> = rules
        .chain(decisions.map(|decision| (decision.id, decision.open)))
        .collect();
    list(&format!("{section} of the specification"), &entries, page)
}

/// Lists the problems with the status. Returns whether there are any.
pub(super) fn explain_status(status: u16, page: &mut Page) -> bool {
    let problems = ProblemCode::ALL
        .iter()
        .filter(|problem| problem.status() == status);
    let entries: Vec<_> = problems
        .map(|problem| (problem.name(), problem.detail()))
        .collect();
    list(&format!("Status {status}"), &entries, page)
}

fn list(title: &str, entries: &[(&str, &str)], page: &mut Page) -> bool {
    if entries.is_empty() {
        return false;
    }
    page.title(title);
    for (name, text) in entries {
        page.columns(name, NAME, text);
    }
    true
}
