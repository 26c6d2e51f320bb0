//! §11 of the C interface: `validate_request` allocates nothing if the buffer is large enough, the
//! body is valid, and there are at most four warnings. Other operations may allocate. Counts the
//! allocations of every accepted vector.

use payspec_tests::allocations::{Counting, during};
use payspec_tests::{call, vector};

#[global_allocator]
static COUNTING: Counting = Counting;

/// The number of warnings that need no heap.
const FREE_WARNINGS: usize = 4;

#[test]
fn validate_request_allocates_nothing_for_a_valid_body() {
    let operation = payspec::operations::operation("validate_request").unwrap();
    let (mut counted, mut larger) = (0, 0);
    let mut allocating = Vec::new();
    for file in vector::load()
        .unwrap()
        .iter()
        .filter(|file| file.operation == operation.name)
    {
        for vector in file.vectors.iter().filter(|vector| vector.returns == 0) {
            let engine = call::engine(vector.policy.as_deref()).unwrap();
            let inputs = vector.arguments(&file.operation);
            // The first call makes the buffer large enough.
            let mut answer = Vec::new();
            let _ = operation.call(&engine, &inputs, Some(&mut answer));
            let reported = during(|| drop(operation.call(&engine, &inputs, Some(&mut answer))));
            let verdict = during(|| drop(operation.call(&engine, &inputs, None)));
            let warnings = String::from_utf8_lossy(&answer)
                .matches("\"severity\":\"warning\"")
                .count();
            if warnings > FREE_WARNINGS {
                larger += 1;
                assert!(
                    reported > 0,
                    "{}: {warnings} warnings allocate, or nothing is counted",
                    vector.name
                );
            } else if reported + verdict > 0 {
                allocating.push(format!(
                    "{}: {reported}, without a buffer {verdict}",
                    vector.name
                ));
            }
            counted += 1;
        }
    }
    assert!(
        allocating.is_empty(),
        "allocations:\n{}",
        allocating.join("\n")
    );
    assert!(
        counted > 300 && larger > 0,
        "{counted} accepted vectors, {larger} of them with more warnings"
    );
}
