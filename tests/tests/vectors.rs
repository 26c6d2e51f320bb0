//! Runs every vector twice and once without a buffer, and compares the number, the exact bytes of
//! the answer, and the expectation of a person. Then checks that everything that must have a vector
//! has one.
//!
//! `cargo test -p payspec-tests --test vectors -- amount` runs those with `amount` in their name.

use payspec_tests::call;
use payspec_tests::json::Json;
use payspec_tests::vector::{self, File, Vector};
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

fn main() -> ExitCode {
    let filter = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let files = vector::load().unwrap_or_else(|error| panic!("{error}"));
    let mut failed = run(&files, filter.as_deref());
    if filter.is_none() {
        failed += gaps(&files);
    }
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Runs the vectors and prints a line for each operation. `cargo xtask test` adds up these lines.
fn run(files: &[File], filter: Option<&str>) -> usize {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for file in files {
        for vector in file
            .vectors
            .iter()
            .filter(|vector| filter.is_none_or(|part| vector.name.contains(part)))
        {
            let problems = problems(&file.operation, vector);
            let (passed, failed) = counts.entry(&file.operation).or_default();
            *(if problems.is_empty() { passed } else { failed }) += 1;
            for problem in problems {
                println!("{}: {problem}", vector.name);
            }
        }
    }
    for (operation, (passed, failed)) in &counts {
        println!("vectors: {operation}: {passed} passed, {failed} failed");
    }
    counts.values().map(|(_, failed)| failed).sum()
}

fn problems(operation: &str, vector: &Vector) -> Vec<String> {
    let answer = vector.call(operation);
    let mut problems = vector.contradictions(&answer);
    match &vector.answer {
        None => problems.push("the answer is missing: cargo xtask bless".to_owned()),
        Some(text) if text.as_bytes() != answer.text => {
            problems.push(format!(
                "the answer should be\n    {text}\n  it is\n    {}",
                String::from_utf8_lossy(&answer.text)
            ));
        }
        Some(_) => {}
    }
    if vector.call(operation) != answer {
        problems.push("the second call returns another answer".to_owned());
    }
    if let Ok(engine) = call::engine(vector.policy.as_deref()) {
        let alone = call::verdict(&engine, operation, &vector.arguments(operation));
        if alone != answer.returns {
            problems.push(format!("without a buffer it returns {alone}"));
        }
    }
    problems
}

/// Prints everything without a required vector, and returns the number of failed checks.
fn gaps(files: &[File]) -> usize {
    let checks = [
        ("names", repeated(files)),
        (
            "operations",
            missing(
                operations(),
                &files.iter().map(|file| file.operation.clone()).collect(),
            ),
        ),
        (
            "rules",
            missing(rules(), &codes_in(files, &["violations", "warnings"])),
        ),
        ("outcomes", missing(outcomes(), &problem_codes(files))),
        (
            "transitions",
            missing(transitions(), &transitions_in(files)),
        ),
    ];
    let failed = checks.iter().filter(|(_, found)| !found.is_empty()).count();
    for (what, found) in checks.iter().filter(|(_, found)| !found.is_empty()) {
        println!(
            "{what} without a vector, or with one too many: {}",
            found.join(", ")
        );
    }
    println!(
        "vectors: required vectors: {} passed, {failed} failed",
        checks.len() - failed
    );
    failed
}

fn repeated(files: &[File]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    files
        .iter()
        .flat_map(|file| &file.vectors)
        .map(|v| v.name.clone())
        .filter(|name| !seen.insert(name.clone()))
        .collect()
}

fn missing(required: Vec<String>, found: &BTreeSet<String>) -> Vec<String> {
    required
        .into_iter()
        .filter(|name| !found.contains(name))
        .collect()
}

fn operations() -> Vec<String> {
    payspec::operations::OPERATIONS
        .iter()
        .map(|operation| operation.name.to_owned())
        .collect()
}

fn outcomes() -> Vec<String> {
    payspec::ProblemCode::ALL
        .iter()
        .map(|code| code.name().to_owned())
        .collect()
}

/// Returns a list of the library itself: `{"rules":[{"code":…},…]}`, `{"states":[{"state":…},…]}`.
fn listed(operation: &str, list: &str, member: &str) -> Vec<String> {
    let answer = call::answer(&payspec::Engine::default(), operation, &[]);
    let json = Json::parse(&answer.text).unwrap_or_else(|error| panic!("{operation}: {error}"));
    let items = json.get(list).unwrap_or(&Json::Null).elements();
    let names: Vec<String> = items
        .iter()
        .filter_map(|item| Some(item.get(member)?.as_str()?.to_owned()))
        .collect();
    assert!(!names.is_empty(), "{operation} lists nothing");
    names
}

fn rules() -> Vec<String> {
    listed("rules", "rules", "code")
}

fn transitions() -> Vec<String> {
    let states = listed("states", "states", "state");
    states
        .iter()
        .flat_map(|from| states.iter().map(move |to| format!("{from} → {to}")))
        .collect()
}

fn answers(files: &[File]) -> impl Iterator<Item = Json> {
    files
        .iter()
        .flat_map(|file| &file.vectors)
        .filter_map(|vector| Json::parse(vector.answer.as_ref()?.as_bytes()).ok())
}

/// Returns the codes of violations in reports and problem bodies.
fn codes_in(files: &[File], lists: &[&str]) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for answer in answers(files) {
        let holders = [Some(&answer), answer.get("body")];
        let violations = holders
            .into_iter()
            .flatten()
            .flat_map(|holder| lists.iter().filter_map(|list| holder.get(list)));
        codes.extend(
            violations
                .flat_map(Json::elements)
                .filter_map(|v| Some(v.get("code")?.as_str()?.to_owned())),
        );
    }
    codes
}

fn problem_codes(files: &[File]) -> BTreeSet<String> {
    answers(files)
        .filter_map(|answer| Some(answer.get("body")?.get("code")?.as_str()?.to_owned()))
        .collect()
}

/// Returns the pairs of states that vectors check under the default policy.
fn transitions_in(files: &[File]) -> BTreeSet<String> {
    let of_operation = files
        .iter()
        .filter(|file| file.operation == "check_transition");
    let contexts = of_operation
        .flat_map(|file| &file.vectors)
        .filter(|vector| vector.policy.is_none());
    let pair = |vector: &Vector| {
        let context = Json::parse(&vector.inputs.first()?.as_ref()?.bytes).ok()?;
        Some(format!(
            "{} → {}",
            context.get("from")?.as_str()?,
            context.get("to")?.as_str()?
        ))
    };
    contexts.filter_map(pair).collect()
}
