//! `payspec advance`: moves a payment to another state.

use std::path::PathBuf;

use clap::Args;
use payspec::State;

use super::context::{Context, json_file};
use super::{Print, answer};
use crate::engine::PolicyOptions;
use crate::failure::{Failure, Status};
use crate::input::Origin;
use crate::suggest::{Names, unknown};
use crate::time::Now;

/// Move a stored payment to another state
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  payspec advance payment.json --to completed\n  payspec advance payment.json --to fail --fail-by acquirer --fail-code declined"
)]
pub(crate) struct Options {
    /// The stored payment; standard input if it is `-` or omitted
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// The new state, one of `payspec states`
    #[arg(long, value_name = "STATE", value_parser = Names(|| State::NAMES.to_vec()), hide_possible_values = true)]
    to: String,
    /// Time of the transition, an RFC 3339 timestamp [default: the clock]
    #[arg(long, value_name = "TIME")]
    at: Option<Now>,
    /// The amount that was paid
    #[arg(long, value_name = "AMOUNT")]
    paid_amount: Option<String>,
    /// The corrected amount
    #[arg(long, value_name = "AMOUNT")]
    amount: Option<String>,
    /// The party that has failed the payment
    #[arg(long, value_name = "TEXT")]
    fail_by: Option<String>,
    /// The reason of the failure
    #[arg(long, value_name = "TEXT")]
    fail_code: Option<String>,
    /// Address of a receipt; may be repeated
    #[arg(long, value_name = "URL")]
    receipt: Vec<String>,
    #[command(flatten)]
    print: Print,
    #[command(flatten)]
    policy: PolicyOptions,
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let at = options
        .at
        .map_or_else(Now::of_clock, Ok)
        .map_err(Failure::new)?
        .text();
    if !State::NAMES.contains(&options.to.as_str()) {
        return Err(unknown(
            "state",
            &options.to,
            State::NAMES.iter().copied(),
            "payspec states",
        ));
    }
    let mut context = Context::default();
    context.add(
        "payment",
        Origin::of(&options.file).name(),
        Some(json_file(&options.file)?),
    )?;
    context.add("to", "--to", Some(&options.to))?;
    context.add("at", "--at", Some(at))?;
    context.add("paid_amount", "--paid-amount", options.paid_amount.as_ref())?;
    context.add("amount", "--amount", options.amount.as_ref())?;
    context.add("fail_by", "--fail-by", options.fail_by.as_ref())?;
    context.add("fail_code", "--fail-code", options.fail_code.as_ref())?;
    context.add(
        "receipts",
        "--receipt",
        (!options.receipt.is_empty()).then_some(&options.receipt),
    )?;
    answer(
        &options.policy.engine()?,
        "advance_payment",
        None,
        &context,
        &options.print,
    )
}
