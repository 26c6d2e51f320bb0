//! The decimal digits of texts, and the separators between their groups.

use zeroize::Zeroize;

use super::super::syntax::MAX_PAN_DIGITS;
use super::escapes::may_begin_escape;
use super::symbol::Cursor;

/// Returns the value of a decimal digit in one of the scripts that write card numbers.
#[inline]
pub(in crate::card) fn digit(character: char) -> Option<u8> {
    const ZEROS: [char; 4] = ['0', '\u{660}', '\u{6F0}', '\u{FF10}'];
    if character.is_ascii() {
        return character
            .to_digit(10)
            .and_then(|value| u8::try_from(value).ok());
    }
    ZEROS.into_iter().find_map(|zero| {
        let value = u32::from(character).checked_sub(u32::from(zero))?;
        u8::try_from(value).ok().filter(|value| *value < 10)
    })
}

/// Checks if a character may separate the groups of a card number.
pub(super) fn is_separator(character: char) -> bool {
    match character {
        ' ' | '\t' | '-' | '.' | '_' | '+' => true,
        // No-break, narrow no-break, and thin space; the hyphens and dashes up to the en dash.
        '\u{A0}' | '\u{202F}' | '\u{2009}' | '\u{2010}'..='\u{2013}' => true,
        _ => false,
    }
}

/// What is between two groups: a character, or two spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Separator {
    pub(super) character: char,
    is_double: bool,
}

impl Separator {
    /// Reads a separator before a digit. Without one, the cursor does not move.
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Option<Self> {
        // Most separators are one character in ASCII, or the space of an address. Reading them as
        // bytes takes a third of the time.
        let plain = match cursor.text.get(cursor.at()..).unwrap_or_default() {
            [character @ (b'-' | b' ' | b'.' | b'_'), b'0'..=b'9', ..] => Some((*character, 1)),
            [b'%', b'2', b'0', b'0'..=b'9', ..] => Some((b' ', 3)),
            _ => None,
        };
        if let Some((character, length)) = plain {
            cursor.move_to(cursor.at().saturating_add(length));
            return Some(Separator {
                character: char::from(character),
                is_double: false,
            });
        }
        let mut ahead = *cursor;
        let character = ahead.next()?.character;
        if !is_separator(character) {
            return None;
        }
        let is_double = character == ' ' && ahead.accept(|next| next == ' ');
        digit(ahead.peek()?)?;
        *cursor = ahead;
        Some(Separator {
            character,
            is_double,
        })
    }

    /// Returns the last two characters of a digit and this separator.
    pub(super) fn last_characters(self) -> [char; 2] {
        let before = if self.is_double { ' ' } else { '0' };
        [before, self.character]
    }
}

/// Moves past the digits at the cursor. Returns their number.
pub(super) fn skip_digits(cursor: &mut Cursor<'_>) -> usize {
    read_digits(cursor, |_| {})
}

/// Passes the digits at the cursor to `put` in ASCII, and moves past them. Returns their number.
#[inline]
fn read_digits(cursor: &mut Cursor<'_>, mut put: impl FnMut(u8)) -> usize {
    // Nearly all digits are ASCII, and are read without symbols.
    let rest = cursor.text.get(cursor.at()..).unwrap_or_default();
    let mut count = 0_usize;
    for digit in rest.iter().take_while(|byte| byte.is_ascii_digit()) {
        put(*digit);
        count = count.saturating_add(1);
    }
    cursor.move_to(cursor.at().saturating_add(count));
    let is_plain = |next: &u8| next.is_ascii() && !may_begin_escape(*next);
    if rest.get(count).is_none_or(is_plain) {
        return count;
    }
    while let Some(symbol) = cursor.symbol()
        && let Some(value) = digit(symbol.character)
    {
        put(value | b'0');
        count = count.saturating_add(1);
        cursor.move_to(symbol.end);
    }
    count
}

/// The digits of several groups in ASCII, of each at most as many as a card number has. They are
/// wiped on drop, since they may be those of a card number.
pub(super) struct Digits<const GROUPS: usize> {
    groups: [[u8; MAX_PAN_DIGITS]; GROUPS],
    count: usize,
}

impl<const GROUPS: usize> Default for Digits<GROUPS> {
    fn default() -> Self {
        Digits {
            groups: [[0; MAX_PAN_DIGITS]; GROUPS],
            count: 0,
        }
    }
}

impl<const GROUPS: usize> Drop for Digits<GROUPS> {
    fn drop(&mut self) {
        self.groups.zeroize();
    }
}

impl<const GROUPS: usize> Digits<GROUPS> {
    /// Adds the group of digits at the cursor, and moves past it. Returns the number of its digits.
    pub(super) fn read_group(&mut self, cursor: &mut Cursor<'_>) -> usize {
        let start = self.count;
        let targets = self.groups.as_flattened_mut().get_mut(start..);
        let mut targets = targets.unwrap_or_default().iter_mut().take(MAX_PAN_DIGITS);
        let length = read_digits(cursor, |digit| {
            if let Some(target) = targets.next() {
                *target = digit;
            }
        });
        self.count = start.saturating_add(length.min(MAX_PAN_DIGITS));
        length
    }

    /// Removes the first group, which has this number of digits.
    pub(super) fn remove_group(&mut self, length: usize) {
        let length = length.min(MAX_PAN_DIGITS).min(self.count);
        self.groups
            .as_flattened_mut()
            .copy_within(length..self.count, 0);
        self.count = self.count.saturating_sub(length);
    }

    /// Returns the digits of all groups.
    pub(super) fn ascii(&self) -> &[u8] {
        self.groups
            .as_flattened()
            .get(..self.count)
            .unwrap_or_default()
    }

    /// Returns the digits of the last group, which has this number of digits.
    pub(super) fn last_group(&self, length: usize) -> &[u8] {
        let start = self.count.saturating_sub(length.min(MAX_PAN_DIGITS));
        self.ascii().get(start..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::text::symbol::begins_digit;

    #[test]
    fn knows_the_digits_of_four_scripts() {
        for (character, value) in [
            ('0', Some(0)),
            ('9', Some(9)),
            ('\u{660}', Some(0)),
            ('\u{669}', Some(9)),
            ('\u{6F4}', Some(4)),
            ('\u{FF19}', Some(9)),
            ('\u{FF1A}', None),
            ('\u{966}', None),
            ('a', None),
            ('/', None),
        ] {
            assert_eq!(digit(character), value, "{character}");
            let first = *character
                .encode_utf8(&mut [0; 4])
                .as_bytes()
                .first()
                .unwrap();
            assert!(begins_digit(first) || value.is_none(), "{character}");
        }
    }

    #[test]
    fn reads_one_separator_before_a_digit() {
        for (text, length) in [
            (" 1", 1),
            ("  1", 2),
            ("   1", 0),
            (" -1", 0),
            ("--1", 0),
            ("%201", 3),
            ("\u{2009}1", 3),
            ("\\t1", 2),
            (" x", 0),
            ("x1", 0),
            ("+٤", 1),
            ("", 0),
        ] {
            let mut cursor = Cursor::new(text.as_bytes(), 0);
            let separator = Separator::read(&mut cursor);
            assert_eq!(
                (cursor.at(), separator.is_some()),
                (length, length > 0),
                "{text}"
            );
        }
    }
}
