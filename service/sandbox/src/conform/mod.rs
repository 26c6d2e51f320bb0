//! `payspec conform`: examines an implementation of the specification over HTTP.
//!
//! All calls are made first (`facts`); the checks (`checks`) then evaluate the answers, many of
//! them by the library's own rules for payments.

mod check;
mod checks;
mod client;
mod decided;
mod examination;
mod facts;
mod report;

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use payspec::{Engine, Policy};
use serde_json::Value;

use crate::failure::Failure;
use crate::profile::Profile;
use check::Check;
use checks::CHECKS;
use client::{Call, Target};
use examination::{Examination, Finding, Format};

/// The default of `--key-header`.
const KEY_HEADER: &str = "Idempotency-Key";
/// The default of `--timeout`, in seconds.
const TIMEOUT: u64 = 30;
/// The failure if no call with the token is accepted.
const WRONG_TOKEN: &str = "--token: every call to an endpoint was answered with 401: expected an access token of a merchant";
/// The failure if no path is found.
const WRONG_URL: &str = "--url: every call was answered with 404: expected the address before /v1, such as https://pay.example";

/// Examine an implementation of the specification over HTTP
///
/// Creates a dozen payments or more, so use a test environment. The exit status is 1 if a
/// requirement is not met.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  payspec conform --url https://pay.example --token TOKEN\n  payspec conform --url https://pay.example --profile payspec --format html -o report.html"
)]
pub struct Options {
    /// The base address of the implementation
    #[arg(long, value_name = "URL")]
    url: String,
    /// An access token of a merchant
    #[arg(
        long,
        env = "PAYSPEC_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN"
    )]
    token: String,
    /// The decisions on what the specification leaves open that are required too: specification
    /// (none), payspec (all), or a JSON file such as {"decisions": ["D6", "D8"]}, whose member policy
    /// replaces --policy. A policy that is not the default is examined too
    #[arg(long, value_name = "PROFILE", default_value = "specification")]
    profile: String,
    /// The merchant_id in the requests; without it they have none
    #[arg(long, value_name = "ID")]
    merchant_id: Option<String>,
    /// The header that contains the idempotency key
    #[arg(long, value_name = "NAME", default_value = KEY_HEADER)]
    key_header: String,
    /// Seconds until a call without an answer has failed
    #[arg(long, value_name = "SECONDS", default_value_t = TIMEOUT, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// The format of the report
    #[arg(
        long,
        value_enum,
        default_value_t,
        hide_possible_values = true,
        value_name = "text|html|junit|json"
    )]
    format: Format,
    /// Write the report to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Examines an implementation with the rules of the engine. Returns whether it meets all
/// requirements.
///
/// # Errors
/// Returns an error if an option is not valid, or if no server answers.
pub fn run(options: &Options, engine: Engine) -> Result<bool, Failure> {
    let examination = examine(options, engine)?;
    report::write(&examination, options.format, options.output.as_deref())?;
    Ok(examination.counts().failed == 0)
}

/// Examines an implementation with the rules of the engine, under a profile by its name. Returns the
/// report as JSON.
///
/// # Errors
/// Returns an error if an argument is not valid, or if no server answers.
pub fn report_json(
    url: &str,
    token: &str,
    profile: &str,
    engine: Engine,
) -> Result<String, Failure> {
    let options = Options {
        url: url.to_owned(),
        token: token.to_owned(),
        profile: profile.to_owned(),
        merchant_id: None,
        key_header: KEY_HEADER.to_owned(),
        timeout: TIMEOUT,
        format: Format::Json,
        output: None,
    };
    Ok(report::as_json(&examine(&options, engine)?))
}

/// Returns whether a check runs: one of the specification, of a decision that the profile selects,
/// or of a setting that is not the default.
fn is_selected(check: &Check, profile: &Profile, [policy, default]: &[Value; 2]) -> bool {
    let differs = |path| policy.pointer(path) != default.pointer(path);
    let is_of_specification = check.decision.is_none() && check.setting.is_none();
    is_of_specification
        || check.decision.is_some_and(|id| profile.selects(id))
        || check.setting.is_some_and(differs)
}

fn examine(options: &Options, engine: Engine) -> Result<Examination, Failure> {
    let profile = Profile::find(&options.profile)?;
    let engine = profile.engine(engine);
    if !options.url.starts_with("http://") && !options.url.starts_with("https://") {
        return Err(Failure::new(
            "--url: expected an address that begins with http:// or https://",
        ));
    }
    let timeout = Duration::from_secs(options.timeout);
    let target = Target::new(&options.url, &options.token, &options.key_header, timeout)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(|error| Failure::starting(&error))?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let run = format!("conform-{}-{:x}", now.as_millis(), fastrand::u32(..));
    let facts = runtime.block_on(async {
        if target.call(Call::get(facts::BALANCE)).await.is_none() {
            return Err(Failure::new("--url: no server answers at this address"));
        }
        Ok(facts::collect(&target, engine, &run, options.merchant_id.as_deref()).await)
    })?;
    // The checks would describe the consequences of one wrong option.
    match target.refusal() {
        Some(401) => return Err(Failure::new(WRONG_TOKEN)),
        Some(404) => return Err(Failure::new(WRONG_URL)),
        _ => {}
    }
    let policies = [facts.engine.policy(), &Policy::default()]
        .map(|policy| serde_json::to_value(policy).unwrap_or_default());
    let findings = CHECKS
        .iter()
        .map(|check| Finding {
            check,
            verdict: is_selected(check, &profile, &policies).then(|| (check.run)(&facts)),
        })
        .collect();
    // User name and password of an address are not shown.
    let url = match options.url.split_once("://") {
        Some((scheme, rest)) => format!(
            "{scheme}://{}",
            rest.rsplit_once('@').map_or(rest, |(_, rest)| rest)
        ),
        None => options.url.clone(),
    };
    Ok(Examination {
        url,
        profile: profile.name,
        at: now.as_secs(),
        findings,
    })
}
