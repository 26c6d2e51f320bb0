//! Shared by the commands: terminal styles, test counts, processes.

pub(crate) mod checks;
pub(crate) mod disk;
pub(crate) mod files;
pub(crate) mod interrupt;
pub(crate) mod machine;
pub(crate) mod output;
pub(crate) mod process;
pub(crate) mod record;
pub(crate) mod style;
pub(crate) mod test_counts;
