//! The table of ISO 4217: every active code, as published by the maintenance agency.
//!
//! The compiler reads the published list, `iso4217.csv`. If the list changes, replace that file and
//! the number of its codes. Each column is a static of its own, so that a build that prints no
//! names does not contain them.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::indexing_slicing,
    reason = "evaluated by the compiler"
)]

/// The number of codes.
const COUNT: usize = 178;

/// The alphabetic codes, in ascending order.
pub(super) static CODES: [[u8; 3]; COUNT] = TABLE.codes;
/// The first row of each letter from `A` to `Z`, and then the number of rows.
pub(super) static FIRST_ROWS: [u8; 27] = {
    let mut rows = [0; 27];
    let mut row = 0;
    while row < COUNT {
        let mut later = (TABLE.codes[row][0] - b'A') as usize + 1;
        while later < rows.len() {
            rows[later] += 1;
            later += 1;
        }
        row += 1;
    }
    rows
};
/// The numeric codes.
pub(super) static NUMBERS: [u16; COUNT] = TABLE.numbers;
/// The minor unit of a code that is not a currency.
pub(super) const NO_MINOR_UNIT: u8 = 9;
/// The minor units.
pub(super) static MINOR_UNITS: [u8; COUNT] = TABLE.minor_units;
/// The names.
pub(super) static NAMES: [&str; COUNT] = TABLE.names;

struct Table {
    codes: [[u8; 3]; COUNT],
    numbers: [u16; COUNT],
    minor_units: [u8; COUNT],
    names: [&'static str; COUNT],
}

/// The columns of the list. If it is malformed, the library does not compile.
const TABLE: Table = {
    let mut table = Table {
        codes: [[0; 3]; COUNT],
        numbers: [0; COUNT],
        minor_units: [NO_MINOR_UNIT; COUNT],
        names: [""; COUNT],
    };
    let (_titles, mut lines) = split_once(include_str!("iso4217.csv"), b'\n');
    let mut row = 0;
    while !lines.is_empty() {
        let (code, columns) = split_once(lines, b',');
        let (number, columns) = split_once(columns, b',');
        let (minor_unit, columns) = split_once(columns, b',');
        let (name, end) = split_once(split_once(columns, b'"').1, b'"');
        let ([a, b, c], Ok(number)) = (code.as_bytes(), u16::from_str_radix(number, 10)) else {
            panic!("expected a code of three letters and a number")
        };
        table.codes[row] = [*a, *b, *c];
        table.numbers[row] = number;
        assert!(
            matches!(minor_unit.as_bytes(), [] | [b'0'..=b'4']),
            "expected a minor unit"
        );
        if let [digit] = minor_unit.as_bytes() {
            table.minor_units[row] = *digit - b'0';
        }
        // One name of the published list ends with a space.
        table.names[row] = name.trim_ascii_end();
        (lines, row) = (split_once(end, b'\n').1, row + 1);
    }
    assert!(row == COUNT, "COUNT is the number of codes in the list");
    table
};

/// Returns the text before the first `separator`, and the text after it.
const fn split_once(text: &str, separator: u8) -> (&str, &str) {
    let mut at = 0;
    while text.as_bytes()[at] != separator {
        at += 1;
    }
    (text.split_at(at).0, text.split_at(at + 1).1)
}
