//! The plot of latencies: the percentiles in the second table of examples/gateway/load/RESULTS.md.

use super::common::failed;
use super::theme::{Theme, css};
use crate::run::load::RESULTS;
use payspec_tests::root;
use std::fs;

const WIDTH: u32 = 760;
const HEIGHT: u32 = 420;
/// The edges of the plot: left, right, top, bottom.
const EDGES: [u32; 4] = [60, 430, 62, 370];
/// Distances between the lines of the grid in milliseconds; the first that needs at most eight lines is used.
const GRIDS: [u32; 6] = [1, 2, 5, 10, 20, 50];
/// The rows that are drawn begin with it.
const SERIES: &str = "gateway on ";

/// The table: its percentiles, and the name and the microseconds of each row.
#[derive(Debug, PartialEq)]
struct Table<'t> {
    percentiles: Vec<&'t str>,
    rows: Vec<(&'t str, Vec<u32>)>,
}

/// Returns the plot as SVG.
pub(super) fn draw(theme: &Theme) -> Result<String, String> {
    let path = root().join(RESULTS);
    let text = fs::read_to_string(&path).map_err(failed(&path))?;
    let table = read(&text).ok_or_else(|| format!("{RESULTS} has no table of latencies"))?;
    let highest = table.rows.iter().flat_map(|(_, values)| values).copied().max().unwrap_or_default();
    let grid = GRIDS.iter().map(|grid| grid * 1000).find(|grid| highest.div_ceil(*grid) <= 8);
    let grid = grid.ok_or_else(|| format!("{RESULTS}: a latency of {highest} µs is not drawn"))?;
    let top_value = highest.div_ceil(grid) * grid;
    let [left, right, top, bottom] = EDGES;
    let x = |index: usize| left + (right - left) * index as u32 / (table.percentiles.len() as u32 - 1).max(1);
    let y = |micros: u32| bottom - (u64::from(bottom - top) * u64::from(micros) / u64::from(top_value)) as u32;
    let (foreground, background, track) = (css(theme.foreground), css(theme.background), css(theme.track));
    let mut out = format!(
        "<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" xmlns=\"http://www.w3.org/2000/svg\" \
         role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">{}</title>\n<style>text {{ font: 13px system-ui, \
         -apple-system, \"Segoe UI\", sans-serif; fill: {foreground}; }} .title {{ font-weight: 600; font-size: 14px; }} .end {{ \
         text-anchor: end; }} .middle {{ text-anchor: middle; }} polyline {{ fill: none; stroke-width: 2.5; }}</style>\n<rect \
         width=\"100%\" height=\"100%\" rx=\"4.5\" fill=\"{background}\"/>\n<text class=\"title\" x=\"20\" y=\"32\">Latency in \
         milliseconds, by the percentage of requests that are not slower</text>\n",
        description(&table)
    );
    for value in (0..=top_value).step_by(grid as usize) {
        let (y, label) = (y(value), value / 1000);
        out.push_str(&format!(
            "<path d=\"M{left} {y}H{right}\" stroke=\"{track}\"/><text class=\"end\" x=\"{}\" y=\"{}\">{label}</text>\n",
            left - 8,
            y + 4
        ));
    }
    for (index, percentile) in table.percentiles.iter().enumerate() {
        let (x, y) = (x(index), bottom + 22);
        out.push_str(&format!("<text class=\"middle\" x=\"{x}\" y=\"{y}\">{percentile}</text>\n"));
    }
    for (index, ((name, values), color)) in table.rows.iter().zip(theme.colors).enumerate() {
        let points = values.iter().enumerate().map(|(index, value)| format!("{},{}", x(index), y(*value)));
        let (points, color, line) = (points.collect::<Vec<_>>().join(" "), css(color), top + 24 * index as u32);
        out.push_str(&format!(
            "<polyline points=\"{points}\" stroke=\"{color}\"/><rect x=\"{}\" y=\"{line}\" width=\"14\" height=\"14\" rx=\"3\" \
             fill=\"{color}\"/><text x=\"{}\" y=\"{}\">{name}</text>\n",
            right + 24,
            right + 46,
            line + 12
        ));
    }
    out.push_str("</svg>\n");
    Ok(out)
}

/// Reads the table after the heading.
fn read(text: &str) -> Option<Table<'_>> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("## Latency")).skip(1);
    let head = cells(lines.find(|line| line.starts_with('|'))?);
    let rows = lines.skip(1).take_while(|line| line.starts_with('|')).map(|line| {
        let line = cells(line);
        let (name, values) = line.split_first()?;
        Some((*name, values.iter().map(|value| micros(value)).collect::<Option<Vec<u32>>>()?))
    });
    let rows = rows.collect::<Option<Vec<_>>>()?;
    let rows = rows.into_iter().filter_map(|(name, values)| Some((name.strip_prefix(SERIES)?, values)));
    Some(Table { percentiles: head.into_iter().filter(|cell| !cell.is_empty()).collect(), rows: rows.collect() })
}

/// Returns the cells of a row.
fn cells(line: &str) -> Vec<&str> {
    line.trim_matches('|').split('|').map(str::trim).collect()
}

/// Parses milliseconds with two digits after the point.
fn micros(text: &str) -> Option<u32> {
    let (whole, fraction) = text.split_once('.').filter(|(_, fraction)| fraction.len() == 2)?;
    Some(format!("{whole}{fraction}").parse::<u32>().ok()? * 10)
}

fn description(table: &Table<'_>) -> String {
    let last = table.percentiles.last().copied().unwrap_or_default();
    let parts = table.rows.iter().filter_map(|(name, values)| {
        let [first, .., slowest] = values.as_slice() else { return None };
        Some(format!("{name}: {first} µs for half of the requests, {slowest} µs at {last}"))
    });
    parts.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::{Table, read};

    #[test]
    fn reads_the_rows_of_the_gateway() {
        let text = "| a | b |\n\n## Latency in milliseconds\n\n| | 50 % | 99 % |\n|---|---:|---:|\n| axum | 0.10 | 0.20 |\n\
                    | gateway on SQLite: POST | 4.31 | 11.66 |\n\n| gateway on x | 1 |";
        let rows = vec![("SQLite: POST", vec![4310, 11660])];
        assert_eq!(read(text), Some(Table { percentiles: vec!["50 %", "99 %"], rows }));
        assert_eq!(read("## Latency\n\n| | 50 % |\n|---|\n| gateway on SQLite | slow |\n"), None);
    }
}
