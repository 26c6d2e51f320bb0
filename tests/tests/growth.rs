//! The cost grows linearly: sixteen times the bytes are at most about sixteen times the work, for
//! every operation and every kind of input in `worst_case`. Work is counted in instructions instead
//! of time, so that the load of the machine has no effect: this test runs itself under callgrind.

// Valgrind counts instructions on Linux.
#![cfg(target_os = "linux")]

use payspec::Engine;
use payspec::operations;
use payspec_tests::c;
use payspec_tests::worst_case::{self, Call};
use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;

const SIZE: usize = 200;
const TIMES: usize = 16;
/// Permits n log n, because names are sorted.
const MOST: f64 = 20.0;

/// Returns pairs of a small and a large call.
fn pairs() -> Vec<[Call; 2]> {
    let (small, large) = (worst_case::calls(SIZE), worst_case::calls(TIMES * SIZE));
    assert_eq!(small.len(), large.len());
    let same = |small: &Call, large: &Call| {
        (small.operation, small.location, small.kind)
            == (large.operation, large.location, large.kind)
    };
    assert!(
        small
            .iter()
            .zip(&large)
            .all(|(small, large)| same(small, large))
    );
    small
        .into_iter()
        .zip(large)
        .map(|(small, large)| [small, large])
        .collect()
}

/// Makes one call. callgrind finds the function by its name.
#[inline(never)]
fn measured(
    engine: &Engine,
    operation: &operations::Operation,
    inputs: &[Option<&[u8]>],
    out: &mut Vec<u8>,
) {
    // A caller error is also an answer.
    let _ = black_box(operation.call(engine, inputs, Some(out)));
}

/// The variable with the path of the file with the calls. Under callgrind, generating them would be
/// too slow.
const CALLS: &str = "PAYSPEC_GROWTH_CALLS";

/// Runs under callgrind if another test starts it. Otherwise it makes a few of the calls.
#[test]
fn covers_every_operation() {
    let engine = worst_case::engine();
    let mut out = Vec::with_capacity(100 * TIMES * SIZE);
    let text = match std::env::var_os(CALLS) {
        Some(path) => fs::read(path).expect("the calls"),
        None => written(worst_case::calls(10).iter()),
    };
    let mut words = Words(&text);
    while let Some(name) = words.next() {
        let operation =
            operations::operation(str::from_utf8(name).expect("a name")).expect("an operation");
        let inputs: Vec<Option<&[u8]>> = operation.inputs.iter().map(|_| words.next()).collect();
        measured(&engine, operation, &inputs, &mut out);
    }
}

/// Returns calls as bytes: the name and the inputs, each after its length. A missing input has
/// length `u32::MAX`.
fn written<'c>(calls: impl Iterator<Item = &'c Call>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut put = |word: Option<&[u8]>| {
        let length = word.map_or(u32::MAX, |word| u32::try_from(word.len()).expect("short"));
        out.extend(length.to_le_bytes());
        out.extend(word.unwrap_or_default());
    };
    for call in calls {
        put(Some(call.operation.as_bytes()));
        let operation = operations::operation(call.operation).expect("an operation");
        let inputs = call
            .inputs
            .iter()
            .map(Option::as_deref)
            .chain(std::iter::repeat(None));
        inputs.take(operation.inputs.len()).for_each(&mut put);
    }
    out
}

struct Words<'w>(&'w [u8]);

impl<'w> Words<'w> {
    fn next(&mut self) -> Option<&'w [u8]> {
        let (length, rest) = self.0.split_first_chunk()?;
        let length = u32::from_le_bytes(*length);
        self.0 = rest;
        let (word, rest) = rest.split_at(
            usize::try_from(length)
                .ok()
                .filter(|_| length != u32::MAX)?,
        );
        self.0 = rest;
        Some(word)
    }
}

/// Returns the instructions of each call, in order.
fn counts(folder: &Path, pairs: &[[Call; 2]]) -> Vec<u64> {
    if folder.exists() {
        fs::remove_dir_all(folder).expect("an empty folder");
    }
    fs::create_dir_all(folder).expect("a folder");
    let calls = folder.join("calls");
    fs::write(&calls, written(pairs.iter().flatten())).expect("the calls");
    let mut valgrind = Command::new(c::tool("valgrind", "valgrind"));
    // Two patterns for one function: callgrind ignores the first option if they are equal.
    valgrind.args([
        "--tool=callgrind",
        "--collect-atstart=no",
        "--toggle-collect=*growth*measured*",
        "--dump-after=*measured*",
    ]);
    valgrind.args([
        "--compress-strings=yes",
        "--compress-pos=yes",
        "--dump-line=no",
    ]);
    valgrind.arg(format!(
        "--callgrind-out-file={}",
        folder.join("out").display()
    ));
    valgrind.env(CALLS, &calls);
    c::run_checked(
        valgrind
            .arg(std::env::current_exe().expect("this test"))
            .args(["--exact", "covers_every_operation", "--test-threads=1"]),
    );
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the counts") {
        let path = entry.expect("an entry").path();
        let Some(number) = path
            .extension()
            .and_then(|number| number.to_str()?.parse::<u64>().ok())
        else {
            continue;
        };
        let text = fs::read_to_string(&path).expect("counts");
        let total = text.lines().find_map(|line| {
            line.strip_prefix("summary: ")
                .or(line.strip_prefix("totals: "))
        });
        found.insert(
            number,
            total
                .and_then(|total| total.trim().parse().ok())
                .expect("a total"),
        );
    }
    fs::remove_dir_all(folder).expect("an empty folder");
    found.into_values().collect()
}

#[test]
fn grows_linearly_with_the_input() {
    let mut pairs = pairs();
    if let Ok(only) = std::env::var("PAYSPEC_GROWTH") {
        pairs.retain(|[small, _]| small.operation.contains(&only));
    }
    let counts = counts(
        &Path::new(env!("CARGO_TARGET_TMPDIR")).join("growth"),
        &pairs,
    );
    assert_eq!(counts.len(), 2 * pairs.len(), "a count for each call");
    let (mut worse, mut steepest) = (Vec::new(), Vec::new());
    for ([small, large], count) in pairs.iter().zip(counts.chunks(2)) {
        let [at_n, at_16n] =
            [count[0], count[1]].map(|count| u32::try_from(count).map_or(f64::INFINITY, f64::from));
        let ratio = at_16n / at_n;
        let name = format!("{}, {}, {}", small.operation, small.location, small.kind);
        let size: usize = large.inputs.iter().flatten().map(Vec::len).sum();
        if std::env::var_os("PAYSPEC_GROWTH").is_some() {
            println!("{ratio:8.2} {at_n:10} {at_16n:12} {size:7} {name}");
        }
        if ratio > MOST {
            worse.push(format!(
                "{name}: {ratio:.1} ({at_n} and {at_16n} instructions)"
            ));
        }
        steepest.push((ratio, name));
    }
    steepest.sort_by(|one, other| other.0.total_cmp(&one.0));
    println!("{} pairs; the steepest: {:?}", pairs.len(), &steepest[..3]);
    assert!(
        worse.is_empty(),
        "{} inputs grow faster than linearly:\n{}",
        worse.len(),
        worse.join("\n")
    );
}

/// Under the limits of the default policy, the length of an answer is at most a multiple of the
/// length of the inputs.
#[test]
fn bounds_the_size_of_answers() {
    let (lifted, default) = (worst_case::engine(), Engine::default());
    let mut out = Vec::new();
    for [small, large] in pairs() {
        let operation = operations::operation(small.operation).expect("an operation");
        let mut length = |call: &Call, engine: &Engine| {
            let inputs: Vec<Option<&[u8]>> = call.inputs.iter().map(Option::as_deref).collect();
            let _ = operation.call(engine, &inputs, Some(&mut out));
            out.len()
        };
        let input_bytes: usize = large.inputs.iter().flatten().map(Vec::len).sum();
        let name = format!("{}, {}, {}", small.operation, small.location, small.kind);
        let bounded = length(&large, &default);
        assert!(
            bounded <= 70 * input_bytes + 20_000,
            "{name}: {input_bytes} bytes in, {bounded} out"
        );
        let (at_n, at_16n) = (length(&small, &lifted), length(&large, &lifted));
        assert!(
            at_16n <= 20 * at_n + 2000,
            "{name}: {at_n} bytes of n, {at_16n} of 16 n"
        );
    }
}
