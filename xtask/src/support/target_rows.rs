//! The rows of the table of targets in tests/bench/RESULTS.md.

/// Returns number, name and measured value of each target of a text of results.
pub(crate) fn target_rows(text: &str) -> impl Iterator<Item = [&str; 3]> {
    text.lines().filter_map(|line| {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let row = [cells.next()?, cells.next()?, cells.next()?];
        row[0].starts_with('P').then_some(row)
    })
}
