//! `payspec read`: the response to a request for a payment.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::context::{Context, json_file};
use super::{Print, answer};
use crate::engine::PolicyOptions;
use crate::failure::{Failure, Status};

/// Print the response to a request for a payment
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  payspec read 7c9e6679-7425-40de-944b-e07fc1f90ae7 --payment payment.json"
)]
pub(crate) struct Options {
    /// The uid in the path of the request
    uid: String,
    /// The stored payment [default: none is stored]
    #[arg(long, value_name = "FILE")]
    payment: Option<PathBuf>,
    /// Value of the header Authorization [default: the caller has checked it]
    #[arg(long, value_name = "HEADER")]
    authorization: Option<String>,
    /// With --authorization: the token is not accepted
    #[arg(long, requires = "authorization")]
    unknown_token: bool,
    #[command(flatten)]
    print: Print,
    #[command(flatten)]
    policy: PolicyOptions,
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let mut context = Context::default();
    context.add("uid", "UID", Some(&options.uid))?;
    // Without a file the member is null: no payment is stored.
    context.add(
        "payment",
        "--payment",
        Some(options.payment.as_deref().map(json_file).transpose()?),
    )?;
    context.add(
        "authorization",
        "--authorization",
        Some(match &options.authorization {
            Some(header) => json!({"header": header, "accepted": !options.unknown_token}),
            None => json!("checked_by_caller"),
        }),
    )?;
    answer(
        &options.policy.engine()?,
        "read_payment",
        None,
        &context,
        &options.print,
    )
}
