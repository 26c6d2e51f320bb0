//! The strings and numbers of a JSON text in one flat walk, with the place where each stands.

use core::ops::Range;

use super::lexer::{Lexer, Value};
use super::string::JsonStr;

/// A piece of text that came off the wire.
#[derive(Clone, Copy)]
pub(crate) enum Token<'a> {
    /// A member's name.
    Name(JsonStr<'a>),
    /// A string that is a value.
    String(JsonStr<'a>),
    /// A number as written.
    Number(&'a str),
}

/// Walks a JSON text whose syntax is known to be sound. Nesting needs no memory: a name is a string before a colon.
pub(crate) struct Tokens<'a> {
    lexer: Lexer<'a>,
    len: usize,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Tokens { lexer: Lexer::new(text, usize::MAX), len: text.len() }
    }

    /// Takes the whole value at the cursor, behind a name: what it is and where it stands.
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
                    let place = start..self.lexer.at();
                    self.lexer.skip_whitespace();
                    if self.lexer.peek() == b':' {
                        self.lexer.advance();
                        return Some((Token::Name(text), place));
                    }
                    return Some((Token::String(text), place));
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
