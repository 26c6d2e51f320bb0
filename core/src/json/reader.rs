//! Reads a JSON object by a schema: one slot for each field, and a list of the unknown members.
//!
//! The same reader is used for bodies, contexts, and policies. Only the rules for the slots differ.

#[cfg(test)]
mod tests;

use super::fast_path::{FastPathExit, plain_members, put};
use super::lexer::{Lexer, ParseError, Value};
use super::presence::{FieldPresence, UnknownMember};
use super::schema::ObjectSchema;
use super::slots::{MAX_NESTING, bit};
use super::string::JsonStr;
use crate::util::inline_vec::InlineVec;

/// The type of the root value.
pub(crate) enum Root<'a> {
    Object,
    /// A JSON value that is not an object.
    Other(Value<'a>),
}

/// Reads a JSON text without collecting members.
pub(crate) fn validate_syntax(text: &str, depth: usize) -> Result<Root<'_>, ParseError> {
    let mut lexer = Lexer::new(text, depth);
    lexer.skip_whitespace();
    let value = lexer.value()?;
    lexer.end()?;
    Ok(if matches!(value, Value::Object(_)) {
        Root::Object
    } else {
        Root::Other(value)
    })
}

/// Reads a JSON text by a schema. `slots` has one entry for every field of `schema` and the schemas
/// below it.
///
/// `presence` must be new. It is filled in place, because it is too large to be moved.
pub(crate) fn read<'a>(
    text: &'a str,
    depth: usize,
    schema: &'static ObjectSchema,
    slots: &mut [Value<'a>],
    presence: &mut FieldPresence<'a>,
) -> Result<Root<'a>, ParseError> {
    let mut reader = Reader::new(Lexer::new(text, depth), schema, slots, presence);
    if reader.lexer.peek() != b'{' {
        let value = reader.lexer.value()?;
        reader.lexer.end()?;
        return Ok(Root::Other(value));
    }
    reader.object()?;
    reader.lexer.end()?;
    Ok(Root::Object)
}

/// Reads an object by its schema, and the objects with a schema in it.
struct Reader<'r, 'a> {
    lexer: Lexer<'a>,
    slots: &'r mut [Value<'a>],
    presence: &'r mut FieldPresence<'a>,
    /// The innermost open object.
    frame: Frame,
    /// The open objects around it, at most as many as schemas nest.
    outer: InlineVec<Frame, MAX_NESTING>,
}

/// The place of the cursor in the innermost open object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// After the opening brace.
    Start,
    AfterMember,
}

/// An open object.
#[derive(Clone, Copy)]
struct Frame {
    schema: &'static ObjectSchema,
    /// The offset of its opening brace.
    start: usize,
    /// The slot of the object in its parent.
    slot: usize,
}

impl<'r, 'a> Reader<'r, 'a> {
    /// Returns a reader whose cursor is at the root value.
    #[inline]
    fn new(
        mut lexer: Lexer<'a>,
        schema: &'static ObjectSchema,
        slots: &'r mut [Value<'a>],
        presence: &'r mut FieldPresence<'a>,
    ) -> Self {
        lexer.skip_whitespace();
        let frame = Frame {
            schema,
            start: lexer.at,
            // The root has no slot.
            slot: usize::MAX,
        };
        Reader {
            lexer,
            slots,
            presence,
            frame,
            outer: InlineVec::new(),
        }
    }

    /// Reads the object at the cursor.
    fn object(&mut self) -> Result<(), ParseError> {
        self.lexer.open()?;
        let mut place = Place::Start;
        loop {
            self.lexer.skip_whitespace();
            // Only an object without members may end here: after a comma, a member must follow.
            let is_empty = place == Place::Start && self.lexer.peek() == b'}';
            if !is_empty && self.members()? == Place::Start {
                place = Place::Start;
                continue;
            }
            if self.close()? {
                return Ok(());
            }
            place = Place::AfterMember;
        }
    }

    /// Reads at least one member, up to the end of a value or to the start of the object of a field.
    fn members(&mut self) -> Result<Place, ParseError> {
        if self.lexer.peek() != b'"' {
            return self.lexer.syntax_error();
        }
        let schema = self.frame.schema;
        let position = match plain_members(&mut self.lexer, schema, self.slots, self.presence) {
            FastPathExit::End => return Ok(Place::AfterMember),
            FastPathExit::Value(position) => position,
            FastPathExit::Unknown(name) => return self.unknown(name),
            FastPathExit::Name => {
                let name = self.lexer.name()?;
                match schema.find(name) {
                    Some((position, _)) => position,
                    None => return self.unknown(name),
                }
            }
        };
        self.field(position)
    }

    /// Reads the value of the field at this position, or the opening brace of its object.
    fn field(&mut self, position: usize) -> Result<Place, ParseError> {
        let Frame { schema, .. } = self.frame;
        let slot = schema.first.wrapping_add(position);
        if self.presence.given & bit(slot) != 0 {
            self.lexer.value()?;
            self.presence.duplicates |= bit(slot);
            return Ok(Place::AfterMember);
        }
        self.presence.given |= bit(slot);
        let inner = schema.fields.get(position).and_then(|field| field.schema);
        let Some(schema) = inner.filter(|_| self.lexer.peek() == b'{') else {
            put(self.slots, slot, self.lexer.value()?);
            return Ok(Place::AfterMember);
        };
        self.outer.push(self.frame);
        self.frame = Frame {
            schema,
            start: self.lexer.at,
            slot,
        };
        self.lexer.open()?;
        Ok(Place::Start)
    }

    /// Reads the value of an unknown member.
    fn unknown(&mut self, name: JsonStr<'a>) -> Result<Place, ParseError> {
        self.lexer.value()?;
        self.presence.unknown.push(UnknownMember {
            schema: self.frame.schema,
            name,
        });
        Ok(Place::AfterMember)
    }

    /// Reads from the end of a member to the next one. Closes the objects that end before it, and
    /// returns true if the root is one of them.
    fn close(&mut self) -> Result<bool, ParseError> {
        loop {
            self.lexer.skip_whitespace();
            match self.lexer.peek() {
                b',' => {
                    self.lexer.advance();
                    return Ok(false);
                }
                b'}' => {
                    self.lexer.close();
                    let Some(outer) = self.outer.pop() else {
                        return Ok(true);
                    };
                    let object = Value::Object(self.lexer.slice_from(self.frame.start));
                    put(self.slots, self.frame.slot, object);
                    self.frame = outer;
                }
                _ => return self.lexer.syntax_error(),
            }
        }
    }
}
