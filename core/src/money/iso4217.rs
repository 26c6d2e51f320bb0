//! The table of ISO 4217: every active code, as published by the maintenance agency.
//!
//! The compiler reads the published list, `iso4217.csv`. If the list changes, replace that file and
//! the number of its codes.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "evaluated by the compiler"
)]

use core::ops::Range;

/// The number of codes.
const COUNT: usize = 178;

/// A row of the list.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// The alphabetic code.
    pub(super) letters: [u8; 3],
    /// The numeric code.
    pub(super) number: u16,
    /// The number of fraction digits, or `None` for a code that is not a currency.
    pub(super) minor_unit: Option<u8>,
}

/// The rows of the list, in ascending order of their alphabetic codes.
pub(super) static TABLE: [Entry; COUNT] = LIST.0;
/// The English names, in the same order. Most programs print none.
pub(super) static NAMES: [&str; COUNT] = LIST.1;

/// The end of the rows before each initial, from `A` to `Z`, and the number of rows.
static ENDS: [usize; 27] = {
    let mut ends = [0; 27];
    let mut row = 0;
    while row < COUNT {
        let initial = TABLE[row].letters[0] - b'A';
        row += 1;
        ends[initial as usize + 1] = row;
    }
    // No code begins with some letters.
    let mut initial = 1;
    while initial < ends.len() {
        if ends[initial] == 0 {
            ends[initial] = ends[initial - 1];
        }
        initial += 1;
    }
    ends
};

/// Returns the rows whose codes begin with a letter.
pub(super) fn rows_with_initial(letter: u8) -> Range<usize> {
    match ENDS.get(usize::from(letter.wrapping_sub(b'A'))..) {
        Some([start, end, ..]) => *start..*end,
        _ => 0..0,
    }
}

/// If the list is malformed, the library does not compile.
const LIST: ([Entry; COUNT], [&str; COUNT]) = {
    let empty = Entry {
        letters: [0; 3],
        number: 0,
        minor_unit: None,
    };
    let (mut table, mut names) = ([empty; COUNT], [""; COUNT]);
    let (_titles, mut lines) = split_once(include_str!("iso4217.csv"), b'\n');
    let mut row = 0;
    while !lines.is_empty() {
        let (line, rest) = split_once(lines, b'\n');
        (table[row], names[row]) = read(line);
        lines = rest;
        row += 1;
    }
    assert!(row == COUNT, "COUNT is the number of codes in the list");
    (table, names)
};

/// Reads a line such as `RUB,643,2,"Russian Ruble"`.
const fn read(line: &'static str) -> (Entry, &'static str) {
    let (code, columns) = split_once(line, b',');
    let (number, columns) = split_once(columns, b',');
    let (minor_unit, columns) = split_once(columns, b',');
    let (_, name) = split_once(columns, b'"');
    let (name, _) = split_once(name, b'"');
    let ([a, b, c], Ok(number)) = (code.as_bytes(), u16::from_str_radix(number, 10)) else {
        panic!("expected a code of three letters and a number")
    };
    let minor_unit = match minor_unit.as_bytes() {
        [] => None,
        [digit @ b'0'..=b'4'] => Some(*digit - b'0'),
        _ => panic!("expected a minor unit"),
    };
    let entry = Entry {
        letters: [*a, *b, *c],
        number,
        minor_unit,
    };
    // One name of the published list ends with a space.
    (entry, name.trim_ascii_end())
}

/// Returns the text before the first `separator`, and the text after it.
pub(super) const fn split_once(text: &str, separator: u8) -> (&str, &str) {
    let mut at = 0;
    while text.as_bytes()[at] != separator {
        at += 1;
    }
    (text.split_at(at).0, text.split_at(at + 1).1)
}
