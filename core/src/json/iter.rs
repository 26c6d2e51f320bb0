//! Iterates over the members of an object and the items of an array, without a schema.

use super::lexer::{Lexer, Value};
use super::string::JsonStr;

/// Iterates over the members of an object without a schema, in their order. The text must be valid.
pub(crate) fn members(object: &str) -> Members<'_> {
    Members(inside(object))
}

/// Iterates over the items of an array, in their order. The text must be valid.
pub(crate) fn items(array: &str) -> Items<'_> {
    Items(inside(array))
}

/// Returns the value of the first member with this name, or `Absent`. The text must be valid.
pub(crate) fn member<'a>(object: &'a str, name: &str) -> Value<'a> {
    members(object)
        .find(|(known, _)| known.is(name))
        .map_or(Value::Absent, |(_, value)| value)
}

pub(crate) struct Members<'a>(Lexer<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = (JsonStr<'a>, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.peek() != b'"' {
            return None;
        }
        // Valid text cannot fail. In other text, the members before the error are still correct.
        let name = self.0.name().ok()?;
        let value = self.0.value().ok()?;
        self.0.skip_comma();
        Some((name, value))
    }
}

pub(crate) struct Items<'a>(Lexer<'a>);

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.peek() == b']' {
            return None;
        }
        let value = self.0.value().ok()?;
        self.0.skip_comma();
        Some(value)
    }
}

/// Returns a lexer after the opening bracket of a value. Only a complete body may have whitespace
/// before it.
fn inside(value: &str) -> Lexer<'_> {
    let mut lexer = Lexer::new(value, usize::MAX);
    lexer.skip_whitespace();
    // Cannot fail: there is no depth limit, and the text is valid.
    let _ = lexer.open();
    lexer
}
