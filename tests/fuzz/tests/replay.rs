//! What the fuzzer has found, tried again on any toolchain: the corpus, the seeds, and some changes of both.

use fastrand::Rng;
use payspec_fuzz::{TARGETS, Target};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Changes are tried until so many are done or this time is over, on a machine of any speed.
const CHANGES: usize = 20_000;
const AT_MOST: Duration = Duration::from_secs(5);

/// The inputs of the repository, the names of their files with them.
fn corpus(target: &Target) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry of the corpus").path()).collect();
    files.sort();
    files.into_iter().map(|file| (file.display().to_string(), fs::read(&file).expect("an input"))).collect()
}

fn attempt(target: &Target, from: &str, bytes: &[u8]) {
    let tried = catch_unwind(AssertUnwindSafe(|| (target.run)(bytes)));
    assert!(tried.is_ok(), "{} fails on {from}: {:?}", target.name, String::from_utf8_lossy(bytes));
}

fn replay(name: &str) {
    let target = payspec_fuzz::target(name).expect("a target");
    let corpus = corpus(target);
    assert!(!corpus.is_empty(), "the corpus of {name} is empty");
    let seeds = (target.seeds)();
    assert!(seeds.len() > 20, "{name} has {} seeds", seeds.len());
    let all: Vec<(String, Vec<u8>)> =
        corpus.into_iter().chain(seeds.into_iter().map(|seed| ("a seed".to_owned(), seed))).collect();
    for (from, input) in &all {
        attempt(target, from, input);
    }
    let (mut random, start, mut tried) = (Rng::with_seed(20_261_121), Instant::now(), 0);
    while tried < CHANGES && start.elapsed() < AT_MOST {
        let (from, input) = random.choice(&all).expect("there are some");
        let mut input = input.clone();
        payspec_tests::texts::mutate(&mut random, &mut input);
        input.truncate(target.longest);
        attempt(target, &format!("a change of {from}"), &input);
        tried += 1;
    }
    println!("{name}: {} inputs and {tried} changes of them", all.len());
    assert!(tried > 100, "{name}: only {tried} changes in {AT_MOST:?}");
}

/// A test for each target, so that they run beside each other and fail by name.
macro_rules! replay {
    ($($name:ident)*) => {
        $(#[test] fn $name() { replay(stringify!($name)); })*

        #[test]
        fn every_target_is_replayed() {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
        }
    };
}

replay! { operations reader amount c legacy redact }

/// libFuzzer's binaries, the list of targets, and the folders of the corpus name the same ones.
#[test]
fn every_target_has_its_binary() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(root.join("libfuzzer/Cargo.toml")).expect("the manifest");
    let mut binaries: Vec<&str> = manifest
        .lines()
        .filter_map(|line| line.strip_prefix("path = \"fuzz_targets/")?.strip_suffix(".rs\""))
        .collect();
    binaries.sort_unstable();
    let mut names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    names.sort_unstable();
    assert_eq!(binaries, names);
    let mut folders: Vec<String> = fs::read_dir(root.join("corpus"))
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    folders.sort_unstable();
    assert_eq!(folders, names);
    for name in names {
        let binary = fs::read_to_string(root.join(format!("libfuzzer/fuzz_targets/{name}.rs"))).expect("a binary");
        assert!(binary.contains(&format!("run(\"{name}\", ")), "{binary}");
    }
}
