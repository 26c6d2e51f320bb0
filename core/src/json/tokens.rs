//! Iterates over the strings, numbers, and braces of a JSON text with their positions, without recursion.

use core::ops::Range;

use super::lexer::{Lexer, ParseError, Value};
use super::string::JsonStr;

/// A name, string, or number of a body, or a brace.
#[derive(Clone, Copy)]
pub(crate) enum Token<'a> {
    ObjectStart,
    ObjectEnd,
    /// A member's name.
    Name(JsonStr<'a>),
    /// A string value.
    String(JsonStr<'a>),
    /// A number as in the text.
    Number(&'a str),
}

/// Iterates over the tokens of a valid JSON text. Nesting needs no memory, because a name is a
/// string before a colon.
pub(crate) struct Tokens<'a> {
    lexer: Lexer<'a>,
    len: usize,
    is_failed: bool,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Tokens {
            lexer: Lexer::new(text, usize::MAX),
            len: text.len(),
            is_failed: false,
        }
    }

    /// Reads the complete value at the cursor, which is after a name, and returns it with its
    /// range.
    pub(crate) fn value(&mut self) -> Option<(Value<'a>, Range<usize>)> {
        self.lexer.skip_whitespace();
        let start = self.lexer.at;
        let value = self.lexer.value();
        Some((self.valid(value)?, start..self.lexer.at))
    }

    /// Moves to the value after a name. Returns its position.
    pub(crate) fn value_start(&mut self) -> usize {
        self.lexer.skip_whitespace();
        self.lexer.at
    }

    /// Reads the value at the cursor, which is after a name, unless it is an object or array.
    pub(crate) fn scalar(&mut self) -> Option<(Value<'a>, Range<usize>)> {
        self.lexer.skip_whitespace();
        match self.lexer.peek() {
            b'{' | b'[' => None,
            _ => self.value(),
        }
    }

    /// Checks if the text is not valid JSON, so that its end was not reached.
    pub(crate) fn is_failed(&self) -> bool {
        self.is_failed
    }

    fn valid<T>(&mut self, result: Result<T, ParseError>) -> Option<T> {
        self.is_failed |= result.is_err();
        result.ok()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (Token<'a>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        while self.lexer.at < self.len {
            let start = self.lexer.at;
            match self.lexer.peek() {
                b'"' => {
                    let string = self.lexer.name_or_string();
                    let (text, end, is_name) = self.valid(string)?;
                    return Some((
                        if is_name {
                            Token::Name(text)
                        } else {
                            Token::String(text)
                        },
                        start..end,
                    ));
                }
                b'-' | b'0'..=b'9' => {
                    let number = self.lexer.number();
                    let number = self.valid(number)?;
                    return Some((Token::Number(number), start..self.lexer.at));
                }
                brace @ (b'{' | b'}') => {
                    self.lexer.advance();
                    let token = if brace == b'{' {
                        Token::ObjectStart
                    } else {
                        Token::ObjectEnd
                    };
                    return Some((token, start..self.lexer.at));
                }
                _ => self.lexer.advance(),
            }
        }
        None
    }
}
