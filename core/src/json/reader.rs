//! Reads a JSON object by a schema: one slot for each field, and a list of the unknown members.
//!
//! The same reader is used for bodies, contexts, and policies. Only the rules for the slots differ.

#[cfg(test)]
mod tests;

use super::fast_path::plain_members;
use super::lexer::{Lexer, ParseError, Value};
use super::presence::{FastPathExit, FieldPresence, UnknownMember, put};
use super::schema::ObjectSchema;
use super::slots::{MAX_NESTING, bit};

/// The type of the root value.
pub(crate) enum Root<'a> {
    Object,
    /// A JSON value that is not an object.
    Other(Value<'a>),
}

/// The position of the reader in an object. The stack of frames is at most as deep as the schemas
/// nest.
#[derive(Clone, Copy)]
struct Frame {
    schema: &'static ObjectSchema,
    start: usize,
    /// The slot of the object in its parent.
    slot: usize,
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
    let mut lexer = Lexer::new(text, depth);
    lexer.skip_whitespace();
    if lexer.peek() != b'{' {
        let value = lexer.value()?;
        lexer.end()?;
        return Ok(Root::Other(value));
    }
    let mut frame = Frame {
        schema,
        start: lexer.at,
        slot: usize::MAX,
    };
    let mut outer = [frame; MAX_NESTING];
    let mut depth = 0_usize;
    lexer.open()?;
    // Set while only the opening brace of the object has been read. Only then may the object end
    // directly.
    let mut empty = true;
    loop {
        if lexer.peek() != b'"' {
            lexer.skip_whitespace();
        }
        if !(empty && lexer.peek() == b'}') {
            let next = match lexer.peek() {
                b'"' => plain_members(&mut lexer, frame.schema, slots, presence),
                _ => return lexer.syntax_error(),
            };
            let next = match next {
                FastPathExit::Name => {
                    let name = lexer.name()?;
                    let found = frame.schema.find(name);
                    found.map_or(FastPathExit::Unknown(name), |(position, _)| {
                        FastPathExit::Value(position)
                    })
                }
                next => next,
            };
            match next {
                FastPathExit::Value(position) => {
                    let slot = frame.schema.first.wrapping_add(position);
                    let inner = frame
                        .schema
                        .fields
                        .get(position)
                        .and_then(|field| field.schema);
                    let seen = presence.given & bit(slot) != 0;
                    presence.given |= bit(slot);
                    if seen {
                        lexer.value()?;
                        presence.duplicates |= bit(slot);
                    } else if let (Some(inner), b'{', Some(outer_frame)) =
                        (inner, lexer.peek(), outer.get_mut(depth))
                    {
                        *outer_frame = frame;
                        depth = depth.wrapping_add(1);
                        frame = Frame {
                            schema: inner,
                            start: lexer.at,
                            slot,
                        };
                        lexer.open()?;
                        empty = true;
                        continue;
                    } else {
                        put(slots, slot, lexer.value()?);
                    }
                }
                FastPathExit::Unknown(name) => {
                    lexer.value()?;
                    presence.unknown.push(UnknownMember {
                        schema: frame.schema,
                        name,
                    });
                }
                FastPathExit::Name | FastPathExit::End => {}
            }
        }
        // After a member, the next member follows, or the end of this object and possibly of the
        // enclosing ones.
        loop {
            match lexer.peek() {
                b',' => {
                    lexer.advance();
                    empty = false;
                    break;
                }
                b'}' => {
                    lexer.close();
                    if depth == 0 {
                        lexer.end()?;
                        return Ok(Root::Object);
                    }
                    put(
                        slots,
                        frame.slot,
                        Value::Object(lexer.slice_from(frame.start)),
                    );
                    depth = depth.wrapping_sub(1);
                    frame = outer.get(depth).copied().unwrap_or(frame);
                }
                b' ' | b'\n' | b'\r' | b'\t' => lexer.skip_whitespace(),
                _ => return lexer.syntax_error(),
            }
        }
    }
}
