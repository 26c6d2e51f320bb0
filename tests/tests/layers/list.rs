//! The list of allowed violations, which is exact: a violation that is not listed fails, and so
//! does a line without one.

use crate::rules::Violations;
use std::collections::BTreeSet;

const HEAD: &str = "\
# Violations of the rules of `tests/tests/layers.rs` that are allowed for now. The list only gets shorter.
# After a change, write it: LAYERS_BLESS=1 cargo test -p payspec-tests --test layers
";

/// Returns the text of the list.
pub(crate) fn write(violations: &Violations) -> String {
    violations
        .keys()
        .fold(HEAD.to_owned(), |text, line| text + line + "\n")
}

/// Compares the list with the violations. Returns an empty text if they are equal.
pub(crate) fn compare(file: &str, list: &str, violations: &Violations) -> String {
    let lines = || {
        list.lines()
            .enumerate()
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    };
    let allowed: BTreeSet<&str> = lines().map(|(_, line)| line).collect();
    let mut differences: Vec<String> = Vec::new();
    for (line, description) in violations {
        if !allowed.contains(line.as_str()) {
            differences.push(format!("{description}\n    line: {line}\n"));
        }
    }
    let mut seen = BTreeSet::new();
    for (index, line) in lines() {
        if !violations.contains_key(line) || !seen.insert(line) {
            differences.push(format!(
                "{file}:{}: remove this line, the violation no longer exists: {line}\n",
                index + 1
            ));
        }
    }
    differences.concat()
}

/// Counts the lines that only one of two lists has: those of the new list, and those of the old
/// one.
pub(crate) fn count_changes(old: &str, new: &str) -> (usize, usize) {
    let only = |one: &str, other: &str| {
        let other: BTreeSet<&str> = other.lines().collect();
        one.lines()
            .filter(|line| !line.starts_with('#') && !other.contains(line))
            .count()
    };
    (only(new, old), only(old, new))
}
