//! `payspec redact`: masks card numbers and security codes.

mod counts;
mod decode;
mod encoding;
mod lines;

use std::io::{Cursor, Read, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anstream::eprintln;
use clap::Args;
use payspec::Engine;

use crate::engine::{PolicyOptions, body_limit};
use crate::failure::{Failure, Status};
use crate::input::{Blocks, LongLines, Origin};
use crate::output::Output;
use crate::pipeline;
use counts::Counts;
use decode::Decoding;
use encoding::Encoding;
use lines::{Lines, Written};

/// The longest line that is kept in memory.
const LONGEST_LINE: usize = 16 << 20;

/// Mask card numbers and security codes, so that the output is safe to log
///
/// The input is a body, a body in each line, or any text, such as a log. A body keeps every other
/// byte. A line that is not a JSON object is masked as text, together with the next one if it ends
/// in the middle of a value.
///
/// The output is UTF-8. UTF-16 and UTF-32 are recognized by a byte order mark or by alternating NUL
/// bytes. What cannot be decoded is not written: the exit status is 2.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  payspec redact order.json\n  tail -f service.log | payspec redact --follow\n  payspec redact --report < service.log > safe.log"
)]
pub(crate) struct Options {
    /// Files; standard input if none is given, or `-`
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Treat the input as text, even if it is JSON
    #[arg(long)]
    text: bool,
    /// Print each line as soon as it has been read, as for `tail -f`
    #[arg(long)]
    follow: bool,
    /// The encoding of the input, such as windows-1251 or utf-16le [default: recognized, or UTF-8]
    #[arg(long, value_name = "LABEL", value_parser = Encoding::parse)]
    encoding: Option<Encoding>,
    /// Replace bytes that cannot be decoded with U+FFFD, instead of ending with an error
    #[arg(long)]
    lossy: bool,
    /// Print to standard error how many values were masked, by kind
    #[arg(long)]
    report: bool,
    /// Threads [default: the number of cores]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    policy: PolicyOptions,
}

pub(crate) fn run(options: &Options) -> Result<Status, Failure> {
    let engine = options.policy.engine()?;
    let mut out = Output::new();
    let mut counts = Counts::default();
    let origins: Vec<Origin> = match options.files.as_slice() {
        [] => vec![Origin::Stdin],
        files => files.iter().map(|file| Origin::of(file)).collect(),
    };
    for origin in &origins {
        redact(&engine, options, origin, &mut out, &mut counts)?;
    }
    out.flush()?;
    if options.report {
        eprintln!("{counts}");
    }
    Ok(Status::Accepted)
}

fn redact(
    engine: &Engine,
    options: &Options,
    origin: &Origin,
    out: &mut Output,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let decoding = Decoding {
        given: options.encoding,
        is_lossy: options.lossy,
        is_followed: options.follow,
    };
    let mut input = decoding
        .open(origin.open()?)
        .map_err(|error| origin.failure(&error))?;
    let mut first = Vec::new();
    // A body over several lines is known only when all of it has been read.
    if !options.text && !options.follow {
        let limit = body_limit(engine) as u64 + 1;
        input
            .by_ref()
            .take(limit)
            .read_to_end(&mut first)
            .map_err(|error| origin.failure(&error))?;
        if let Ok(redacted) = engine.redact(&first) {
            counts.add_difference(&first, redacted.as_bytes());
            out.write_all(redacted.as_bytes())?;
            return Ok(());
        }
    }
    let lines = Lines {
        engine,
        is_text: options.text,
        is_lossy: options.lossy,
        has_counts: options.report,
    };
    let jobs = if options.follow {
        1
    } else {
        pipeline::jobs(options.jobs)
    };
    let blocks = Blocks::new(
        Cursor::new(first).chain(input),
        LongLines::Fail {
            limit: LONGEST_LINE,
        },
    )
    .joining(lines::is_open);
    pipeline::run(
        jobs,
        blocks,
        |error| origin.failure(error),
        |block, written: &mut Written| lines.redact(block, written),
        |_, written| {
            out.write_all(&written.text)?;
            counts.add(&written.counts);
            if let Some(refused) = &written.refused {
                out.flush()?;
                return Err(Failure::new(format!("{}: {refused}", origin.name())));
            }
            if options.follow {
                out.flush()?;
            }
            Ok(())
        },
    )
}
