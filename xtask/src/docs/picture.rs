//! The pictures: a terminal with the output of `payspec validate` for a rejected body, and figures
//! of recorded measurements.

use super::chart;
use super::common::{failed, printed, write as write_file};
use super::plot::{self, Lines, Plot};
use super::theme::{THEMES, Theme};
use crate::support::record;
use anstyle::Color;
use anstyle_svg::Term;
use payspec_support::root;
use std::fs;
use std::path::PathBuf;

const COMMAND: &str = "payspec validate order.json";
const ARGUMENTS: &[&str] = &[
    "validate",
    "--color",
    "always",
    "docs/src/pictures/order.json",
];

/// A picture in the colors of a theme.
type Draw = fn(&Theme) -> Result<String, String>;

type Picture = (&'static str, Draw);

const PICTURES: &[Picture] = &[
    ("validate", draw),
    ("figures", chart::draw),
    ("latency", |theme| LATENCY.draw(theme)),
    ("gateway-growth", |theme| GATEWAY_GROWTH.draw(theme)),
    ("bulk-growth", |theme| BULK_GROWTH.draw(theme)),
];

const LATENCY: plot::Picture = plot::Picture {
    title: "Latency of the gateway by percentile",
    file: record::LOAD,
    plots: &[Plot {
        heading: "## Latency",
        unit: "milliseconds",
        lines: Lines::Rows("gateway on "),
    }],
};

const GATEWAY_GROWTH: plot::Picture = plot::Picture {
    title: "Requests per second of gateways on one PostgreSQL",
    file: record::LOAD,
    plots: &[
        Plot {
            heading: "### Gateways",
            unit: "requests/s",
            lines: Lines::Columns(" requests/s"),
        },
        Plot {
            heading: "### Payments",
            unit: "requests/s",
            lines: Lines::Columns(" requests/s"),
        },
    ],
};

const BULK_GROWTH: plot::Picture = plot::Picture {
    title: "Rate of is_valid over a column, called from Python",
    file: record::COLUMNS,
    plots: &[
        Plot {
            heading: "### Threads",
            unit: "million bodies/s",
            lines: Lines::Columns("million bodies/s"),
        },
        Plot {
            heading: "### Bodies",
            unit: "million bodies/s",
            lines: Lines::Columns("million bodies/s"),
        },
        Plot {
            heading: "### Size",
            unit: "GB/s",
            lines: Lines::Columns("GB/s"),
        },
    ],
};

/// Returns the file of each picture in each theme, with its function.
fn files() -> impl Iterator<Item = (&'static str, PathBuf, &'static Theme, Draw)> {
    PICTURES.iter().flat_map(|&(name, draw)| {
        THEMES.iter().map(move |theme| {
            (
                name,
                root().join(format!("docs/src/pictures/{name}-{}.svg", theme.name)),
                theme,
                draw,
            )
        })
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
    files().try_for_each(|(_, path, theme, draw)| write_file(&path, &draw(theme)?))
}

/// Writes one of the pictures.
pub(super) fn write_one(picture: &str) -> Result<(), String> {
    let files: Vec<_> = files().filter(|(name, ..)| *name == picture).collect();
    if files.is_empty() {
        return Err(format!("there is no picture {picture}"));
    }
    files
        .into_iter()
        .try_for_each(|(_, path, theme, draw)| write_file(&path, &draw(theme)?))
}

/// Checks that the pictures are current.
pub(super) fn check() -> Result<(), String> {
    for (_, path, theme, draw) in files() {
        if fs::read_to_string(&path).map_err(failed(&path))? != draw(theme)? {
            return Err(format!(
                "{} is old: `cargo xtask docs --pictures` draws it",
                path.display()
            ));
        }
    }
    Ok(())
}
