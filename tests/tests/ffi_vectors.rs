//! Runs every vector through the C functions, alone and in batches, and compares the results byte
//! for byte. The C programs tests/c/vectors.c, batch.c, and overlaps.c have no JSON parser, so
//! their input is written here.
//!
//! Without arguments, tests one shared library: the one in `PAYSPEC_LIBRARY`, or otherwise an
//! installed one. With `--all`, tests the installed shared and static libraries, also under
//! valgrind and with AddressSanitizer.

use payspec_tests::batch::{self, Batch};
use payspec_tests::c::{self, Linkage, Prefix};
use payspec_tests::call;
use payspec_tests::flat::{field, flattened};
use payspec_tests::vector;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let is_all = std::env::args().any(|argument| argument == "--all");
    let library = std::env::var_os("PAYSPEC_LIBRARY").filter(|_| !is_all);
    let prefix = match library {
        Some(library) => Prefix::of_library(scratch, "ffi-vectors", Path::new(&library)),
        None => Prefix::new(scratch, "ffi-vectors-all"),
    };
    let files = vector::load().unwrap_or_else(|error| panic!("{error}"));
    let expected: usize = files.iter().map(|file| file.vectors.len()).sum();
    let batches: Vec<Batch<'_>> = batch::batches(&files)
        .into_iter()
        .filter(|batch| call::engine(batch.policy).is_ok())
        .collect();
    let in_batches: usize = batches.iter().map(|batch| batch.vectors.len()).sum();
    let flat_batches = flattened_batches(&batches);
    let programs = [
        ("vectors.c", "", flattened(&files), expected),
        (
            "batch.c",
            ", in batches",
            flat_batches.clone(),
            // In a new and a used buffer, without one, and with the inputs in the memory of one.
            4 * in_batches,
        ),
        (
            "overlaps.c",
            ", in batches with overlaps",
            flat_batches,
            in_batches,
        ),
    ];

    let mut all_passed = true;
    for (source, form, text, expected) in programs {
        let flat = prefix.file(&format!("{source}.flat"));
        std::fs::write(&flat, text).unwrap();
        let shared = prefix.compile(source, Linkage::Shared);
        let mut runs = vec![("C, shared library", Command::new(&shared))];
        if is_all {
            let mut valgrind = Command::new(c::tool("valgrind", "valgrind"));
            valgrind
                .args([
                    "-q",
                    "--error-exitcode=99",
                    "--leak-check=full",
                    "--errors-for-leak-kinds=all",
                ])
                .arg(&shared);
            runs.extend([
                (
                    "C, static library",
                    Command::new(prefix.compile(source, Linkage::Static)),
                ),
                ("C, shared library under valgrind", valgrind),
                (
                    "C, static library with AddressSanitizer",
                    Command::new(sanitized(source, &prefix, scratch)),
                ),
            ]);
        }
        for (name, mut command) in runs {
            all_passed &= report(&format!("{name}{form}"), command.arg(&flat), expected);
        }
    }
    if all_passed {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn sanitized(source: &str, prefix: &Prefix, scratch: &Path) -> PathBuf {
    let program = prefix.file(&format!("{source}-sanitized"));
    let mut cc = Command::new(c::tool("gcc", "gcc"));
    cc.args(["-std=c11", "-g", "-fsanitize=address", &prefix.include()])
        .arg(c::folder().join(source));
    c::run_checked(
        cc.arg(c::sanitized(scratch))
            .args(["-lpthread", "-ldl", "-lm", "-o"])
            .arg(&program),
    );
    program
}

/// Runs a program and prints one line, which `cargo xtask test` counts. A vector that was not run
/// has failed.
fn report(name: &str, command: &mut Command, expected: usize) -> bool {
    let output = c::run(command);
    let text = c::printed(&output);
    let count = |word: &str| {
        let line = text.lines().find(|line| line.starts_with("vectors: "))?;
        line.split(word)
            .next()?
            .trim_end()
            .rsplit(' ')
            .next()?
            .parse::<usize>()
            .ok()
    };
    let passed = count("passed").unwrap_or(0);
    let mut failed = expected.saturating_sub(passed);
    if failed == 0 && !output.status.success() {
        failed = 1;
    }
    if failed > 0 {
        println!("{text}");
    }
    println!("vectors: {name}: {passed} passed, {failed} failed");
    failed == 0
}

/// Writes batches: the shared fields, the number of bodies, and the fields of each body.
fn flattened_batches(batches: &[Batch<'_>]) -> Vec<u8> {
    let mut out = Vec::new();
    for batch in batches {
        let mut field = |letter, bytes: Option<&[u8]>| field(&mut out, letter, bytes);
        field('O', Some(batch.operation.as_bytes()));
        field('P', batch.policy.map(str::as_bytes));
        field('I', batch.shared);
        field('C', Some(batch.vectors.len().to_string().as_bytes()));
        for (vector, body) in batch.vectors.iter().zip(batch.bodies()) {
            field('N', Some(vector.name.as_bytes()));
            field('B', Some(body));
            field('R', Some(vector.returns.to_string().as_bytes()));
            field(
                'A',
                Some(vector.answer.as_deref().unwrap_or_default().as_bytes()),
            );
        }
    }
    out
}
