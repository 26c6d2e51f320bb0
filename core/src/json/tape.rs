//! A JSON text as one list of values, for code that reads every value in another order. Each byte
//! is read once, at any depth.

use super::lexer::{Lexer, ParseError, Value};
use super::string::JsonStr;
use crate::util::inline_vec::InlineVec;

/// A value or the name of a member, and its end.
pub(crate) struct Node<'a> {
    /// The value. An object or array is empty here, because its content follows as nodes.
    pub(crate) value: Value<'a>,
    /// The index after the last node within this one, or [`NAME`] for a name, whose value is the
    /// next node.
    ///
    /// While an object or array is being read, it is the index of the enclosing one, or [`NONE`].
    end: usize,
}

/// Marks a name. No value has this end, because every value ends after index 0.
const NAME: usize = 0;

/// Marks the root value, which has no enclosing one.
const NONE: usize = usize::MAX;

/// All values of a text, each before those within it, and each member's name before its value.
///
/// A request needs no heap: the list holds 64 values with their names.
#[derive(Default)]
pub(crate) struct Tape<'a>(InlineVec<Node<'a>, 128>);

impl<'a> Tape<'a> {
    /// Reads a text that is known to be valid.
    pub(crate) fn read(text: &'a str) -> Self {
        let mut tape = Tape::default();
        // Valid text cannot fail. For other text the tape is empty, because the open containers
        // would not have an end.
        if tape.read_nodes(&mut Lexer::new(text, usize::MAX)).is_err() {
            tape.0.clear();
        }
        tape
    }

    pub(crate) fn node(&self, index: usize) -> Option<&Node<'a>> {
        self.0.get(index)
    }

    /// Returns the value at the index, or null if the index is out of bounds.
    pub(crate) fn value(&self, index: usize) -> Value<'a> {
        self.node(index).map_or(Value::Null, |node| node.value)
    }

    /// Returns the indexes of the members' names or of the items of the value at `index`.
    pub(crate) fn within(&self, index: usize) -> impl Iterator<Item = usize> {
        let end = self.node(index).map_or(0, |node| node.end);
        core::iter::successors(index.checked_add(1), |index| self.after(*index))
            .take_while(move |index| *index < end)
    }

    /// Returns the index after a member or item.
    fn after(&self, index: usize) -> Option<usize> {
        let node = self.node(index)?;
        if node.is_name() {
            self.node(index.checked_add(1)?).map(|value| value.end)
        } else {
            Some(node.end)
        }
    }

    fn read_nodes(&mut self, lexer: &mut Lexer<'a>) -> Result<(), ParseError> {
        let nodes = &mut self.0;
        // The index of the innermost open object or array.
        let mut open = NONE;
        let mut is_in_object = false;
        lexer.skip_whitespace();
        loop {
            match lexer.peek() {
                b',' => lexer.advance(),
                b'}' | b']' => {
                    lexer.close();
                    let end = nodes.len();
                    let Some(node) = nodes.get_mut(open) else {
                        return lexer.syntax_error();
                    };
                    open = core::mem::replace(&mut node.end, end);
                    is_in_object = nodes
                        .get(open)
                        .is_some_and(|node| matches!(node.value, Value::Object(_)));
                }
                _ => {
                    if is_in_object {
                        nodes.push(Node {
                            value: Value::String(lexer.name()?),
                            end: NAME,
                        });
                    }
                    let index = nodes.len();
                    let first = lexer.peek();
                    if matches!(first, b'{' | b'[') {
                        lexer.open()?;
                        is_in_object = first == b'{';
                        let value = if is_in_object {
                            Value::Object("")
                        } else {
                            Value::Array("")
                        };
                        nodes.push(Node { value, end: open });
                        open = index;
                        continue;
                    }
                    nodes.push(Node {
                        value: lexer.value()?,
                        end: index.saturating_add(1),
                    });
                }
            }
            if open == NONE {
                return Ok(());
            }
            lexer.skip_whitespace();
        }
    }
}

impl<'a> Node<'a> {
    fn is_name(&self) -> bool {
        self.end == NAME
    }

    /// Returns the name, if the node is a member's name.
    pub(crate) fn name(&self) -> Option<JsonStr<'a>> {
        self.value.text().filter(|_| self.is_name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_names_items_and_values() {
        let tape = Tape::read(r#"{"a":"x","b":["y",{},[]],"c":{"d":{}},"e":1}"#);
        assert!(tape.within(0).eq([1, 3, 8, 12]));
        assert!(tape.within(4).eq([5, 6, 7]));
        assert!(tape.within(9).eq([10]));
        assert!(tape.within(6).chain(tape.within(7)).next().is_none());
        let is_name = |index: &usize| tape.node(*index).is_some_and(|node| node.name().is_some());
        assert!((0..20).filter(is_name).eq([1, 3, 8, 10, 12]));
    }

    #[test]
    fn returns_no_children_of_a_scalar() {
        for text in ["1", "null", r#""x""#, "[]", " {} "] {
            let tape = Tape::read(text);
            assert!(tape.node(0).is_some() && tape.node(1).is_none(), "{text}");
            assert!(tape.within(0).next().is_none(), "{text}");
        }
    }

    #[test]
    fn returns_nothing_for_invalid_text() {
        for text in ["", "[0,[[1", r#"{"a":{"b""#, "]"] {
            let tape = Tape::read(text);
            assert!(tape.node(0).is_none(), "{text}");
            assert!(tape.within(0).next().is_none(), "{text}");
        }
    }
}
