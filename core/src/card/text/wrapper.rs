//! What languages print around a value: `Some("123")`, `b'123'`, `string(3) "123"`,
//! `NumberLong("123")`, `CardCode{value="123"}`, `<![CDATA[123]]>`.

use super::quote::Quote;
use super::symbol::Cursor;
use crate::util::inline_vec::InlineVec;

/// The maximum number of wrappers around one value.
const MAX_WRAPPERS: usize = 4;

/// The maximum number of characters of a name in a wrapper, and of what is in parentheses before a
/// value.
const MAX_WORD: usize = 40;

/// The wrappers before the value that was read last.
///
/// Names within wrappers have wrappers in common: in `cid=(cid=(cid=(1`, those of the second name
/// are the last ones of the first name. Each is read once.
#[derive(Default)]
pub(super) struct Wrappers {
    is_element: bool,
    /// The beginning of the first wrapper, and the end of each.
    ends: InlineVec<usize, { MAX_WRAPPERS + 1 }>,
}

impl Wrappers {
    /// Moves past all wrappers before a value. Returns whether there is one.
    pub(super) fn skip(&mut self, cursor: &mut Cursor<'_>, is_element: bool) -> bool {
        let start = cursor.at();
        let known = self.ends.iter().position(|end| *end == start);
        match known.filter(|_| self.is_element == is_element) {
            Some(before) => drop(self.ends.drain(..before)),
            None => {
                self.ends.clear();
                self.ends.push(start);
            }
        }
        self.is_element = is_element;
        cursor.move_to(self.ends.last().copied().unwrap_or(start));
        while self.ends.len() <= MAX_WRAPPERS {
            let after = if is_element {
                after_element(*cursor)
            } else {
                after_wrapper(*cursor)
            };
            let Some(after) = after else {
                break;
            };
            self.ends.push(after.at());
            *cursor = after;
        }
        cursor.at() > start
    }
}

/// Reads one wrapper, with or without a word before its bracket or quote.
fn after_wrapper(cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    let mut after = cursor;
    if after.accept(|next| matches!(next, '&' | '*' | '@' | '#')) {
        return after_sign(after);
    }
    let is_named = skip_word(&mut after);
    match after.peek()? {
        '(' => after_type(after, is_named).or_else(|| after_bracket(after)),
        '{' | '[' if is_named => after_bracket(after),
        // Erlang writes `<<"123">>`.
        '<' if is_named => after_bracket(after),
        '<' => {
            after.accept_char('<')?;
            (after.peek() != Some('/')).then_some(after)
        }
        _ if is_named => after_prefix(after, cursor.text.get(cursor.at()..after.at())?),
        _ => None,
    }
}

/// Reads what follows the sign of a reference or object: `&"123"` in Go, `#<Cvv 123>` in Ruby.
fn after_sign(mut cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    if Quote::is_at(cursor) {
        return Some(cursor);
    }
    cursor.accept_char('<')?;
    skip_word(&mut cursor).then_some(())?;
    cursor.accept_char(' ')?;
    Some(cursor)
}

/// Reads a type or length in parentheses before a value: `string(3) "123"`, `(string) (len=3) "123"`.
/// A mask in parentheses is a value, before which another text may follow.
fn after_type(mut cursor: Cursor<'_>, is_named: bool) -> Option<Cursor<'_>> {
    cursor.accept_char('(')?;
    if !is_named && !skip_word(&mut cursor) {
        return None;
    }
    let inside = cursor.by_ref().take(MAX_WORD);
    inside
        .map(|symbol| symbol.character)
        .take_while(|character| !matches!(character, '"' | '\'' | '`' | '\n' | '(' | '*'))
        .find(|character| *character == ')')?;
    cursor.accept_char(' ')?;
    (cursor.peek() == Some('(') || Quote::is_at(cursor)).then_some(cursor)
}

/// Reads a bracket, and the name of a member in it: `Some(`, `CardCode{value=`.
fn after_bracket(mut cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    cursor.next()?;
    cursor.accept_all(is_space);
    let mut member = cursor;
    if skip_word(&mut member) && member.accept(|next| matches!(next, '=' | ':')) {
        member.accept_all(is_space);
        return Some(member);
    }
    Some(cursor)
}

/// Reads what is directly before a quote: `b'123'`, `Just "123"`, and `s:3:"123"`, which PHP has
/// serialized.
fn after_prefix<'t>(mut cursor: Cursor<'t>, word: &[u8]) -> Option<Cursor<'t>> {
    match word {
        b"Just" | b"Some" => cursor.accept_char(' ')?,
        b"s" if cursor.peek() == Some(':') => {
            cursor.accept_all(|next| next == ':' || next.is_ascii_digit());
        }
        letters if letters.len() <= 2 => {}
        _ => return None,
    }
    Quote::is_at(cursor).then_some(cursor)
}

/// Reads an element in an element, or the beginning of a CDATA section.
fn after_element(mut cursor: Cursor<'_>) -> Option<Cursor<'_>> {
    cursor.accept_char('<')?;
    if cursor.accept_char('!').is_some() {
        cursor.accept_char('[')?;
        skip_word(&mut cursor);
        cursor.accept_char('[')?;
    } else {
        skip_word(&mut cursor).then_some(())?;
        cursor.accept_char('>')?;
    }
    cursor.accept_all(is_space);
    Some(cursor)
}

/// Moves past a name of a type, function, or member, which does not begin with a digit. Returns
/// whether there is one.
fn skip_word(cursor: &mut Cursor<'_>) -> bool {
    let is_part = |next: char| next.is_ascii_alphanumeric() || matches!(next, '_' | '.' | '$');
    if !cursor.accept(|next| is_part(next) && !next.is_ascii_digit()) {
        return false;
    }
    for _ in 0..MAX_WORD {
        if !cursor.accept(is_part) && !skip_path_separator(cursor) {
            break;
        }
    }
    true
}

/// Moves past `::`. Returns whether it is there.
pub(super) fn skip_path_separator(cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    let is_there = ahead.accept(|next| next == ':') && ahead.accept(|next| next == ':');
    if is_there {
        *cursor = ahead;
    }
    is_there
}

/// Checks if a character is whitespace, which may be in wrappers.
pub(super) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skips_what_languages_print() {
        for (text, value) in [
            ("Some(\"123\")", "\"123\")"),
            ("Optional(\"123\")", "\"123\")"),
            ("Some(Some(123))", "123))"),
            ("Some(\n    \"123\",\n)", "\"123\",\n)"),
            ("b'123'", "'123'"),
            ("u8\"123\"", "\"123\""),
            ("string(3) \"123\"", "\"123\""),
            ("(string) (len=3) \"123\"", "\"123\""),
            ("int(123)", "123)"),
            ("NumberLong(\"123\")", "\"123\")"),
            ("np.int64(123)", "123)"),
            ("std::optional<int>(123)", "int>(123)"),
            ("CardCode{value=\"123\"}", "\"123\"}"),
            (
                "sql.NullString{String:\"123\", Valid:true}",
                "\"123\", Valid:true}",
            ),
            ("Optional[123]", "123]"),
            ("Just \"123\"", "\"123\""),
            ("s:3:\"123\"", "\"123\""),
            ("<<\"123\">>", "\"123\">>"),
            ("(123)", "123)"),
            ("&\"123\"", "\"123\""),
            ("#<Cvv 123>", "123>"),
            ("<123>", "123>"),
            ("<nil> x", "nil> x"),
            ("(123) \"x\"", "123) \"x\""),
            ("f(***) \"x\"", "***) \"x\""),
            ("Secret&quot;123&quot;", "Secret&quot;123&quot;"),
            ("123", "123"),
            ("{\"a\":1}", "{\"a\":1}"),
            ("[1]", "[1]"),
            ("word", "word"),
            ("", ""),
        ] {
            let mut cursor = Cursor::new(text.as_bytes(), 0);
            let is_wrapped = Wrappers::default().skip(&mut cursor, false);
            let rest = text.get(cursor.at()..);
            assert_eq!(
                (rest, is_wrapped),
                (Some(value), value.len() < text.len()),
                "{text}"
            );
        }
    }

    #[test]
    fn wrappers_in_common_are_read_once_with_the_same_result() {
        for part in ["(cid=", "Some(", "<a>", "<![CDATA[", "a{b:", "s:3:"] {
            let text = part.repeat(8);
            let mut shared = Wrappers::default();
            for start in 0..text.len() {
                for is_element in [false, true] {
                    let mut first = Cursor::new(text.as_bytes(), start);
                    let mut second = first;
                    shared.skip(&mut first, is_element);
                    Wrappers::default().skip(&mut second, is_element);
                    assert_eq!(first.at(), second.at(), "{text} from {start}");
                }
            }
        }
    }

    #[test]
    fn skips_markup_in_elements() {
        for (text, value) in [
            ("<![CDATA[123]]>", "123]]>"),
            ("<Value>123</Value>", "123</Value>"),
            ("</Cvv>", "</Cvv>"),
        ] {
            let mut cursor = Cursor::new(text.as_bytes(), 0);
            Wrappers::default().skip(&mut cursor, true);
            assert_eq!(text.get(cursor.at()..), Some(value), "{text}");
        }
    }
}
