//! The iterator form of the table of operations: the verdicts and answers of single calls.

use payspec::operations::{OPERATIONS, Verdict, operation};
use payspec::{Engine, Error, ErrorKind};
use payspec_tests::batch::{Batch, batches, has_body};
use payspec_tests::call::of_verdict;
use payspec_tests::{call, vector};
use std::collections::BTreeSet;

/// Runs a batch and returns the number and text of each answer, as single calls do.
fn answers(engine: &Engine, batch: &Batch<'_>) -> Result<Vec<(i32, String)>, Error> {
    let operation = operation(batch.operation).expect("an operation");
    let mut calls = operation.batch(engine, batch.bodies(), batch.shared)?;
    // One buffer for all answers, which is not empty: answers are appended.
    let mut out = b"before".to_vec();
    let mut answers = Vec::new();
    loop {
        let start = out.len();
        let Some(verdict) = calls.next_into(&mut out) else {
            break;
        };
        answers.push((
            of_verdict(verdict),
            String::from_utf8(out[start..].to_vec()).expect("UTF-8"),
        ));
    }
    assert!(out.starts_with(b"before"));
    Ok(answers)
}

#[test]
fn returns_the_answers_of_single_calls() {
    let files = vector::load().expect("the vectors");
    let (mut operations, mut large, mut invalid) = (BTreeSet::new(), 0, 0);
    for batch in batches(&files) {
        let Ok(engine) = call::engine(batch.policy) else {
            continue;
        };
        let single: Vec<(i32, String)> = batch
            .vectors
            .iter()
            .map(|vector| (vector.returns, vector.answer.clone().unwrap_or_default()))
            .collect();
        match answers(&engine, &batch) {
            Ok(answers) => {
                assert_eq!(answers, single, "{}", batch.operation);
                let operation = operation(batch.operation).expect("an operation");
                let verdicts = operation
                    .batch(&engine, batch.bodies(), batch.shared)
                    .expect("a valid second input");
                assert_eq!(verdicts.len(), single.len());
                let codes: Vec<i32> = verdicts.map(of_verdict).collect();
                assert_eq!(
                    codes,
                    single.iter().map(|(code, _)| *code).collect::<Vec<_>>(),
                    "{}",
                    batch.operation
                );
                operations.insert(batch.operation);
                large += usize::from(single.len() > 1);
            }
            Err(error) => {
                let error = call::Answer::from(error);
                let error = (error.returns, String::from_utf8(error.text).expect("UTF-8"));
                assert!(
                    single.iter().all(|answer| *answer == error),
                    "{}: {error:?}",
                    batch.operation
                );
                invalid += 1;
            }
        }
    }
    let with_body: BTreeSet<&str> = OPERATIONS
        .iter()
        .map(|operation| operation.name)
        .filter(|name| has_body(name))
        .collect();
    assert_eq!(operations, with_body);
    assert!(
        large > 30 && invalid > 50,
        "{large} batches of several vectors, {invalid} with an invalid input"
    );
}

#[test]
fn rejects_operations_without_a_body() {
    let engine = Engine::default();
    let mut rejected = Vec::new();
    for operation in OPERATIONS
        .iter()
        .filter(|operation| !has_body(operation.name))
    {
        let error = operation
            .batch(&engine, ["{}"], None)
            .expect_err(operation.name);
        assert_eq!(
            (error.kind(), error.path()),
            (ErrorKind::Argument, "/operation"),
            "{}",
            operation.name
        );
        rejected.push(operation.name);
    }
    // A body, but not as the first input.
    assert!(rejected.contains(&"upgrade_request"));
}

#[test]
fn rejects_the_second_input_like_a_single_call() {
    let engine = Engine::default();
    for operation in OPERATIONS
        .iter()
        .filter(|operation| has_body(operation.name))
    {
        for shared in [None, Some(&b"\xff"[..]), Some(b"["), Some(b"{}")] {
            let mut inputs = vec![Some(&b"{}"[..])];
            inputs.extend(shared.map(Some));
            let single = operation.call(&engine, &inputs, None).err();
            let mut read = 0;
            let bodies = ["{}", "{}"].iter().inspect(|_| read += 1);
            let batch = operation.batch(&engine, bodies, shared);
            assert_eq!(
                batch.as_ref().err(),
                single.as_ref(),
                "{} {shared:?}",
                operation.name
            );
            drop(batch);
            // No body is read before the iterator is used.
            assert_eq!(read, 0);
        }
    }
}

#[test]
fn returns_nothing_for_no_bodies() {
    let engine = Engine::default();
    let redact = operation("redact").expect("an operation");
    let mut out = Vec::new();
    assert!(
        redact
            .batch(&engine, [""; 0], None)
            .unwrap()
            .next_into(&mut out)
            .is_none()
    );
    assert_eq!(
        (
            redact.batch(&engine, [""; 0], None).unwrap().count(),
            out.len()
        ),
        (0, 0)
    );
    // An empty body is a body.
    assert_eq!(
        redact
            .batch(&engine, [""], None)
            .unwrap()
            .collect::<Vec<_>>(),
        [Verdict::Rejected]
    );
}

#[test]
fn continues_with_the_next_body_in_the_other_form() {
    let engine = Engine::default();
    let redact = operation("redact").expect("an operation");
    let mut batch = redact
        .batch(&engine, ["{}", "[]", r#"{"cvv":"1"}"#], None)
        .unwrap();
    let mut out = Vec::new();
    assert_eq!(batch.next(), Some(Verdict::Accepted));
    assert_eq!(batch.next(), Some(Verdict::Rejected));
    assert_eq!(batch.next_into(&mut out), Some(Verdict::Accepted));
    assert_eq!(out, br#"{"cvv":"***"}"#);
    assert_eq!((batch.next_into(&mut out), batch.next()), (None, None));
}

#[test]
fn does_not_show_inputs_in_debug_output() {
    let engine = Engine::default();
    let operation = operation("locate").expect("an operation");
    let batch = operation
        .batch(
            &engine,
            [r#"{"pan":"4111111111111111"}"#],
            Some(b"/4222222222222"),
        )
        .unwrap();
    assert_eq!(format!("{batch:?}"), "Batch { .. }");
}
