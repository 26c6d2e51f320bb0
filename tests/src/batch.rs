//! The vectors of each operation with a body, grouped into batches: those with the same policy and
//! the same second input.

use crate::vector::{File, Vector};
use payspec::operations::operation;

/// Vectors that one batch can run.
pub struct Batch<'v> {
    /// The operation, whose first input is a body.
    pub operation: &'v str,
    /// The policy's text.
    pub policy: Option<&'v str>,
    /// The second input, which all vectors share.
    pub shared: Option<&'v [u8]>,
    /// The vectors, in their order.
    pub vectors: Vec<&'v Vector>,
}

impl<'v> Batch<'v> {
    /// Returns the bodies.
    pub fn bodies(&self) -> Vec<&'v [u8]> {
        self.vectors
            .iter()
            .filter_map(|vector| vector.inputs.first()?.as_ref())
            .map(|body| &*body.bytes)
            .collect()
    }
}

/// Returns whether the first input of an operation is a body.
pub fn has_body(name: &str) -> bool {
    operation(name)
        .and_then(|operation| operation.inputs.first())
        .is_some_and(|input| input.name == "body")
}

/// Groups the vectors that have a body and not too many inputs.
pub fn batches(files: &[File]) -> Vec<Batch<'_>> {
    let mut batches: Vec<Batch<'_>> = Vec::new();
    for file in files.iter().filter(|file| has_body(&file.operation)) {
        let most = operation(&file.operation).map_or(0, |operation| operation.inputs.len());
        for vector in &file.vectors {
            let arguments = vector.arguments(&file.operation);
            if arguments.len() > most || arguments.first().is_none_or(Option::is_none) {
                continue;
            }
            let (operation, policy) = (&*file.operation, vector.policy.as_deref());
            let shared = arguments.get(1).copied().flatten();
            let same = |batch: &&mut Batch<'_>| {
                (batch.operation, batch.policy, batch.shared) == (operation, policy, shared)
            };
            match batches.iter_mut().find(same) {
                Some(batch) => batch.vectors.push(vector),
                None => batches.push(Batch {
                    operation,
                    policy,
                    shared,
                    vectors: vec![vector],
                }),
            }
        }
    }
    batches
}
