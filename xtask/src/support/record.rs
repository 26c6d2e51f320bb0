//! Recorded measurements: Markdown files with a title, the machine, and the tables that a program
//! has printed.

use super::machine::{commit, cores, load, processor};
use anyhow::Result;
use fs_err as fs;
use payspec_support::root;

/// The conditions of a measurement.
pub(crate) struct Conditions(String);

impl Conditions {
    /// Reads them before the measurement, so that its own load does not count.
    pub(crate) fn read() -> Self {
        let load = load().map_or_else(String::new, |load| {
            format!("; load average before the run {load}")
        });
        let commit = commit().unwrap_or_else(|| "unknown".to_owned());
        let (processor, cores) = (processor(), cores());
        Self(format!(
            "{processor}, {cores} cores, commit {commit}{load}."
        ))
    }

    /// Prints what a measurement has printed, and writes it to a file.
    pub(crate) fn record(&self, file: &str, title: &str, printed: &[u8]) -> Result<()> {
        let printed = String::from_utf8_lossy(printed);
        let printed = printed.trim();
        anstream::println!("{printed}");
        let text = format!("# {title}\n\n{}\n\n{printed}\n", self.0);
        Ok(fs::write(root().join(file), text)?)
    }
}
