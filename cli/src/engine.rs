//! The policy of a command.

use std::path::PathBuf;

use clap::Args;
use payspec::Engine;

use crate::failure::Failure;
use crate::input::Origin;

// Selects the policy. clap would show a doc comment as the text of a command that flattens this after
// other options.
#[derive(Args, Debug)]
pub(crate) struct PolicyOptions {
    /// Apply the policy in this JSON file instead of the default one
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
}

impl PolicyOptions {
    /// Reads the policy.
    pub(crate) fn engine(&self) -> Result<Engine, Failure> {
        let Some(path) = &self.policy else {
            return Ok(Engine::default());
        };
        let origin = Origin::of(path);
        let text = origin.read(u64::MAX)?;
        Engine::from_json(&text)
            .map_err(|error| Failure::new(format!("{}: {error}", origin.name())))
    }
}

/// A policy may accept any length, but a body is kept in memory.
pub(crate) const LONGEST_BODY: u64 = 1 << 30;

/// Returns the length of the longest body that the engine accepts. It reports longer ones after one
/// more byte.
pub(crate) fn body_limit(engine: &Engine) -> usize {
    usize::try_from(engine.policy().limits.body_bytes.min(LONGEST_BODY)).unwrap_or(usize::MAX - 1)
}
