//! Which decisions an implementation is examined for, besides the specification.

use std::fs::File;
use std::io::{self, Read};

use payspec::DECISIONS;
use serde::Deserialize;

use crate::failure::Failure;

/// A profile is a few words.
const LONGEST: u64 = 64 * 1024;

/// Selects decisions.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Profile {
    pub(super) name: String,
    decisions: Selection,
}

#[derive(Debug, PartialEq, Eq)]
enum Selection {
    All,
    Listed(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    name: Option<String>,
    decisions: Vec<String>,
}

impl Profile {
    /// Returns a profile by its name, or that of a file.
    pub(super) fn find(name: &str) -> Result<Self, Failure> {
        let named = |decisions| Self {
            name: name.to_owned(),
            decisions,
        };
        match name {
            "specification" => Ok(named(Selection::Listed(Vec::new()))),
            "payspec" => Ok(named(Selection::All)),
            path => Self::read(path),
        }
    }

    fn read(path: &str) -> Result<Self, Failure> {
        let text = text(path).map_err(|error| Failure::reading(path, &error))?;
        let file: Document = serde_json::from_slice(&text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            Failure::new(format!(
                "--profile: line {line}, column {column}: expected {{\"decisions\": [\"D6\", …]}}"
            ))
        })?;
        let is_known = |id: &&String| DECISIONS.iter().any(|decision| decision.id == **id);
        if file.decisions.iter().any(|id| !is_known(&id)) {
            return Err(Failure::new(
                "--profile: an unknown decision; `payspec decisions` lists them",
            ));
        }
        Ok(Self {
            name: file.name.unwrap_or_else(|| path.to_owned()),
            decisions: Selection::Listed(file.decisions),
        })
    }

    /// Returns whether a check with this decision runs.
    pub(super) fn selects(&self, decision: Option<&str>) -> bool {
        decision.is_none_or(|id| match &self.decisions {
            Selection::All => true,
            Selection::Listed(listed) => listed.iter().any(|known| known == id),
        })
    }
}

/// Reads a file, or standard input if it is `-`.
fn text(path: &str) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    match path {
        "-" => io::stdin().take(LONGEST).read_to_end(&mut text)?,
        _ => File::open(path)?.take(LONGEST).read_to_end(&mut text)?,
    };
    Ok(text)
}
