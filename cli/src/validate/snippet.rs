//! The line of a body that a report shows, with secrets masked.

use std::ops::Range;

use payspec::Engine;

/// A line with a marked range.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) marked: Range<usize>,
    pub(super) label: Option<String>,
}

/// Runs of at least so many digits are masked in a body that is not JSON.
const MASKED_DIGITS: usize = 3;

impl Line {
    /// Returns the line in which the range begins. A range over several lines ends with the line.
    pub(super) fn of(text: &str, range: Range<usize>, label: Option<String>) -> Self {
        let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[range.start..]
            .find('\n')
            .map_or(text.len(), |at| range.start + at);
        let line = text[start..end].trim_end_matches('\r');
        let at = |offset: usize| (offset - start).min(line.len());
        Line {
            text: line.to_owned(),
            marked: at(range.start)..at(range.end),
            label,
        }
    }

    /// Cuts the line after the marked range: the renderer needs no more of it than the terminal
    /// shows.
    pub(super) fn cut(self, width: usize) -> Self {
        let Line {
            mut text,
            marked,
            label,
        } = self;
        // A value that fills the terminal leaves no space for its surroundings.
        let most = text[marked.start..]
            .char_indices()
            .nth(width / 2)
            .map_or(text.len(), |(at, _)| marked.start + at);
        let marked = marked.start..marked.end.min(most);
        if let Some((end, _)) = text[marked.end..].char_indices().nth(width) {
            text.truncate(marked.end + end);
        }
        Line {
            text,
            marked,
            label,
        }
    }

    /// Returns the column of the marked range, from 1, in characters.
    pub(super) fn column(&self) -> u64 {
        self.text[..self.marked.start].chars().count() as u64 + 1
    }
}

/// Returns the line of a syntax error in a body that is not JSON.
///
/// Its members are not known, so that every number that may be a security code is masked.
pub(super) fn of_text(engine: &Engine, body: &[u8], line: u64, column: u64) -> Option<Line> {
    let text = String::from_utf8_lossy(body);
    let index = usize::try_from(line).ok()?.checked_sub(1)?;
    let original = text.split('\n').nth(index)?;
    let offset = original
        .char_indices()
        .nth(usize::try_from(column).ok()?.checked_sub(1)?);
    let offset = offset.map_or(original.len(), |(at, _)| at);
    let redacted = engine.redact_text(&text);
    // A value over several lines becomes one line, and the numbers of the lines after it change.
    if redacted.matches('\n').count() != text.matches('\n').count() {
        return None;
    }
    let redacted = redacted.split('\n').nth(index)?;
    let (before, after) = original.split_at(offset);
    let marked = if redacted.starts_with(before)
        || redacted.len() == original.len() && redacted.is_char_boundary(offset)
    {
        offset
    } else if redacted.ends_with(after) {
        redacted.len() - after.len()
    } else {
        0
    };
    let length = redacted[marked..].chars().next().map_or(0, char::len_utf8);
    Some(Line {
        text: mask_digits(redacted.trim_end_matches('\r')),
        marked: marked..marked + length,
        label: None,
    })
}

/// Replaces long runs of digits with stars. The length of the text does not change.
fn mask_digits(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let length = rest[start..]
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len() - start);
        out.push_str(&rest[..start]);
        let digits = &rest[start..start + length];
        if length >= MASKED_DIGITS {
            out.extend(std::iter::repeat_n('*', length))
        } else {
            out.push_str(digits)
        }
        rest = &rest[start + length..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_at_characters() {
        let text = format!("{}[x]{}", "я".repeat(10), "я".repeat(1000));
        let line = Line::of(&text, 20..23, None).cut(20);
        assert_eq!(
            (&line.text[line.marked.clone()], line.column()),
            ("[x]", 11)
        );
        assert_eq!(line.text.chars().count(), 33);
        let line = Line::of(&text, 20..text.len(), None).cut(20);
        assert_eq!(
            (line.marked.clone(), line.text.chars().count()),
            (20..37, 40)
        );
        let whole = Line::of("ab\r\ncd", 0..5, None).cut(20);
        assert_eq!((whole.text.as_str(), whole.marked), ("ab", 0..2));
    }

    #[test]
    fn masks_what_may_be_a_security_code() {
        let engine = Engine::default();
        let body = b"{\"cvv\" 7391,\n\"amount\": 12 \"pan\":4111111111111111 x}";
        let line = of_text(&engine, body, 1, 8).unwrap();
        assert_eq!((line.text.as_str(), line.marked), ("{\"cvv\" ***,", 7..8));
        let line = of_text(&engine, body, 2, 14).unwrap();
        assert!(
            !line.text.contains("111") && line.text.contains("12"),
            "{}",
            line.text
        );
    }
}
