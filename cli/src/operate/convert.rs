//! `payspec convert`: a fiat amount in USDT.

use clap::Args;

use super::context::{Context, Quote};
use super::{Print, answer};
use crate::engine::PolicyOptions;
use crate::failure::{Failure, Status};
use crate::time::Now;

/// Convert a fiat amount to USDT
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  payspec convert 1500.00 RUB --quote RUB=92.45")]
pub(crate) struct Options {
    /// The amount, such as 1500.00
    amount: String,
    /// Its currency, such as RUB
    currency: String,
    /// Price of 1 USDT; a rate without a time is that of --now
    #[arg(long, value_name = "CURRENCY=RATE[@TIME]")]
    quote: Option<Quote>,
    /// Time of the conversion, which decides whether the rate is too old [default: the clock]
    #[arg(long, value_name = "TIME")]
    now: Option<Now>,
    #[command(flatten)]
    print: Print,
    #[command(flatten)]
    policy: PolicyOptions,
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let now = options
        .now
        .map_or_else(Now::of_clock, Ok)
        .map_err(Failure::new)?
        .text();
    let mut context = Context::default();
    context.add("amount", "AMOUNT", Some(&options.amount))?;
    context.add("currency", "CURRENCY", Some(&options.currency))?;
    context.add(
        "quote",
        "--quote",
        options.quote.as_ref().map(|quote| quote.json(&now)),
    )?;
    context.add("now", "--now", Some(&now))?;
    answer(
        &options.policy.engine()?,
        "convert",
        None,
        &context,
        &options.print,
    )
}
