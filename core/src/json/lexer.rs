//! Splits bytes into JSON tokens in one forward pass, without recursion and with borrowed text.
//!
//! The lexer accepts exactly the grammar of RFC 8259 and repairs nothing. UTF-8 is checked once for
//! the body before it starts. Errors contain only a byte offset, so no value can leak into a
//! message.

#[cfg(test)]
mod tests;

use super::escape;
use super::integer::integer_value;
use super::kind::ValueKind;
use super::scanner::StringScanner;
use super::string::JsonStr;
use crate::util::bug::or_bug;

/// The reason why parsing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParseError {
    /// Invalid JSON at this byte.
    Syntax(usize),
    /// An object or array begins below the maximum depth.
    TooDeep,
}

/// A JSON value, borrowed from the text.
#[derive(Clone, Copy, Default)]
pub(crate) enum Value<'a> {
    /// The member is missing.
    #[default]
    Absent,
    Null,
    Bool(bool),
    /// The number as in the text.
    Number(&'a str),
    String(JsonStr<'a>),
    /// The array as in the text, including the brackets.
    Array(&'a str),
    /// The object as in the text, including the braces.
    Object(&'a str),
}

impl<'a> Value<'a> {
    /// Returns the JSON type, for `found` in a report.
    pub(crate) fn kind(self) -> ValueKind {
        match self {
            Value::Absent => ValueKind::Nothing,
            Value::Null => ValueKind::Null,
            Value::Bool(_) => ValueKind::Boolean,
            Value::Number(_) => ValueKind::Number,
            Value::String(_) => ValueKind::String,
            Value::Array(_) => ValueKind::Array,
            Value::Object(_) => ValueKind::Object,
        }
    }

    /// Checks if the value is neither absent nor null. In an optional member, null counts as
    /// absent.
    pub(crate) fn is_present(self) -> bool {
        !matches!(self, Value::Absent | Value::Null)
    }

    pub(crate) fn text(self) -> Option<JsonStr<'a>> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the value that a string denotes, if `parse` accepts it.
    #[inline]
    pub(crate) fn parsed<T>(self, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        self.text()?.with_decoded(parse)
    }

    /// Returns the value of a number that is an integer, if it fits.
    pub(crate) fn as_u64(self) -> Option<u64> {
        match self {
            Value::Number(digits) => integer_value(digits),
            _ => None,
        }
    }
}

#[derive(Clone)]
pub(crate) struct Lexer<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    /// The number of open objects and arrays around the value being read.
    depth: usize,
    limit: usize,
    pub(super) scanner: StringScanner,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str, limit: usize) -> Self {
        Lexer {
            text,
            at: 0,
            depth: 0,
            limit,
            scanner: StringScanner::new(text.as_bytes()),
        }
    }

    /// Returns the byte at the cursor, or 0 at the end. No JSON text contains 0 outside a string.
    #[inline]
    pub(crate) fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn advance(&mut self) {
        // Never wraps, because the cursor stays within a text in memory.
        self.at = self.at.wrapping_add(1);
    }

    pub(crate) fn syntax_error<T>(&self) -> Result<T, ParseError> {
        Err(ParseError::Syntax(self.at))
    }

    /// Returns the text from `start` to the cursor.
    #[inline]
    pub(crate) fn slice_from(&self, start: usize) -> &'a str {
        or_bug(self.text.get(start..self.at), "")
    }

    #[inline]
    pub(crate) fn skip_whitespace(&mut self) {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.advance();
        }
    }

    /// Reads `byte`, or fails at the cursor.
    #[inline]
    pub(crate) fn expect(&mut self, byte: u8) -> Result<(), ParseError> {
        if self.peek() == byte {
            self.advance();
            return Ok(());
        }
        self.syntax_error()
    }

    /// Checks that only whitespace follows.
    pub(crate) fn end(&mut self) -> Result<(), ParseError> {
        self.skip_whitespace();
        if self.at == self.text.len() {
            Ok(())
        } else {
            self.syntax_error()
        }
    }

    /// Enters the object or array at the cursor.
    #[inline]
    pub(crate) fn open(&mut self) -> Result<(), ParseError> {
        if self.depth >= self.limit {
            return Err(ParseError::TooDeep);
        }
        self.depth = self.depth.wrapping_add(1);
        self.advance();
        self.skip_whitespace();
        Ok(())
    }

    /// Leaves the object or array whose closing bracket is at the cursor.
    pub(crate) fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.advance();
    }

    /// Reads a member's name and its colon. The cursor ends on the value.
    pub(crate) fn name(&mut self) -> Result<JsonStr<'a>, ParseError> {
        self.expect(b'"')?;
        let name = self.string()?;
        self.colon()?;
        Ok(name)
    }

    /// Reads the string at the cursor. Returns it with its end, and whether it is a name, whose
    /// colon is read too.
    pub(super) fn name_or_string(&mut self) -> Result<(JsonStr<'a>, usize, bool), ParseError> {
        self.expect(b'"')?;
        let text = self.string()?;
        let end = self.at;
        self.skip_whitespace();
        let is_name = self.peek() == b':';
        if is_name {
            self.advance();
        }
        Ok((text, end, is_name))
    }

    /// Reads the colon after a name and the whitespace around it.
    #[inline]
    pub(crate) fn colon(&mut self) -> Result<(), ParseError> {
        self.skip_whitespace();
        self.expect(b':')?;
        self.skip_whitespace();
        Ok(())
    }

    /// Moves from the end of a value to the next member or item, or to the closing bracket.
    pub(super) fn skip_comma(&mut self) {
        self.skip_whitespace();
        if self.peek() == b',' {
            self.advance();
            self.skip_whitespace();
        }
    }

    /// Reads a value of any type. An object or array is read to its end and returned as text.
    #[inline]
    pub(crate) fn value(&mut self) -> Result<Value<'a>, ParseError> {
        match self.peek() {
            b'"' => {
                self.advance();
                Ok(Value::String(self.string()?))
            }
            b'{' => Ok(Value::Object(self.container()?)),
            b'[' => Ok(Value::Array(self.container()?)),
            _ => self.scalar(),
        }
    }
    fn scalar(&mut self) -> Result<Value<'a>, ParseError> {
        match self.peek() {
            b't' => self.literal("true").map(|()| Value::Bool(true)),
            b'f' => self.literal("false").map(|()| Value::Bool(false)),
            b'n' => self.literal("null").map(|()| Value::Null),
            _ => self.number().map(Value::Number),
        }
    }

    fn literal(&mut self, word: &str) -> Result<(), ParseError> {
        for byte in word.bytes() {
            self.expect(byte)?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), ParseError> {
        if !self.peek().is_ascii_digit() {
            return self.syntax_error();
        }
        while self.peek().is_ascii_digit() {
            self.advance();
        }
        Ok(())
    }
    pub(super) fn number(&mut self) -> Result<&'a str, ParseError> {
        let start = self.at;
        if self.peek() == b'-' {
            self.advance();
        }
        if self.peek() == b'0' {
            self.advance();
        } else {
            self.digits()?;
        }
        if self.peek() == b'.' {
            self.advance();
            self.digits()?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.advance();
            if matches!(self.peek(), b'+' | b'-') {
                self.advance();
            }
            self.digits()?;
        }
        Ok(self.slice_from(start))
    }

    /// Reads the rest of a string whose opening quote is before the cursor.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<JsonStr<'a>, ParseError> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let end = self.scanner.next(bytes, start);
        if bytes.get(end) != Some(&b'"') {
            return self.unusual_string(start, end);
        }
        self.at = end.wrapping_add(1);
        Ok(JsonStr::new(or_bug(self.text.get(start..end), ""), false))
    }

    /// Reads a string that contains an escape or does not end. `end` is the first terminator that
    /// is not a quote.
    #[cold]
    fn unusual_string(&mut self, start: usize, end: usize) -> Result<JsonStr<'a>, ParseError> {
        self.at = end;
        loop {
            match self.peek() {
                b'"' => {
                    let raw = self.slice_from(start);
                    self.advance();
                    return Ok(JsonStr::new(raw, true));
                }
                b'\\' => {
                    match escape::decode(self.text.as_bytes().get(self.at..).unwrap_or_default()) {
                        Ok((_, len)) => self.at = self.at.wrapping_add(len),
                        Err(offset) => {
                            return Err(ParseError::Syntax(self.at.wrapping_add(offset)));
                        }
                    }
                }
                _ => return self.syntax_error(),
            }
            if self.peek() != b'\\' {
                self.at = self.scanner.next(self.text.as_bytes(), self.at);
            }
        }
    }

    /// Reads the object or array at the cursor. Checks only syntax and depth.
    fn container(&mut self) -> Result<&'a str, ParseError> {
        let start = self.at;
        let mut nesting = Nesting::default();
        loop {
            // The cursor is on the first byte of a value.
            let open = self.peek();
            if matches!(open, b'{' | b'[') {
                self.open()?;
                nesting.push(open == b'{');
                if self.peek() != closing(open) {
                    if open == b'{' {
                        self.name()?;
                    }
                    continue;
                }
            } else if open == b'"' {
                self.advance();
                self.string()?;
                self.skip_whitespace();
            } else {
                self.scalar()?;
                self.skip_whitespace();
            }
            // The cursor is after a value, or on the bracket that closes an empty container.
            loop {
                let object = nesting.top();
                match self.peek() {
                    b',' => {
                        self.advance();
                        self.skip_whitespace();
                        if object {
                            self.name()?;
                        }
                        break;
                    }
                    byte if byte == closing(if object { b'{' } else { b'[' }) => {
                        self.close();
                        if nesting.pop() {
                            return Ok(self.slice_from(start));
                        }
                        self.skip_whitespace();
                    }
                    _ => return self.syntax_error(),
                }
            }
        }
    }
}

fn closing(open: u8) -> u8 {
    if open == b'{' { b'}' } else { b']' }
}

/// The open brackets, one bit each: the innermost ones here, the others on the heap. An array with
/// a million levels must not use the stack.
#[derive(Default)]
struct Nesting {
    bits: u64,
    outer: alloc::vec::Vec<u64>,
    depth: usize,
}

impl Nesting {
    fn push(&mut self, object: bool) {
        if self.depth != 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.bits);
        }
        self.bits = self.bits << 1 | u64::from(object);
        self.depth = self.depth.wrapping_add(1);
    }

    /// Checks if the innermost open container is an object.
    fn top(&self) -> bool {
        self.bits & 1 == 1
    }

    /// Closes the innermost container. Returns true if it was the outermost one.
    fn pop(&mut self) -> bool {
        self.depth = self.depth.saturating_sub(1);
        self.bits >>= 1;
        if self.depth != 0 && self.depth.is_multiple_of(64) {
            self.bits = self.outer.pop().unwrap_or(0);
        }
        self.depth == 0
    }
}
