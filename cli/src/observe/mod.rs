//! `payspec observe`: compares the decisions of the register with the traffic of a service.

mod case;
mod creation;
mod engine;
mod entry;
mod evidence;
mod exchange;
mod findings;
mod keys;
mod observer;
mod payment;
#[cfg(feature = "service")]
mod proxy;
mod read;
mod recent;
mod report;
mod secrets;
mod source;
mod table;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use crate::failure::{Failure, Status};
use crate::input::Origin;
use crate::json_text;
use crate::output::{Output, pretty_json};
use findings::{Findings, Verdict};
use observer::Observer;
use table::OBSERVABLE;

/// The exchanges of the interface, in the message of an input without them.
const ENDPOINTS: &str = "expected POST /v1/payments/new, GET /v1/payments/{uid}/status, GET /v1/partner/balance, or a callback";

/// Compare recorded traffic of a service with the decisions of the register
///
/// The input is a HAR, as browsers and proxies save it, or JSON Lines with an exchange each, such as
/// {"request":{"method":"POST","url":"/v1/payments/new","headers":{},"body":{}},
/// "response":{"status":201,"headers":{},"body":{}},"started":"2026-11-20T10:15:30Z","duration_ms":40}.
///
/// Card data, tokens, and idempotency keys are in no output. The exit status is 1 if a decision is
/// contradicted.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  payspec observe traffic.har\n  payspec observe traffic.jsonl --write-profile service.json\n  payspec observe --upstream https://pay.example --listen 127.0.0.1:8070 --record traffic.jsonl\n  payspec sandbox --profile service.json"
)]
pub(crate) struct Options {
    /// Recordings; standard input if none is given, or `-`
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Write the settings that the traffic infers as a policy; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    write_policy: Option<PathBuf>,
    /// Write the confirmed decisions and the policy as a profile, for `payspec conform` and `payspec
    /// sandbox`; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    write_profile: Option<PathBuf>,
    #[cfg(feature = "service")]
    #[command(flatten)]
    proxy: proxy::Options,
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let mut observer = Observer::default();
    observe(options, &mut observer)?;
    let findings = observer.findings;
    if let Some(path) = &options.write_policy {
        write(path, &findings.policy())?;
    }
    if let Some(path) = &options.write_profile {
        write(path, &findings.profile())?;
    }
    let mut out = Output::new();
    match options.json {
        true => out.write_all(&pretty_json(report::json(&findings).to_string().as_bytes()))?,
        false => out.write_all(&report::text(&findings))?,
    }
    out.flush()?;
    Ok(status(&findings))
}

fn observe(options: &Options, observer: &mut Observer) -> Result<(), Failure> {
    #[cfg(feature = "service")]
    if options.proxy.is_given() {
        return proxy::run(&options.proxy, observer);
    }
    let origins: Vec<Origin> = match options.files.as_slice() {
        [] => vec![Origin::Stdin],
        files => files.iter().map(|file| Origin::of(file)).collect(),
    };
    for origin in &origins {
        let (all, before) = (observer.findings.all, observer.findings.exchanges);
        read::read(origin, |place, exchange| observer.observe(place, exchange))?;
        if observer.findings.exchanges == before {
            return Err(other_service(&origin.name(), observer.findings.all - all));
        }
    }
    Ok(())
}

fn other_service(name: &str, count: u64) -> Failure {
    let exchanges = read::plural(count, "exchange");
    Failure::new(format!(
        "{name}: none of {exchanges} is one of the interface: {ENDPOINTS}"
    ))
}

fn status(findings: &Findings) -> Status {
    let is_contradicted = OBSERVABLE
        .iter()
        .any(|row| findings.verdict(row.decision) == Verdict::Contradicted);
    match is_contradicted {
        true => Status::Rejected,
        false => Status::Accepted,
    }
}

fn write(path: &Path, json: &Value) -> Result<(), Failure> {
    let mut text = Vec::new();
    json_text::expand(json.to_string().as_bytes(), &mut text);
    fs::write(path, text).map_err(|error| Failure::writing(path, &error))
}
