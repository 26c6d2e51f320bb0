//! The table of operations: required inputs and the number of inputs.

use payspec::operations::{OPERATIONS, Operation};
use payspec::{Engine, ErrorKind};

/// Calls an operation and returns code and path of the error, which `out` contains as well.
fn error_of(operation: &Operation, inputs: &[Option<&[u8]>]) -> Option<(ErrorKind, String)> {
    let engine = Engine::default();
    let mut out = b"from a previous call".to_vec();
    let alone = operation.call(&engine, inputs, None);
    let answer = operation.call(&engine, inputs, Some(&mut out));
    assert_eq!(alone, answer, "{}", operation.name);
    let error = answer.err()?;
    let mut written = Vec::new();
    error.write_json(&mut written);
    assert_eq!(out, written, "{}", operation.name);
    Some((error.kind(), error.path().to_owned()))
}

/// Inputs that no operation rejects with an argument error.
fn valid(operation: &Operation) -> Vec<Option<&'static [u8]>> {
    let text = |name| match name {
        "kind" => "pay_in",
        "now" => "2026-11-20T10:15:30Z",
        "digits" => "4111",
        _ => "{}",
    };
    operation
        .inputs
        .iter()
        .map(|input| Some(text(input.name).as_bytes()))
        .collect()
}

#[test]
fn rejects_missing_required_inputs() {
    let mut required = 0;
    for operation in OPERATIONS {
        for (index, input) in operation.inputs.iter().enumerate() {
            let mut inputs = valid(operation);
            inputs[index] = None;
            let error = error_of(operation, &inputs);
            if input.required {
                required += 1;
                let expected = Some((ErrorKind::Argument, format!("/{}", input.name)));
                assert_eq!(error, expected, "{}", operation.name);
                assert_eq!(
                    error_of(operation, &inputs[..index]),
                    expected,
                    "{}: a shorter list",
                    operation.name
                );
            } else {
                assert_ne!(
                    error.map(|(code, _)| code),
                    Some(ErrorKind::Argument),
                    "{}",
                    operation.name
                );
            }
        }
        let first = operation.inputs.iter().find(|input| input.required);
        let expected = first.map(|input| (ErrorKind::Argument, format!("/{}", input.name)));
        assert_eq!(
            error_of(operation, &[]),
            expected,
            "{}: no inputs",
            operation.name
        );
    }
    assert!(required > 15, "{required} required inputs");
}

#[test]
fn accepts_empty_texts_as_inputs() {
    for operation in OPERATIONS {
        let inputs = vec![Some(&b""[..]); operation.inputs.len()];
        assert_ne!(
            error_of(operation, &inputs).map(|(code, _)| code),
            Some(ErrorKind::Argument),
            "{}",
            operation.name
        );
    }
}

#[test]
fn rejects_more_inputs_than_listed() {
    for operation in OPERATIONS {
        for extra in [None, Some(&b"{}"[..])] {
            let mut inputs = valid(operation);
            inputs.push(extra);
            assert_eq!(
                error_of(operation, &inputs),
                Some((ErrorKind::Argument, String::new())),
                "{}",
                operation.name
            );
        }
    }
}
