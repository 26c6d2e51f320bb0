//! Selects the examples of `payspec explain` from the vectors: for each rule, a body that breaks
//! only this rule, and the most similar body that is valid.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

/// The operations whose reports list violations, with the place of the list in the answer.
const OPERATIONS: [(&str, &str); 3] = [
    ("validate_request", "/violations"),
    ("check_payment", "/violations"),
    ("create_payment", "/body/violations"),
];
/// Shorter bodies come first, so that few are enough.
const MOST_CANDIDATES: usize = 12;

/// The vectors of rules for which the shortest body is an odd one.
const CHOSEN: [(&str, &str); 5] = [
    ("card_expired", "validate_request/expiry/last year"),
    (
        "legacy_member",
        "validate_request/legacy_members/return_url",
    ),
    (
        "unknown_member",
        "validate_request/unknown_members/name \"AMOUNT\"",
    ),
    (
        "uri_private_host",
        "validate_request/uri/callback https://localhost/",
    ),
    (
        "uri_scheme",
        "validate_request/uri/http if only https is allowed",
    ),
];

/// A call of an operation that reports violations.
struct Call {
    name: String,
    operation: &'static str,
    policy: Option<String>,
    body: String,
    /// The second input.
    other: Option<String>,
    parsed: Value,
    /// The codes of the violations, each once.
    codes: Vec<String>,
    count: usize,
}

fn main() {
    examples();
}

fn write(name: &str, text: &str) {
    let file = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join(name);
    fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
}

fn examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut calls: Vec<Call> = OPERATIONS
        .iter()
        .flat_map(|(name, list)| read(&folder.join(name), name, list))
        .collect();
    // A body of a few characters shows less than a whole one.
    calls.sort_by_key(|call| {
        let is_short = call.body.len() < 40;
        (
            call.codes.len(),
            call.policy.is_some(),
            is_short,
            has_empty_text(call),
            call.count,
            call.body.len(),
        )
    });
    let (valid, invalid): (Vec<&Call>, Vec<&Call>) = calls.iter().partition(|call| call.count == 0);
    let mut by_code: BTreeMap<&str, Vec<&Call>> = BTreeMap::new();
    for call in invalid {
        for code in &call.codes {
            let candidates = by_code.entry(code).or_default();
            let is_as_good = candidates
                .first()
                .is_none_or(|first| first.codes.len() == call.codes.len());
            if candidates.len() < MOST_CANDIDATES && is_as_good {
                candidates.push(call);
            }
        }
    }
    let mut out = "pub(super) static EXAMPLES: &[Example] = &[\n".to_owned();
    for (code, mut candidates) in by_code {
        if let Some((_, name)) = CHOSEN.iter().find(|(of, _)| *of == code) {
            let chosen = calls
                .iter()
                .find(|call| call.name == *name && call.codes == [code]);
            candidates =
                vec![chosen.unwrap_or_else(|| panic!("no vector {name} breaks {code} alone"))];
        }
        let pairs = candidates
            .iter()
            .flat_map(|call| valid.iter().map(move |valid| (*call, *valid)));
        let pairs = pairs.filter(|(call, valid)| {
            (call.operation, &call.policy, &call.other)
                == (valid.operation, &valid.policy, &valid.other)
        });
        // A code without a body that differs in few members gets no example.
        let best = pairs
            .map(|(call, valid)| (distance(&call.parsed, &valid.parsed), call, valid))
            .min_by_key(|(distance, call, valid)| {
                let differing = differing_bytes(&call.body, &valid.body);
                (
                    *distance,
                    call.body.len() < 40,
                    has_empty_text(call),
                    call.body.len(),
                    differing,
                )
            });
        let (call, corrected) = match best {
            Some((_, call, valid)) => (call, Some(valid.body.as_str())),
            None => (candidates[0], None),
        };
        let Call {
            operation,
            policy,
            body,
            other,
            ..
        } = call;
        writeln!(
            out,
            "    Example {{ code: {code:?}, operation: {operation:?}, policy: {policy:?}, other: {other:?}, \
             invalid: {body:?}, corrected: {corrected:?} }},"
        )
        .expect("memory");
    }
    out.push_str("];\n");
    write("examples.rs", &out);
}

fn read(folder: &Path, operation: &'static str, list: &'static str) -> Vec<Call> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let vectors = paths.iter().flat_map(|path| {
        let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file: Value = serde_json::from_slice(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        file["vectors"].as_array().cloned().unwrap_or_default()
    });
    vectors
        .filter_map(|vector| call(&vector, operation, list))
        .collect()
}

/// Returns the call if its answer has a list of violations.
fn call(vector: &Value, operation: &'static str, list: &str) -> Option<Call> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let answer: Value = serde_json::from_str(vector["answer"].as_str()?).ok()?;
    // A payment that was created has no list of violations.
    let violations = match answer.pointer(list) {
        Some(violations) => violations.as_array()?.clone(),
        None if answer["status"] == 201 && answer.get("warnings").is_none() => Vec::new(),
        None => return None,
    };
    let mut codes: Vec<String> = violations
        .iter()
        .filter_map(|violation| text(&violation["code"]))
        .collect();
    codes.sort();
    codes.dedup();
    let body = text(&vector["inputs"][0])?;
    Some(Call {
        name: text(&vector["name"])?,
        operation,
        policy: text(&vector["policy"]),
        other: text(&vector["inputs"][1]),
        parsed: serde_json::from_str(&body).unwrap_or_default(),
        count: violations.len(),
        codes,
        body,
    })
}

/// Returns whether a member is an empty text, which looks like a missing value and not like an
/// invalid one.
fn has_empty_text(call: &Call) -> bool {
    call.body.contains(":\"\"")
}

/// Returns the length of the longer text without the beginning and the end that both have. A
/// corrected value is better than one that is missing.
fn differing_bytes(one: &str, other: &str) -> usize {
    let shorter = one.len().min(other.len());
    let start = one
        .bytes()
        .zip(other.bytes())
        .take_while(|(one, other)| one == other)
        .count();
    let end = one
        .bytes()
        .rev()
        .zip(other.bytes().rev())
        .take_while(|(one, other)| one == other)
        .count();
    one.len().max(other.len()) - start - end.min(shorter - start)
}

/// Counts the members that differ.
fn distance(one: &Value, other: &Value) -> usize {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let missing = other.keys().filter(|name| !one.contains_key(*name)).count();
            let differing = one
                .iter()
                .map(|(name, value)| other.get(name).map_or(1, |other| distance(value, other)));
            missing + differing.sum::<usize>()
        }
        _ => usize::from(one != other),
    }
}
