//! `payspec explain`: what a code, a decision, or a state means.

mod decision;
mod example;
mod problem;
mod rule;
mod section;
mod state;

use std::io::Write;

use clap::Args;
use payspec::{DECISIONS, Engine, ProblemCode, RULES, State};

use crate::engine::PolicyOptions;
use crate::failure::{Failure, Status};
use crate::output::Output;
use crate::page::Page;
use crate::suggest::{Names, unknown};

/// Explain the code of a violation or problem, a decision, or a state, such as amount_scale, D7, or
/// idle
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  payspec explain amount_scale\n  payspec explain D7\n  payspec explain not_fully\n  payspec explain §2.2\n  payspec explain 422"
)]
pub(crate) struct Options {
    /// A code of `payspec rules` or of a problem, a decision of `payspec decisions`, a state of
    /// `payspec states`, a section of the specification, or a status
    #[arg(value_name = "CODE|DECISION|STATE", value_parser = Names(names), hide_possible_values = true)]
    name: String,
    #[command(flatten)]
    policy: PolicyOptions,
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let page = page(&options.policy.engine()?, &options.name)?;
    let mut out = Output::new();
    out.write_all(&page.bytes())?;
    out.flush()?;
    Ok(Status::Accepted)
}

/// Returns the explanation of a name under the policy of an engine.
pub(crate) fn page(engine: &Engine, name: &str) -> Result<Page, Failure> {
    let mut page = Page::new();
    let is_named = |known: &str| known.eq_ignore_ascii_case(name);
    let page_name = if let Some(rule) = RULES.iter().find(|rule| is_named(rule.name)) {
        rule::explain(engine, rule, &mut page)?;
        format!("reference/rules/{}", rule.name)
    } else if let Some(decision) = DECISIONS.iter().find(|decision| is_named(decision.id)) {
        decision::explain(decision, &mut page);
        format!("reference/decisions/{}", decision.id)
    } else if let Some(state) = State::ALL.iter().find(|state| is_named(state.name())) {
        state::explain(engine, *state, &mut page);
        format!("reference/states/{}", state.name())
    } else if let Some(problem) = ProblemCode::ALL
        .iter()
        .find(|problem| is_named(problem.name()))
    {
        problem::explain(*problem, &mut page);
        "guides/rejected".to_owned()
    } else if section::explain(name, &mut page) {
        "reference/rules/index".to_owned()
    } else if name
        .parse()
        .is_ok_and(|status| section::explain_status(status, &mut page))
    {
        "guides/rejected".to_owned()
    } else {
        let list = "payspec rules|decisions|states";
        return Err(unknown(
            "code, decision, or state",
            name,
            names().into_iter(),
            list,
        ));
    };
    page.line("");
    page.term(
        "Page",
        &format!("{page_name}.html in the book, which `cargo xtask docs` builds"),
    );
    Ok(page)
}

/// Returns the names that can be explained.
fn names() -> Vec<&'static str> {
    let names = RULES
        .iter()
        .map(|rule| rule.name)
        .chain(DECISIONS.iter().map(|decision| decision.id));
    let names = names.chain(State::NAMES.iter().copied());
    names
        .chain(ProblemCode::ALL.iter().map(|problem| problem.name()))
        .collect()
}
