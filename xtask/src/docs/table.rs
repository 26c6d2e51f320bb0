//! Tables with figures in Markdown files.

/// Reads the rows of the first table after a heading, the head first.
pub(super) fn read<'t>(text: &'t str, heading: &str) -> Option<Vec<Vec<&'t str>>> {
    let mut lines = text
        .lines()
        .skip_while(|line| !line.starts_with(heading))
        .skip(1);
    let mut lines = lines
        .by_ref()
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'));
    let head = cells(lines.next()?);
    let rows: Vec<_> = std::iter::once(head)
        .chain(lines.skip(1).map(cells))
        .collect();
    let width = rows.first()?.len();
    (rows.len() > 1 && rows.iter().all(|row| row.len() == width)).then_some(rows)
}

/// Returns the columns as rows.
pub(super) fn transposed<'t>(rows: &[Vec<&'t str>]) -> Vec<Vec<&'t str>> {
    let width = rows.first().map_or(0, Vec::len);
    (0..width)
        .map(|column| {
            rows.iter()
                .filter_map(|row| row.get(column).copied())
                .collect()
        })
        .collect()
}

fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

/// Parses a number without a sign as thousandths.
pub(super) fn thousandths(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > 3 || !text.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    format!("{whole}{fraction:0<3}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{read, thousandths, transposed};

    #[test]
    fn reads_the_table_after_a_heading() {
        let text = "| a |\n|---|\n| 1 |\n\n## Speed\n\nText.\n\n| | b | c |\n|---|---:|---:|\n| x | 1 | 2 |\n\n| d |\n";
        let rows = vec![vec!["", "b", "c"], vec!["x", "1", "2"]];
        assert_eq!(
            transposed(&rows),
            [vec!["", "x"], vec!["b", "1"], vec!["c", "2"]]
        );
        assert_eq!(read(text, "## Speed"), Some(rows));
        assert_eq!(read(text, "## Size"), None);
        assert_eq!(
            read("## Speed\n| a | b |\n|---|---|\n| 1 |\n", "## Speed"),
            None
        );
    }

    #[test]
    fn parses_numbers_as_thousandths() {
        assert_eq!(
            ["12", "4.31", "0.125"].map(thousandths),
            [Some(12_000), Some(4310), Some(125)]
        );
        assert_eq!(
            ["", "x", "1.", "–", "1.2345", "-1"].map(thousandths),
            [None; 6]
        );
    }
}
