//! The programs in each language that the pages of the operations show, with the output that they
//! must have.

use super::{operations, snippets};
use serde::Serialize;

/// One example: its program, and the expected output.
#[derive(Serialize)]
pub(crate) struct Sample {
    /// The operation and the number of the call.
    name: String,
    class: String,
    text: String,
    answer: String,
}

/// Returns the examples in a language.
pub(crate) fn samples(label: &str) -> Result<Vec<Sample>, String> {
    let mut samples = Vec::new();
    for shown in operations::shown()? {
        for (number, (call, answer)) in shown.calls().into_iter().enumerate() {
            let all = snippets::all(&call);
            let Some((_, _, text)) = all.into_iter().find(|(name, ..)| *name == label) else {
                continue;
            };
            samples.push(Sample {
                name: format!("{}_{number}", call.operation.name),
                class: call.class(),
                text,
                answer: answer.to_owned(),
            });
        }
    }
    Ok(samples)
}
