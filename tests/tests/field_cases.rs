//! Runs the cases of `tests/data/field_cases.json`: inputs from reports of users of other tools,
//! with the answers that the interface requires.
//!
//! A case has `op`, `args` in the order of the operation, and `expect`, of which each member is
//! checked:
//!
//! | member | expectation |
//! |---|---|
//! | `rc` | the return code of the C API |
//! | `lacks` | texts that the answer does not contain |
//! | `same` | the answer is the first argument |
//! | `text` | the exact answer |
//! | `codes` | path and code of each violation, in order |
//! | `json`, `status`, `valid` | members of the answer |
//! | `equal` | both arguments have the same fingerprint, for the pseudo operation `fingerprints` |

#[path = "field_cases/kinds.rs"]
mod kinds;

use payspec::Engine;
use payspec_tests::call::{self, Answer};
use payspec_tests::json::Json;
use payspec_tests::matcher;
use payspec_tests::vector;

/// The cases that the library does not answer as expected yet. A right one must be removed.
const PENDING: &[&str] = &[];

fn cases() -> Vec<Json> {
    let path = payspec_tests::root().join("tests/data/field_cases.json");
    let text = std::fs::read(&path).expect("the file");
    let file = Json::parse(&text).expect("JSON");
    file.get("cases").expect("a list").elements().to_vec()
}

fn text<'a>(case: &'a Json, name: &str) -> &'a str {
    case.get(name).and_then(Json::as_str).expect(name)
}

/// Returns the arguments, `None` for null.
fn arguments(case: &Json) -> Vec<Option<&[u8]>> {
    let arguments = case.get("args").expect("args").elements();
    arguments
        .iter()
        .map(|argument| argument.as_str().map(str::as_bytes))
        .collect()
}

/// Returns the differences between the answers and the expectations.
fn differences(case: &Json) -> Vec<String> {
    let engine = Engine::default();
    let (operation, arguments) = (text(case, "op"), arguments(case));
    let expect = case.get("expect").expect("expect");
    if operation == "fingerprints" {
        let fingerprint = |body| call::answer(&engine, "fingerprint_request", &[body]).text;
        let mut bodies = arguments.into_iter().map(fingerprint);
        let is_equal = bodies.next() == bodies.next();
        let is_expected = expect.get("equal") == Some(&Json::Bool(is_equal));
        return differs(is_expected, "equal").into_iter().collect();
    }
    let answer = call::answer(&engine, operation, &arguments);
    let same = arguments.first().copied().flatten();
    let checks = expect.members().iter();
    checks
        .flat_map(|(name, value)| check(name, value, &answer, same))
        .collect()
}

fn differs(is_expected: bool, what: &str) -> Option<String> {
    (!is_expected).then(|| what.to_owned())
}

/// Checks one member of `expect`.
fn check(name: &str, value: &Json, answer: &Answer, input: Option<&[u8]>) -> Vec<String> {
    let found = str::from_utf8(&answer.text).expect("UTF-8");
    let as_json = || Json::parse(&answer.text).unwrap_or(Json::Null);
    let is_expected = match name {
        "rc" => *value == Json::Number(answer.returns.into()),
        "lacks" => {
            let texts = value.elements().iter().filter_map(Json::as_str);
            return texts
                .filter(|text| found.contains(text))
                .map(|text| format!("contains {text}"))
                .collect();
        }
        "same" => *value == Json::Bool(input == Some(found.as_bytes())),
        "text" => value.as_str() == Some(found),
        "codes" => *value == codes(&as_json()),
        "json" => return matcher::differences(value, found),
        "status" | "valid" => as_json().get(name) == Some(value),
        other => panic!("{other} is not an expectation"),
    };
    let difference = differs(is_expected, name).map(|name| format!("{name}: {found}"));
    difference.into_iter().collect()
}

/// Returns path and code of each violation of a report.
fn codes(report: &Json) -> Json {
    let violations = report.get("violations").unwrap_or(&Json::Null).elements();
    let pair = |violation: &Json| {
        let member = |name| violation.get(name).cloned().unwrap_or(Json::Null);
        Json::Array(vec![member("path"), member("code")])
    };
    Json::Array(violations.iter().map(pair).collect())
}

#[test]
fn answers_every_case_as_expected() {
    let cases = cases();
    assert!(cases.len() > 50, "{} cases", cases.len());
    let mut failures = Vec::new();
    for case in &cases {
        let id = text(case, "id");
        let found = differences(case);
        match (found.is_empty(), PENDING.contains(&id)) {
            (false, false) => failures.push(format!("{id}: {}", found.join("; "))),
            (true, true) => failures.push(format!("{id} is right: remove it from PENDING")),
            _ => {}
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn pending_cases_exist() {
    let cases = cases();
    let ids: Vec<&str> = cases.iter().map(|case| text(case, "id")).collect();
    assert!(PENDING.iter().all(|id| ids.contains(id)));
}

/// Returns the arguments without those at the end that are absent.
fn given<'a>(arguments: &'a [Option<&'a [u8]>]) -> &'a [Option<&'a [u8]>] {
    let last = arguments.iter().rposition(Option::is_some);
    &arguments[..last.map_or(0, |last| last + 1)]
}

/// Each binding runs the vectors, and so every case.
#[test]
fn every_case_is_a_vector() {
    let files = vector::load().expect("the vectors");
    let has = |operation: &str, inputs: &[Option<&[u8]>]| {
        let files = files.iter().filter(|file| file.operation == operation);
        files
            .flat_map(|file| &file.vectors)
            .any(|vector| given(&vector.arguments(operation)) == given(inputs))
    };
    let (cases, mut missing) = (cases(), Vec::new());
    for case in &cases {
        let (operation, arguments) = (text(case, "op"), arguments(case));
        let is_vector = match operation {
            "fingerprints" => arguments
                .iter()
                .all(|body| has("fingerprint_request", &[*body])),
            operation => has(operation, &arguments),
        };
        if !is_vector {
            missing.push(text(case, "id"));
        }
    }
    assert!(missing.is_empty(), "{missing:?} are no vectors");
}
