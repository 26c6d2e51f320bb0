//! A body with its name, and its report.

use payspec::Report;
use payspec::legacy::MigratedBody;

/// A body with its name.
#[derive(Clone, Copy)]
pub(super) struct Unit<'u> {
    pub(super) name: &'u str,
    /// The number of the line, if each line is a body.
    pub(super) line: Option<u64>,
    pub(super) body: &'u [u8],
}

impl Unit<'_> {
    /// Returns the line of the input for a line of the body.
    pub(super) fn line_in_file(&self, line: u64) -> u64 {
        self.line.map_or(line, |first| first + line - 1)
    }
}

/// The report on a body, and what a migration before it has left open.
#[derive(Clone, Copy)]
pub(super) struct Checked<'r> {
    pub(super) report: &'r Report,
    pub(super) migrated: Option<&'r MigratedBody>,
}

impl Checked<'_> {
    pub(super) fn is_valid(&self) -> bool {
        self.report.is_valid()
            && self
                .migrated
                .is_none_or(|migrated| migrated.unresolved().is_empty())
    }
}
