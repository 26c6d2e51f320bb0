//! `payspec validate`: reports the violations of bodies.

mod check;
mod finding;
mod formats;
mod github;
mod help;
mod junit;
mod machine;
mod pretty;
mod sarif;
mod shadow;
mod snippet;
mod tally;
mod unit;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use payspec::{Engine, PaymentType};

use crate::engine::{LONGEST_BODY, PolicyOptions, body_limit};
use crate::failure::{Failure, Status};
use crate::input::{self, Blocks, LongLines, Origin};
use crate::output::Output;
use crate::pipeline;
use crate::time::Now;
use check::{Check, Subject};
use formats::{Format, Writer};
use tally::Tally;
use unit::Unit;

/// Validate creation requests
///
/// Reports every violation with its place, message, and source. Card numbers and security codes are
/// masked in the output.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  payspec validate order.json\n  payspec validate --jsonl < orders.jsonl\n  payspec validate orders/ --format github --no-warnings\n  payspec validate old/ --legacy pay_in --now now\n  payspec validate --policy policy.json --shadow proposed.json orders.jsonl"
)]
pub(crate) struct Options {
    #[command(flatten)]
    inputs: Inputs,
    /// Bodies of the legacy API: migrate each before it is validated
    #[arg(
        long,
        value_enum,
        value_name = "pay_in|pay_out",
        hide_possible_values = true
    )]
    legacy: Option<Kind>,
    /// Print only the bodies that the policy in this JSON file decides in another way: their counts by
    /// rule, and their places. The exit status is 1 if there is one
    #[arg(long, value_name = "NEW", conflicts_with_all = ["legacy", "format", "no_warnings"])]
    shadow: Option<PathBuf>,
    /// Report cards that have expired at this time, an RFC 3339 timestamp or `now`
    #[arg(long, value_name = "TIME")]
    now: Option<Now>,
}

/// Check payments, and whether they match their request
///
/// Reports violations like `payspec validate`.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  payspec check payment.json --request order.json")]
pub(crate) struct CheckOptions {
    #[command(flatten)]
    inputs: Inputs,
    /// The creation request that the payment must match
    #[arg(long, value_name = "FILE")]
    request: Option<PathBuf>,
}

/// Selects the bodies, and the form of the report.
#[derive(Args, Debug)]
struct Inputs {
    /// Files, or folders with files that end in .json, .jsonl, or .ndjson; standard input if none
    /// is given, or `-`
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Format of the report
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// Each line is a body; files that end in .jsonl or .ndjson are always read so
    #[arg(long)]
    jsonl: bool,
    /// Report errors only
    #[arg(long)]
    no_warnings: bool,
    /// Print nothing; only the exit status counts
    #[arg(short, long)]
    quiet: bool,
    /// Threads for files with a body in each line [default: the number of cores]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    policy: PolicyOptions,
}

/// The endpoint that a legacy body is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Kind {
    PayIn,
    PayOut,
}

impl From<Kind> for PaymentType {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::PayIn => PaymentType::PayIn,
            Kind::PayOut => PaymentType::PayOut,
        }
    }
}

/// The output of a thread for a block.
#[derive(Default)]
struct Written {
    text: Vec<u8>,
    tally: Tally,
}

/// Validates requests.
pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    if let Some(new) = &options.shadow {
        let inputs = shadow::Inputs {
            origins: input::find(&options.inputs.files),
            is_jsonl: options.inputs.jsonl,
            jobs: pipeline::jobs(options.inputs.jobs),
            now: options.now.map(|now| now.0),
            engine: &options.inputs.policy.engine()?,
        };
        return shadow::run(inputs, new, options.inputs.quiet);
    }
    let subject = options
        .legacy
        .map_or(Subject::Request, |kind| Subject::LegacyRequest(kind.into()));
    validate(&options.inputs, options.now, subject)
}

/// Checks payments.
pub(crate) fn check(options: &CheckOptions) -> Result<Status, Failure> {
    let request = options
        .request
        .as_deref()
        .map(|path| Origin::of(path).read(LONGEST_BODY))
        .transpose()?;
    validate(
        &options.inputs,
        None,
        Subject::Payment {
            request: request.as_deref(),
        },
    )
}

fn validate(options: &Inputs, now: Option<Now>, subject: Subject<'_>) -> Result<Status, Failure> {
    let engine = options.policy.engine()?;
    let check = Check {
        engine: &engine,
        now: now.map(|now| now.0),
        subject,
        has_warnings: !options.no_warnings,
    };
    let format = if options.quiet {
        Writer::Quiet
    } else {
        options.format.writer()
    };
    let mut out = Output::new();
    let mut tally = Tally::default();
    out.write_all(&format.head())?;
    for input in input::find(&options.files) {
        let validated = input.and_then(|origin| {
            if options.jsonl || origin.is_lines() {
                validate_lines(
                    &origin,
                    check,
                    &format,
                    pipeline::jobs(options.jobs),
                    &mut out,
                    &mut tally,
                )
            } else {
                validate_body(&origin, check, &format, &mut out, &mut tally)
            }
        });
        match validated {
            Ok(()) => {}
            Err(Failure::ClosedPipe) => return Err(Failure::ClosedPipe),
            Err(failure) => {
                // The messages keep their place among the reports, also in a terminal.
                out.flush()?;
                failure.print();
                tally.failures += 1;
            }
        }
    }
    format.finish(&tally, &mut out)?;
    out.flush()?;
    Ok(tally.status())
}

fn validate_body(
    origin: &Origin,
    check: Check<'_>,
    format: &Writer,
    out: &mut Output,
    tally: &mut Tally,
) -> Result<(), Failure> {
    // One byte more than the limit is enough for the engine to report the length.
    let body = origin.read(body_limit(check.engine) as u64 + 1)?;
    let name = origin.name();
    let unit = Unit {
        name: &name,
        line: None,
        body: &body,
    };
    let mut text = Vec::new();
    check.report(unit, format, &mut text, tally);
    format.write(&text, tally, out)?;
    Ok(())
}

fn validate_lines(
    origin: &Origin,
    check: Check<'_>,
    format: &Writer,
    jobs: usize,
    out: &mut Output,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let name = origin.name();
    let blocks = Blocks::new(
        origin.open()?,
        LongLines::Cut {
            limit: body_limit(check.engine),
        },
    );
    pipeline::run(
        jobs,
        blocks,
        |error| origin.failure(error),
        |block, written: &mut Written| {
            written.text.clear();
            written.tally = Tally::default();
            for (number, line) in block.lines() {
                let unit = Unit {
                    name: &name,
                    line: Some(number),
                    body: line,
                };
                check.report(unit, format, &mut written.text, &mut written.tally);
            }
        },
        |_, written| {
            format.write(&written.text, tally, out)?;
            tally.add(&written.tally);
            Ok(())
        },
    )
}

/// Returns the report of a body in the format for people, without what depends on a file.
///
/// `other` is the second input of the operation that reports the violations.
pub(crate) fn example(
    engine: &Engine,
    operation: &str,
    body: &[u8],
    other: Option<&str>,
) -> Vec<u8> {
    let subject = match operation {
        "check_payment" => Subject::Payment {
            request: other.map(str::as_bytes),
        },
        _ => Subject::Request,
    };
    let now = other.and_then(|other| other.parse().ok());
    let check = Check {
        engine,
        now,
        subject,
        has_warnings: true,
    };
    let unit = Unit {
        name: "body.json",
        line: None,
        body,
    };
    let (mut out, mut tally) = (Vec::new(), Tally::default());
    check.report(unit, &Format::Pretty.writer(), &mut out, &mut tally);
    out
}
