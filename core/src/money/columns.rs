//! The columns of the ISO 4217 table as separate tables, so that a build that prints no names does not contain them.
#![expect(
    clippy::as_conversions,
    clippy::indexing_slicing,
    reason = "all of it runs while building: a mistake stops the build"
)]

use super::iso4217::TABLE;

/// The number of rows.
pub(super) const COUNT: usize = TABLE.len();
/// Marks a missing minor unit.
pub(super) const NO_MINOR_UNIT: u8 = u8::MAX;

const LETTERS: [u8; COUNT * 3] = {
    let mut letters = [0; COUNT * 3];
    let mut row = 0;
    while row < COUNT {
        let code = TABLE[row].0.as_bytes();
        assert!(code.len() == 3);
        let mut letter = 0;
        while letter < 3 {
            letters[row * 3 + letter] = code[letter];
            letter += 1;
        }
        row += 1;
    }
    letters
};

/// All alphabetic codes, concatenated.
pub(super) static CODES: &str = match core::str::from_utf8(&LETTERS) {
    Ok(codes) => codes,
    Err(_) => "",
};

/// The first row for each letter whose code begins with it or a later letter. The last entry is the number of rows.
pub(super) static FIRST_ROW: [u8; 27] = {
    assert!(COUNT <= 255);
    let mut first = [COUNT as u8; 27];
    let mut row = COUNT;
    while row > 0 {
        row -= 1;
        let mut letter = (LETTERS[row * 3] - b'A') as usize;
        // The table is sorted, so this row is an upper bound for the letters up to this one.
        loop {
            first[letter] = row as u8;
            if letter == 0 {
                break;
            }
            letter -= 1;
        }
    }
    first
};

/// The numeric codes.
pub(super) static NUMBERS: [u16; COUNT] = {
    let mut numbers = [0; COUNT];
    let mut row = 0;
    while row < COUNT {
        numbers[row] = TABLE[row].1;
        row += 1;
    }
    numbers
};

/// The minor units.
pub(super) static MINOR_UNITS: [u8; COUNT] = {
    let mut units = [NO_MINOR_UNIT; COUNT];
    let mut row = 0;
    while row < COUNT {
        if let Some(unit) = TABLE[row].2 {
            units[row] = unit;
        }
        row += 1;
    }
    units
};

/// The names.
pub(super) static NAMES: [&str; COUNT] = {
    let mut names = [""; COUNT];
    let mut row = 0;
    while row < COUNT {
        names[row] = TABLE[row].3;
        row += 1;
    }
    names
};
