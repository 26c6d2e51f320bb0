//! Iterates over the strings and numbers of a JSON text with their positions, without recursion.

use core::ops::Range;

use super::lexer::{Lexer, Value};
use super::string::JsonStr;

/// A name, string or number of a body.
#[derive(Clone, Copy)]
pub(crate) enum Token<'a> {
    /// A member's name.
    Name(JsonStr<'a>),
    /// A string value.
    String(JsonStr<'a>),
    /// A number as in the text.
    Number(&'a str),
}

/// Iterates over the tokens of a valid JSON text. Nesting needs no memory, because a name is a string before a colon.
pub(crate) struct Tokens<'a> {
    lexer: Lexer<'a>,
    len: usize,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Tokens { lexer: Lexer::new(text, usize::MAX), len: text.len() }
    }

    /// Reads the complete value at the cursor, which is after a name, and returns it with its range.
    pub(crate) fn value(&mut self) -> Option<(Value<'a>, Range<usize>)> {
        self.lexer.skip_whitespace();
        let start = self.lexer.at();
        let value = self.lexer.value().ok()?;
        Some((value, start..self.lexer.at()))
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (Token<'a>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        while self.lexer.at() < self.len {
            match self.lexer.peek() {
                b'"' => {
                    let start = self.lexer.at();
                    self.lexer.advance();
                    let text = self.lexer.string().ok()?;
                    let range = start..self.lexer.at();
                    self.lexer.skip_whitespace();
                    if self.lexer.peek() == b':' {
                        self.lexer.advance();
                        return Some((Token::Name(text), range));
                    }
                    return Some((Token::String(text), range));
                }
                b'-' | b'0'..=b'9' => {
                    let start = self.lexer.at();
                    let number = self.lexer.value().ok()?;
                    if let Value::Number(digits) = number {
                        return Some((Token::Number(digits), start..self.lexer.at()));
                    }
                }
                _ => self.lexer.advance(),
            }
        }
        None
    }
}
