//! The operations of the library: each with flags, and all of them with JSON files.

mod advance;
mod call;
mod card;
mod context;
mod convert;
mod create;
mod read;

use std::io::Write;

use payspec::Engine;
use payspec::operations::{Verdict, operation};

use context::Context;

use crate::failure::{Failure, Status};
use crate::output::{Output, pretty_json};

pub(crate) use advance::{Options as Advance, run as advance};
pub(crate) use call::{Options as Call, run as call};
pub(crate) use card::{Options as Card, run as card};
pub(crate) use convert::{Options as Convert, run as convert};
pub(crate) use create::{Options as Create, run as create};
pub(crate) use read::{Options as Read, run as read};

/// How an answer is printed.
#[derive(clap::Args, Debug)]
pub(crate) struct Print {
    /// Print the answer on one line, exactly as the library writes it
    #[arg(short, long)]
    compact: bool,
}

/// Runs an operation with a context, and prints its answer.
fn answer(
    engine: &Engine,
    name: &str,
    body: Option<&[u8]>,
    context: &Context,
    print: &Print,
) -> Result<Status, Failure> {
    let operation = operation(name)
        .ok_or_else(|| Failure::new(format!("this program has no operation {name}")))?;
    let json = context.json()?;
    let inputs: Vec<Option<&[u8]>> = body
        .map(Some)
        .into_iter()
        .chain([Some(json.as_slice())])
        .collect();
    let mut answer = Vec::new();
    let verdict: Verdict = operation
        .call(engine, &inputs, Some(&mut answer))
        .map_err(|error| context.failure(&error))?;
    print_json(&answer, print)?;
    Ok(verdict.into())
}

/// Prints JSON, by default over several lines.
fn print_json(json: &[u8], print: &Print) -> Result<(), Failure> {
    let text = if print.compact {
        [json, b"\n"].concat()
    } else {
        pretty_json(json)
    };
    let mut out = Output::new();
    out.write_all(&text)?;
    out.flush()?;
    Ok(())
}
