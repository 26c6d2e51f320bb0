//! Pictures with line plots, whose values are tables of recorded measurements.

use super::common::failed;
use super::table::{read, thousandths, transposed};
use super::theme::{Theme, css};
use payspec_support::root;
use std::fs;

/// A picture: plots side by side, whose lines have the same names.
pub(super) struct Picture {
    pub(super) title: &'static str,
    /// The file with the tables.
    pub(super) file: &'static str,
    pub(super) plots: &'static [Plot],
}

/// One of the plots. The first cell of its table is the name of the horizontal axis.
pub(super) struct Plot {
    /// The beginning of the heading before the table.
    pub(super) heading: &'static str,
    pub(super) unit: &'static str,
    pub(super) lines: Lines,
}

/// The part of a table that is drawn. The rest of a name is the name of the line.
pub(super) enum Lines {
    /// The columns whose heads end with this text.
    Columns(&'static str),
    /// The rows whose first cells begin with this text.
    Rows(&'static str),
}

/// The values of a plot, in thousandths.
#[derive(Debug, PartialEq)]
struct Values<'t> {
    /// The name of the horizontal axis, and of each position on it.
    axis: &'t str,
    positions: Vec<&'t str>,
    lines: Vec<(&'t str, Vec<u64>)>,
}

const WIDTH: u32 = 760;
const MARGIN: u32 = 20;
/// The height of a plot without its labels, and that of a line of text.
const HEIGHT: u32 = 220;
const LINE: u32 = 24;
/// The width of the labels of the vertical axis.
const LABELS: u32 = 50;
/// At most so many lines of the grid are above the first.
const GRID: u64 = 6;
/// The colors of a theme for the lines: blue, green, red, and magenta.
const COLORS: [usize; 4] = [3, 1, 0, 4];

impl Picture {
    /// Returns the picture as SVG.
    pub(super) fn draw(&self, theme: &Theme) -> Result<String, String> {
        let path = root().join(self.file);
        let text = fs::read_to_string(&path).map_err(failed(&path))?;
        let values = self.plots.iter().map(|plot| {
            plot.values(&text).ok_or_else(|| {
                format!(
                    "{}: no figures for a plot after {}",
                    self.file, plot.heading
                )
            })
        });
        let values = values.collect::<Result<Vec<_>, String>>()?;
        let names: Vec<&str> = values[0]
            .lines
            .iter()
            .map(|(name, _)| *name)
            .filter(|name| !name.is_empty())
            .collect();
        let top = 2 * LINE + LINE * names.len().div_ceil(2) as u32;
        let height = top + LINE + HEIGHT + 2 * LINE + MARGIN / 2;
        let descriptions: Vec<_> = self
            .plots
            .iter()
            .zip(&values)
            .map(|(plot, values)| values.describe(plot.unit))
            .collect();
        let (foreground, background, track) = (
            css(theme.foreground),
            css(theme.background),
            css(theme.track),
        );
        let mut out = format!(
            "<svg width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" xmlns=\"http://www.w3.org/2000/svg\" \
             role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">{}. {}</title>\n<style>text {{ font: 13px system-ui, \
             -apple-system, \"Segoe UI\", sans-serif; fill: {foreground}; }} .title {{ font-weight: 600; font-size: 14px; }} .end {{ \
             text-anchor: end; }} .middle {{ text-anchor: middle; font-size: 12px; }} path {{ stroke: {track}; }} polyline {{ fill: none; \
             stroke-width: 2.5; }}</style>\n<rect width=\"100%\" height=\"100%\" rx=\"4.5\" fill=\"{background}\"/>\n<text \
             class=\"title\" x=\"{MARGIN}\" y=\"32\">{}</text>\n",
            self.title,
            descriptions.join(". "),
            self.title
        );
        let colors = COLORS.map(|index| css(theme.colors[index]));
        for (index, (name, color)) in names.iter().zip(&colors).enumerate() {
            let x = MARGIN + (WIDTH / 2 - MARGIN) * (index as u32 % 2);
            let y = 2 * LINE + LINE * (index as u32 / 2);
            out.push_str(&format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"14\" height=\"14\" rx=\"3\" fill=\"{color}\"/><text x=\"{}\" y=\"{}\">{name}</text>\n",
                x + 22,
                y + 12
            ));
        }
        let width = (WIDTH - 2 * MARGIN) / self.plots.len() as u32;
        for (index, (plot, values)) in self.plots.iter().zip(&values).enumerate() {
            let left = MARGIN + width * index as u32;
            out.push_str(&values.draw(
                plot.unit,
                [left, left + width - MARGIN / 2],
                top + LINE,
                &colors,
            ));
        }
        out.push_str("</svg>\n");
        Ok(out)
    }
}

impl Plot {
    /// Reads the table.
    fn values<'t>(&self, text: &'t str) -> Option<Values<'t>> {
        let table = read(text, self.heading)?;
        let table = if matches!(self.lines, Lines::Columns(_)) {
            transposed(&table)
        } else {
            table
        };
        let (head, rows) = table.split_first()?;
        let (axis, positions) = head.split_first()?;
        let lines = rows.iter().filter_map(|row| {
            let (name, cells) = row.split_first()?;
            let name = match self.lines {
                Lines::Columns(end) => name.strip_suffix(end)?,
                Lines::Rows(start) => name.strip_prefix(start)?,
            };
            Some(
                cells
                    .iter()
                    .map(|cell| thousandths(cell))
                    .collect::<Option<Vec<u64>>>()
                    .map(|values| (name, values)),
            )
        });
        let lines = lines.collect::<Option<Vec<_>>>()?;
        let is_drawn = (1..=COLORS.len()).contains(&lines.len()) && !positions.is_empty();
        is_drawn.then(|| Values {
            axis,
            positions: positions.to_vec(),
            lines,
        })
    }
}

impl Values<'_> {
    /// Returns the elements of a plot between two edges, with the upper end of its vertical axis at
    /// `top`.
    fn draw(&self, unit: &str, [edge, right]: [u32; 2], top: u32, colors: &[String]) -> String {
        let (left, bottom) = (edge + LABELS, top + HEIGHT);
        let grid = grid(self.highest());
        let end = self.highest().div_ceil(grid).max(1) * grid;
        let x = |index: usize| {
            left + (right - left) * (2 * index as u32 + 1) / (2 * self.positions.len() as u32)
        };
        let y = |value: u64| bottom - (u64::from(HEIGHT) * value / end) as u32;
        let mut out = format!("<text x=\"{edge}\" y=\"{}\">{unit}</text>\n", top - 14);
        for value in (0..=end).step_by(grid as usize) {
            let (y, label) = (y(value), number(value));
            out.push_str(&format!(
                "<path d=\"M{left} {y}H{right}\"/><text class=\"end\" x=\"{}\" y=\"{}\">{label}</text>\n",
                left - 8,
                y + 4
            ));
        }
        for (index, position) in self.positions.iter().enumerate() {
            let (x, y) = (x(index), bottom + LINE - 4);
            out.push_str(&format!(
                "<text class=\"middle\" x=\"{x}\" y=\"{y}\">{position}</text>\n"
            ));
        }
        let (middle, y_of_name) = (left.midpoint(right), bottom + 2 * LINE - 4);
        out.push_str(&format!(
            "<text class=\"middle\" x=\"{middle}\" y=\"{y_of_name}\">{}</text>\n",
            self.axis
        ));
        for ((_, values), color) in self.lines.iter().zip(colors) {
            let points: Vec<_> = values
                .iter()
                .enumerate()
                .map(|(index, value)| (x(index), y(*value)))
                .collect();
            let line: Vec<_> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
            out.push_str(&format!(
                "<polyline points=\"{}\" stroke=\"{color}\"/>",
                line.join(" ")
            ));
            for (x, y) in points {
                out.push_str(&format!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{color}\"/>"
                ));
            }
            out.push('\n');
        }
        out
    }

    fn highest(&self) -> u64 {
        self.lines
            .iter()
            .flat_map(|(_, values)| values)
            .copied()
            .max()
            .unwrap_or_default()
    }

    /// Returns the first and the last value of each line as text.
    fn describe(&self, unit: &str) -> String {
        let parts = self.lines.iter().filter_map(|(name, values)| {
            let (start, end) = (self.positions.first()?, self.positions.last()?);
            let (first, last) = (number(*values.first()?), number(*values.last()?));
            let name = if name.is_empty() {
                String::new()
            } else {
                format!("{name}, ")
            };
            Some(format!("{name}{first} at {start}, {last} at {end}"))
        });
        let by = if self.axis.is_empty() {
            String::new()
        } else {
            format!(" by {}", self.axis)
        };
        format!("{unit}{by}: {}", parts.collect::<Vec<_>>().join("; "))
    }
}

/// Returns the distance between the lines of the grid: 1, 2, or 5, times a power of ten.
fn grid(highest: u64) -> u64 {
    let mut steps = (0..16).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u64.pow(power)));
    steps
        .find(|step| highest.div_ceil(*step) <= GRID)
        .unwrap_or(u64::MAX)
}

/// Returns thousandths as a number: `12,500`, `0.25`.
fn number(thousandths: u64) -> String {
    let (whole, fraction) = (thousandths / 1000, thousandths % 1000);
    let digits = whole.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if fraction > 0 {
        text.push_str(format!(".{fraction:03}").trim_end_matches('0'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Lines, Plot, Values, grid, number};

    #[test]
    fn reads_columns_and_rows_as_lines() {
        let text = "## Growth\n\n| gateways | POST requests/s | POST p99 ms |\n|---|---:|---:|\n| 1 | 12 | 3.50 |\n| 2 | 20 | 4 |\n\n\
                    ## Latency\n\n| percentile | 50 | 99 |\n|---|---:|---:|\n| axum | 0.10 | 0.20 |\n| gateway: GET | 4.31 | 11.66 |\n";
        let plot = |heading, lines| Plot {
            heading,
            unit: "",
            lines,
        };
        let growth = Values {
            axis: "gateways",
            positions: vec!["1", "2"],
            lines: vec![("POST", vec![12_000, 20_000])],
        };
        assert_eq!(
            plot("## Growth", Lines::Columns(" requests/s")).values(text),
            Some(growth)
        );
        let latency = Values {
            axis: "percentile",
            positions: vec!["50", "99"],
            lines: vec![("GET", vec![4310, 11_660])],
        };
        assert_eq!(
            plot("## Latency", Lines::Rows("gateway: ")).values(text),
            Some(latency)
        );
        assert_eq!(plot("## Latency", Lines::Rows("other")).values(text), None);
        assert_eq!(plot("## Size", Lines::Rows("")).values(text), None);
        let broken = text.replace("4.31", "slow");
        assert_eq!(
            plot("## Latency", Lines::Rows("gateway: ")).values(&broken),
            None
        );
    }

    #[test]
    fn draws_the_highest_value_below_the_end_of_the_axis() {
        let values = Values {
            axis: "threads",
            positions: vec!["1", "2"],
            lines: vec![("", vec![0, 6_000])],
        };
        let drawn = values.draw("rate", [0, 248], 100, &["#123456".to_owned()]);
        assert!(
            drawn.contains("points=\"99,320 198,100\" stroke=\"#123456\""),
            "{drawn}"
        );
        assert_eq!(values.describe("rate"), "rate by threads: 0 at 1, 6 at 2");
    }

    #[test]
    fn chooses_round_numbers_for_the_grid() {
        assert_eq!([0, 6, 7, 13, 31_000].map(grid), [1, 1, 2, 5, 10_000]);
        assert_eq!(
            [0, 250, 1_500, 31_000_000].map(number),
            ["0", "0.25", "1.5", "31,000"]
        );
    }
}
