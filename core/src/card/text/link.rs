//! What connects the name of card data with its value.

use super::escapes::COLOR;
use super::quote::Quote;
use super::symbol::Cursor;
use super::wrapper::skip_path_separator;

/// How a value follows a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// `name=value`, `"name": "value"`, `name => value`.
    Member,
    /// `<name>value</name>`.
    Element,
    /// `name value`, in which the value may as well be the next word.
    Space,
}

/// The maximum number of characters of the attributes of an element, and of what PHP prints
/// between a name and its bracket.
const MAX_ATTRIBUTES: usize = 256;
const MAX_VISIBILITY: usize = 40;

/// What follows a name, up to its value.
pub(super) struct NameEnd<'t> {
    pub(super) link: Link,
    /// The quote after the name, which a value without quotes receives, so that JSON stays valid.
    pub(super) quote: Option<Quote<'t>>,
    /// Set if the value may be on the next line, because the name is in quotes or brackets.
    pub(super) is_enclosed: bool,
}

impl<'t> NameEnd<'t> {
    /// Reads what follows a name. Without a value after it, the result is `None`.
    ///
    /// `before` are the two characters before the name.
    pub(super) fn read(cursor: &mut Cursor<'t>, before: [char; 2]) -> Option<Self> {
        let mut end = NameEnd {
            link: Link::Element,
            quote: None,
            is_enclosed: false,
        };
        let [first, last] = before;
        if last == '<' && skip_tag(cursor, first.is_alphanumeric()) {
            return Some(end);
        }
        end.quote = Quote::read(cursor);
        let is_in_bracket = matches!(before, [_, '['] | ['[', '"']);
        let is_bracketed = is_in_bracket && skip_visibility(cursor) || skip_brackets(cursor);
        end.is_enclosed = end.quote.is_some() || is_bracketed;
        skip_point(cursor);
        let start = cursor.at();
        // Line breaks count only after enclosed names.
        let is_blank = if end.is_enclosed {
            is_blank_or_line_break
        } else {
            is_blank
        };
        cursor.accept_all(is_blank);
        end.link = if skip_separator(cursor) {
            Link::Member
        } else if cursor.at() > start && !is_bracketed {
            Link::Space
        } else {
            return None;
        };
        cursor.accept_all(is_blank);
        Some(end)
    }
}

/// Checks if a character is a space, a tab, or a color.
fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | COLOR)
}

fn is_blank_or_line_break(character: char) -> bool {
    is_blank(character) || matches!(character, '\r' | '\n')
}

/// Moves past the separator between a name and its value: `:`, `=`, `=>`, `:=`, and those of
/// full-width texts. PHP serializes `"name";` and the type of the value.
fn skip_separator(cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    // In `payments::cvv::check`, the name is that of a module.
    if skip_path_separator(&mut ahead) {
        return false;
    }
    if cursor.accept_all(|next| matches!(next, ':' | '=' | '：' | '＝')) {
        cursor.accept_all(|next| next == '>');
        return true;
    }
    let mut ahead = *cursor;
    let is_serialized = ahead.accept(|next| next == ';')
        && ahead.accept(|next| matches!(next, 's' | 'i' | 'd'))
        && ahead.accept(|next| next == ':');
    if is_serialized {
        let number = ahead;
        ahead.accept_all(|next| next == ':' || next.is_ascii_digit());
        *cursor = if Quote::is_at(ahead) { ahead } else { number };
    }
    is_serialized
}

/// Moves past the point of an abbreviation before a separator: `Card No.: 4111…`.
fn skip_point(cursor: &mut Cursor<'_>) {
    let mut ahead = *cursor;
    if ahead.accept(|next| next == '.') && matches!(ahead.peek(), Some(':' | '=')) {
        *cursor = ahead;
    }
}

/// Moves to the end of a tag, after the name of its element. Directly after a word, the tag may be
/// a type, as in `Option<Cvv>`, so the element must have an end.
fn skip_tag(cursor: &mut Cursor<'_>, is_after_word: bool) -> bool {
    let mut tag = *cursor;
    if tag.accept(|next| next == '>') {
        let mut content = tag;
        content.accept_all(|next| next != '<');
        let is_closed = content.accept(|next| next == '<') && content.peek() == Some('/');
        if is_closed || !is_after_word {
            *cursor = tag;
        }
        return is_closed || !is_after_word;
    }
    if !tag.accept(|next| next.is_ascii_whitespace()) {
        return false;
    }
    let (mut last, mut has_attributes, mut is_empty) = (' ', false, true);
    for symbol in tag.by_ref().take(MAX_ATTRIBUTES) {
        match symbol.character {
            // `<Cvv 123>` is an object of a program.
            '>' if !matches!(last, '/' | '=') && (has_attributes || is_empty) => {
                cursor.move_to(symbol.end);
                return true;
            }
            '<' | '>' => return false,
            other => last = other,
        }
        has_attributes |= last == '=';
        is_empty &= last.is_ascii_whitespace();
    }
    false
}

/// Moves past the visibility of a property in the output of PHP, `:protected]`, before an arrow.
fn skip_visibility(cursor: &mut Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    if !ahead.accept(|next| next == ':') {
        return false;
    }
    let mut is_in_bracket = ahead
        .by_ref()
        .take(MAX_VISIBILITY)
        .map(|symbol| symbol.character)
        .skip_while(|next| next.is_ascii_alphanumeric() || matches!(next, ':' | '"' | '\\' | '_'));
    let is_closed = is_in_bracket.next() == Some(']');
    let after = ahead;
    ahead.accept_all(|next| next == ' ');
    let is_arrow = ahead.accept(|next| next == '=') && ahead.accept(|next| next == '>');
    if is_closed && is_arrow {
        *cursor = after;
    }
    is_closed && is_arrow
}

/// Moves past closing brackets, each after a quote or not, the indices of lists, as in
/// `card[cvv][0]`, and the stars of bold names.
fn skip_brackets(cursor: &mut Cursor<'_>) -> bool {
    let start = cursor.at();
    loop {
        let mut ahead = *cursor;
        Quote::read(&mut ahead);
        if ahead.accept(|next| next == '[') {
            ahead.accept_all(|next| next.is_ascii_digit());
        }
        if !ahead.accept(|next| matches!(next, ']' | '}' | ')')) {
            break;
        }
        *cursor = ahead;
    }
    let is_bracketed = cursor.at() > start;
    cursor.accept_all(|next| next == '*');
    is_bracketed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connects_names_with_values() {
        use Link::{Element, Member, Space};
        for (after, link) in [
            ("=123", Member),
            (": 123", Member),
            ("\": 123", Member),
            ("\\\":123", Member),
            ("&quot;:123", Member),
            (" => 123", Member),
            (":=123", Member),
            ("%3D123", Member),
            ("\\u003d123", Member),
            ("：123", Member),
            ("]=123", Member),
            ("%5D=123", Member),
            ("']=123", Member),
            ("\"]=>\n  123", Member),
            (":protected] => 123", Member),
            ("\":\"Card\":private]=>123", Member),
            ("'} = 123", Member),
            ("\u{1B}[0m=\u{1B}[31m123", Member),
            ("**: 123", Member),
            (".: 123", Member),
            ("[]=123", Member),
            ("][0]=123", Member),
            ("\";i:123", Member),
            (">123", Element),
            ("&gt;123", Element),
            (" type=\"a\">123", Element),
            (" 123", Space),
            ("\" 123", Space),
        ] {
            let mut cursor = Cursor::new(after.as_bytes(), 0);
            let before = if after.contains(']') && !after.contains("[]") {
                ['[', '"']
            } else {
                [' ', '<']
            };
            let end = NameEnd::read(&mut cursor, before).unwrap();
            assert_eq!(end.link, link, "{after}");
            assert_eq!(after.get(cursor.at()..), Some("123"), "{after}");
        }
        for after in [
            ",123", "", "(123", "\",123", "/>123", ".123", "::123", ">123", "->123",
        ] {
            let mut cursor = Cursor::new(after.as_bytes(), 0);
            assert!(NameEnd::read(&mut cursor, [' '; 2]).is_none(), "{after}");
        }
        for (before, after, is_element) in [
            (['<', '/'], ">123", false),
            (['n', '<'], "> loaded 123", false),
            (['n', '<'], ">123</cvv>", true),
        ] {
            let mut cursor = Cursor::new(after.as_bytes(), 0);
            let end = NameEnd::read(&mut cursor, before);
            assert_eq!(end.is_some(), is_element, "{after}");
        }
    }
}
