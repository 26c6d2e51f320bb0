//! The reader of bodies: one loop, which decodes strings in place.

use payspec::page::{FIELDS, Member, Members, Memory, Text, ValueKind};

/// The reason why a body was not read.
pub(crate) enum ReadError {
    /// Invalid JSON at this byte.
    Syntax(usize),
    /// An object or array begins below the maximum depth.
    TooDeep,
    /// The root is not an object.
    Type(ValueKind),
}

/// The memory of the module. The positions of bytes are their addresses.
#[derive(Clone, Copy)]
pub(crate) struct ModuleMemory;

impl Memory for ModuleMemory {
    #[inline(never)]
    fn byte(self, at: usize) -> u8 {
        // SAFETY: the module has one thread, and its memory begins at 0. JavaScript has written the bytes of all texts, and
        // the byte next to a text can be read too.
        unsafe { core::ptr::with_exposed_provenance::<u8>(at).read() }
    }
}

/// Stores the lowest byte of a number.
#[inline(never)]
fn put(at: usize, byte: u32) {
    // SAFETY: the reader writes into the body, and into the memory after it that JavaScript keeps free.
    unsafe { core::ptr::with_exposed_provenance_mut::<u8>(at).write(byte as u8) };
}

fn byte(at: usize) -> u8 {
    ModuleMemory.byte(at)
}

/// A value of a body.
#[derive(Clone, Copy)]
pub(crate) struct Value {
    kind: ValueKind,
    text: Text<ModuleMemory>,
}

impl Member for Value {
    type Memory = ModuleMemory;
    type Other<'m> = ModuleMemory;

    fn kind(self) -> ValueKind {
        self.kind
    }

    fn is_true(self) -> bool {
        self.kind == ValueKind::Boolean && self.text.end - self.text.at == "true".len()
    }

    fn string<R: Default>(self, read: impl for<'m> FnOnce(Text<ModuleMemory>) -> R) -> R {
        if self.kind == ValueKind::String { read(self.text) } else { R::default() }
    }

    fn plain(self) -> Option<Text<ModuleMemory>> {
        (self.kind == ValueKind::String).then_some(self.text)
    }

    fn number(self) -> Text<ModuleMemory> {
        if self.kind == ValueKind::Number { self.text } else { self.text.part(self.text.at, self.text.at) }
    }
}

/// The members of a body.
pub(crate) struct Slots {
    values: [(ValueKind, usize, usize); FIELDS],
    given: u64,
    duplicates: u64,
}

impl Slots {
    pub(crate) const EMPTY: Slots = Slots { values: [(ValueKind::Nothing, 0, 0); FIELDS], given: 0, duplicates: 0 };
}

impl Members for Slots {
    type Value = Value;

    #[inline(never)]
    fn member(&self, slot: usize) -> Value {
        let (kind, at, end) = self.values.get(slot).copied().unwrap_or((ValueKind::Nothing, 0, 0));
        Value { kind, text: Text { memory: ModuleMemory, at, end } }
    }

    fn given(&self) -> u64 {
        self.given
    }

    fn is_duplicate(&self, slot: usize) -> bool {
        self.duplicates >> slot & 1 != 0
    }
}

/// The objects without a schema, and arrays.
const OTHER: u8 = 64;
const ARRAY: u8 = 65;

/// The position in a body, which is followed by as many bytes and one more.
struct Reader<U> {
    at: usize,
    /// The schema of the innermost open object, or [`OTHER`].
    schema: u8,
    /// The names of the fields. Each ends with a character for its type, `{` for an object with a schema. A space ends each
    /// schema.
    names: Text<ModuleMemory>,
    /// Receives the unknown members: the index of the schema, and the place of the name.
    unknown: U,
}

/// Returns the position of the first byte that is not UTF-8, or the end.
fn invalid_utf8(text: Text<ModuleMemory>) -> usize {
    let Text { memory, mut at, end } = text;
    while at < end {
        let lead = memory.byte(at);
        // The number of bytes that follow, and the range of the first of them.
        let (more, first, last) = match lead {
            0..0x80 => (0, 0, 0),
            0xC2..=0xDF => (1, 0x80, 0xBF),
            0xE0..=0xEF => (2, if lead == 0xE0 { 0xA0 } else { 0x80 }, if lead == 0xED { 0x9F } else { 0xBF }),
            0xF0..=0xF4 => (3, if lead == 0xF0 { 0x90 } else { 0x80 }, if lead == 0xF4 { 0x8F } else { 0xBF }),
            _ => break,
        };
        let next = at.wrapping_add(1);
        let after = next.wrapping_add(more);
        let is_valid = more == 0 || after <= end && (first..=last).contains(&memory.byte(next));
        if !is_valid || text.part(next, after).skip(|byte| byte & 0xC0 == 0x80) != after {
            break;
        }
        at = after;
    }
    at
}

/// Reads a body, with the names of the fields, and calls `unknown` for the unknown members.
pub(crate) fn read(
    body: Text<ModuleMemory>,
    names: Text<ModuleMemory>,
    limit: usize,
    slots: &mut Slots,
    unknown: impl FnMut(u8, usize, usize),
) -> Result<(), ReadError> {
    let invalid = invalid_utf8(body);
    if invalid < body.end {
        return Err(ReadError::Syntax(invalid));
    }
    put(body.end, 0);
    let mut reader = Reader { at: body.at, schema: OTHER, names, unknown };
    reader.read(body.end, limit, slots)?.ok_or(ReadError::Syntax(reader.at))
}

impl<U: FnMut(u8, usize, usize)> Reader<U> {
    #[inline(never)]
    fn peek(&self) -> u8 {
        byte(self.at)
    }

    #[inline(never)]
    fn eat(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == byte;
        self.at += usize::from(is_next);
        is_next
    }

    #[inline(never)]
    fn skip_whitespace(&mut self) {
        while matches!(self.peek(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at = self.at.wrapping_add(1);
        }
    }

    /// Reads at least one digit.
    #[inline(never)]
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at = self.at.wrapping_add(1);
        }
        (self.at != start).then_some(())
    }

    /// Reads the four digits of an escape.
    #[inline(never)]
    fn unit(&mut self) -> Option<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            unit = unit << 4 | char::from(self.peek()).to_digit(16)?;
            self.at = self.at.wrapping_add(1);
        }
        Some(unit)
    }

    /// Reads the character of an escape whose backslash was read.
    fn escape(&mut self) -> Option<u32> {
        let start = self.at;
        let byte = self.peek();
        let character = match byte {
            b'"' | b'\\' | b'/' => byte,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => 0,
            _ => return None,
        };
        self.at = start.wrapping_add(1);
        if character != 0 {
            return Some(character.into());
        }
        let mut unit = self.unit()?;
        // A high surrogate needs a low one, and neither is valid alone.
        if unit & 0xFC00 == 0xD800 && self.eat(b'\\') && self.eat(b'u') {
            let low = self.unit()?;
            if low & 0xFC00 == 0xDC00 {
                unit = (unit << 10).wrapping_add(low).wrapping_sub(0x035F_DC00);
            }
        }
        if unit & 0xFFFF_F800 == 0xD800 {
            self.at = start.wrapping_sub(1);
            return None;
        }
        Some(unit)
    }

    /// Reads the rest of a string, and returns the end of its characters, which begin at the cursor.
    #[inline(never)]
    fn string(&mut self) -> Option<usize> {
        let mut to = self.at;
        loop {
            let byte = self.peek();
            if byte < b' ' {
                return None;
            }
            self.at = self.at.wrapping_add(1);
            if byte == b'"' {
                return Some(to);
            }
            // A byte of the text stays as it is, and the character of an escape is encoded.
            let character = if byte == b'\\' { self.escape()? } else { byte.into() };
            let (lead, mut shift) = match character {
                _ if byte != b'\\' => (0, 0),
                0..0x80 => (0, 0),
                0x80..0x800 => (0xC0, 6_u32),
                0x800..0x10000 => (0xE0, 12),
                _ => (0xF0, 18),
            };
            put(to, lead | character >> shift);
            to = to.wrapping_add(1);
            while shift != 0 {
                shift = shift.wrapping_sub(6);
                put(to, 0x80 | character >> shift & 0x3F);
                to = to.wrapping_add(1);
            }
        }
    }

    fn scalar(&mut self) -> Option<ValueKind> {
        let (word, kind) = match self.peek() {
            b't' => (&b"true"[..], ValueKind::Boolean),
            b'f' => (&b"false"[..], ValueKind::Boolean),
            b'n' => (&b"null"[..], ValueKind::Null),
            _ => {
                self.eat(b'-');
                if !self.eat(b'0') {
                    self.digits()?;
                }
                if self.eat(b'.') {
                    self.digits()?;
                }
                if self.eat(b'e') || self.eat(b'E') {
                    if !self.eat(b'+') {
                        self.eat(b'-');
                    }
                    self.digits()?;
                }
                return Some(ValueKind::Number);
            }
        };
        word.iter().all(|byte| self.eat(*byte)).then_some(kind)
    }

    /// Reads the name of a member, and the whitespace up to its value. Returns its slot and the schema of its object, if the
    /// reader needs its value.
    fn name(&mut self, slots: &mut Slots) -> Option<(usize, u8)> {
        if !self.eat(b'"') {
            return None;
        }
        let start = self.at;
        let end = self.string()?;
        self.skip_whitespace();
        if !self.eat(b':') {
            return None;
        }
        self.skip_whitespace();
        if self.schema == OTHER {
            return Some((usize::MAX, OTHER));
        }
        let (mut slot, mut schema, mut inner, mut at) = (0, 0, 0, start);
        let mut is_same = true;
        for mark in self.names.at..self.names.end {
            let mark = byte(mark);
            if mark >= b'0' && mark != b'{' {
                is_same &= byte(at) == mark;
                at += 1;
                continue;
            }
            if at == start {
                schema += 1;
                continue;
            }
            inner += u8::from(mark == b'{');
            if is_same && at == end && schema == self.schema {
                let bit = 1 << slot;
                if slots.given & bit != 0 {
                    slots.duplicates |= bit;
                    return Some((usize::MAX, OTHER));
                }
                slots.given |= bit;
                return Some((slot, if mark == b'{' { inner } else { OTHER }));
            }
            slot += 1;
            at = start;
            is_same = true;
        }
        (self.unknown)(self.schema, start, end);
        Some((usize::MAX, OTHER))
    }

    /// Returns `None` for invalid JSON at the cursor.
    fn read(&mut self, end: usize, limit: usize, slots: &mut Slots) -> Result<Option<()>, ReadError> {
        // The open objects and arrays are stored after the body.
        let mut depth = end;
        let (mut slot, mut inner) = (usize::MAX, 0);
        let mut root = ValueKind::Nothing;
        self.skip_whitespace();
        loop {
            let start = self.at;
            let first = self.peek();
            let mut enters = false;
            let (kind, text) = match first {
                b'{' | b'[' => {
                    if depth.wrapping_sub(end) >= limit {
                        return Err(ReadError::TooDeep);
                    }
                    depth = depth.wrapping_add(1);
                    put(depth, self.schema.into());
                    let is_object = first == b'{';
                    self.schema = if is_object { inner } else { ARRAY };
                    self.at = start.wrapping_add(1);
                    self.skip_whitespace();
                    enters = self.peek() != first.wrapping_add(2);
                    (if is_object { ValueKind::Object } else { ValueKind::Array }, (start, start))
                }
                b'"' => {
                    self.at = start.wrapping_add(1);
                    let Some(end) = self.string() else { return Ok(None) };
                    (ValueKind::String, (start.wrapping_add(1), end))
                }
                _ => {
                    let Some(kind) = self.scalar() else { return Ok(None) };
                    (kind, (start, self.at))
                }
            };
            if root == ValueKind::Nothing {
                root = kind;
            }
            if let Some(target) = slots.values.get_mut(slot) {
                *target = (kind, text.0, text.1);
            }
            // After a value: the next one, or the ends of objects and arrays.
            while !enters {
                self.skip_whitespace();
                if depth == end {
                    if self.at != end {
                        return Ok(None);
                    }
                    return if root == ValueKind::Object { Ok(Some(())) } else { Err(ReadError::Type(root)) };
                }
                if self.eat(b',') {
                    self.skip_whitespace();
                    enters = true;
                } else if self.eat(if self.schema == ARRAY { b']' } else { b'}' }) {
                    self.schema = byte(depth);
                    depth = depth.wrapping_sub(1);
                } else {
                    return Ok(None);
                }
            }
            (slot, inner) = (usize::MAX, OTHER);
            if self.schema != ARRAY {
                let Some(member) = self.name(slots) else { return Ok(None) };
                (slot, inner) = member;
            }
        }
    }
}
