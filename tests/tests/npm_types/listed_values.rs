//! Checks the literal unions: the values that the specification and the policy list.

use super::read::{alias, interface, literals, union};
use payspec::card::Scheme;
use payspec::legacy::ChangeKind;
use payspec::{ErrorKind, IdempotencyVerdict, ProblemCode};
use payspec_tests::json::Json;
use payspec_tests::vector;
use std::collections::BTreeSet;

#[test]
fn declares_names_and_lengths_of_security_codes() {
    let members = interface("KnownCard");
    let code = members
        .iter()
        .find(|member| member.name == "code")
        .expect("its code");
    let names: BTreeSet<&str> = Scheme::ALL
        .iter()
        .map(|scheme| scheme.security_code().name)
        .collect();
    assert_eq!(
        literals(code.kind).into_iter().collect::<BTreeSet<_>>(),
        names
    );
    let lengths: BTreeSet<u8> = Scheme::ALL
        .iter()
        .map(|scheme| scheme.security_code().length)
        .collect();
    let lengths: Vec<String> = lengths.iter().map(u8::to_string).collect();
    assert!(
        code.kind
            .contains(&format!("length: {} }}", lengths.join(" | "))),
        "{}",
        code.kind
    );
}

#[test]
fn declares_codes_of_caller_errors() {
    let mut codes = union("PayspecErrorCode");
    for kind in [
        ErrorKind::Context,
        ErrorKind::Policy,
        ErrorKind::Argument,
        ErrorKind::Utf8,
    ] {
        let index = codes.iter().position(|code| *code == kind.name());
        codes.remove(
            index.unwrap_or_else(|| panic!("PayspecErrorCode does not contain {}", kind.name())),
        );
    }
    // Errors that only the JS API reports.
    assert_eq!(
        codes.iter().collect::<BTreeSet<_>>(),
        BTreeSet::from(["panic", "value", "memory"].each_ref())
    );
}

#[test]
fn declares_kinds_of_changes() {
    let kinds: BTreeSet<&str> = literals(alias("Change").split("/**").next().unwrap_or_default())
        .into_iter()
        .collect();
    assert_eq!(kinds, ChangeKind::NAMES.iter().copied().collect());
}

#[test]
fn declares_verdicts_on_keys_with_their_statuses() {
    let mut found = Vec::new();
    for line in alias("IdempotencyAnswer")
        .lines()
        .filter(|line| line.contains("verdict:"))
    {
        let status = line
            .split_once("status: ")
            .and_then(|(_, rest)| rest.split_once(';'))
            .expect("a status")
            .0;
        found.extend(
            literals(line)
                .into_iter()
                .map(|verdict| (verdict, status.to_owned())),
        );
    }
    let expected: Vec<_> = IdempotencyVerdict::ALL
        .iter()
        .map(|verdict| (verdict.name(), verdict.status().to_string()))
        .collect();
    assert_eq!(found, expected);
}

/// Returns the codes of a union of problems, including the unions in it.
fn codes(text: &'static str) -> BTreeSet<&'static str> {
    let mut codes: BTreeSet<&str> = literals(text).into_iter().collect();
    for name in ["BodyProblemCode", "QuoteProblemCode", "CreateProblemCode"] {
        if text.contains(name) {
            codes.extend(self::codes(alias(name)));
        }
    }
    codes
}

/// Compares them with the problems in the vectors.
#[test]
fn declares_problems_of_each_operation() {
    let files = vector::load().expect("vectors");
    let mut all = BTreeSet::new();
    for (operation, name) in [
        (
            "create_payment",
            "CreateOutcome<Stored extends object = Payment>",
        ),
        (
            "read_payment",
            "ReadOutcome<Stored extends object = Payment>",
        ),
        ("read_balance", "BalanceOutcome<Own extends object>"),
        ("convert", "ConvertOutcome"),
        (
            "advance_payment",
            "AdvanceOutcome<Stored extends object = Payment>",
        ),
        ("authorize", "AuthorizeAnswer"),
        ("idempotency_key", "IdempotencyKeyAnswer"),
    ] {
        let mut found = BTreeSet::new();
        let vectors = files
            .iter()
            .filter(|file| file.operation == operation)
            .flat_map(|file| &file.vectors);
        for vector in vectors.filter(|vector| vector.returns == 1) {
            let answer =
                Json::parse(vector.answer.as_deref().expect("an answer").as_bytes()).expect("JSON");
            let code = answer
                .get("body")
                .and_then(|body| body.get("code"))
                .and_then(Json::as_str);
            found.insert(code.expect("a problem's code").to_owned());
        }
        assert_eq!(
            codes(alias(name)),
            found.iter().map(String::as_str).collect(),
            "{operation}"
        );
        all.extend(found);
    }
    assert_eq!(
        all,
        ProblemCode::ALL
            .iter()
            .map(|code| code.name().to_owned())
            .collect()
    );
}
