//! The policies that the commands read.

use std::path::Path;

use payspec::Policy;

use crate::failure::Failure;
use crate::input::Origin;

/// Reads a policy, and returns it with its text.
pub(super) fn read(path: &Path) -> Result<(Policy, Vec<u8>), Failure> {
    let origin = Origin::of(path);
    let text = origin.read(u64::MAX)?;
    let policy = Policy::from_json(&text)
        .map_err(|error| Failure::new(format!("{}: {error}", origin.name())))?;
    Ok((policy, text))
}
