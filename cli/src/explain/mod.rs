//! `payspec explain`: what a code, a decision, or a state means.

mod decision;
mod example;
mod page;
mod rule;
mod state;

use std::io::Write;

use clap::Args;
use payspec::{DECISIONS, RULES, State};

use crate::engine::PolicyOptions;
use crate::failure::{Failure, Status};
use crate::output::Output;
use crate::suggest::unknown;
pub(crate) use page::Page;
pub(crate) use rule::sentence;

/// Explain a violation code, a decision, or a state, such as amount_scale, D7, or idle
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  payspec explain amount_scale\n  payspec explain D7\n  payspec explain not_fully")]
pub(crate) struct Options {
    /// A code of `payspec rules`, a decision of `payspec decisions`, or a state of `payspec states`
    #[arg(value_name = "CODE|DECISION|STATE")]
    name: String,
    #[command(flatten)]
    policy: PolicyOptions,
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let engine = options.policy.engine()?;
    let mut page = Page::new();
    let name = options.name.as_str();
    if let Some(rule) = RULES.iter().find(|rule| rule.name == name) {
        rule::explain(&engine, rule, &mut page)?;
    } else if let Some(decision) = DECISIONS.iter().find(|decision| decision.id.eq_ignore_ascii_case(name)) {
        decision::explain(decision, &mut page);
    } else if let Some(state) = State::ALL.iter().find(|state| state.name() == name) {
        state::explain(&engine, *state, &mut page);
    } else {
        let known = RULES.iter().map(|rule| rule.name).chain(DECISIONS.iter().map(|decision| decision.id));
        let known = known.chain(State::ALL.iter().map(|state| state.name()));
        return Err(unknown("code, decision, or state", name, known, "payspec rules|decisions|states"));
    }
    page.line("");
    page.term("Page", &book_page(name));
    let mut out = Output::new();
    out.write_all(&page.bytes())?;
    out.flush()?;
    Ok(Status::Accepted)
}

/// Returns the path of the page in the book, which `cargo xtask docs` builds.
fn book_page(name: &str) -> String {
    let decision = DECISIONS.iter().find(|decision| decision.id.eq_ignore_ascii_case(name));
    let (folder, name) = match decision {
        Some(decision) => ("decisions", decision.id),
        None if RULES.iter().any(|rule| rule.name == name) => ("rules", name),
        None => ("states", name),
    };
    format!("reference/{folder}/{name}.html in the book")
}
