//! Measures the program `payspec` beside other commands on the same files: processor time of one
//! core per body, and the largest resident set. The work of the library itself is measured in the
//! same rounds.

mod files;
mod process;

use crate::schema;
use files::Files;
use payspec::{Engine, PaymentType};
use process::{Measured, Program};
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use std::hint::black_box;
use std::path::Path;

/// The commands to measure, and the size of the run.
pub struct Options<'a> {
    /// The program `payspec`.
    pub program: &'a str,
    /// The command of ajv, with Node.js as its interpreter.
    pub ajv: &'a str,
    /// A folder for the files, which are removed at the end.
    pub folder: &'a Path,
    /// Whether small files suffice, because only the verdicts count.
    pub short: bool,
}

/// The measurements of one candidate. All numbers are integers.
#[derive(Serialize)]
pub struct Figure {
    name: String,
    /// Picoseconds per body, one entry for each round.
    rounds: Vec<u64>,
    /// Bytes for 1000 bodies.
    bytes: u64,
    /// The largest resident set in KiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
    /// The numbers of expected and other exit statuses.
    verdicts: (u64, u64),
}

/// A measured run: time, and whether it ended as expected.
type Work<'a> = Box<dyn FnMut() -> (Measured, bool) + 'a>;

/// Name, arguments, paths, expected exit status, and bytes of a run whose resident set is measured.
type MemoryRun<'r> = (&'r str, &'r [&'r str], &'r [&'r Path], i32, u64);

/// A command or a function.
struct Candidate<'a> {
    name: &'a str,
    /// The numbers of bodies and bytes that a run reads.
    bodies: u64,
    bytes: u64,
    /// Whether elapsed time is measured instead of processor time.
    is_elapsed: bool,
    work: Work<'a>,
}

/// Runs everything. Rounds are interleaved, so that a busy machine affects all candidates.
///
/// # Panics
/// If a command cannot be run, or if a file cannot be written.
pub fn measure(options: &Options<'_>) -> Vec<Figure> {
    // The resident set of this process counts for its children, so these runs come before any file
    // is loaded.
    let memory = memory(options);
    let files = Files::write(options.folder, if options.short { 1 } else { 32 });
    let engine = Engine::default();
    let mut candidates = candidates(options, &files, &engine);
    let mut figures: Vec<Figure> = candidates.iter().map(Candidate::figure).collect();
    let number = candidates.len();
    for round in 0..if options.short { 1 } else { 7 } {
        for turn in 0..number {
            let index = (round + turn) % number;
            candidates[index].measure(&mut figures[index]);
        }
    }
    drop(candidates);
    files.remove();
    figures.extend(memory);
    figures
}

impl Candidate<'_> {
    fn figure(&self) -> Figure {
        let bytes = self.bytes * 1000 / self.bodies;
        Figure {
            name: self.name.to_owned(),
            rounds: Vec::new(),
            bytes,
            memory: None,
            verdicts: (0, 0),
        }
    }

    /// Runs the candidate once.
    fn measure(&mut self, figure: &mut Figure) {
        let (measured, is_expected) = (self.work)();
        let time = if self.is_elapsed {
            measured.elapsed
        } else {
            measured.processor
        };
        figure
            .rounds
            .push(time.as_nanos() as u64 * 1000 / self.bodies);
        match is_expected {
            true => figure.verdicts.0 += 1,
            false => figure.verdicts.1 += 1,
        }
    }
}

/// Measures the resident set on large files.
fn memory(options: &Options<'_>) -> Vec<Figure> {
    let (large, line) = if options.short {
        (64, 64)
    } else {
        (2048, 10 * 1024)
    };
    let file = files::large(options.folder, large);
    let legacy = files::large_legacy(options.folder, large);
    let sparse = files::long_line(options.folder, line);
    let output = options.folder.join("migrated");
    let (file, legacy, sparse, output) = (
        file.as_path(),
        legacy.as_path(),
        sparse.as_path(),
        output.as_path(),
    );
    let bytes = file.metadata().expect("the file").len();
    let runs: [MemoryRun<'_>; 5] = [
        (
            "memory: validate",
            &["validate", "--jobs", "2"],
            &[file],
            0,
            bytes,
        ),
        (
            "memory: validate, one long line",
            &["validate", "--no-warnings"],
            &[sparse],
            1,
            line << 20,
        ),
        (
            "memory: redact",
            &["redact", "--jobs", "2"],
            &[file],
            0,
            bytes,
        ),
        (
            "memory: redact --text",
            &["redact", "--text", "--jobs", "2"],
            &[file],
            0,
            bytes,
        ),
        (
            "memory: migrate",
            &[
                "migrate", "requests", "--kind", "pay_in", "--jobs", "2", "-o",
            ],
            &[output, legacy],
            0,
            bytes,
        ),
    ];
    let figures = runs.map(|(name, arguments, paths, expected, bytes)| {
        let program = Program::new(options.program, arguments, paths);
        let measured = program.run();
        let is_expected = measured.status == Some(expected);
        Figure {
            name: format!("{name}, {} MB", bytes >> 20),
            // The whole file is one body here.
            rounds: vec![measured.processor.as_nanos() as u64 * 1000],
            bytes: bytes * 1000,
            memory: Some(measured.memory),
            verdicts: (u64::from(is_expected), u64::from(!is_expected)),
        }
    });
    for path in [file, legacy, sparse, output] {
        std::fs::remove_file(path).expect("the file is removed");
    }
    figures.into()
}

fn candidates<'a>(
    options: &'a Options<'_>,
    files: &'a Files,
    engine: &'a Engine,
) -> Vec<Candidate<'a>> {
    let payspec = |name, arguments: &[&str], file: &'a files::File, expected| {
        command(
            name,
            Program::new(options.program, arguments, &[&file.path]),
            file,
            expected,
        )
    };
    let other =
        |name, program: &str, arguments: &[&str], paths: &[&Path], file: &'a files::File| {
            command(name, Program::new(program, arguments, paths), file, 0)
        };
    let Files {
        bodies,
        mixed,
        legacy,
        words,
        log,
        array,
        array_schema,
    } = files;
    let validator = schema::validator();
    let elapsed = |name, jobs| Candidate {
        is_elapsed: true,
        ..payspec(
            name,
            &["validate", "--jsonl", "--quiet", "--jobs", jobs],
            bodies,
            0,
        )
    };
    let ajv = ["validate", "--spec=draft2020", "-c", "ajv-formats", "-s"];
    vec![
        function("native: verdict", bodies, move |body| {
            engine.is_valid_request(body, None)
        }),
        payspec(
            "payspec validate --jsonl",
            &["validate", "--jsonl", "--jobs", "1"],
            bodies,
            0,
        ),
        payspec(
            "payspec validate --jsonl, one of 97 bodies is invalid",
            &["validate", "--jobs", "1"],
            mixed,
            1,
        ),
        other("jq -c .", "jq", &["-c", "."], &[&bodies.path], bodies),
        function(
            "jsonschema (Rust), parse + all errors",
            bodies,
            move |body| schema::errors(&validator, body) == 0,
        ),
        other(
            "ajv validate, one array",
            options.ajv,
            &ajv,
            &[array_schema, &array.path],
            array,
        ),
        payspec(
            "payspec validate --jobs 2, processor time of all threads",
            &["validate", "--jobs", "2"],
            bodies,
            0,
        ),
        elapsed("payspec validate --jobs 1, elapsed", "1"),
        elapsed("payspec validate --jobs 2, elapsed", "2"),
        payspec(
            "payspec redact --text, lines without digits",
            &["redact", "--text", "--jobs", "1"],
            words,
            0,
        ),
        other(
            "sed -E, lines without digits",
            "sed",
            &SED,
            &[&words.path],
            words,
        ),
        payspec(
            "payspec redact --text, log",
            &["redact", "--text", "--jobs", "1"],
            log,
            0,
        ),
        other("sed -E, log", "sed", &SED, &[&log.path], log),
        function("native: upgrade_request", legacy, move |body| {
            engine
                .upgrade_request(PaymentType::PayIn, body)
                .is_ok_and(|migrated| {
                    black_box(migrated.body());
                    migrated.unresolved().is_empty()
                })
        }),
        payspec(
            "payspec migrate",
            &["migrate", "requests", "--kind", "pay_in", "--jobs", "1"],
            legacy,
            0,
        ),
    ]
}

/// Masks what `redact --text` masks, as far as regular expressions can: without prefixes, lengths,
/// and check digits.
const SED: [&str; 7] = [
    "-E",
    "-e",
    r"s/([^[:alnum:]]|^)([0-9]([ -]?[0-9]){5})([ -]?[0-9]){3,9}(([ -]?[0-9]){4})([^[:alnum:]]|$)/\1\2******\5\7/g",
    "-e",
    r#"s/((card_?number|pan)["']?[[:space:]]*[:=][[:space:]]*["']?)[0-9 -]+/\1******/gI"#,
    "-e",
    r#"s/((security_?code|cvv2?|cvc2?|csc|cid)["']?[[:space:]]*[:=][[:space:]]*["']?)[[:alnum:]]+/\1***/gI"#,
];

fn command<'a>(
    name: &'a str,
    program: Program,
    file: &files::File,
    expected: i32,
) -> Candidate<'a> {
    let work: Work<'a> = Box::new(move || {
        let measured = program.run();
        let is_expected = measured.status == Some(expected);
        (measured, is_expected)
    });
    Candidate {
        name,
        bodies: file.bodies,
        bytes: file.bytes,
        is_elapsed: false,
        work,
    }
}

/// Returns a candidate that calls the library for each line of a file in memory. Every line must be
/// accepted.
fn function<'a>(
    name: &'a str,
    file: &'a files::File,
    mut work: impl FnMut(&[u8]) -> bool + 'a,
) -> Candidate<'a> {
    let text = std::fs::read(&file.path).expect("the file");
    let mut end = 0;
    let lines: Vec<_> = text
        .split_inclusive(|byte| *byte == b'\n')
        .map(|line| {
            end += line.len();
            end - line.len()..end - 1
        })
        .collect();
    let work: Work<'a> = Box::new(move || {
        let start = processor_time();
        let accepted = lines
            .iter()
            .filter(|line| work(black_box(&text[(*line).clone()])))
            .count();
        let processor = processor_time() - start;
        (
            Measured {
                processor,
                elapsed: processor,
                ..Measured::default()
            },
            accepted as u64 == file.bodies,
        )
    });
    Candidate {
        name,
        bodies: file.bodies,
        bytes: file.bytes,
        is_elapsed: false,
        work,
    }
}

/// Returns the time that this thread has used.
fn processor_time() -> std::time::Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    std::time::Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
