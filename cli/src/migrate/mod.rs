//! `payspec migrate`: converts bodies between the legacy and the current API.

mod conversion;
mod convert;
mod files;
mod journal;
mod progress;
mod round_trip;

use std::io::Read;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anstream::eprintln;
use clap::{Args, ValueEnum};

use crate::engine::{PolicyOptions, body_limit};
use crate::failure::{Failure, Status};
use crate::input::{Blocks, LongLines, Origin};
use crate::pipeline;
use crate::validate::Kind;
use conversion::Conversion;
use convert::{Converter, Counts};
use files::Files;
use journal::{Journal, Run};
use progress::Progress;

/// Migrate stored bodies of the legacy API, a body in each line
///
/// The output has the bodies in the same order. A body that cannot be decided is left out and
/// listed by --rejects with its line and the reasons. With --output the files appear when they are
/// complete; --resume continues an interrupted run.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  payspec migrate requests --kind pay_in old.jsonl -o new.jsonl --rejects rejects.jsonl\n  payspec migrate payments old.jsonl -o new.jsonl --check --resume\n  payspec migrate payments --downgrade new.jsonl"
)]
pub(crate) struct Options {
    /// The kind of bodies
    #[arg(value_enum)]
    what: What,
    /// The file with the bodies; standard input if none is given, or `-`
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// The endpoint of legacy requests
    #[arg(
        long,
        value_enum,
        value_name = "pay_in|pay_out",
        hide_possible_values = true
    )]
    kind: Option<Kind>,
    /// Convert from the current API to the legacy one
    #[arg(long)]
    downgrade: bool,
    /// Write the migrated bodies to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// List the bodies that cannot be decided, with line and reasons
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,
    /// List the changes of each body, and its idempotency key, which is a header of the current API
    #[arg(long, value_name = "FILE")]
    changes: Option<PathBuf>,
    /// Migrate each body back and forth again, and reject it if the result differs
    #[arg(long)]
    check: bool,
    /// Continue an interrupted run with the same arguments
    #[arg(long, requires = "output")]
    resume: bool,
    /// Threads [default: the number of cores]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    policy: PolicyOptions,
}

/// The kind of the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum What {
    /// Creation requests
    Requests,
    /// Stored payments
    Payments,
}

impl Options {
    fn conversion(&self) -> Result<Conversion, Failure> {
        match (self.what, self.downgrade, self.kind) {
            (What::Requests, false, Some(kind)) => Ok(Conversion::UpgradeRequests(kind.into())),
            (What::Requests, false, None) => Err(Failure::new(
                "legacy requests need --kind pay_in or --kind pay_out, their endpoint",
            )),
            (_, _, Some(_)) => Err(Failure::new("--kind is for requests of the legacy API")),
            (What::Requests, true, None) => Ok(Conversion::DowngradeRequests),
            (What::Payments, false, None) => Ok(Conversion::UpgradePayments),
            (What::Payments, true, None) => Ok(Conversion::DowngradePayments),
        }
    }
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let engine = options.policy.engine()?;
    let origin = Origin::of(&options.file);
    let converter = Converter {
        engine: &engine,
        conversion: options.conversion()?,
        has_check: options.check,
        has_rejects: options.rejects.is_some(),
        has_changes: options.changes.is_some(),
    };
    let run = Run::new(
        &origin,
        format!(
            "{:?} {:?} {}",
            converter.conversion,
            engine.policy(),
            options.check
        ),
    )?;
    let mut input = origin.open()?;
    let paths = [
        options.output.as_deref(),
        options.rejects.as_deref(),
        options.changes.as_deref(),
    ];
    let journal = options
        .output
        .as_deref()
        .map(|output| Journal::beside(output, run));
    let start = match &journal {
        Some(journal) if options.resume => journal.read()?,
        _ => None,
    };
    let mut files = match &start {
        Some(start) => Files::resume(paths, start.lengths, start.is_complete)?,
        None => Files::create(paths)?,
    };
    let mut counts = start
        .as_ref()
        .map(|start| start.counts.clone())
        .unwrap_or_default();
    if !start.as_ref().is_some_and(|start| start.is_complete) {
        let (line, offset) = start.map_or((1, 0), |start| (start.next_line, start.offset));
        skip(&origin, &mut input, offset)?;
        let progress = Progress::new(origin.size(), offset);
        let limit = body_limit(&engine);
        let blocks = Blocks::new(input, LongLines::Cut { limit }).starting_at(line, offset);
        pipeline::run(
            pipeline::jobs(options.jobs),
            blocks,
            |error| origin.failure(error),
            |block, converted| converter.convert(block, converted),
            |block, converted| {
                files.write(converted)?;
                counts.add(&converted.counts);
                progress.set(block.end);
                match &journal {
                    Some(journal) => journal.record(&mut files, block, &counts),
                    None => Ok(()),
                }
            },
        )?;
        progress.finish();
    }
    if let Some(journal) = &journal {
        journal.complete(&mut files, &counts)?;
        files.publish()?;
        journal.remove()?;
    } else {
        files.publish()?;
    }
    summary(options, &counts);
    Ok(if counts.rejected == 0 {
        Status::Accepted
    } else {
        Status::Rejected
    })
}

/// Skips the part of the input that an earlier run has migrated.
fn skip(origin: &Origin, input: &mut impl Read, offset: u64) -> Result<(), Failure> {
    let skipped = std::io::copy(&mut input.by_ref().take(offset), &mut std::io::sink());
    let skipped = skipped.map_err(|error| origin.failure(&error))?;
    if skipped == offset {
        Ok(())
    } else {
        Err(Failure::new(
            "the input is shorter than in the interrupted run",
        ))
    }
}

fn summary(options: &Options, counts: &Counts) {
    let Counts {
        migrated,
        rejected,
        keys,
    } = counts;
    eprintln!("migrated {migrated} of {} bodies", migrated + rejected);
    if *rejected > 0 && options.rejects.is_none() {
        eprintln!(
            "{rejected} could not be decided: --rejects FILE lists them with line and reasons"
        );
    }
    if *keys > 0 && options.changes.is_none() {
        eprintln!(
            "{keys} had an idempotency key, which is now a header: --changes FILE lists the keys"
        );
    }
}
