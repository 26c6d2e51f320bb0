//! The colors of pictures.

use anstyle::RgbColor;
use anstyle_svg::Palette;

/// The colors of a terminal.
pub(super) struct Theme {
    pub(super) name: &'static str,
    pub(super) foreground: RgbColor,
    pub(super) background: RgbColor,
    /// The color behind the bars of a chart.
    pub(super) track: RgbColor,
    /// Red, green, yellow, blue, magenta, and cyan.
    pub(super) colors: [RgbColor; 6],
}

impl Theme {
    /// Returns the 16 colors of a terminal. Bright colors are the same as the others.
    pub(super) fn palette(&self) -> Palette {
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

pub(super) static THEMES: [Theme; 2] = [
    Theme {
        name: "light",
        foreground: rgb(0x1f2328),
        background: rgb(0xf6f8fa),
        track: rgb(0xd8dee4),
        colors: [
            rgb(0xb3261e),
            rgb(0x1a7f37),
            rgb(0x8a5a00),
            rgb(0x0757ba),
            rgb(0x8250df),
            rgb(0x0b6f7a),
        ],
    },
    Theme {
        name: "dark",
        foreground: rgb(0xe6edf3),
        background: rgb(0x161b22),
        track: rgb(0x3d444d),
        colors: [
            rgb(0xff7b72),
            rgb(0x7ee787),
            rgb(0xe3b341),
            rgb(0x79c0ff),
            rgb(0xd2a8ff),
            rgb(0x76e3ea),
        ],
    },
];

/// Returns a color as CSS.
pub(super) fn css(RgbColor(red, green, blue): RgbColor) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
