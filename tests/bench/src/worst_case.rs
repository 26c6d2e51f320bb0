//! Worst-case bodies for the cost per byte. The growth tests count instructions of the same calls;
//! here their time is measured.

use payspec_tests::worst_case::{Call, calls};

/// The operations that read a whole body.
const OPERATIONS: [&str; 3] = ["validate_request", "redact", "fingerprint_request"];

/// The size of a small filling in bytes. A large one has 16 times this size.
const SIZE: usize = 2048;

/// The fillings, and whether a request with the filling is valid.
const KINDS: [(&str, bool); 13] = [
    ("unknown members", true),
    ("names that nearly are known", true),
    ("names whose hashes collide", true),
    ("one known name again and again", false),
    ("escaped names", true),
    ("secrets again and again", false),
    ("one long number", true),
    ("one long fraction", true),
    ("nested arrays", true),
    ("nested objects", true),
    ("card numbers in texts", true),
    ("escapes alone", true),
    ("digits and spaces", true),
];

/// A body for an operation, in both sizes.
pub struct Worst {
    /// The filling.
    pub kind: &'static str,
    /// The operation that reads the body.
    pub operation: &'static str,
    /// Filled with n bytes.
    pub small: Vec<u8>,
    /// Filled with 16 n bytes.
    pub large: Vec<u8>,
    /// True if the operation accepts the body.
    pub accepted: bool,
}

/// Returns a body of every kind for every operation.
pub fn bodies() -> Vec<Worst> {
    let (small, large) = (calls(SIZE), calls(16 * SIZE));
    let of = |(kind, valid): (&'static str, bool), operation: &'static str| {
        // The first template with this filling.
        let body = |calls: &[Call]| {
            let call = calls
                .iter()
                .find(|call| call.kind == kind && call.operation == operation);
            let body = call.and_then(|call| call.inputs.first()?.clone());
            body.unwrap_or_else(|| panic!("{operation} with {kind}"))
        };
        let accepted = valid || operation != "validate_request";
        Worst {
            kind,
            operation,
            small: body(&small),
            large: body(&large),
            accepted,
        }
    };
    KINDS
        .iter()
        .flat_map(|kind| OPERATIONS.map(|operation| of(*kind, operation)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::growth::{engine, worst_candidates};
    use crate::harness::{SHORT, measure};

    #[test]
    fn multiplies_the_size_by_sixteen() {
        for Worst {
            kind, small, large, ..
        } in bodies()
        {
            let (least, most) = (small.len() * 14, small.len() * 17);
            assert!(
                (least..=most).contains(&large.len()),
                "{kind}: {} and {}",
                small.len(),
                large.len()
            );
        }
    }

    #[test]
    fn reads_every_body_to_its_end() {
        for figure in measure(SHORT, worst_candidates(&bodies(), &engine())) {
            assert_eq!(figure.verdicts, (1, 0), "{}", figure.name);
        }
    }
}
