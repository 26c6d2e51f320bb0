//! Seeds: every input of every vector, by operation, and the bodies of `examples/`.

use crate::vector;
use std::fs;

/// The inputs of one meaningful call.
pub struct Seed {
    /// The operation.
    pub operation: String,
    /// The policy's text.
    pub policy: Option<String>,
    /// The inputs, in the order of the table of operations.
    pub inputs: Vec<Option<Vec<u8>>>,
}

/// Returns one seed for each vector.
///
/// # Panics
/// Panics if the vectors cannot be read.
pub fn calls() -> Vec<Seed> {
    let files = vector::load().expect("the vectors can be read");
    let seeds = files.iter().flat_map(|file| {
        file.vectors.iter().map(|vector| Seed {
            operation: file.operation.clone(),
            policy: vector.policy.clone(),
            inputs: vector
                .arguments(&file.operation)
                .into_iter()
                .map(|input| input.map(<[u8]>::to_vec))
                .collect(),
        })
    });
    seeds.collect()
}

/// Returns the bodies of `examples/bodies` with their names.
///
/// # Panics
/// Panics if the folder cannot be read.
pub fn example_bodies() -> Vec<(String, Vec<u8>)> {
    let folder = crate::root().join("examples/bodies");
    let entries = fs::read_dir(&folder).expect("examples/bodies");
    let mut bodies: Vec<_> = entries
        .map(|entry| entry.expect("an entry of examples/bodies").path())
        .map(|path| {
            (
                path.file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
                fs::read(&path).expect("a body"),
            )
        })
        .collect();
    bodies.sort();
    bodies
}
