//! The reader of bodies: one loop, which decodes strings in place.
//!
//! Its state is static and not behind a pointer, and its functions return one number each: 1.3 KB
//! less code.

use core::cell::Cell;
use payspec::page::{Code, FIELDS, Member, Members, Text, ValueKind};

/// A text in the memory of the module. The positions of bytes are their addresses.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct ModuleText {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Text for ModuleText {
    fn start(self) -> usize {
        self.start
    }

    fn end(self) -> usize {
        self.end
    }

    fn byte(self, at: usize) -> u8 {
        byte(at)
    }

    fn part(self, start: usize, end: usize) -> ModuleText {
        ModuleText { start, end }
    }
}

fn byte(at: usize) -> u8 {
    // SAFETY: the module has one thread, and its memory begins at 0. JavaScript has written the
    // bytes of all texts, and the 64 bytes after the body belong to the memory. `find` reads the
    // most of them: as many as the longest name has.
    unsafe { core::ptr::with_exposed_provenance::<u8>(at).read() }
}

/// Stores the lowest byte of a number.
fn put(at: usize, byte: u32) {
    // SAFETY: the reader writes into the body, and into the memory after it that JavaScript keeps
    // free.
    unsafe { core::ptr::with_exposed_provenance_mut::<u8>(at).write(byte as u8) };
}

/// The number of slots, which is a power of two, so that masked slots need no check.
const SLOTS: usize = 32;
const _: () = assert!(FIELDS <= SLOTS);

/// The state of a call.
struct State {
    /// The cursor. The body is followed by as many bytes and 64 more.
    at: Cell<usize>,
    /// The schema of the innermost open object, or [`OTHER`], or [`ARRAY`].
    schema: Cell<u32>,
    kinds: [Cell<ValueKind>; SLOTS],
    starts: [Cell<usize>; SLOTS],
    ends: [Cell<usize>; SLOTS],
    given: Cell<u64>,
    duplicates: Cell<u64>,
}

// SAFETY: the module has one thread.
unsafe impl Sync for State {}

static STATE: State = State {
    at: Cell::new(0),
    schema: Cell::new(0),
    kinds: [const { Cell::new(ValueKind::Nothing) }; SLOTS],
    starts: [const { Cell::new(0) }; SLOTS],
    ends: [const { Cell::new(0) }; SLOTS],
    given: Cell::new(0),
    duplicates: Cell::new(0),
};

/// A value of the body, by its slot.
#[derive(Clone, Copy)]
pub(crate) struct Value(usize);

impl Value {
    #[inline(always)]
    fn text_of(self, kind: ValueKind) -> ModuleText {
        let Value(slot) = self;
        let start = STATE.starts[slot].get();
        ModuleText {
            start,
            end: if self.kind() == kind {
                STATE.ends[slot].get()
            } else {
                start
            },
        }
    }
}

impl Member for Value {
    type Text = ModuleText;
    type Other<'m> = ModuleText;

    fn kind(self) -> ValueKind {
        STATE.kinds[self.0].get()
    }

    fn is_true(self) -> bool {
        self.kind() == ValueKind::Boolean && byte(STATE.starts[self.0].get()) == b't'
    }

    fn string<R: Default>(self, read: impl for<'m> FnOnce(ModuleText) -> R) -> R {
        read(self.text_of(ValueKind::String))
    }

    fn plain(self) -> Option<ModuleText> {
        (self.kind() == ValueKind::String).then(|| self.text_of(ValueKind::String))
    }

    fn number(self) -> ModuleText {
        self.text_of(ValueKind::Number)
    }
}

/// The members of the body.
#[derive(Clone, Copy)]
pub(crate) struct Slots;

impl Members for Slots {
    type Value = Value;

    fn member(self, slot: usize) -> Value {
        Value(slot % SLOTS)
    }

    fn given(self) -> u64 {
        STATE.given.get()
    }

    fn is_duplicate(self, slot: usize) -> bool {
        STATE.duplicates.get() >> slot & 1 != 0
    }
}

/// The objects without a schema, and arrays.
const OTHER: u32 = 64;
const ARRAY: u32 = 65;

/// Returns the position of the first byte that is not UTF-8, or the end. A byte after the end is
/// read.
fn invalid_utf8(text: ModuleText) -> usize {
    let mut at = text.start;
    while at < text.end {
        let lead = byte(at);
        let mut next = at.wrapping_add(1);
        if !lead.is_ascii() {
            let len = lead.leading_ones();
            let mut character = u32::from(lead) & 0x7F >> len;
            for _ in 1..len {
                let other = byte(next);
                if other & 0xC0 != 0x80 {
                    return at;
                }
                character = character << 6 | u32::from(other & 0x3F);
                next = next.wrapping_add(1);
            }
            if len == 1 || char::from_u32(character).is_none() || following(character) + 1 != len {
                return at;
            }
        }
        at = next;
    }
    at
}

/// Returns the number of bytes of a character after its first one.
#[inline(never)]
fn following(character: u32) -> u32 {
    match character {
        0..0x80 => 0,
        0x80..0x800 => 1,
        0x800..0x10000 => 2,
        _ => 3,
    }
}

/// Reads a body, with the names of the fields: each ends with a character for its type, `{` for an
/// object with a schema. A space ends each schema. Calls `unknown` for the unknown members, with
/// the index of their schema, and the place of the name.
///
/// Returns the violation of a body that is not read.
pub(crate) fn read(
    body: ModuleText,
    names: ModuleText,
    limit: usize,
    unknown: impl FnMut(u32, usize, usize),
) -> Option<(Code, usize)> {
    STATE.given.set(0);
    STATE.duplicates.set(0);
    for kind in &STATE.kinds {
        kind.set(ValueKind::Nothing);
    }
    put(body.end, 0);
    STATE.at.set(invalid_utf8(body));
    let mut root = ValueKind::Nothing;
    let depth = if STATE.at.get() == body.end {
        STATE.at.set(body.start);
        read_values(body.end, names, limit, &mut root, unknown)
    } else {
        0
    };
    match depth {
        0 => Some((Code::JsonSyntax, STATE.at.get())),
        1 => Some((Code::TooDeep, limit)),
        _ if root == ValueKind::Object => None,
        _ => Some((Code::Type, root.index())),
    }
}

fn advance() {
    STATE.at.set(STATE.at.get().wrapping_add(1));
}

fn peek() -> u8 {
    byte(STATE.at.get())
}

#[inline(never)]
fn eat(byte: u8) -> bool {
    let is_next = peek() == byte;
    if is_next {
        advance();
    }
    is_next
}

#[inline(never)]
fn skip_whitespace() {
    while matches!(peek(), b' ' | b'\n' | b'\r' | b'\t') {
        advance();
    }
}

/// Reads at least one digit.
#[inline(never)]
fn digits() -> bool {
    let start = STATE.at.get();
    while peek().is_ascii_digit() {
        advance();
    }
    STATE.at.get() != start
}

/// No character.
const NONE: u32 = u32::MAX;

/// Reads the four digits of an escape.
#[inline(never)]
fn unit() -> u32 {
    let mut unit = 0;
    for _ in 0..4 {
        let Some(digit) = char::from(peek()).to_digit(16) else {
            return NONE;
        };
        unit = unit << 4 | digit;
        advance();
    }
    unit
}

/// Reads the character of an escape whose backslash was read.
fn escape() -> u32 {
    let start = STATE.at.get();
    let byte = peek();
    let simple = b"\"\"\\\\//b\x08f\x0Cn\nr\rt\t"
        .as_chunks()
        .0
        .iter()
        .find(|[letter, _]| *letter == byte);
    if byte != b'u' && simple.is_none() {
        return NONE;
    }
    advance();
    if let Some([_, character]) = simple {
        return u32::from(*character);
    }
    let mut character = unit();
    // A high surrogate needs a low one, and neither is valid alone.
    if character & 0xFFFF_FC00 == 0xD800 && eat(b'\\') && eat(b'u') {
        let low = unit();
        if low == NONE {
            return NONE;
        }
        if low & 0xFC00 == 0xDC00 {
            character = (character << 10)
                .wrapping_add(low)
                .wrapping_sub(0x035F_DC00);
        }
    }
    if character & 0xFFFF_F800 == 0xD800 {
        STATE.at.set(start.wrapping_sub(1));
        return NONE;
    }
    character
}

/// Reads the rest of a string, and returns the end of its characters, which begin at the cursor, or
/// 0.
#[inline(never)]
fn string() -> usize {
    let mut to = STATE.at.get();
    loop {
        let byte = peek();
        if byte < b' ' {
            return 0;
        }
        advance();
        if byte == b'"' {
            return to;
        }
        // A byte of the text stays as it is, and the character of an escape is encoded.
        let (mut character, mut more) = (u32::from(byte), 0_u32);
        if byte == b'\\' {
            character = escape();
            if character == NONE {
                return 0;
            }
            more = following(character);
        }
        // The first byte has a bit for each of several bytes.
        let lead = if more == 0 { 0 } else { !(0x7F >> more) };
        put(to, lead | character >> (6 * more));
        to = to.wrapping_add(1);
        while more != 0 {
            more -= 1;
            put(to, 0x80 | character >> (6 * more) & 0x3F);
            to = to.wrapping_add(1);
        }
    }
}

/// Reads a number or a word. Returns `Nothing` for invalid JSON at the cursor.
fn scalar() -> ValueKind {
    let (word, kind) = match peek() {
        b't' => (&b"true"[..], ValueKind::Boolean),
        b'f' => (&b"false"[..], ValueKind::Boolean),
        b'n' => (&b"null"[..], ValueKind::Null),
        _ => {
            eat(b'-');
            let mut is_valid = eat(b'0') || digits();
            if is_valid && eat(b'.') {
                is_valid = digits();
            }
            if is_valid && (eat(b'e') || eat(b'E')) {
                _ = eat(b'+') || eat(b'-');
                is_valid = digits();
            }
            return if is_valid {
                ValueKind::Number
            } else {
                ValueKind::Nothing
            };
        }
    };
    if word.iter().all(|byte| eat(*byte)) {
        kind
    } else {
        ValueKind::Nothing
    }
}

/// Reads all values. Returns 0 for invalid JSON at the cursor, 1 for a body that is too deep, and
/// otherwise 2.
fn read_values(
    end: usize,
    names: ModuleText,
    limit: usize,
    root: &mut ValueKind,
    mut unknown: impl FnMut(u32, usize, usize),
) -> u32 {
    // The schemas of the open objects and arrays are stored after the body.
    let mut depth = end;
    let (mut slot, mut inner) = (usize::MAX, 0);
    STATE.schema.set(OTHER);
    skip_whitespace();
    loop {
        let mut start = STATE.at.get();
        let mut value_end = start;
        let first = peek();
        let mut enters = false;
        let mut kind = ValueKind::String;
        match first {
            b'{' | b'[' => {
                if depth.wrapping_sub(end) >= limit {
                    return 1;
                }
                depth = depth.wrapping_add(1);
                put(depth, STATE.schema.get());
                let is_object = first == b'{';
                kind = if is_object {
                    ValueKind::Object
                } else {
                    ValueKind::Array
                };
                STATE.schema.set(if is_object { inner } else { ARRAY });
                advance();
                skip_whitespace();
                enters = peek() != first.wrapping_add(2);
            }
            b'"' => {
                advance();
                start = start.wrapping_add(1);
                value_end = string();
                if value_end == 0 {
                    return 0;
                }
            }
            _ => {
                kind = scalar();
                value_end = STATE.at.get();
                if kind == ValueKind::Nothing {
                    return 0;
                }
            }
        }
        if *root == ValueKind::Nothing {
            *root = kind;
        }
        if slot < SLOTS {
            STATE.kinds[slot].set(kind);
            STATE.starts[slot].set(start);
            STATE.ends[slot].set(value_end);
        }
        // After a value: the next one, or the ends of objects and arrays.
        while !enters {
            skip_whitespace();
            if depth == end {
                return if STATE.at.get() == end { 2 } else { 0 };
            }
            if eat(b',') {
                skip_whitespace();
                enters = true;
            } else if eat(if STATE.schema.get() == ARRAY {
                b']'
            } else {
                b'}'
            }) {
                STATE.schema.set(byte(depth).into());
                depth = depth.wrapping_sub(1);
            } else {
                return 0;
            }
        }
        (slot, inner) = (usize::MAX, OTHER);
        let schema = STATE.schema.get();
        if schema != ARRAY {
            if !eat(b'"') {
                return 0;
            }
            let start = STATE.at.get();
            let end = string();
            if end == 0 {
                return 0;
            }
            skip_whitespace();
            if !eat(b':') {
                return 0;
            }
            skip_whitespace();
            if schema != OTHER {
                let field = find(names, schema, start, end);
                let bit = 1 << (field & 63);
                if field == NONE {
                    unknown(schema, start, end);
                } else if STATE.given.get() & bit != 0 {
                    STATE.duplicates.set(STATE.duplicates.get() | bit);
                } else {
                    STATE.given.set(STATE.given.get() | bit);
                    (slot, inner) = (usize::from(field as u8), field >> 8);
                }
            }
        }
    }
}

/// Returns the slot of a member of an object, and from bit 8 on the schema of its value, or
/// [`NONE`].
fn find(names: ModuleText, schema: u32, start: usize, end: usize) -> u32 {
    let (mut slot, mut current, mut inner, mut at) = (0, 0, 0, start);
    let mut is_same = true;
    let mut mark_at = names.start;
    while mark_at != names.end {
        let mark = byte(mark_at);
        mark_at = mark_at.wrapping_add(1);
        if mark >= b'0' && mark != b'{' {
            is_same &= byte(at) == mark;
            at = at.wrapping_add(1);
            continue;
        }
        if at == start {
            current += 1;
            continue;
        }
        let has_schema = mark == b'{';
        inner += u32::from(has_schema);
        if is_same && at == end && current == schema {
            return slot | (if has_schema { inner } else { OTHER }) << 8;
        }
        slot += 1;
        at = start;
        is_same = true;
    }
    NONE
}
