//! The pictures: a terminal with the output of `payspec validate` for a rejected body, a chart of figures, and a plot of latencies.

use super::chart;
use super::common::{failed, printed, write as write_file};
use super::latency;
use super::theme::{THEMES, Theme};
use anstyle::Color;
use anstyle_svg::Term;
use payspec_tests::root;
use std::fs;
use std::path::PathBuf;

const COMMAND: &str = "payspec validate order.json";
const ARGUMENTS: &[&str] = &["validate", "--color", "always", "docs/src/pictures/order.json"];

/// A picture in the colors of a theme.
type Draw = fn(&Theme) -> Result<String, String>;

type Picture = (&'static str, Draw);

const FIGURES: Picture = ("figures", chart::draw);
const LATENCY: Picture = ("latency", latency::draw);
const PICTURES: &[Picture] = &[("validate", draw), FIGURES, LATENCY];

/// Returns the file of each picture in each theme, with its function.
fn files(pictures: &[Picture]) -> impl Iterator<Item = (PathBuf, &'static Theme, Draw)> {
    pictures.iter().flat_map(|&(name, draw)| {
        THEMES
            .iter()
            .map(move |theme| (root().join(format!("docs/src/pictures/{name}-{}.svg", theme.name)), theme, draw))
    })
}

fn draw(theme: &Theme) -> Result<String, String> {
    let output = printed(ARGUMENTS)?.replace("docs/src/pictures/", "");
    let term = Term::new()
        .fg_color(Color::Rgb(theme.foreground))
        .bg_color(Color::Rgb(theme.background))
        .palette(theme.palette())
        .min_width_px(760);
    Ok(term.render_svg(&format!("$ {COMMAND}\n{output}")))
}

/// Writes the pictures.
pub(super) fn write() -> Result<(), String> {
    write_all(PICTURES)
}

/// Writes the chart of figures.
pub(super) fn write_figures() -> Result<(), String> {
    write_all(&[FIGURES])
}

/// Writes the plot of latencies.
pub(super) fn write_latency() -> Result<(), String> {
    write_all(&[LATENCY])
}

fn write_all(pictures: &[Picture]) -> Result<(), String> {
    files(pictures).try_for_each(|(path, theme, draw)| write_file(&path, &draw(theme)?))
}

/// Checks that the pictures are current.
pub(super) fn check() -> Result<(), String> {
    for (path, theme, draw) in files(PICTURES) {
        if fs::read_to_string(&path).map_err(failed(&path))? != draw(theme)? {
            return Err(format!("{} is old: `cargo xtask docs --pictures` draws it", path.display()));
        }
    }
    Ok(())
}
