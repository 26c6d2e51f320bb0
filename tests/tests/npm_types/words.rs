//! The literal unions: the words that the specification and the policy list.

use super::read::{alias, interface, literals, union};
use payspec::card::Scheme;
use payspec::legacy::ChangeKind;
use payspec::money::Rounding;
use payspec::{
    DECISIONS, ErrorCode, IdempotencyVerdict, InfoKind, Mode, PaymentType, ProblemCode, Severity, State, StateOutcome,
    Subtype, TransitionVerdict,
};
use std::collections::BTreeSet;

#[test]
fn listed_words() {
    assert_eq!(union("PaymentType"), PaymentType::NAMES);
    assert_eq!(union("Mode"), Mode::NAMES);
    assert_eq!(union("Subtype"), Subtype::NAMES);
    assert_eq!(union("State"), State::NAMES);
    assert_eq!(union("StateOutcome"), StateOutcome::NAMES);
    assert_eq!(union("InfoKind"), InfoKind::NAMES);
    assert_eq!(union("TransitionVerdict"), TransitionVerdict::NAMES);
    assert_eq!(union("Severity"), [Severity::Error, Severity::Warning, Severity::Off].map(Severity::name));
    assert_eq!(union("Rounding"), Rounding::ALL.map(Rounding::name));
    assert_eq!(union("CardScheme"), Scheme::ALL.map(Scheme::name));
    assert_eq!(union("DecisionId"), DECISIONS.each_ref().map(|decision| decision.id));
}

#[test]
fn names_and_lengths_of_security_codes() {
    let members = interface("KnownCard");
    let code = members.iter().find(|member| member.name == "code").expect("its code");
    let names: BTreeSet<&str> = Scheme::ALL.map(|scheme| scheme.code().name).into();
    assert_eq!(literals(code.kind).into_iter().collect::<BTreeSet<_>>(), names);
    let lengths: BTreeSet<u8> = Scheme::ALL.map(|scheme| scheme.code().length).into();
    let lengths: Vec<String> = lengths.iter().map(u8::to_string).collect();
    assert!(code.kind.contains(&format!("length: {} }}", lengths.join(" | "))), "{}", code.kind);
}

#[test]
fn codes_of_misuse() {
    let mut codes = union("PayspecErrorCode");
    for code in [ErrorCode::Context, ErrorCode::Policy, ErrorCode::Null, ErrorCode::Utf8, ErrorCode::Panic] {
        let place = codes.iter().position(|own| *own == code.name());
        codes.remove(place.unwrap_or_else(|| panic!("PayspecErrorCode lacks {}", code.name())));
    }
    // What only JavaScript can do wrong.
    assert_eq!(codes, ["value", "memory"]);
}

#[test]
fn kinds_of_changes() {
    let kinds: BTreeSet<&str> = literals(alias("Change").split("/**").next().unwrap_or_default()).into_iter().collect();
    assert_eq!(kinds, ChangeKind::NAMES.iter().copied().collect());
}

#[test]
fn verdicts_on_keys_with_their_statuses() {
    let mut found = Vec::new();
    for line in alias("IdempotencyAnswer").lines().filter(|line| line.contains("verdict:")) {
        let status = line.split_once("status: ").and_then(|(_, rest)| rest.split_once(';')).expect("a status").0;
        found.extend(literals(line).into_iter().map(|verdict| (verdict, status.to_owned())));
    }
    let expected: Vec<_> =
        IdempotencyVerdict::ALL.iter().map(|verdict| (verdict.name(), verdict.status().to_string())).collect();
    assert_eq!(found, expected);
}

/// No problem is forgotten by the outcomes, and none is made up: vectors show which goes with which operation.
#[test]
fn outcomes_have_every_problem() {
    let mut codes: BTreeSet<&str> = union("BodyProblemCode").into_iter().chain(union("QuoteProblemCode")).collect();
    for name in [
        "CreateProblemCode",
        "ReadOutcome<Stored extends object = Payment>",
        "AdvanceOutcome<Stored extends object = Payment>",
    ] {
        codes.extend(literals(alias(name)));
    }
    assert_eq!(codes, ProblemCode::ALL.iter().map(|code| code.name()).collect());
}
