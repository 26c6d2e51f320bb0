//! The chart of README.md: figures of tests/bench/results.json, the calls with objects among them.
//!
//! A wide bar is the time of the other library, and a narrow bar over it that of payspec.

use super::theme::{Theme, css};
use crate::bench::{Results, hundredths};
use anyhow::Result;

/// The bars: the number of a target, whose first row in the file is drawn, and the two labels.
const BARS: [(&str, &str, &str); 6] = [
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
        "P7o",
        "Node.js: object to report, valid",
        "ajv on the same object, all errors",
    ),
    (
        "P7",
        "Node.js: JSON text to report",
        "JSON.parse and ajv, all errors",
    ),
    (
        "P11o",
        "Python: dict to report, valid",
        "pydantic, validate_python",
    ),
    ("P11", "Python: bytes to report", "pydantic, validate_json"),
];

const WIDTH: u32 = 760;
const MARGIN: u32 = 20;
/// The length of the longest bar.
const LENGTH: u32 = 620;
const TOP: u32 = 62;
const ROW: u32 = 64;

/// Returns the chart as SVG.
pub(super) fn draw(theme: &Theme) -> Result<String> {
    let results = Results::read()?;
    let ratios = BARS
        .iter()
        .map(|(number, ..)| results.first(number))
        .collect::<Result<Vec<u64>>>()?;
    let longest = ratios.iter().copied().fold(1000, u64::max);
    let length = |ratio: u64| u64::from(LENGTH) * ratio / longest;
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
         fill=\"{background}\"/>\n<text class=\"title\" x=\"{MARGIN}\" y=\"32\">Time to check a payment (narrow bar), and that of \
         another library (wide bar)</text>\n"
    ));
    for (index, ((_, label, other), ratio)) in BARS.iter().zip(&ratios).enumerate() {
        let y = TOP + ROW * index as u32;
        let (text, bar, end) = (y + 10, y + 18, MARGIN + LENGTH + 12);
        out.push_str(&format!(
            "<text x=\"{MARGIN}\" y=\"{text}\">{label}<tspan class=\"other\" dx=\"8\">÷ {other}</tspan></text>\n<rect x=\"{MARGIN}\" \
             y=\"{bar}\" width=\"{}\" height=\"18\" rx=\"3\" fill=\"{track}\"/>\n<rect x=\"{MARGIN}\" y=\"{}\" \
             width=\"{}\" height=\"8\" rx=\"3\" fill=\"{accent}\"/>\n<text class=\"value\" x=\"{end}\" y=\"{}\">{} ×</text>\n",
            length(1000),
            bar + 5,
            length(*ratio),
            bar + 14,
            hundredths(*ratio)
        ));
    }
    out.push_str("</svg>\n");
    Ok(out)
}

fn description(ratios: &[u64]) -> String {
    let parts = BARS.iter().zip(ratios).map(|((_, label, other), ratio)| {
        format!("{label}: {} of the time of {other}", hundredths(*ratio))
    });
    parts.collect::<Vec<_>>().join("; ")
}
