//! `payspec policy diff`: the requests that a change of a policy accepts or rejects.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use payspec::{
    ComparePoliciesContext, Engine, Policy, PolicyChange, PolicyComparison, PolicyDifference,
    PolicyRelation,
};
use serde_json::Value;

use super::read::read;
use crate::failure::{Failure, Status};
use crate::output::{Output, pretty_json};
use crate::page::Page;

/// The longest part of a body that is printed for people, in characters.
const SHOWN: usize = 400;

/// Compare the requests that two policies accept
///
/// Each difference that decides which requests are accepted is shown with a body that exactly one of
/// the two policies accepts. The exit status is 0 if both accept the same requests, otherwise 1.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  payspec policy diff deployed.json proposed.json\n  payspec policy diff deployed.json proposed.json --fail-on narrower --json"
)]
pub(crate) struct Options {
    /// The policy in use; `-` is standard input
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The policy that replaces it
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Print the answer of the operation compare_policies
    #[arg(long)]
    json: bool,
    /// Exit with 1 only if the new policy accepts (`wider`) or rejects (`narrower`) further requests
    #[arg(long, value_enum, value_name = "CHANGE")]
    fail_on: Option<FailOn>,
}

/// A change that fails the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// The new policy accepts a request that the old one rejects
    Wider,
    /// The new policy rejects a request that the old one accepts
    Narrower,
}

pub(super) fn run(options: &Options) -> Result<Status, Failure> {
    let ((old, _), (new, _)) = (read(&options.old)?, read(&options.new)?);
    let lists = Lists::new(&old, &new);
    let context =
        ComparePoliciesContext::new(old, new).map_err(|error| Failure::new(error.to_string()))?;
    let comparison = Engine::default().compare_policies(&context);
    let mut out = Output::new();
    if options.json {
        let mut json = Vec::new();
        comparison.write_json(&mut json);
        out.write_all(&pretty_json(&json))?;
    } else {
        out.write_all(&page(&comparison, &lists).bytes())?;
    }
    out.flush()?;
    Ok(status(&comparison, options.fail_on))
}

fn status(comparison: &PolicyComparison, fail_on: Option<FailOn>) -> Status {
    let has = |change| {
        let mut differences = comparison.differences.iter();
        differences.any(|difference| difference.change == change)
    };
    let fails = match fail_on {
        None => comparison.relation != PolicyRelation::Equal,
        Some(FailOn::Wider) => has(PolicyChange::Wider),
        Some(FailOn::Narrower) => has(PolicyChange::Narrower),
    };
    if fails {
        Status::Rejected
    } else {
        Status::Accepted
    }
}

/// The settings of both policies, for the items of lists: one request shows the difference of one item.
struct Lists {
    old: Value,
    new: Value,
}

impl Lists {
    fn new(old: &Policy, new: &Policy) -> Self {
        let json = |policy: &Policy| serde_json::to_value(policy).unwrap_or_default();
        Self {
            old: json(old),
            new: json(new),
        }
    }

    /// Returns the items that a list has lost or gained with the effect of a difference; `None` if the
    /// setting is not a list of texts in both policies.
    fn changes(&self, difference: &PolicyDifference) -> Option<String> {
        let path = &difference.path;
        let items = |policy: &Value| policy.pointer(path)?.as_array().cloned();
        let (old, new) = (items(&self.old)?, items(&self.new)?);
        // A further currency permits requests, a further required member forbids some.
        let is_gain = (difference.change == PolicyChange::Wider) != (path == "/required");
        let (verb, one, other) = match is_gain {
            true => ("added", new, old),
            false => ("removed", old, new),
        };
        let items = one.iter().filter(|item| !other.contains(item));
        let items: Vec<_> = items.filter_map(Value::as_str).collect();
        (!items.is_empty()).then(|| format!("{verb}: {}", items.join(", ")))
    }
}

fn page(comparison: &PolicyComparison, lists: &Lists) -> Page {
    let mut page = Page::new();
    page.title(match comparison.relation {
        PolicyRelation::Equal => "equal: both policies accept the same requests",
        PolicyRelation::Wider => {
            "wider: the new policy accepts every request that the old one accepts, and others"
        }
        PolicyRelation::Narrower => {
            "narrower: the new policy rejects requests that the old one accepts, and accepts no others"
        }
        PolicyRelation::Incomparable => {
            "incomparable: each policy accepts a request that the other one rejects"
        }
    });
    for difference in &comparison.differences {
        page.line("");
        describe(difference, lists, &mut page);
    }
    page
}

fn describe(difference: &PolicyDifference, lists: &Lists, page: &mut Page) {
    let effect = match difference.change {
        PolicyChange::Wider => "only the new policy accepts",
        PolicyChange::Narrower => "only the old policy accepts",
        PolicyChange::Other => "decides no request",
    };
    page.term(difference.change.name(), &difference.path);
    if let Some(changes) = lists.changes(difference) {
        page.term("", &changes);
    }
    let Some(witness) = &difference.witness else {
        let effect = match difference.change {
            PolicyChange::Other => effect.to_owned(),
            _ => format!("{effect} a body of more than 1 MiB"),
        };
        page.term("", &effect);
        return;
    };
    let time = witness.now.map(|now| format!(" at {now}"));
    page.term("", &format!("{effect}{}:", time.unwrap_or_default()));
    page.block(shortened(&witness.body).as_bytes());
}

/// Returns the body, or its beginning and its length.
fn shortened(body: &str) -> String {
    match body.char_indices().nth(SHOWN) {
        None => body.trim_end().to_owned() + &spaces(body),
        Some((end, _)) => {
            let beginning = body.get(..end).unwrap_or(body).trim_end();
            format!("{beginning}… ({} bytes)", body.len())
        }
    }
}

/// Returns the number of spaces at the end of a body, if there are any.
fn spaces(body: &str) -> String {
    match body.len() - body.trim_end().len() {
        0 => String::new(),
        spaces => format!(" (and {spaces} spaces)"),
    }
}
