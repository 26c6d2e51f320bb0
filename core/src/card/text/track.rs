//! The data of a card's magnetic stripe (ISO 7813) around its number.
//!
//! Track 1 is `%B`, the number, `^`, the name, `^`, and the discretionary data: the expiry date, the
//! service code, and what the issuer added, among it a security code. Track 2 is the number, `=` or
//! `D`, and such data. The tag 57 of EMV contains track 2.

use core::ops::Range;

use super::digits::digit;
use super::symbol::Cursor;

/// The maximum length of the name in track 1, which may be longer than its 26 characters if it has
/// escapes.
const MAX_NAME: usize = 40;

/// Checks if the two characters before a number begin track 1.
pub(super) fn begins_track(before: [char; 2]) -> bool {
    matches!(before, ['%', 'B' | 'b'])
}

/// Returns the discretionary data after a number that ends at the cursor, if the number belongs to
/// a track.
pub(super) fn data_after(mut cursor: Cursor<'_>) -> Option<Range<usize>> {
    match cursor.next()?.character {
        '^' => {
            let name = cursor.by_ref().take(MAX_NAME);
            name.map(|symbol| symbol.character)
                .find(|character| *character == '^')?;
        }
        '=' | 'D' | 'd' => {}
        _ => return None,
    }
    let start = cursor.at();
    cursor
        .accept_all(|character| digit(character).is_some())
        .then_some(start..cursor.at())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_discretionary_data() {
        for (after, data) in [
            ("^DOE/JOHN^2512101000?", Some("2512101000")),
            ("%5EDOE/JOHN%5E2512101000?", Some("2512101000")),
            ("=2512101000?", Some("2512101000")),
            ("D2512101000F", Some("2512101000")),
            ("^DOE/JOHN", None),
            ("^^", None),
            ("=", None),
            ("D", None),
            ("Dx", None),
            (" 2512", None),
            ("", None),
        ] {
            let found = data_after(Cursor::new(after.as_bytes(), 0));
            assert_eq!(found.and_then(|range| after.get(range)), data, "{after}");
        }
        assert!(begins_track(['%', 'B']) && !begins_track([' ', 'B']));
    }
}
