//! What the commands share: styles of the terminal, counts of tests, other programs.

pub(crate) mod disk;
pub(crate) mod interrupt;
pub(crate) mod process;
pub(crate) mod style;
pub(crate) mod test_counts;
