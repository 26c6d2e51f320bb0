//! `cargo xtask mutants`: the core broken in one place after the other by cargo-mutants, and the tests asked whether they
//! see it. `.cargo/mutants.toml` says where; a mutant that survives must be explained in tests/data/mutants.toml.

use crate::look::{BAD, BOLD, FAINT, GOOD};
use crate::tools::{cargo, target, works};
use anstream::println;
use payspec_tests::root;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The survivors that are explained.
const EXPLAINED: &str = "tests/data/mutants.toml";
/// Who is asked about what the fast tests let pass: tests that take longer.
const THOROUGH: [&str; 7] = ["typed", "money", "iso4217", "openapi", "canaries", "properties", "replay"];

/// The verb.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let wanted = Wanted::of(arguments)?;
    if !works(cargo().args(["mutants", "--version"])) {
        return Err("cargo-mutants is missing: cargo install cargo-mutants --locked".to_owned());
    }
    let explained = explained()?;
    println!("{BOLD}the vectors and the unit tests{BOLD:#}");
    finish(&mut wanted.command())?;
    let caught = lines("caught.txt").len() + lines("timeout.txt").len();
    let fast = lines("missed.txt").len();
    if fast > 0 {
        println!("\n{BOLD}{fast} of them before all the other tests{BOLD:#}");
        let mut second = wanted.command();
        // Those that were caught are left out.
        second.args(["--iterate", "--cargo-arg=--package=payspec-fuzz"]);
        finish(second.args(THOROUGH.iter().map(|test| format!("--cargo-arg=--test={test}"))))?;
    }
    let missed = lines("missed.txt");
    let (known, unknown): (Vec<_>, Vec<_>) =
        missed.iter().partition(|line| explained.contains(without_place(line).as_str()));
    let sum = caught + fast;
    let (seen, known, unknown_count) = (sum - missed.len(), known.len(), unknown.len());
    println!("\n{sum} mutants: {seen} seen, {known} that {EXPLAINED} explains, {unknown_count} others");
    for line in &unknown {
        println!("   {BAD}survives{BAD:#}  {line}");
    }
    if unknown.is_empty() && sum > 0 {
        println!("   {GOOD}no mutant survives unexplained{GOOD:#}");
        return Ok(());
    }
    Err(format!("a test that sees it, or its reason in {EXPLAINED}"))
}

/// What is asked for beside the configuration.
struct Wanted {
    arguments: Vec<String>,
}

impl Wanted {
    fn of(arguments: &[String]) -> Result<Wanted, String> {
        let mut wanted = Wanted { arguments: Vec::new() };
        for pair in arguments.chunks(2) {
            match pair {
                [name, value] if name == "--shard" => wanted.arguments.push(format!("--shard={value}")),
                // Its own --file would add to the files of the configuration.
                [name, value] if name == "--file" => wanted.arguments.push(format!("--re=^{value}:")),
                _ => return Err("mutants takes --shard K/N and --file PATH".to_owned()),
            }
        }
        Ok(wanted)
    }

    fn command(&self) -> Command {
        let mut command = cargo();
        command.args(["mutants", "--package", "payspec", "--no-shuffle", "--colors=never", "--output"]).arg(folder());
        // What the tests need beside payspec is compiled once, and not for each copy of the tree.
        command.args(&self.arguments).env("CARGO_TARGET_DIR", folder().join("build"));
        command
    }
}

/// Runs it. That mutants survive (2) or time out (3) is no failure of the run.
fn finish(command: &mut Command) -> Result<(), String> {
    fs::create_dir_all(folder()).map_err(|error| format!("{}: {error}", folder().display()))?;
    let status = command.status().map_err(|error| format!("cargo mutants: {error}"))?;
    match status.code() {
        Some(0 | 2 | 3) => Ok(()),
        _ => Err(format!("cargo mutants: {status}")),
    }
}

fn folder() -> PathBuf {
    target().join("mutants")
}

/// One of the lists that it leaves.
fn lines(list: &str) -> Vec<String> {
    let text = fs::read_to_string(folder().join("mutants.out").join(list)).unwrap_or_default();
    println!("   {FAINT}{list}: {}{FAINT:#}", text.lines().count());
    text.lines().map(str::to_owned).collect()
}

/// `core/src/a.rs:3:9: replace a with b` without line and column, which move.
fn without_place(line: &str) -> String {
    let mut parts = line.splitn(4, ':');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(file), Some(_), Some(_), Some(what)) => format!("{file}:{what}"),
        _ => line.to_owned(),
    }
}

fn explained() -> Result<BTreeSet<String>, String> {
    #[derive(Deserialize)]
    struct List {
        #[serde(default)]
        survivor: Vec<Survivor>,
    }
    #[derive(Deserialize)]
    struct Survivor {
        name: String,
        reason: String,
    }
    let text = fs::read_to_string(root().join(EXPLAINED)).map_err(|error| format!("{EXPLAINED}: {error}"))?;
    let list: List = toml::from_str(&text).map_err(|error| format!("{EXPLAINED}: {error}"))?;
    match list.survivor.iter().find(|survivor| survivor.reason.trim().is_empty()) {
        Some(survivor) => Err(format!("{EXPLAINED}: no reason for {}", survivor.name)),
        None => Ok(list.survivor.into_iter().map(|survivor| survivor.name).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_is_known_wherever_it_has_moved() {
        let line = "core/src/money/a.rs:13:9: replace Amount::a -> Option<b::C> with None";
        assert_eq!(without_place(line), "core/src/money/a.rs: replace Amount::a -> Option<b::C> with None");
    }

    #[test]
    fn arguments_come_in_pairs() {
        let take = |words: &[&str]| Wanted::of(&words.iter().map(ToString::to_string).collect::<Vec<_>>()).is_ok();
        assert!(take(&[]) && take(&["--shard", "1/8"]) && take(&["--file", "core/src/state.rs"]));
        assert!(!take(&["--shard"]) && !take(&["1/8"]) && !take(&["--in-place", "true"]));
    }
}
