//! `payspec create`: the response to a creation request.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::context::{Charges, Context, Quote, json_file};
use super::{Print, answer};
use crate::engine::{PolicyOptions, body_limit};
use crate::failure::{Failure, Status};
use crate::input::Origin;
use crate::time::Now;

/// Print the response to a creation request: its status, and the payment or the problem
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  payspec create order.json\n  payspec create crypto.json --quote RUB=92.45 --charges fee=1.50,commission=2.00"
)]
pub(crate) struct Options {
    /// The body of the request; standard input if it is `-` or omitted
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// UUID of the payment [default: a random one]
    #[arg(long)]
    uid: Option<String>,
    /// Time of the request, an RFC 3339 timestamp [default: the clock]
    #[arg(long, value_name = "TIME")]
    now: Option<Now>,
    /// Price of 1 USDT, for requests in mode CRYPTO; a rate without a time is that of --now
    #[arg(long, value_name = "CURRENCY=RATE[@TIME]")]
    quote: Option<Quote>,
    /// Amounts of fee, commission, and shared_commission
    #[arg(long, value_name = "NAME=AMOUNT,…")]
    charges: Option<Charges>,
    /// Address of the payment page
    #[arg(long)]
    url: Option<String>,
    /// Form of the payment page, such as acquiring.card
    #[arg(long)]
    form: Option<String>,
    /// merchant_id of payments whose request has none
    #[arg(long, value_name = "ID")]
    merchant_id: Option<String>,
    /// A merchant_id that requests may have; may be repeated [default: any]
    #[arg(long, value_name = "ID")]
    allow_merchant_id: Vec<String>,
    /// Value of the header Authorization [default: the caller has checked it]
    #[arg(long, value_name = "HEADER")]
    authorization: Option<String>,
    /// With --authorization: the token is not accepted
    #[arg(long, requires = "authorization")]
    unknown_token: bool,
    /// Key of the request
    #[arg(long, value_name = "KEY")]
    idempotency_key: Option<String>,
    /// The record under the key: {"created_at":…,"fingerprint":…,"payment":…}
    #[arg(long, value_name = "FILE", requires = "idempotency_key")]
    existing: Option<PathBuf>,
    /// Further members of info, for host-to-host payments
    #[arg(long, value_name = "FILE")]
    info: Option<PathBuf>,
    /// Decline the payment, with this reason
    #[arg(long, value_name = "REASON")]
    refusal: Option<String>,
    #[command(flatten)]
    print: Print,
    #[command(flatten)]
    policy: PolicyOptions,
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let engine = options.policy.engine()?;
    let body = Origin::of(&options.file).read(body_limit(&engine) as u64 + 1)?;
    let now = options
        .now
        .map_or_else(Now::of_clock, Ok)
        .map_err(Failure::new)?
        .text();
    let authorization = options.authorization.as_ref();
    let allowed = (!options.allow_merchant_id.is_empty()).then_some(&options.allow_merchant_id);
    let mut context = Context::default();
    context.add(
        "uid",
        "--uid",
        Some(options.uid.clone().unwrap_or_else(random_uid)),
    )?;
    context.add("now", "--now", Some(&now))?;
    context.add(
        "quote",
        "--quote",
        options.quote.as_ref().map(|quote| quote.json(&now)),
    )?;
    context.add(
        "charges",
        "--charges",
        options.charges.as_ref().map(Charges::json),
    )?;
    context.add("url", "--url", options.url.as_ref())?;
    context.add("form", "--form", options.form.as_ref())?;
    context.add("merchant_id", "--merchant-id", options.merchant_id.as_ref())?;
    context.add("allowed_merchant_ids", "--allow-merchant-id", allowed)?;
    context.add(
        "authorization",
        "--authorization",
        Some(match authorization {
            Some(header) => json!({"header": header, "accepted": !options.unknown_token}),
            None => json!("checked_by_caller"),
        }),
    )?;
    if let Some(key) = &options.idempotency_key {
        let mut idempotency = Context::default();
        idempotency.add("key", "--idempotency-key", Some(key))?;
        idempotency.add(
            "existing",
            "--existing",
            Some(options.existing.as_deref().map(json_file).transpose()?),
        )?;
        let idempotency: Box<serde_json::value::RawValue> =
            serde_json::from_slice(&idempotency.json()?)
                .map_err(|error| Failure::new(error.to_string()))?;
        context.add("idempotency", "--idempotency-key", Some(idempotency))?;
    }
    context.add(
        "info",
        "--info",
        options.info.as_deref().map(json_file).transpose()?,
    )?;
    context.add("refusal", "--refusal", options.refusal.as_ref())?;
    answer(
        &engine,
        "create_payment",
        Some(&body),
        &context,
        &options.print,
    )
}

/// Returns a random UUID of version 4. It names an example; a service uses a generator of its own.
fn random_uid() -> String {
    let [a, b] = [fastrand::u64(..), fastrand::u64(..)];
    let (c, d) = (a & 0xFFF | 0x4000, b >> 48 & 0x3FFF | 0x8000);
    format!(
        "{:08x}-{:04x}-{c:04x}-{d:04x}-{:012x}",
        a >> 32,
        a >> 16 & 0xFFFF,
        b & 0xFFFF_FFFF_FFFF
    )
}
