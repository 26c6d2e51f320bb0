//! `cargo xtask hosts`: the programs in examples/, in six languages. Each is built against an installed library, runs its
//! own tests, and must answer the same requests as the core, byte for byte.

mod cases;
mod languages;
mod program;

use crate::look::{BAD, BOLD, FAINT, GOOD, WARN};
use crate::tally::Tally;
use crate::{install, tally};
use anstream::println;
use cases::Case;
use languages::{HOSTS, Host};
use program::Shell;
use std::path::PathBuf;

/// The verb. With names, those hosts alone.
pub(crate) fn run(names: &[String]) -> Result<(), String> {
    if let Some(name) = names.iter().find(|name| HOSTS.iter().all(|host| host.name != **name)) {
        return Err(format!("there is no host {name}"));
    }
    let (_, problem) = take(|host| names.is_empty() || names.iter().any(|name| name == host.name));
    problem.map_or(Ok(()), Err)
}

/// The step of `cargo xtask test`.
pub(crate) fn check() -> (Tally, Option<String>) {
    take(|_| true)
}

/// Runs the hosts that are wanted: what passed and failed over all of them, and what is wrong.
fn take(wanted: impl Fn(&Host) -> bool) -> (Tally, Option<String>) {
    let (mut sum, mut failed, mut skipped) = (Tally::default(), Vec::new(), Vec::new());
    let shell = match prepare() {
        Ok(shell) => shell,
        Err(error) => return (Tally::of_check(false), Some(error)),
    };
    let cases = cases::all();
    for host in HOSTS.iter().filter(|host| wanted(host)) {
        let missing = host.missing(&shell);
        if !missing.is_empty() {
            let how = format!("missing: apt-get install {}", missing.join(" "));
            // CI installs the languages by name: there, a missing one would be a test that nobody runs.
            if std::env::var("CI").is_ok_and(|ci| ci == "true") {
                println!("   {BOLD}{:<9}{BOLD:#} {BAD}{how}{BAD:#}", host.name);
                sum.add(Tally::of_check(false));
                failed.push(host.name);
            } else {
                println!("   {BOLD}{:<9}{BOLD:#} {WARN}SKIPPED{WARN:#}, {how}", host.name);
                skipped.push(host.name);
            }
            continue;
        }
        let result = try_host(host, &shell, &cases);
        let Counts { answers, tests, problems } = &result;
        let colour = if problems.is_empty() { GOOD } else { BAD };
        println!(
            "   {BOLD}{:<9}{BOLD:#} {colour}{} answers{} passed, {} failed{colour:#}",
            host.name,
            answers.passed,
            if host.tests.is_empty() { String::new() } else { format!(", {} tests and vectors", tests.passed) },
            answers.failed + tests.failed
        );
        problems.iter().for_each(|problem| println!("{problem}"));
        sum.add(*answers);
        sum.add(*tests);
        if !problems.is_empty() {
            failed.push(host.name);
            // A host that could not even be built has counted nothing.
            if answers.failed + tests.failed == 0 {
                sum.add(Tally::of_check(false));
            }
        }
    }
    if !skipped.is_empty() {
        println!("   {WARN}{} skipped, not passed: {}{WARN:#}", skipped.len(), skipped.join(", "));
    }
    (sum, (!failed.is_empty()).then(|| failed.join(", ")))
}

/// Installs the library where the hosts find it, and nobody else.
fn prepare() -> Result<Shell, String> {
    let folder = folder();
    let prefix = folder.join("prefix");
    install::run(&["--prefix".to_owned(), prefix.display().to_string()])?;
    Ok(Shell::new(prefix, folder))
}

/// Beside the program that is running: below cargo's target folder, wherever that is.
fn folder() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    program.ancestors().nth(2).map_or_else(|| PathBuf::from("target"), PathBuf::from).join("hosts")
}

#[derive(Default)]
struct Counts {
    answers: Tally,
    tests: Tally,
    problems: Vec<String>,
}

fn try_host(host: &Host, shell: &Shell, cases: &[Case]) -> Counts {
    let mut counts = Counts::default();
    let place = shell.place(host);
    for command in host.build {
        if let Err(error) = place.run(command) {
            counts.problems.push(format!("{}\n{FAINT}{error}{FAINT:#}", command.join(" ")));
            return counts;
        }
    }
    for case in cases {
        let problems = case.problems(|request| place.program(host.program, request));
        counts.answers.add(Tally::of_check(problems.is_empty()));
        counts.problems.extend(problems.into_iter().map(|problem| format!("     {}: {problem}", case.name)));
    }
    for command in host.tests {
        match place.run(command) {
            Ok(output) => counts.tests.add(tally::counted_in(&output)),
            Err(output) => {
                counts.tests.add(tally::counted_in(&output));
                counts.problems.push(format!("{}\n{FAINT}{output}{FAINT:#}", command.join(" ")));
            }
        }
    }
    if !host.tests.is_empty() && counts.tests == Tally::default() {
        counts.problems.push("     its own tests ran nothing".to_owned());
    }
    counts
}
