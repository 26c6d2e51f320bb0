//! Explores all states of the protocol, and finds a counterexample for each missing precaution.

use payspec::State;
use payspec_protocol::{Defect, EXAMPLES, INVARIANTS, Protocol, Step};
use stateright::{Checker, HasDiscoveries, Model, Path};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Two gateways, two requests with one body and one with another, no faults.
fn plain() -> Protocol {
    Protocol {
        gateways: 2,
        contents: vec![0, 0, 1],
        loses_first_answer: false,
        changes: Vec::new(),
        seconds: 0,
        sets_clock_back: false,
        crashes: 0,
        switches: 0,
        defect: None,
    }
}

/// Three requests while time passes and the clock is set back.
fn clock() -> Protocol {
    Protocol {
        seconds: 3,
        sets_clock_back: true,
        ..plain()
    }
}

/// Four requests while a gateway crashes and the primary is replaced.
fn faults() -> Protocol {
    Protocol {
        contents: vec![0, 0, 0, 1],
        crashes: 1,
        switches: 1,
        ..plain()
    }
}

/// Three requests with two crashes and a replacement, while time passes.
fn crashes() -> Protocol {
    Protocol {
        seconds: 2,
        crashes: 2,
        switches: 1,
        ..plain()
    }
}

/// Two requests while the state of the payment changes, with faults.
fn changes() -> Protocol {
    let changes = vec![State::Routed, State::Completed, State::Fail];
    Protocol {
        contents: vec![0, 0],
        changes,
        seconds: 2,
        crashes: 1,
        switches: 1,
        ..plain()
    }
}

/// One client that loses the first answer, while a gateway crashes and the payment changes.
fn lost_answer() -> Protocol {
    Protocol {
        contents: vec![0; 3],
        loses_first_answer: true,
        changes: vec![State::Routed],
        seconds: 4,
        crashes: 1,
        ..plain()
    }
}

/// The same with a replacement of the primary instead of the crash.
fn lost_answer_and_primary() -> Protocol {
    Protocol {
        crashes: 0,
        switches: 1,
        ..lost_answer()
    }
}

/// All of it at once.
fn everything() -> Protocol {
    let changes = vec![State::Routed, State::Completed];
    Protocol {
        changes,
        seconds: 3,
        sets_clock_back: true,
        crashes: 1,
        switches: 1,
        ..plain()
    }
}

/// What the checker has found.
struct Found {
    /// The number of different states.
    states: usize,
    /// The steps to a state that violates an invariant.
    violations: BTreeMap<&'static str, Vec<Step>>,
    examples: BTreeSet<&'static str>,
}

fn explore(protocol: Protocol) -> Found {
    let start = Instant::now();
    let checker = protocol.clone().checker().threads(2).spawn_bfs().join();
    let (states, steps) = (checker.unique_state_count(), checker.state_count());
    println!(
        "{protocol:?}: {states} states, {steps} steps, depth {}, {:?}",
        checker.max_depth(),
        start.elapsed()
    );
    let mut found = Found {
        states,
        violations: BTreeMap::new(),
        examples: BTreeSet::new(),
    };
    for (name, path) in checker.discoveries() {
        if INVARIANTS.iter().any(|(invariant, _)| *invariant == name) {
            found.violations.insert(name, path.into_actions());
        } else {
            found.examples.insert(name);
        }
    }
    found
}

#[test]
fn no_state_violates_an_invariant() {
    let mut examples = BTreeSet::new();
    let models = [
        ("clock", clock(), 598_867),
        ("faults", faults(), 82_192),
        ("crashes", crashes(), 250_981),
        ("changes", changes(), 256_218),
        ("lost answer", lost_answer(), 97_552),
        ("lost answer and primary", lost_answer_and_primary(), 75_369),
    ];
    for (name, protocol, states) in models {
        let found = explore(protocol);
        assert!(
            found.violations.is_empty(),
            "{name}: {:#?}",
            found.violations
        );
        // If this number changes, so does the page of the book about the model.
        assert_eq!(found.states, states, "{name}");
        examples.extend(found.examples);
    }
    assert_eq!(
        examples,
        EXAMPLES.iter().map(|(name, _)| *name).collect(),
        "what happens in some state"
    );
}

#[test]
#[ignore = "takes minutes"]
fn no_state_of_everything_violates_an_invariant() {
    let found = explore(everything());
    assert!(found.violations.is_empty(), "{:#?}", found.violations);
    assert_eq!(found.states, 29_865_697);
}

/// Asserts that the checker finds a state that violates an invariant if a precaution is missing.
fn assert_violates(defect: Defect, protocol: Protocol, invariant: &'static str) {
    let finish = HasDiscoveries::AllOf(BTreeSet::from([invariant]));
    // With one thread, which is repeatable, and finds short counterexamples first.
    let checker = Protocol {
        defect: Some(defect),
        ..protocol
    }
    .checker()
    .finish_when(finish)
    .spawn_bfs()
    .join();
    let steps = checker.discovery(invariant).map(Path::into_actions);
    println!("{defect:?}: not \"{invariant}\": {steps:?}");
    assert!(steps.is_some(), "{defect:?} is not found");
}

#[test]
fn finds_an_answer_before_the_commit() {
    assert_violates(
        Defect::AnswerBeforeCommit,
        faults(),
        "an answered payment is stored",
    );
}

#[test]
fn finds_a_window_by_local_clocks() {
    let protocol = Protocol {
        sets_clock_back: false,
        ..clock()
    };
    assert_violates(Defect::LocalClocks, protocol, "the window is kept");
}

#[test]
fn finds_a_window_by_a_clock_that_is_set_back() {
    assert_violates(Defect::BareClock, clock(), "the window is kept");
}

#[test]
fn finds_a_key_that_is_not_unique() {
    assert_violates(Defect::NoUniqueKey, faults(), "a key has one payment");
}

#[test]
fn finds_payment_and_key_in_two_transactions() {
    assert_violates(
        Defect::TwoTransactions,
        faults(),
        "a payment is stored once",
    );
}

#[test]
fn finds_a_conflict_without_the_uid() {
    assert_violates(
        Defect::ConflictWithoutUid,
        lost_answer(),
        "a client without the first answer ends with the uid of the only payment",
    );
}

#[test]
fn finds_a_key_that_is_not_unique_by_a_lost_answer() {
    assert_violates(
        Defect::NoUniqueKey,
        lost_answer(),
        "a client without the first answer ends with the uid of the only payment",
    );
}

#[test]
fn finds_a_replay_of_the_current_payment() {
    assert_violates(
        Defect::ReplayOfCurrentPayment,
        changes(),
        "a replay is identical to the first answer",
    );
}

#[test]
fn finds_a_change_without_the_version() {
    assert_violates(
        Defect::ChangeWithoutVersion,
        changes(),
        "states do not go backwards",
    );
}

#[test]
fn finds_a_commit_that_only_the_primary_has() {
    assert_violates(
        Defect::AsynchronousStandby,
        faults(),
        "an answered payment is stored",
    );
}
