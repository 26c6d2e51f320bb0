//! The vectors in the form that tests/c/vectors.c reads, which has no JSON parser.

use crate::vector::{File, Vector};
use std::fmt::Display;

/// Writes fields of a letter, a length and that many bytes; a missing field has the length `-`.
pub fn flattened(files: &[File]) -> Vec<u8> {
    let mut out = Vec::new();
    for file in files {
        for vector in &file.vectors {
            flatten(&mut out, &file.operation, vector);
        }
    }
    out
}

fn flatten(out: &mut Vec<u8>, operation: &str, vector: &Vector) {
    // Counts as a vector that was not run.
    let Some(answer) = &vector.answer else {
        println!("{} has no answer: cargo xtask bless", vector.name);
        return;
    };
    let mut field = |letter, bytes: Option<&[u8]>| field(out, letter, bytes);
    field('O', Some(operation.as_bytes()));
    field('N', Some(vector.name.as_bytes()));
    field('P', vector.policy.as_ref().map(String::as_bytes));
    for input in vector.arguments(operation) {
        field('I', input);
    }
    field('R', Some(vector.returns.to_string().as_bytes()));
    field('A', Some(answer.as_bytes()));
}

/// Writes a field.
pub fn field(out: &mut Vec<u8>, letter: char, bytes: Option<&[u8]>) {
    match bytes {
        Some(bytes) => {
            line(out, letter, &bytes.len());
            out.extend([bytes, b"\n"].concat());
        }
        None => line(out, letter, &"-"),
    }
}

fn line(out: &mut Vec<u8>, letter: char, length: &dyn Display) {
    out.extend(format!("{letter} {length}\n").into_bytes());
}
