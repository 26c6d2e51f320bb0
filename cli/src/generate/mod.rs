//! `payspec generate`: bodies that are valid, or that break exactly one rule, for tests of other
//! programs.

mod body;
mod payment;
mod recipes;
mod request;

use std::io::Write;

use anstream::eprintln;
use clap::Args;
use fastrand::Rng;
use payspec::{Code, Engine, RULES, Rule};

use crate::engine::PolicyOptions;
use crate::failure::{Failure, Status};
use crate::output::Output;
use crate::suggest::{Names, unknown};
use crate::time::Now;
use recipes::Draft;

/// Print bodies that are valid, or that break exactly the rule that was requested, one in each line
///
/// The same seed gives the same bodies. Rules of payments give payments. A rule that needs a
/// request, a context, or a time gives them with --with-answer. field_currency cannot be broken
/// alone: its payments also miss a member.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  payspec generate --count 1000 --seed 7 > valid.jsonl\n  payspec generate --rule amount_scale --with-answer\n  payspec generate --all-rules --count 10 | payspec validate --jsonl"
)]
pub(crate) struct Options {
    /// Break this rule, a code of `payspec rules`
    #[arg(
        long,
        value_name = "CODE",
        conflicts_with_all = ["all_rules", "valid"],
        value_parser = Names(codes),
        hide_possible_values = true
    )]
    rule: Option<String>,
    /// Break each rule in turn
    #[arg(long, conflicts_with = "valid")]
    all_rules: bool,
    /// Valid requests, without warnings [default]
    #[arg(long)]
    valid: bool,
    /// Number of bodies, for each rule
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: u64,
    /// Start of the random numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Time at which the cards are valid, and after which those of card_expired have expired
    #[arg(long, value_name = "TIME", default_value = "2026-11-20T10:15:30Z")]
    now: Now,
    /// Print {"operation":…,"inputs":{…},"answer":…} instead of the body alone
    #[arg(long)]
    with_answer: bool,
    #[command(flatten)]
    policy: PolicyOptions,
}

/// So many drafts are made for a body. A few percent of them break another rule as well.
const DRAFTS: usize = 200;

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let engine = options.policy.engine()?;
    let mut rng = Rng::with_seed(options.seed);
    let mut out = Output::new();
    let now = options.now.text();
    let mut write = |rule: Option<&Rule>| -> Result<bool, Failure> {
        for _ in 0..options.count {
            let Some((draft, answer)) = draft(&engine, rule, &now, &mut rng) else {
                return Ok(false);
            };
            let line = if options.with_answer {
                draft.with_answer(&answer)?
            } else {
                draft.body
            };
            out.write_all(line.as_bytes())?;
            out.write_all(b"\n")?;
        }
        Ok(true)
    };
    let mut unbroken = Vec::new();
    if let Some(name) = &options.rule {
        let rule = RULES
            .iter()
            .find(|rule| rule.name.eq_ignore_ascii_case(name));
        let rule =
            rule.ok_or_else(|| unknown("code", name, codes().into_iter(), "payspec rules"))?;
        if !write(Some(rule))? {
            unbroken.push(rule.name);
        }
    } else if options.all_rules {
        for rule in RULES {
            if !write(Some(rule))? {
                unbroken.push(rule.name);
            }
        }
    } else if !write(None)? {
        return Err(Failure::new("no valid body was found under this policy"));
    }
    out.flush()?;
    if unbroken.is_empty() {
        return Ok(Status::Accepted);
    }
    let message = format!(
        "under this policy no body was found that breaks {}",
        unbroken.join(", ")
    );
    if !options.all_rules {
        return Err(Failure::new(message));
    }
    eprintln!("{message}");
    Ok(Status::Accepted)
}

fn codes() -> Vec<&'static str> {
    RULES.iter().map(|rule| rule.name).collect()
}

/// Returns a draft that breaks exactly the rule, with the answer of the library, which decides.
///
/// Some rules cannot be broken alone. For them, the first draft with one other code is returned.
fn draft(
    engine: &Engine,
    rule: Option<&Rule>,
    now: &str,
    rng: &mut Rng,
) -> Option<(Draft, Vec<u8>)> {
    let mut second_best = None;
    for _ in 0..DRAFTS {
        let draft = recipes::draft(engine, rule.map(|rule| rule.code), now, rng);
        let answered = draft.and_then(|draft| {
            draft
                .answer(engine)
                .map(|(answer, codes)| (draft, answer, codes))
        });
        let Some((draft, answer, mut codes)) = answered else {
            continue;
        };
        let expected: &[Code] = rule
            .as_ref()
            .map_or(&[], |rule| std::slice::from_ref(&rule.code));
        if codes == expected {
            return Some((draft, answer));
        }
        codes.sort_unstable();
        codes.dedup();
        if second_best.is_none()
            && codes.len() == 2
            && rule.is_some_and(|rule| codes.contains(&rule.code))
        {
            second_best = Some((draft, answer));
        }
    }
    second_best
}
