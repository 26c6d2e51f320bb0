//! The pictures: a terminal with the output of `payspec validate` for a rejected body, and figures
//! of recorded measurements.

use super::chart;
use super::common::{printed, write as write_file};
use super::theme::{THEMES, Theme};
use anstyle::Color;
use anstyle_svg::Term;
use anyhow::{Result, ensure};
use fs_err as fs;
use payspec_support::root;
use std::path::PathBuf;

const COMMAND: &str = "payspec validate order.json";
const ARGUMENTS: &[&str] = &[
    "validate",
    "--color",
    "always",
    "docs/src/pictures/order.json",
];

/// A picture in the colors of a theme.
type Draw = fn(&Theme) -> Result<String>;

type Picture = (&'static str, Draw);

const PICTURES: [Picture; 2] = [("validate", draw), ("figures", chart::draw)];

/// Returns the file of each picture in each theme, with its text.
fn files() -> Result<Vec<(PathBuf, String)>> {
    let themes = THEMES.iter();
    let all = themes.flat_map(|theme| PICTURES.map(|(name, draw)| (name, theme, draw)));
    let files = all.map(|(name, theme, draw)| {
        let file = format!("docs/src/pictures/{name}-{}.svg", theme.name);
        Ok((root().join(file), draw(theme)?))
    });
    files.collect()
}

fn draw(theme: &Theme) -> Result<String> {
    let output = printed(ARGUMENTS)?.replace("docs/src/pictures/", "");
    let term = Term::new()
        .fg_color(Color::Rgb(theme.foreground))
        .bg_color(Color::Rgb(theme.background))
        .palette(theme.palette())
        .min_width_px(760);
    Ok(term.render_svg(&format!("$ {COMMAND}\n{output}")))
}

/// Writes the pictures.
pub(super) fn write() -> Result<()> {
    let mut files = files()?.into_iter();
    files.try_for_each(|(path, text)| write_file(&path, &text))
}

/// Checks that the pictures are current.
pub(super) fn check() -> Result<()> {
    for (path, text) in files()? {
        let is_current = fs::read_to_string(&path)? == text;
        ensure!(
            is_current,
            "{} is old: `cargo xtask docs --pictures`",
            path.display()
        );
    }
    Ok(())
}
