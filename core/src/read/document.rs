//! A JSON object read against a table of its members: one slot each, and all that does not fit kept aside.
//!
//! The same reader takes bodies, contexts and policies. What differs is what the caller makes of the slots.

use super::lexer::{Fault, Lexer, Value};
use super::scope::{Field, Scope};
use super::text::Text;
use crate::list::{Few, push_made};

/// A member that no table names. Its value is not kept: nobody judges it, and a body may have tens of thousands.
#[derive(Clone, Copy)]
pub(crate) struct Stray<'a> {
    /// The object that it stands in.
    pub(crate) scope: &'static Scope,
    pub(crate) name: Text<'a>,
}

/// So many members more than the tables have need no heap.
pub(crate) type Strays<'a> = Few<Stray<'a>, 8>;

/// What reading found besides the slots.
#[derive(Default)]
pub(crate) struct Extras<'a> {
    /// One bit for each slot whose member was named.
    given: u64,
    /// One bit for each slot whose member was named again. The first value counts.
    duplicates: u64,
    pub(crate) strays: Strays<'a>,
}

impl Extras<'_> {
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

/// The bit of a slot in a set of them. No table has more than 64.
#[expect(clippy::as_conversions, reason = "the slot is taken modulo 64, which changes nothing for one of a table")]
#[inline]
pub(crate) const fn bit(slot: usize) -> u64 {
    1_u64.wrapping_shl((slot & 63) as u32)
}

/// What the text was.
pub(crate) enum Root<'a> {
    Object,
    /// JSON, but no object: its value.
    Other(Value<'a>),
}

/// Where the reader stands in the tree of scopes, at most as deep as the tables nest.
#[derive(Clone, Copy)]
struct Frame {
    scope: &'static Scope,
    start: usize,
    /// Where the object goes in its parent.
    slot: usize,
}

/// Objects within objects that any table describes.
const NESTED: usize = 4;

/// Reads one JSON text of which nobody asks for the members.
pub(crate) fn walk(text: &str, depth: usize) -> Result<Root<'_>, Fault> {
    let mut lexer = Lexer::new(text, depth);
    lexer.blanks();
    let value = lexer.value()?;
    lexer.end()?;
    Ok(if matches!(value, Value::Object(_)) { Root::Object } else { Root::Other(value) })
}

/// Reads one JSON text. `slots` has a place for every field of `scope` and the scopes below it; `extras` is new, and filled in
/// place, for it is too large to be moved about.
pub(crate) fn read<'a>(
    text: &'a str,
    depth: usize,
    scope: &'static Scope,
    slots: &mut [Value<'a>],
    extras: &mut Extras<'a>,
) -> Result<Root<'a>, Fault> {
    let mut lexer = Lexer::new(text, depth);
    lexer.blanks();
    if lexer.peek() != b'{' {
        let value = lexer.value()?;
        lexer.end()?;
        return Ok(Root::Other(value));
    }
    let mut frame = Frame { scope, start: lexer.at(), slot: usize::MAX };
    let mut outer = [frame; NESTED];
    let mut depth = 0_usize;
    lexer.open()?;
    // Whether the brace that opened the object is all that was read of it: then it may end at once.
    let mut empty = true;
    loop {
        if lexer.peek() != b'"' {
            lexer.blanks();
        }
        if !(empty && lexer.peek() == b'}') {
            let next = match lexer.peek() {
                b'"' => plain_members(&mut lexer, frame.scope, slots, &mut extras.given),
                _ => return lexer.fault(),
            };
            let next = match next {
                Next::Name => {
                    let name = lexer.name()?;
                    frame.scope.find(name).map_or(Next::Stray(name), |(slot, field)| Next::Value(slot, field))
                }
                next => next,
            };
            match next {
                Next::Value(slot, field) => {
                    let seen = extras.given & bit(slot) != 0;
                    extras.given |= bit(slot);
                    if seen {
                        lexer.value()?;
                        extras.duplicates |= bit(slot);
                    } else if let (Some(inner), b'{', Some(place)) = (field.scope, lexer.peek(), outer.get_mut(depth)) {
                        *place = frame;
                        depth = depth.wrapping_add(1);
                        frame = Frame { scope: inner, start: lexer.at(), slot };
                        lexer.open()?;
                        empty = true;
                        continue;
                    } else {
                        put(slots, slot, lexer.value()?);
                    }
                }
                Next::Stray(name) => {
                    if let Some(name) = plain_strays(&mut lexer, frame.scope, name, &mut extras.strays) {
                        lexer.value()?;
                        extras.strays.push(Stray { scope: frame.scope, name });
                    }
                }
                Next::Name | Next::End => {}
            }
        }
        // Behind a member: another one, or the end of this object and perhaps of those round it.
        loop {
            match lexer.peek() {
                b',' => {
                    lexer.bump();
                    empty = false;
                    break;
                }
                b'}' => {
                    lexer.close();
                    if depth == 0 {
                        lexer.end()?;
                        return Ok(Root::Object);
                    }
                    put(slots, frame.slot, Value::Object(lexer.since(frame.start)));
                    depth = depth.wrapping_sub(1);
                    frame = outer.get(depth).copied().unwrap_or(frame);
                }
                b' ' | b'\n' | b'\r' | b'\t' => lexer.blanks(),
                _ => return lexer.fault(),
            }
        }
    }
}

/// Where the cursor is when plain members end.
enum Next<'a> {
    /// Before an unusual name, of which nothing is read.
    Name,
    /// On the value of a member that has a field.
    Value(usize, &'static Field),
    /// On the value of one that has none.
    Stray(Text<'a>),
    /// Behind a member; no other one follows at once.
    End,
}

/// Reads members from the quote at the cursor on as long as they are as nearly all are: a known name, a string, neither
/// with an escape, another member behind it, one blank between them or none.
#[inline(never)]
fn plain_members<'a>(
    lexer: &mut Lexer<'a>,
    scope: &'static Scope,
    slots: &mut [Value<'a>],
    given: &mut u64,
) -> Next<'a> {
    let text = lexer.text();
    let bytes = text.as_bytes();
    let (mut marks, mut at) = lexer.leave();
    let mut seen = *given;
    // Most bodies name their members in the order of the specification, so the next field is tried before any search.
    let mut expected = scope.place_behind(seen);
    let next = loop {
        let start = at.wrapping_add(1);
        let (place, field, value) = match scope.fields.get(expected).filter(|field| field.stands_at(bytes, start)) {
            Some(field) => (expected, field, start.wrapping_add(field.name.len()).wrapping_add(2)),
            None => {
                let end = marks.next(bytes, start);
                if word_at(bytes, end) & 0xFFFF != word(b"\":\0\0") {
                    break Next::Name;
                }
                let Some((place, field)) = scope.find_in(bytes, start, end) else {
                    at = end.wrapping_add(2);
                    break Next::Stray(Text::new(text.get(start..end).unwrap_or(""), false));
                };
                (place, field, end.wrapping_add(2))
            }
        };
        let slot = scope.first.wrapping_add(place);
        let ahead = word_at(bytes, value);
        let quote = ahead & 0xFF == word(b"\"\0\0\0");
        if (quote || ahead & 0xFFFF == word(b" \"\0\0")) && seen & bit(slot) == 0 {
            let first = value.wrapping_add(if quote { 1 } else { 2 });
            let end = marks.next(bytes, first);
            if bytes.get(end) == Some(&b'"')
                && let Some(raw) = text.get(first..end)
            {
                seen |= bit(slot);
                put(slots, slot, Value::String(Text::new(raw, false)));
                let behind = word_at(bytes, end);
                let close = behind & 0xFF_FFFF == word(b"\",\"\0");
                if close || behind == word(b"\", \"") {
                    at = end.wrapping_add(if close { 2 } else { 3 });
                    expected = place.wrapping_add(1);
                    continue;
                }
                at = end.wrapping_add(1);
                break Next::End;
            }
        }
        at = value;
        break Next::Value(slot, field);
    };
    *given = seen;
    lexer.resume(marks, at);
    if !matches!(next, Next::Name) {
        lexer.blanks();
    }
    next
}

/// The same for members without a field: where there is one there often are more. The cursor is on the value of `name`;
/// what is given back is the name before whose value it ends.
#[inline(never)]
fn plain_strays<'a>(
    lexer: &mut Lexer<'a>,
    scope: &'static Scope,
    name: Text<'a>,
    strays: &mut Strays<'a>,
) -> Option<Text<'a>> {
    let text = lexer.text();
    let bytes = text.as_bytes();
    let (mut marks, mut at) = lexer.leave();
    // In two parts: one of three words would be written and read in halves that overlap, for which the processor waits.
    let (mut raw, mut escaped) = (name.raw(), name.plain().is_none());
    let left = loop {
        let ahead = word_at(bytes, at);
        let quote = ahead & 0xFF == word(b"\"\0\0\0");
        if !quote && ahead & 0xFFFF != word(b" \"\0\0") {
            break Some(Text::new(raw, escaped));
        }
        let first = at.wrapping_add(if quote { 1 } else { 2 });
        let end = marks.next(bytes, first);
        if bytes.get(end) != Some(&b'"') {
            break Some(Text::new(raw, escaped));
        }
        push_made(strays, || Stray { scope, name: Text::new(raw, escaped) });
        at = end.wrapping_add(1);
        // The next name, which is read again by whoever knows what to do with it unless it is unknown, too.
        let behind = word_at(bytes, end);
        let close = behind & 0xFF_FFFF == word(b"\",\"\0");
        if !close && behind != word(b"\", \"") {
            break None;
        }
        let start = end.wrapping_add(if close { 3 } else { 4 });
        let end = marks.next(bytes, start);
        let Some(next) = text.get(start..end).filter(|_| word_at(bytes, end) & 0xFFFF == word(b"\":\0\0")) else {
            break None;
        };
        if scope.find_in(bytes, start, end).is_some() {
            break None;
        }
        (raw, escaped) = (next, false);
        at = end.wrapping_add(2);
    };
    lexer.resume(marks, at);
    lexer.blanks();
    left
}

/// The four bytes from `at` on; zeros where the text does not go on for so long.
#[inline(always)]
fn word_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u32::from_le_bytes(*word))
}

/// Four bytes in that form.
const fn word(bytes: &[u8; 4]) -> u32 {
    u32::from_le_bytes(*bytes)
}

#[inline]
fn put<'a>(slots: &mut [Value<'a>], slot: usize, value: Value<'a>) {
    if let Some(place) = slots.get_mut(slot) {
        *place = value;
    }
}

/// The members of an object that no table describes, in their order. The text is known to be sound.
pub(crate) fn members(object: &str) -> Members<'_> {
    Members(inside(object))
}

/// The items of an array, in their order. The text is known to be sound.
pub(crate) fn items(array: &str) -> Items<'_> {
    Items(inside(array))
}

pub(crate) struct Members<'a>(Lexer<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = (Text<'a>, Value<'a>);

    // In WASM, where each loop over members weighs, a call is smaller than what it does.
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn next(&mut self) -> Option<Self::Item> {
        if self.0.peek() != b'"' {
            return None;
        }
        // Cannot fail on sound text; what was read before a fault would still be right.
        let name = self.0.name().ok()?;
        let value = self.0.value().ok()?;
        separator(&mut self.0);
        Some((name, value))
    }
}

pub(crate) struct Items<'a>(Lexer<'a>);

impl<'a> Iterator for Items<'a> {
    type Item = Value<'a>;

    // As for members.
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

/// A lexer behind the bracket that a value begins with; before the one of a whole body there may be blanks.
fn inside(value: &str) -> Lexer<'_> {
    let mut lexer = Lexer::new(value, usize::MAX);
    lexer.blanks();
    // No fault: there is no limit, and the text is sound.
    let _ = lexer.open();
    lexer
}

/// Passes over what stands between two members or items.
fn separator(lexer: &mut Lexer<'_>) {
    lexer.blanks();
    if lexer.peek() == b',' {
        lexer.bump();
        lexer.blanks();
    }
}

/// A field by its slot, from the tables of `scope` and those below it.
pub(crate) fn field_of(scope: &'static Scope, slot: usize) -> Option<&'static Field> {
    if let Some(field) = slot.checked_sub(scope.first).and_then(|place| scope.fields.get(place)) {
        return Some(field);
    }
    // The tables are a few levels deep at most, and hold no cycle.
    scope.fields.iter().filter_map(|field| field.scope).find_map(|inner| field_of(inner, slot))
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    static FLAT: Scope = Scope::new(
        "",
        0,
        &[Field::text("/mode"), Field::text("/cur"), Field::text("/payment_type"), Field::text("/amount")],
    );

    /// What stands behind a name and behind a value: members written in these ways are read in one go.
    const WAYS: [(&str, &str); 4] = [("", ""), (" ", ""), ("", " "), (" ", " ")];

    fn members(names: &[&str], (colon, comma): (&str, &str)) -> String {
        let members: Vec<String> = names.iter().map(|name| format!(r#""{name}":{colon}"of {name}""#)).collect();
        members.join(&format!(",{comma}"))
    }

    /// How many slots one call of `plain_members` fills, and the byte that it ends on.
    fn known(text: &str) -> (u32, u8) {
        let mut lexer = Lexer::new(text, 16);
        let (mut slots, mut given) = ([Value::Absent; 4], 0);
        let next = plain_members(&mut lexer, &FLAT, &mut slots, &mut given);
        for (slot, field) in slots.iter().zip(FLAT.fields) {
            assert_eq!(slot.text().map(Text::raw), Some(format!("of {}", field.name).as_str()));
        }
        assert!(matches!(next, Next::End));
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
        let outcome = |read: Result<Root<'_>, Fault>| read.map(|root| matches!(root, Root::Object));
        let both = |text: &str, depth| {
            let members = read(text, depth, &FLAT, &mut [Value::Absent; 64], &mut Extras::default());
            assert_eq!(outcome(walk(text, depth)), outcome(members), "{text}");
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

    #[test]
    fn plain_strays_are_read_in_one_go() {
        for way in WAYS {
            let text = format!("{}}}", members(&["name", "first", "mode2", "another_long_name", "x", "last"], way));
            let mut lexer = Lexer::new(&text, 16);
            let name = lexer.name().unwrap();
            let mut strays = Strays::default();
            assert!(plain_strays(&mut lexer, &FLAT, name, &mut strays).is_none());
            assert_eq!((strays.len(), lexer.peek()), (6, b'}'), "{text}");
            let names: Vec<&str> = strays.iter().map(|stray| stray.name.raw()).collect();
            assert_eq!(names, ["name", "first", "mode2", "another_long_name", "x", "last"]);
        }
    }

    #[test]
    fn plain_strays_end_before_a_known_name_and_another_value() {
        let text = format!("{}}}", members(&["first", "second", "cur", "third"], ("", "")));
        let mut lexer = Lexer::new(&text, 16);
        let name = lexer.name().unwrap();
        let mut strays = Strays::default();
        assert!(plain_strays(&mut lexer, &FLAT, name, &mut strays).is_none());
        assert_eq!((strays.len(), lexer.peek()), (2, b','));

        for value in ["1", "null", r#""\n""#, "{}"] {
            let text = format!(r#""first":"1","second":{value},"third":"3"}}"#);
            let mut lexer = Lexer::new(&text, 16);
            let name = lexer.name().unwrap();
            let mut strays = Strays::default();
            let left = plain_strays(&mut lexer, &FLAT, name, &mut strays);
            assert_eq!((strays.len(), left.map(Text::raw)), (1, Some("second")), "{value}");
            assert_eq!(lexer.peek(), *value.as_bytes().first().unwrap());
        }
    }
}
