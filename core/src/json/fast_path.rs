//! The fast path of the reader: members in the order of the schema, strings without escapes.
//!
//! Without it, a verdict takes 46 % more instructions, most of them for whitespace and for the
//! type of each value.
//!
//! The reader calls [`plain_members`] with the cursor on the quote of a name. A loop then reads one
//! member at a time:
//!
//! 1. **Name.** Most bodies have their members in the order of the specification, so the name of
//!    the field after the last one is compared with the text first. If another name follows, the
//!    scanner finds its closing quote, and the index of the schema finds its field.
//! 2. **Value.** The value must be a string, with at most one space before it. The scanner finds
//!    the next quote, backslash, or control character. If it is a quote, the string has no escapes
//!    and is complete.
//! 3. **Slot.** The string is stored in the slot of the field, which is marked as given. An unknown
//!    member is added to the list of unknown members instead.
//! 4. **Next member.** A comma and a quote must follow, with at most one space between them.
//!
//! The fast path reports no errors. At the first text that does not fit, it stops with the cursor
//! on a name or a value, or after a value. It returns the place as a [`FastPathExit`], and the
//! reader continues there with all rules of the grammar. Whitespace in other places, numbers,
//! objects, escapes, and repeated members are such texts.

use super::lexer::{Lexer, Value};
use super::presence::{FieldPresence, UnknownMember, UnknownMembers};
use super::schema::{Field, ObjectSchema};
use super::slots::{bit, end_of};
use super::string::JsonStr;

/// The position of the cursor after the fast path of the reader.
pub(super) enum FastPathExit<'a> {
    /// Before a name that the fast path does not accept and has not read.
    Name,
    /// On the value of the field at this position of the schema.
    Value(usize),
    /// On the value of an unknown member.
    Unknown(JsonStr<'a>),
    /// After a member that is not directly followed by another one.
    End,
}

/// Stores the value of a field.
#[inline]
pub(super) fn put<'a>(slots: &mut [Value<'a>], slot: usize, value: Value<'a>) {
    if let Some(target) = slots.get_mut(slot) {
        *target = value;
    }
}

/// Reads members on the fast path, from the quote at the cursor on. It ends at the first member
/// that does not fit.
#[inline(never)]
pub(super) fn plain_members<'a>(
    lexer: &mut Lexer<'a>,
    schema: &'static ObjectSchema,
    slots: &mut [Value<'a>],
    presence: &mut FieldPresence<'a>,
) -> FastPathExit<'a> {
    let last = end_of(presence.given & schema.slots);
    let mut position = last.saturating_sub(schema.first);
    loop {
        let expected = schema.fields.get(position);
        if !expected.is_some_and(|field| lexer.skip_name(field)) {
            match skip_unknown(lexer, schema, &mut presence.unknown) {
                Ok(found) => position = found,
                Err(exit) => return exit,
            }
        }
        let slot = schema.first.wrapping_add(position);
        if presence.given & bit(slot) != 0 {
            lexer.skip_whitespace();
            return FastPathExit::Value(position);
        }
        let Some(text) = lexer.plain_string() else {
            lexer.skip_whitespace();
            return FastPathExit::Value(position);
        };
        presence.given |= bit(slot);
        put(slots, slot, Value::String(text));
        if !lexer.skip_to_name() {
            return FastPathExit::End;
        }
        position = position.wrapping_add(1);
    }
}

/// Reads unknown members up to a known name, and that name with its colon. Returns the position of
/// its field.
fn skip_unknown<'a>(
    lexer: &mut Lexer<'a>,
    schema: &'static ObjectSchema,
    unknown: &mut UnknownMembers<'a>,
) -> Result<usize, FastPathExit<'a>> {
    loop {
        let name = lexer.plain_name().ok_or(FastPathExit::Name)?;
        if let Some((position, _)) = schema.find(name) {
            return Ok(position);
        }
        if lexer.plain_string().is_none() {
            lexer.skip_whitespace();
            return Err(FastPathExit::Unknown(name));
        }
        unknown.push(UnknownMember { schema, name });
        if !lexer.skip_to_name() {
            return Err(FastPathExit::End);
        }
    }
}

/// The steps of the fast path. If the text does not fit, they do not move the cursor.
impl<'a> Lexer<'a> {
    #[inline(always)]
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    /// Reads the name of this field with its quotes and colon.
    #[inline(always)]
    fn skip_name(&mut self, field: &Field) -> bool {
        let start = self.at.wrapping_add(1);
        let found = self
            .text
            .as_bytes()
            .get(start..)
            .is_some_and(|text| field.quoted.begins(text));
        if found {
            self.at = start.wrapping_add(field.quoted.len());
        }
        found
    }

    /// Reads a name without escapes and the colon directly after it.
    #[inline(always)]
    fn plain_name(&mut self) -> Option<JsonStr<'a>> {
        let start = self.at.wrapping_add(1);
        let end = self.scanner.next(self.text.as_bytes(), start);
        let name = self.text.get(start..end)?;
        let value = end.wrapping_add(2);
        if self.text.as_bytes().get(end..value) != Some(b"\":") {
            return None;
        }
        self.at = value;
        Some(JsonStr::new(name, false))
    }

    /// Reads a string without escapes after at most one space.
    #[inline(always)]
    fn plain_string(&mut self) -> Option<JsonStr<'a>> {
        let before = match self.rest() {
            [b'"', ..] => 1,
            [b' ', b'"', ..] => 2,
            _ => return None,
        };
        let start = self.at.wrapping_add(before);
        let end = self.scanner.next(self.text.as_bytes(), start);
        if self.text.as_bytes().get(end) != Some(&b'"') {
            return None;
        }
        self.at = end.wrapping_add(1);
        Some(JsonStr::new(self.text.get(start..end)?, false))
    }

    /// Reads the comma after a value, if a name follows after at most one space. If not, it reads
    /// only whitespace.
    #[inline(always)]
    fn skip_to_name(&mut self) -> bool {
        let skipped = match self.rest() {
            [b',', b'"', ..] => 1,
            [b',', b' ', b'"', ..] => 2,
            _ => {
                self.skip_whitespace();
                return false;
            }
        };
        self.at = self.at.wrapping_add(skipped);
        true
    }
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
        &[
            Field::string("/mode"),
            Field::string("/cur"),
            Field::string("/payment_type"),
            Field::string("/amount"),
        ],
    );

    /// The text after a name and after a value. Members in these forms are read on the fast path.
    const WAYS: [(&str, &str); 4] = [("", ""), (" ", ""), ("", " "), (" ", " ")];

    fn members(names: &[&str], (colon, comma): (&str, &str)) -> String {
        let members: Vec<String> = names
            .iter()
            .map(|name| format!(r#""{name}":{colon}"of {name}""#))
            .collect();
        members.join(&format!(",{comma}"))
    }

    /// Returns the number of slots that one call of `plain_members` fills, and the byte at which it
    /// ends.
    fn known(text: &str) -> (u32, u8) {
        let mut lexer = Lexer::new(text, 16);
        let (mut slots, mut presence) = ([Value::Absent; 4], FieldPresence::default());
        let next = plain_members(&mut lexer, &FLAT, &mut slots, &mut presence);
        for (slot, field) in slots.iter().zip(FLAT.fields) {
            assert_eq!(
                slot.text().map(JsonStr::raw),
                Some(format!("of {}", field.name).as_str())
            );
        }
        assert!(matches!(next, FastPathExit::End));
        (presence.given.count_ones(), lexer.peek())
    }

    #[test]
    fn reads_plain_members_without_an_exit() {
        for way in WAYS {
            for names in [
                ["mode", "cur", "payment_type", "amount"],
                ["amount", "payment_type", "mode", "cur"],
            ] {
                let text = members(&names, way);
                assert_eq!(known(&format!("{text}}}")), (4, b'}'), "{text}");
                assert_eq!(known(&format!("{text} ,")), (4, b','), "{text}");
            }
        }
    }

    /// Fields that are not the first ones, up to the last slot.
    static INNER: ObjectSchema =
        ObjectSchema::new("/x", 62, &[Field::string("/x/a"), Field::string("/x/b")]);

    #[test]
    fn keeps_the_fields_of_other_objects() {
        for (before, text) in [
            (0, r#""a":"1","b":"2","a":"3","#),
            (bit(0) | bit(61), r#""b":"2", "a": "1","a":"3","#),
            (bit(62), r#""b":"2","a":"3","#),
        ] {
            let mut lexer = Lexer::new(text, 16);
            let (mut slots, mut presence) = ([Value::Absent; 64], FieldPresence::default());
            presence.given = before;
            let next = plain_members(&mut lexer, &INNER, &mut slots, &mut presence);
            // A repeated member is left to the caller.
            assert!(matches!(next, FastPathExit::Value(0)), "{text}");
            assert_eq!(lexer.slice_from(0), text.strip_suffix(r#""3","#).unwrap());
            assert_eq!(presence.given, before | bit(62) | bit(63), "{text}");
            let texts = slots.map(|slot| slot.text().map_or("", JsonStr::raw));
            assert_eq!(
                (texts[62], texts[63]),
                (if before == bit(62) { "" } else { "1" }, "2"),
                "{text}"
            );
            assert!(texts[..62].iter().all(|text| text.is_empty()));
        }
    }
}
