//! Reads a JSON object by a schema: one slot for each field, and a list of the unknown members.
//!
//! The same reader is used for bodies, contexts and policies. Only the rules for the slots differ.

use super::lexer::{Lexer, ParseError, Value};
use super::schema::{Field, ObjectSchema};
use super::slots::{MAX_NESTING, bit};
use super::string::JsonStr;
use crate::util::inline_vec::InlineVec;

/// A member that is not in the schema. Its value is not kept: no rule checks it, and a body may have tens of
/// thousands.
#[derive(Clone, Copy)]
pub(crate) struct UnknownMember<'a> {
    /// The schema of the object that contains the member.
    pub(crate) schema: &'static ObjectSchema,
    pub(crate) name: JsonStr<'a>,
}

/// The unknown members. Up to eight of them need no heap.
pub(crate) type UnknownMembers<'a> = InlineVec<UnknownMember<'a>, 8>;

/// The members of a body beyond the values of the slots.
#[derive(Default)]
pub(crate) struct FieldPresence<'a> {
    /// One bit for each slot whose member is in the body.
    given: u64,
    /// One bit for each slot whose member is repeated. The first value counts.
    duplicates: u64,
    pub(crate) unknown: UnknownMembers<'a>,
}

impl FieldPresence<'_> {
    pub(crate) fn given(&self) -> u64 {
        self.given
    }

    pub(crate) fn named_once(&self) -> u64 {
        self.given & !self.duplicates
    }

    #[inline]
    pub(crate) fn is_duplicate(&self, slot: usize) -> bool {
        self.duplicates & bit(slot) != 0
    }

    pub(crate) fn first_duplicate(&self) -> Option<usize> {
        (self.duplicates != 0).then(|| usize::try_from(self.duplicates.trailing_zeros()).unwrap_or(0))
    }
}

/// The type of the root value.
pub(crate) enum Root<'a> {
    Object,
    /// A JSON value that is not an object.
    Other(Value<'a>),
}

/// The position of the reader in an object. The stack of frames is at most as deep as the schemas nest.
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
    Ok(if matches!(value, Value::Object(_)) { Root::Object } else { Root::Other(value) })
}

/// Reads a JSON text by a schema. `slots` has one entry for every field of `schema` and the schemas below it.
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
    let mut frame = Frame { schema, start: lexer.at(), slot: usize::MAX };
    let mut outer = [frame; MAX_NESTING];
    let mut depth = 0_usize;
    lexer.open()?;
    // Set while only the opening brace of the object has been read. Only then may the object end directly.
    let mut empty = true;
    loop {
        if lexer.peek() != b'"' {
            lexer.skip_whitespace();
        }
        if !(empty && lexer.peek() == b'}') {
            let next = match lexer.peek() {
                b'"' => plain_members(&mut lexer, frame.schema, slots, &mut presence.given),
                _ => return lexer.syntax_error(),
            };
            let next = match next {
                FastPathExit::Name => {
                    let name = lexer.name()?;
                    frame
                        .schema
                        .find(name)
                        .map_or(FastPathExit::Unknown(name), |(slot, field)| FastPathExit::Value(slot, field))
                }
                next => next,
            };
            match next {
                FastPathExit::Value(slot, field) => {
                    let seen = presence.given & bit(slot) != 0;
                    presence.given |= bit(slot);
                    if seen {
                        lexer.value()?;
                        presence.duplicates |= bit(slot);
                    } else if let (Some(inner), b'{', Some(outer_frame)) =
                        (field.schema, lexer.peek(), outer.get_mut(depth))
                    {
                        *outer_frame = frame;
                        depth = depth.wrapping_add(1);
                        frame = Frame { schema: inner, start: lexer.at(), slot };
                        lexer.open()?;
                        empty = true;
                        continue;
                    } else {
                        put(slots, slot, lexer.value()?);
                    }
                }
                FastPathExit::Unknown(name) => {
                    lexer.value()?;
                    presence.unknown.push(UnknownMember { schema: frame.schema, name });
                }
                FastPathExit::Name | FastPathExit::End => {}
            }
        }
        // After a member, the next member follows, or the end of this object and possibly of the enclosing ones.
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
                    put(slots, frame.slot, Value::Object(lexer.slice_from(frame.start)));
                    depth = depth.wrapping_sub(1);
                    frame = outer.get(depth).copied().unwrap_or(frame);
                }
                b' ' | b'\n' | b'\r' | b'\t' => lexer.skip_whitespace(),
                _ => return lexer.syntax_error(),
            }
        }
    }
}

/// The position of the cursor after the fast path.
enum FastPathExit<'a> {
    /// Before a name that the fast path does not accept and has not read.
    Name,
    /// On the value of a known member.
    Value(usize, &'static Field),
    /// On the value of an unknown member.
    Unknown(JsonStr<'a>),
    /// After a member that is not directly followed by another one.
    End,
}

/// Reads members on the fast path, from the quote at the cursor on. It ends at the first member that does not fit.
///
/// A member fits if its name is known, its value is a string, neither contains an escape, and another member follows.
/// At most one space may separate them.
#[inline(never)]
fn plain_members<'a>(
    lexer: &mut Lexer<'a>,
    schema: &'static ObjectSchema,
    slots: &mut [Value<'a>],
    given: &mut u64,
) -> FastPathExit<'a> {
    let text = lexer.text();
    let bytes = text.as_bytes();
    let (mut scanner, mut at) = lexer.cursor();
    let mut seen = *given;
    // Most bodies have their members in the order of the specification, so the next field is tried before a search.
    let mut expected = schema.position_after(seen);
    let next = loop {
        let start = at.wrapping_add(1);
        let (position, field, value) = match schema.fields.get(expected).filter(|field| field.matches_at(bytes, start))
        {
            Some(field) => (expected, field, start.wrapping_add(field.name.len()).wrapping_add(2)),
            None => {
                let end = scanner.next(bytes, start);
                if word_at(bytes, end) & 0xFFFF != word(b"\":\0\0") {
                    break FastPathExit::Name;
                }
                let Some((position, field)) = schema.find_in(bytes, start, end) else {
                    at = end.wrapping_add(2);
                    break FastPathExit::Unknown(JsonStr::new(text.get(start..end).unwrap_or(""), false));
                };
                (position, field, end.wrapping_add(2))
            }
        };
        let slot = schema.first.wrapping_add(position);
        let ahead = word_at(bytes, value);
        let quote = ahead & 0xFF == word(b"\"\0\0\0");
        if (quote || ahead & 0xFFFF == word(b" \"\0\0")) && seen & bit(slot) == 0 {
            let first = value.wrapping_add(if quote { 1 } else { 2 });
            let end = scanner.next(bytes, first);
            if bytes.get(end) == Some(&b'"')
                && let Some(raw) = text.get(first..end)
            {
                seen |= bit(slot);
                put(slots, slot, Value::String(JsonStr::new(raw, false)));
                let behind = word_at(bytes, end);
                let close = behind & 0xFF_FFFF == word(b"\",\"\0");
                if close || behind == word(b"\", \"") {
                    at = end.wrapping_add(if close { 2 } else { 3 });
                    expected = position.wrapping_add(1);
                    continue;
                }
                at = end.wrapping_add(1);
                break FastPathExit::End;
            }
        }
        at = value;
        break FastPathExit::Value(slot, field);
    };
    *given = seen;
    lexer.set_cursor(scanner, at);
    if !matches!(next, FastPathExit::Name) {
        lexer.skip_whitespace();
    }
    next
}

/// Returns the four bytes from `at` on, or zeros if the text ends before.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u32::from_le_bytes(*word))
}

/// Returns four bytes in the same form.
const fn word(bytes: &[u8; 4]) -> u32 {
    u32::from_le_bytes(*bytes)
}

#[inline]
fn put<'a>(slots: &mut [Value<'a>], slot: usize, value: Value<'a>) {
    if let Some(target) = slots.get_mut(slot) {
        *target = value;
    }
}

/// Iterates over the members of an object without a schema, in their order. The text must be valid.
pub(crate) fn members(object: &str) -> Members<'_> {
    Members(inside(object))
}

/// Iterates over the items of an array, in their order. The text must be valid.
pub(crate) fn items(array: &str) -> Items<'_> {
    Items(inside(array))
}

pub(crate) struct Members<'a>(Lexer<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = (JsonStr<'a>, Value<'a>);

    // Inlined code is larger than a call, and in WASM every loop over members would repeat it.
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn next(&mut self) -> Option<Self::Item> {
        if self.0.peek() != b'"' {
            return None;
        }
        // Valid text cannot fail. In other text, the members before the error are still correct.
        let name = self.0.name().ok()?;
        let value = self.0.value().ok()?;
        separator(&mut self.0);
        Some((name, value))
    }
}

pub(crate) struct Items<'a>(Lexer<'a>);

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    // Not inlined, for the same reason as in `Members`.
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn next(&mut self) -> Option<Self::Item> {
        if self.0.peek() == b']' {
            return None;
        }
        let value = self.0.value().ok()?;
        separator(&mut self.0);
        Some(value)
    }
}

/// Returns a lexer after the opening bracket of a value. Only a complete body may have whitespace before it.
fn inside(value: &str) -> Lexer<'_> {
    let mut lexer = Lexer::new(value, usize::MAX);
    lexer.skip_whitespace();
    // Cannot fail: there is no depth limit, and the text is valid.
    let _ = lexer.open();
    lexer
}

/// Skips the whitespace and the comma between two members or items.
fn separator(lexer: &mut Lexer<'_>) {
    lexer.skip_whitespace();
    if lexer.peek() == b',' {
        lexer.advance();
        lexer.skip_whitespace();
    }
}

/// Returns the field of a slot, from `schema` or a schema below it.
pub(crate) fn field_of(schema: &'static ObjectSchema, slot: usize) -> Option<&'static Field> {
    if let Some(field) = slot.checked_sub(schema.first).and_then(|position| schema.fields.get(position)) {
        return Some(field);
    }
    // The schemas are at most a few levels deep, and contain no cycle.
    schema.fields.iter().filter_map(|field| field.schema).find_map(|inner| field_of(inner, slot))
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    static FLAT: ObjectSchema = ObjectSchema::new(
        "",
        0,
        &[Field::string("/mode"), Field::string("/cur"), Field::string("/payment_type"), Field::string("/amount")],
    );

    /// The text after a name and after a value. Members in these forms are read on the fast path.
    const WAYS: [(&str, &str); 4] = [("", ""), (" ", ""), ("", " "), (" ", " ")];

    fn members(names: &[&str], (colon, comma): (&str, &str)) -> String {
        let members: Vec<String> = names.iter().map(|name| format!(r#""{name}":{colon}"of {name}""#)).collect();
        members.join(&format!(",{comma}"))
    }

    /// Returns the number of slots that one call of `plain_members` fills, and the byte at which it ends.
    fn known(text: &str) -> (u32, u8) {
        let mut lexer = Lexer::new(text, 16);
        let (mut slots, mut given) = ([Value::Absent; 4], 0);
        let next = plain_members(&mut lexer, &FLAT, &mut slots, &mut given);
        for (slot, field) in slots.iter().zip(FLAT.fields) {
            assert_eq!(slot.text().map(JsonStr::raw), Some(format!("of {}", field.name).as_str()));
        }
        assert!(matches!(next, FastPathExit::End));
        (given.count_ones(), lexer.peek())
    }

    #[test]
    fn plain_members_are_read_in_one_go() {
        for way in WAYS {
            for names in [["mode", "cur", "payment_type", "amount"], ["amount", "payment_type", "mode", "cur"]] {
                let text = members(&names, way);
                assert_eq!(known(&format!("{text}}}")), (4, b'}'), "{text}");
                assert_eq!(known(&format!("{text} ,")), (4, b','), "{text}");
            }
        }
    }

    #[test]
    fn who_reads_no_member_finds_the_same_faults() {
        let sound = r#"{"a":[1,{"b":"\u0041"}],"c":{"d":null,"e":-1.5e3},"f":"x"} "#;
        let outcome = |read: Result<Root<'_>, ParseError>| read.map(|root| matches!(root, Root::Object));
        let both = |text: &str, depth| {
            let members = read(text, depth, &FLAT, &mut [Value::Absent; 64], &mut FieldPresence::default());
            assert_eq!(outcome(validate_syntax(text, depth)), outcome(members), "{text}");
        };
        for at in 0..=sound.len() {
            let (before, behind) = sound.split_at(at);
            (1..5).for_each(|depth| both(sound, depth));
            both(before, 16);
            both(behind, 16);
            for other in ["", "{", "}", "[", "]", ",", ":", "\"", "0", "x", " ", "\\", "\u{1}"] {
                both(&format!("{before}{other}{behind}"), 16);
                both(&format!("{before}{other}{}", behind.get(1..).unwrap_or("")), 16);
            }
        }
    }
}
