//! The fast path of the reader: members in the order of the schema, strings without escapes.
//!
//! Without it, a verdict takes 46 % more instructions.

use super::lexer::{Lexer, Value};
use super::presence::{FastPathExit, FieldPresence, UnknownMember, UnknownMembers, put};
use super::scanner::StringScanner;
use super::schema::ObjectSchema;
use super::slots::bit;
use super::string::JsonStr;

/// Reads members on the fast path, from the quote at the cursor on. It ends at the first member
/// that does not fit.
///
/// A member fits if its value is a string, neither name nor value contains an escape, and another
/// member follows. At most one space may separate them.
#[inline(never)]
pub(super) fn plain_members<'a>(
    lexer: &mut Lexer<'a>,
    schema: &'static ObjectSchema,
    slots: &mut [Value<'a>],
    presence: &mut FieldPresence<'a>,
) -> FastPathExit<'a> {
    let text = lexer.text;
    // The loop keeps these in registers.
    let (mut scanner, mut at) = (lexer.scanner, lexer.at);
    let slots = slots.get_mut(schema.first..).unwrap_or_default();
    let first_slot = u32::try_from(schema.first).unwrap_or(u64::BITS);
    // The bits of the fields of this object, by position.
    let mut seen = (presence.given & schema.slots).unbounded_shr(first_slot);
    // Most bodies have their members in the order of the specification, so the field after the last
    // one is tried before a search.
    let mut position = usize::try_from(u64::BITS.wrapping_sub(seen.leading_zeros())).unwrap_or(0);
    let exit = loop {
        let start = at.wrapping_add(1);
        match schema
            .fields
            .get(position)
            .filter(|field| field.matches_at(text.as_bytes(), start))
        {
            Some(field) => at = start.wrapping_add(field.name.len()).wrapping_add(2),
            None => {
                let found;
                (scanner, at, found) =
                    other_members(text, scanner, start, schema, &mut presence.unknown);
                match found {
                    Ok(found) => position = found,
                    Err(exit) => break exit,
                }
            }
        }
        let plain = if seen & bit(position) == 0 {
            plain_value(text, &mut scanner, at)
        } else {
            None
        };
        let Some((raw, end)) = plain else {
            break FastPathExit::Value(position);
        };
        seen |= bit(position);
        put(slots, position, Value::String(JsonStr::new(raw, false)));
        let Some(next) = next_member(text.as_bytes(), end) else {
            at = end.wrapping_add(1);
            break FastPathExit::End;
        };
        (at, position) = (next, position.wrapping_add(1));
    };
    presence.given |= seen.unbounded_shl(first_slot);
    (lexer.scanner, lexer.at) = (scanner, at);
    if !matches!(exit, FastPathExit::Name) {
        lexer.skip_whitespace();
    }
    exit
}

/// Reads the plain string at `at`. Returns its content, and the position of its closing quote.
#[inline(always)]
fn plain_value<'a>(
    text: &'a str,
    scanner: &mut StringScanner,
    at: usize,
) -> Option<(&'a str, usize)> {
    let ahead = word_at(text.as_bytes(), at);
    let quote = ahead & 0xFF == word(b"\"\0\0\0");
    if !quote && ahead & 0xFFFF != word(b" \"\0\0") {
        return None;
    }
    let first = at.wrapping_add(if quote { 1 } else { 2 });
    let end = scanner.next(text.as_bytes(), first);
    let closes = text.as_bytes().get(end) == Some(&b'"');
    if closes {
        Some((text.get(first..end)?, end))
    } else {
        None
    }
}

/// Returns the position of the member that directly follows the quote at `end`.
#[inline(always)]
fn next_member(bytes: &[u8], end: usize) -> Option<usize> {
    let after = word_at(bytes, end);
    let close = after & 0xFF_FFFF == word(b"\",\"\0");
    (close || after == word(b"\", \"")).then(|| end.wrapping_add(if close { 2 } else { 3 }))
}

/// Reads unknown members from the name at `start` on, up to a known one. Returns the position of
/// its field, and that of its value in the text.
fn other_members<'a>(
    text: &'a str,
    mut scanner: StringScanner,
    mut start: usize,
    schema: &'static ObjectSchema,
    unknown: &mut UnknownMembers<'a>,
) -> (StringScanner, usize, Result<usize, FastPathExit<'a>>) {
    let bytes = text.as_bytes();
    let (at, found) = loop {
        let end = scanner.next(bytes, start);
        let value = end.wrapping_add(2);
        if word_at(bytes, end) & 0xFFFF != word(b"\":\0\0") {
            break (start.wrapping_sub(1), Err(FastPathExit::Name));
        }
        if let Some((position, _)) = schema.find_in(bytes, start, end) {
            break (value, Ok(position));
        }
        let name = JsonStr::new(text.get(start..end).unwrap_or(""), false);
        let Some((_, end)) = plain_value(text, &mut scanner, value) else {
            break (value, Err(FastPathExit::Unknown(name)));
        };
        unknown.push(UnknownMember { schema, name });
        match next_member(bytes, end) {
            Some(next) => start = next.wrapping_add(1),
            None => break (end.wrapping_add(1), Err(FastPathExit::End)),
        }
    };
    (scanner, at, found)
}

/// Returns the four bytes from `at` on, or zeros if the text ends before.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u32 {
    bytes
        .get(at..)
        .and_then(|rest| rest.first_chunk())
        .map_or(0, |word| u32::from_le_bytes(*word))
}

/// Returns four bytes in the same form.
const fn word(bytes: &[u8; 4]) -> u32 {
    u32::from_le_bytes(*bytes)
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;
    use crate::json::schema::Field;

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
