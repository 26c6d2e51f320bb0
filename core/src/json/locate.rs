//! Locates a value in a JSON text by its JSON Pointer.

use alloc::string::String;
use core::ops::Range;

use super::lexer::{Lexer, ParseError};

/// The range of a value, and the range of its member's name.
pub(crate) type ValueRange = (Range<usize>, Option<Range<usize>>);

/// Locates the value at an RFC 6901 pointer. `text` must be valid JSON.
///
/// Reads the values before it once, and the value itself once. Nesting does not use the stack.
pub(crate) fn locate(text: &str, pointer: &str) -> Option<ValueRange> {
    find(text, pointer).ok().flatten()
}

fn find(text: &str, pointer: &str) -> Result<Option<ValueRange>, ParseError> {
    let mut lexer = Lexer::new(text, usize::MAX);
    lexer.skip_whitespace();
    let mut name = None;
    for token in pointer.split('/').skip(1) {
        name = match lexer.peek() {
            b'{' => match enter_member(&mut lexer, &unescaped(token))? {
                Some(name) => Some(name),
                None => return Ok(None),
            },
            b'[' if enter_item(&mut lexer, token)? => None,
            _ => return Ok(None),
        };
    }
    let start = lexer.at;
    lexer.value()?;
    Ok(Some((start..lexer.at, name)))
}

/// Returns a reference token of RFC 6901 without its escapes. `~01` is `~1`, so `~1` is first.
fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// Moves to the value of the first member with this name, and returns the range of the name.
fn enter_member(lexer: &mut Lexer<'_>, key: &str) -> Result<Option<Range<usize>>, ParseError> {
    lexer.open()?;
    while lexer.peek() == b'"' {
        let start = lexer.at;
        let name = lexer.name()?;
        if name.is(key) {
            // The name and its two quotes. The lexer is behind the colon and the whitespace around it.
            let length = name.raw().len().saturating_add(2);
            return Ok(Some(start..start.saturating_add(length)));
        }
        lexer.value()?;
        lexer.skip_comma();
    }
    Ok(None)
}

/// Moves to an item, if the token is the index of one: decimal without leading zeros. `-` is the
/// position after the last item.
fn enter_item(lexer: &mut Lexer<'_>, token: &str) -> Result<bool, ParseError> {
    let is_index =
        token == "0" || !token.starts_with('0') && token.bytes().all(|byte| byte.is_ascii_digit());
    let Some(index) = token.parse::<usize>().ok().filter(|_| is_index) else {
        return Ok(false);
    };
    lexer.open()?;
    for _ in 0..index {
        if lexer.peek() == b']' {
            return Ok(false);
        }
        lexer.value()?;
        lexer.skip_comma();
    }
    Ok(lexer.peek() != b']')
}
