//! The pictures of README.md: a terminal with the output of `payspec validate` for a rejected body, and a chart of figures.

use super::chart;
use super::common::{failed, printed, write as write_file};
use anstyle::{Color, RgbColor};
use anstyle_svg::{Palette, Term};
use payspec_tests::root;
use std::fs;
use std::path::PathBuf;

const COMMAND: &str = "payspec validate order.json";
const ARGUMENTS: &[&str] = &["validate", "--color", "always", "docs/src/pictures/order.json"];

/// The colors of a terminal.
pub(super) struct Theme {
    name: &'static str,
    pub(super) foreground: RgbColor,
    pub(super) background: RgbColor,
    /// The color behind the bars of a chart.
    pub(super) track: RgbColor,
    /// Red, green, yellow, blue, magenta, and cyan.
    pub(super) colors: [RgbColor; 6],
}

impl Theme {
    /// Returns the 16 colors of a terminal. Bright colors are the same as the others.
    fn palette(&self) -> Palette {
        let [red, green, yellow, blue, magenta, cyan] = self.colors;
        let (black, white) = (self.background, self.foreground);
        let half = [black, red, green, yellow, blue, magenta, cyan, white];
        let mut all = [white; 16];
        all[..8].copy_from_slice(&half);
        all[8..].copy_from_slice(&half);
        Palette(all)
    }
}

const fn rgb(color: u32) -> RgbColor {
    RgbColor((color >> 16) as u8, (color >> 8) as u8, color as u8)
}

static THEMES: [Theme; 2] = [
    Theme {
        name: "light",
        foreground: rgb(0x1f2328),
        background: rgb(0xf6f8fa),
        track: rgb(0xd8dee4),
        colors: [rgb(0xb3261e), rgb(0x1a7f37), rgb(0x8a5a00), rgb(0x0757ba), rgb(0x8250df), rgb(0x0b6f7a)],
    },
    Theme {
        name: "dark",
        foreground: rgb(0xe6edf3),
        background: rgb(0x161b22),
        track: rgb(0x3d444d),
        colors: [rgb(0xff7b72), rgb(0x7ee787), rgb(0xe3b341), rgb(0x79c0ff), rgb(0xd2a8ff), rgb(0x76e3ea)],
    },
];

/// Returns a color as CSS.
pub(super) fn css(RgbColor(red, green, blue): RgbColor) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A picture in the colors of a theme.
type Draw = fn(&Theme) -> Result<String, String>;

const PICTURES: [(&str, Draw); 2] = [("validate", draw), ("figures", chart::draw)];

/// Returns the file of each picture in each theme, with its function.
fn pictures() -> impl Iterator<Item = (PathBuf, &'static Theme, Draw)> {
    PICTURES.into_iter().flat_map(|(name, draw)| {
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
    pictures().try_for_each(|(path, theme, draw)| write_file(&path, &draw(theme)?))
}

/// Writes the chart of figures.
pub(super) fn write_figures() -> Result<(), String> {
    pictures()
        .filter(|(path, ..)| path.to_string_lossy().contains("/figures-"))
        .try_for_each(|(path, theme, draw)| write_file(&path, &draw(theme)?))
}

/// Checks that the pictures are current.
pub(super) fn check() -> Result<(), String> {
    for (path, theme, draw) in pictures() {
        if fs::read_to_string(&path).map_err(failed(&path))? != draw(theme)? {
            return Err(format!("{} is old: `cargo xtask docs --pictures` draws it", path.display()));
        }
    }
    Ok(())
}
