//! The programs in each language that the pages of the operations show, with the output that they
//! must have.

use crate::generate;
use anyhow::{Result, anyhow};
use payspec_support::root;
use serde::Deserialize;
use std::path::PathBuf;

/// One example: its program, and the expected output.
#[derive(Deserialize)]
pub(super) struct Snippet {
    /// The operation and the number of the call.
    pub(super) name: String,
    pub(super) class: String,
    pub(super) text: String,
    answer: String,
}

impl Snippet {
    /// Returns the examples in a language.
    pub(super) fn of(label: &str) -> Result<Vec<Snippet>> {
        generate::parsed(&["samples", label], &[])
    }

    /// Compares the output with the answer.
    pub(super) fn compare(&self, printed: &str, errors: &str) -> Result<()> {
        if printed.trim_end_matches('\n') == self.answer.trim_end_matches('\n') {
            return Ok(());
        }
        let short = |text: &str| text.chars().take(300).collect::<String>();
        Err(anyhow!(
            "{}: printed {} {}\n  expected {}",
            self.name,
            short(printed),
            short(errors),
            short(&self.answer)
        ))
    }
}

/// Returns the folder of a package for another language.
pub(super) fn package(language: &str) -> PathBuf {
    let moved = root().join("bindings").join(language);
    if moved.is_dir() {
        moved
    } else {
        root().join("examples").join(language)
    }
}
