//! The chart of README.md: four figures of tests/bench/RESULTS.md.

use super::common::failed;
use super::theme::{Theme, css};
use crate::support::target_rows::target_rows;
use payspec_support::root;
use std::fs;

/// The bars: the number of a target, whose first row in the file is drawn, and the two labels.
const BARS: [(&str, &str, &str); 4] = [
    (
        "P1",
        "Rust: verdict, all rules",
        "serde_json, parsing into a struct without rules",
    ),
    (
        "P2",
        "Rust: report on a valid body",
        "jsonschema, parsing and all errors",
    ),
    (
        "P7",
        "Node.js: report of all errors",
        "JSON.parse and ajv, all errors",
    ),
    (
        "P11",
        "Python: report of all errors",
        "pydantic, validate_json",
    ),
];
const FILE: &str = "tests/bench/RESULTS.md";

const WIDTH: u32 = 760;
const MARGIN: u32 = 20;
/// The length of a bar for the ratio 1.
const LENGTH: u32 = 620;
const TOP: u32 = 62;
const ROW: u32 = 64;

/// Returns the chart as SVG.
pub(super) fn draw(theme: &Theme) -> Result<String, String> {
    let path = root().join(FILE);
    let text = fs::read_to_string(&path).map_err(failed(&path))?;
    let ratios = BARS
        .iter()
        .map(|(number, ..)| ratio(&text, number))
        .collect::<Result<Vec<u32>, String>>()?;
    let height = TOP + ROW * BARS.len() as u32;
    let mut out = format!(
        "<svg width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" \
         aria-labelledby=\"title\">\n<title id=\"title\">{}</title>\n",
        description(&ratios)
    );
    let (foreground, background) = (css(theme.foreground), css(theme.background));
    let (accent, track) = (css(theme.colors[3]), css(theme.track));
    out.push_str(&format!(
        "<style>text {{ font: 14px system-ui, -apple-system, \"Segoe UI\", sans-serif; fill: {foreground}; }} .title, .value {{ \
         font-weight: 600; }} .other {{ font-size: 13px; }}</style>\n<rect width=\"100%\" height=\"100%\" rx=\"4.5\" \
         fill=\"{background}\"/>\n<text class=\"title\" x=\"{MARGIN}\" y=\"32\">Time to check a payment, compared with another \
         library (whole bar)</text>\n"
    ));
    for (index, ((_, label, other), ratio)) in BARS.iter().zip(&ratios).enumerate() {
        let y = TOP + ROW * index as u32;
        let (text, bar, end) = (y + 10, y + 18, MARGIN + LENGTH + 12);
        let length = LENGTH * ratio.min(&100) / 100;
        out.push_str(&format!(
            "<text x=\"{MARGIN}\" y=\"{text}\">{label}<tspan class=\"other\" dx=\"8\">÷ {other}</tspan></text>\n<rect x=\"{MARGIN}\" \
             y=\"{bar}\" width=\"{LENGTH}\" height=\"18\" rx=\"3\" fill=\"{track}\"/>\n<rect x=\"{MARGIN}\" y=\"{bar}\" \
             width=\"{length}\" height=\"18\" rx=\"3\" fill=\"{accent}\"/>\n<text class=\"value\" x=\"{end}\" y=\"{}\">{} ×</text>\n",
            bar + 14,
            shown(*ratio)
        ));
    }
    out.push_str("</svg>\n");
    Ok(out)
}

/// Returns the measured ratio of a target in hundredths.
fn ratio(results: &str, number: &str) -> Result<u32, String> {
    let row = target_rows(results).find(|[target, ..]| *target == number);
    let [.., measured] = row.ok_or(format!("{FILE} has no row {number}"))?;
    let digits = measured
        .split_once('.')
        .filter(|(_, fraction)| fraction.len() == 2);
    let value = digits.and_then(|(whole, fraction)| format!("{whole}{fraction}").parse().ok());
    value.ok_or(format!(
        "{FILE}: {number} is {measured}, expected a ratio with two digits"
    ))
}

fn shown(ratio: u32) -> String {
    format!("{}.{:02}", ratio / 100, ratio % 100)
}

fn description(ratios: &[u32]) -> String {
    let parts = BARS.iter().zip(ratios).map(|((_, label, other), ratio)| {
        format!("{label}: {} of the time of {other}", shown(*ratio))
    });
    parts.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::ratio;

    #[test]
    fn reads_the_first_row_of_a_target() {
        let table = "| P1  | verdict | 0.45  | ≤ 0.50 |\n| P2  | valid   | 1.15  |\n| P2  | invalid | 0.22  |\n| P3 | allocations | 0 |";
        assert_eq!(ratio(table, "P1"), Ok(45));
        assert_eq!(ratio(table, "P2"), Ok(115));
        assert!(ratio(table, "P3").unwrap_err().contains("expected a ratio"));
        assert!(ratio(table, "P4").unwrap_err().contains("no row P4"));
    }
}
