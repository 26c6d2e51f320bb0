//! SHA256SUMS.

use super::archive::{files, write};
use crate::support::process::output;
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Command;

/// Returns the SHA-256 of a file in hexadecimal.
pub(super) fn sha256(file: &Path) -> Result<String> {
    let printed = output(Command::new("sha256sum").arg(file), "sha256sum")?;
    let text = String::from_utf8_lossy(&printed).into_owned();
    text.split(' ')
        .next()
        .map(|sum| sum.trim_start_matches('\\').to_owned())
        .context("no sum")
}

/// Writes SHA256SUMS, which `sha256sum --check` reads.
pub(super) fn write_sums(folder: &Path) -> Result<()> {
    let mut text = String::new();
    for file in files(folder)?
        .iter()
        .filter(|file| !file.ends_with("SHA256SUMS"))
    {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        text += &format!("{}  {name}\n", sha256(file)?);
    }
    write(&folder.join("SHA256SUMS"), &text)
}
