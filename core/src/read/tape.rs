//! A whole JSON text as one list, for whoever looks at every value in an order of its own. Each byte is read once, however
//! deep the values nest.

use super::lexer::{Fault, Lexer, Value};
use super::text::Text;
use crate::list::List;

/// A value and its place among the others.
pub(crate) struct Node<'a> {
    /// The member's name; none for an item and for the text's own value.
    pub(crate) name: Option<Text<'a>>,
    pub(crate) value: Value<'a>,
    /// Behind the last node within this one.
    end: usize,
}

/// All values of a text, each before those within it. What a request has of them needs no heap.
#[derive(Default)]
pub(crate) struct Tape<'a>(List<Node<'a>, 64>);

impl<'a> Tape<'a> {
    /// Reads a text that is known to be sound.
    pub(crate) fn read(text: &'a str) -> Self {
        let mut tape = Tape::default();
        // Cannot fail on sound text; what was read before a fault would still be right.
        let _ = tape.walk(&mut Lexer::new(text, usize::MAX));
        tape
    }

    pub(crate) fn node(&self, place: usize) -> Option<&Node<'a>> {
        self.0.get(place)
    }

    /// The places of the members or items of the value at `place`.
    pub(crate) fn within(&self, place: usize) -> impl Iterator<Item = usize> {
        let end = self.node(place).map_or(0, |node| node.end);
        let next = |place: &usize| self.node(*place).map(|node| node.end);
        core::iter::successors(place.checked_add(1), next).take_while(move |place| *place < end)
    }

    /// The value at `place` and all those within it, however deep.
    pub(crate) fn whole(&self, place: usize) -> &[Node<'a>] {
        let end = self.node(place).map_or(0, |node| node.end);
        self.0.get(place..end).unwrap_or_default()
    }

    fn walk(&mut self, lexer: &mut Lexer<'a>) -> Result<(), Fault> {
        let nodes = &mut self.0;
        let mut open: List<Open, 16> = List::new();
        lexer.blanks();
        loop {
            match lexer.peek() {
                b',' => lexer.bump(),
                b'}' | b']' => {
                    lexer.close();
                    let Some(Open { place, start, object }) = open.pop() else { return lexer.fault() };
                    let (raw, end) = (lexer.since(start), nodes.len());
                    if let Some(node) = nodes.get_mut(place) {
                        node.value = if object { Value::Object(raw) } else { Value::Array(raw) };
                        node.end = end;
                    }
                }
                _ => {
                    let name = match open.last() {
                        Some(Open { object: true, .. }) => Some(lexer.name()?),
                        _ => None,
                    };
                    let place = nodes.len();
                    let (start, first) = (lexer.at(), lexer.peek());
                    if matches!(first, b'{' | b'[') {
                        open.push(Open { place, start, object: first == b'{' });
                        lexer.open()?;
                        // Both are known where it closes.
                        nodes.push(Node { name, value: Value::Absent, end: usize::MAX });
                        continue;
                    }
                    nodes.push(Node { name, value: lexer.value()?, end: place.saturating_add(1) });
                }
            }
            if open.is_empty() {
                return Ok(());
            }
            lexer.blanks();
        }
    }
}

/// An object or array that is being read.
struct Open {
    place: usize,
    start: usize,
    object: bool,
}
