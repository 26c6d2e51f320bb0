//! A profile: which decisions an implementation is examined for besides the specification, and its
//! policy.

use std::fs::File;
use std::io::{self, Read};

use payspec::{DECISIONS, Engine};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::failure::Failure;

/// A profile is a few words, and a policy.
const LONGEST: u64 = 64 * 1024;

/// Selects decisions, and may have a policy.
#[derive(Debug)]
pub(crate) struct Profile {
    pub(crate) name: String,
    decisions: Selection,
    engine: Option<Engine>,
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
    #[serde(default)]
    policy: Option<Box<RawValue>>,
}

impl Profile {
    /// Returns a profile by its name, or that of a file.
    pub(crate) fn find(name: &str) -> Result<Self, Failure> {
        let named = |decisions| Self {
            name: name.to_owned(),
            decisions,
            engine: None,
        };
        match name {
            "specification" => Ok(named(Selection::Listed(Vec::new()))),
            "payspec" => Ok(named(Selection::All)),
            path => Self::read(path),
        }
    }

    /// Reads the profile of a file.
    pub(crate) fn read(path: &str) -> Result<Self, Failure> {
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
        let engine = file.policy.map(|policy| Engine::from_json(policy.get()));
        let engine = engine
            .transpose()
            .map_err(|error| Failure::new(format!("--profile: policy: {error}")))?;
        Ok(Self {
            name: file.name.unwrap_or_else(|| path.to_owned()),
            decisions: Selection::Listed(file.decisions),
            engine,
        })
    }

    /// Returns the engine of the profile's policy, or the given one if it has none.
    pub(crate) fn engine(&self, given: Engine) -> Engine {
        self.engine.clone().unwrap_or(given)
    }

    /// Returns whether the profile contains a decision.
    pub(crate) fn selects(&self, decision: &str) -> bool {
        match &self.decisions {
            Selection::All => true,
            Selection::Listed(listed) => listed.iter().any(|known| known == decision),
        }
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
