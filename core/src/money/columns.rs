//! The columns of the table of ISO 4217, each a table of its own: a build that prints no names holds none.
#![expect(
    clippy::as_conversions,
    clippy::indexing_slicing,
    reason = "all of it runs while building: a mistake stops the build"
)]

use super::iso4217::TABLE;

/// Rows of the table.
pub(super) const COUNT: usize = TABLE.len();
/// Stands for a minor unit that is not there.
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

/// All codes, one after the other.
pub(super) static CODES: &str = match core::str::from_utf8(&LETTERS) {
    Ok(codes) => codes,
    Err(_) => "",
};

/// For each letter the first row whose code begins with it or with a later one; at the end the number of rows.
pub(super) static FIRST_ROW: [u8; 27] = {
    assert!(COUNT <= 255);
    let mut first = [COUNT as u8; 27];
    let mut row = COUNT;
    while row > 0 {
        row -= 1;
        let mut letter = (LETTERS[row * 3] - b'A') as usize;
        // The table is sorted, so the letters up to this one have no later row than this.
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

/// Numeric codes.
pub(super) static NUMBERS: [u16; COUNT] = {
    let mut numbers = [0; COUNT];
    let mut row = 0;
    while row < COUNT {
        numbers[row] = TABLE[row].1;
        row += 1;
    }
    numbers
};

/// Minor units.
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

/// Names.
pub(super) static NAMES: [&str; COUNT] = {
    let mut names = [""; COUNT];
    let mut row = 0;
    while row < COUNT {
        names[row] = TABLE[row].3;
        row += 1;
    }
    names
};
