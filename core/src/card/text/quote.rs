//! Quotes, which are at the level of escapes where their string is.

use super::symbol::Cursor;

/// The maximum number of backslashes before a quote that are encoded separately.
const MAX_BACKSLASHES: usize = 8;

/// A quote as it is spelled: `"`, `\"`, `\\\"`, `\u0022`, `&quot;`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quote<'t> {
    pub(super) spelling: &'t [u8],
    /// The number of backslashes at its beginning.
    backslashes: usize,
    /// `"`, `'`, or a backtick.
    mark: char,
}

impl<'t> Quote<'t> {
    /// Reads a quote. Without one, the cursor does not move.
    pub(super) fn read(cursor: &mut Cursor<'t>) -> Option<Self> {
        let mut ahead = *cursor;
        // An address encodes backslashes and quotes separately: `%5C%22`.
        for _ in 0..MAX_BACKSLASHES {
            if !ahead.accept(|next| next == '\\') {
                break;
            }
        }
        let mark = ahead.peek().filter(|next| is_quote(*next))?;
        ahead.accept_char(mark)?;
        let spelling = cursor.text.get(cursor.at()..ahead.at())?;
        let backslashes = spelling.iter().take_while(|byte| **byte == b'\\');
        let backslashes = backslashes.count();
        *cursor = ahead;
        Some(Quote {
            spelling,
            backslashes,
            mark,
        })
    }

    /// Returns the spelling without the backslashes.
    fn rest(self) -> &'t [u8] {
        self.spelling.get(self.backslashes..).unwrap_or_default()
    }

    /// Checks if a quote is at the cursor.
    pub(super) fn is_at(mut cursor: Cursor<'_>) -> bool {
        Quote::read(&mut cursor).is_some()
    }

    /// Checks if a quote at the cursor ends the string that this one begins.
    pub(super) fn is_closed_at(self, mut cursor: Cursor<'t>) -> bool {
        Quote::read(&mut cursor).is_some_and(|quote| quote.closes(self))
    }

    /// Checks if a quote at the cursor ends the digits that this one begins, however both are
    /// escaped.
    pub(super) fn encloses_digits_before(self, mut cursor: Cursor<'t>) -> bool {
        let quote = Quote::read(&mut cursor);
        quote.is_some_and(|quote| quote.mark == self.mark || quote.is_outside(self))
    }

    /// Checks if this quote ends the string that `open` begins.
    ///
    /// At a level of escapes, a backslash is written as `level` backslashes and one more for the
    /// next level: a quote has 0, 1, 3, … backslashes, and each escaped backslash before it adds
    /// twice as many and two.
    pub(super) fn closes(self, open: Quote<'_>) -> bool {
        let level = open.backslashes.saturating_add(1);
        let further = self.backslashes.checked_sub(open.backslashes);
        let is_escaped =
            || further.is_none_or(|further| !further.is_multiple_of(level.saturating_mul(2)));
        self.rest() == open.rest() && !is_escaped() || self.is_outside(open)
    }

    /// Checks if this quote ends a string around the one that `open` begins.
    pub(super) fn is_outside(self, open: Quote<'_>) -> bool {
        self.spelling == b"\"" && !matches!(open.spelling, b"\"" | b"'")
    }
}

fn is_quote(character: char) -> bool {
    matches!(character, '"' | '\'' | '`')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quote(text: &str) -> Quote<'_> {
        Quote::read(&mut Cursor::new(text.as_bytes(), 0)).unwrap()
    }

    #[test]
    fn closes_strings_of_its_level() {
        for (open, close, expected) in [
            ("\"", "\"", true),
            ("\"", "\\\"", false),
            ("\"", "\\\\\"", true),
            ("\"", "'", false),
            ("'", "'", true),
            ("'", "\"", false),
            ("\\\"", "\\\"", true),
            ("\\\"", "\\\\\\\"", false),
            ("\\\"", "\\\\\\\\\\\"", true),
            ("\\\"", "\"", true),
            ("\\u0022", "\\u0022", true),
            ("%5C%22", "%5C%22", true),
            ("%5C%22", "%22", false),
            ("&quot;", "&quot;", true),
            ("&quot;", "\"", true),
            ("%22", "&quot;", false),
        ] {
            assert_eq!(quote(close).closes(quote(open)), expected, "{open} {close}");
        }
    }
}
