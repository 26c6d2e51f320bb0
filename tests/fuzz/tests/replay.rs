//! Replays the corpus and the seeds of every fuzz target, and mutations of both, on any toolchain.

use fastrand::Rng;
use payspec_fuzz::{TARGETS, Target, corpus};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Mutations end at this count or after this time, so that slow machines finish too.
const MAX_MUTATIONS: usize = 20_000;
const MAX_TIME: Duration = Duration::from_secs(5);

/// Returns the kept inputs, each named `corpus/<target>.txt:LINE`.
fn kept_inputs(target: &Target) -> Vec<(String, Vec<u8>)> {
    let inputs = corpus::read(target).unwrap_or_else(|error| panic!("{error}"));
    inputs
        .into_iter()
        .zip(1..)
        .map(|(input, line)| (format!("corpus/{}.txt:{line}", target.name), input))
        .collect()
}

fn attempt(target: &Target, from: &str, bytes: &[u8]) {
    let tried = catch_unwind(AssertUnwindSafe(|| (target.run)(bytes)));
    assert!(
        tried.is_ok(),
        "{} fails on {from}: {:?}",
        target.name,
        String::from_utf8_lossy(bytes)
    );
}

fn replay(name: &str) {
    let target = payspec_fuzz::target(name).expect("a target");
    let kept = kept_inputs(target);
    assert!(!kept.is_empty(), "the corpus of {name} is empty");
    let seeds = (target.seeds)();
    assert!(seeds.len() > 20, "{name} has {} seeds", seeds.len());
    let all: Vec<(String, Vec<u8>)> = kept
        .into_iter()
        .chain(seeds.into_iter().map(|seed| ("a seed".to_owned(), seed)))
        .collect();
    for (from, input) in &all {
        attempt(target, from, input);
    }
    let (mut random, start, mut tried) = (Rng::with_seed(20_261_121), Instant::now(), 0);
    while tried < MAX_MUTATIONS && start.elapsed() < MAX_TIME {
        let (from, input) = random.choice(&all).expect("the seeds are not empty");
        let mut input = input.clone();
        payspec_tests::near_json::mutate(&mut random, &mut input);
        input.truncate(target.longest);
        attempt(target, &format!("a mutation of {from}"), &input);
        tried += 1;
    }
    println!("{name}: {} inputs and {tried} mutations of them", all.len());
    assert!(
        tried > 100,
        "{name}: only {tried} mutations in {MAX_TIME:?}"
    );
}

/// Defines one test per target, so that targets run in parallel and failures name the target.
macro_rules! replay {
    ($($name:ident)*) => {
        $(#[test] fn $name() { replay(stringify!($name)); })*

        #[test]
        fn replays_every_target() {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

replay! { operations reader amount c legacy redact webhooks redact_text card_data locate batch }

/// Compares the names of libFuzzer's binaries, the list of targets, and the files of the corpus.
#[test]
fn has_a_binary_for_every_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("libfuzzer/Cargo.toml")).expect("the manifest");
    let mut binaries: Vec<&str> = manifest
        .lines()
        .filter_map(|line| {
            line.strip_prefix("path = \"fuzz_targets/")?
                .strip_suffix(".rs\"")
        })
        .collect();
    binaries.sort_unstable();
    let mut names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    names.sort_unstable();
    assert_eq!(binaries, names);
    let mut files: Vec<PathBuf> = fs::read_dir(root.join("corpus"))
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort_unstable();
    let mut expected: Vec<PathBuf> = TARGETS.iter().map(corpus::path).collect();
    expected.sort_unstable();
    assert_eq!(files, expected);
    for name in names {
        let binary = fs::read_to_string(root.join(format!("libfuzzer/fuzz_targets/{name}.rs")))
            .expect("a binary");
        assert!(binary.contains(&format!("run(\"{name}\", ")), "{binary}");
    }
}
