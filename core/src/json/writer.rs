//! Writes JSON into the caller's buffer: members in the order of the calls, without whitespace.

use alloc::string::String;
use alloc::vec::Vec;

use super::terminator::first_terminator;
use super::{JsonStr, Value};
use crate::util::bug::or_bug;

/// Appends JSON to a buffer. It allocates only if the buffer is too small.
pub(crate) struct Writer<'o> {
    out: &'o mut Vec<u8>,
    /// Whether a comma must precede the next member or item of the innermost open object or array.
    /// One flag suffices, because the enclosing ones then contain at least this value.
    needs_comma: bool,
}

impl<'o> Writer<'o> {
    pub(crate) fn new(out: &'o mut Vec<u8>) -> Self {
        Writer {
            out,
            needs_comma: false,
        }
    }

    /// Writes a value with `fill`, which appends complete JSON.
    pub(crate) fn value_by(&mut self, fill: impl FnOnce(&mut Vec<u8>)) {
        self.separate();
        fill(self.out);
    }

    /// Writes a comma, unless the value is the first in its object or array or follows a name.
    fn separate(&mut self) {
        if self.needs_comma {
            self.out.push(b',');
        }
        self.needs_comma = true;
    }

    /// Writes a byte unchanged.
    fn byte(&mut self, byte: u8) {
        self.out.push(byte);
    }

    pub(crate) fn name(&mut self, name: &str) -> &mut Self {
        self.separate();
        self.byte(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.needs_comma = false;
        self
    }

    /// Writes a member's name that may need escapes.
    pub(crate) fn foreign_name(&mut self, name: &str) -> &mut Self {
        self.string(name);
        self.byte(b':');
        self.needs_comma = false;
        self
    }

    /// Writes a member that was read, with its value unchanged.
    pub(crate) fn member(&mut self, name: JsonStr<'_>, value: Value<'_>) {
        self.name_of(name).value(value);
    }

    /// Writes a member's name that was read, with the shortest escapes.
    pub(crate) fn name_of(&mut self, text: JsonStr<'_>) -> &mut Self {
        if let Some(plain) = text.plain() {
            return self.name(plain);
        }
        text.with_decoded(|name| {
            self.foreign_name(name);
        });
        self
    }

    pub(crate) fn object(&mut self, fill: impl FnOnce(&mut Writer<'_>)) {
        self.open(b'{');
        fill(self);
        self.close(b'}');
    }

    pub(crate) fn array(&mut self, fill: impl FnOnce(&mut Writer<'_>)) {
        self.open(b'[');
        fill(self);
        self.close(b']');
    }

    fn open(&mut self, bracket: u8) {
        self.separate();
        self.byte(bracket);
        self.needs_comma = false;
    }

    fn close(&mut self, bracket: u8) {
        self.byte(bracket);
        self.needs_comma = true;
    }

    /// Writes a JSON text unchanged.
    pub(crate) fn raw(&mut self, json: &str) {
        self.separate();
        self.out.extend_from_slice(json.as_bytes());
    }

    /// Writes a value that was read, unchanged.
    pub(crate) fn value(&mut self, value: Value<'_>) {
        match value {
            Value::Absent | Value::Null => self.null(),
            Value::Bool(value) => self.bool(value),
            Value::Number(raw) | Value::Array(raw) | Value::Object(raw) => self.raw(raw),
            Value::String(text) => self.plain(|out| out.extend_from_slice(text.raw().as_bytes())),
        }
    }

    pub(crate) fn null(&mut self) {
        self.raw("null");
    }

    pub(crate) fn bool(&mut self, value: bool) {
        self.raw(if value { "true" } else { "false" });
    }

    pub(crate) fn integer(&mut self, value: impl Into<u64>) {
        self.separate();
        write_integer(value.into(), self.out);
    }

    /// Writes an integer that may be negative.
    pub(crate) fn signed(&mut self, value: i64) {
        self.raw(itoa::Buffer::new().format(value));
    }

    /// Writes a string with the shortest escapes of JSON.
    pub(crate) fn string(&mut self, text: &str) {
        self.separate();
        self.byte(b'"');
        escape(text, self.out);
        self.byte(b'"');
    }

    /// Writes a string that needs no escapes, such as a name from a table.
    pub(crate) fn word(&mut self, word: &str) {
        debug_assert!(
            first_terminator(word.as_bytes()).is_none(),
            "a word has no escapes"
        );
        self.plain(|out| out.extend_from_slice(word.as_bytes()));
    }

    pub(crate) fn word_or_null(&mut self, word: Option<&str>) {
        match word {
            Some(word) => self.word(word),
            None => self.null(),
        }
    }

    /// Writes a string with the content from `fill`, which must not need escapes or must escape it.
    #[inline]
    pub(crate) fn plain(&mut self, fill: impl FnOnce(&mut Vec<u8>)) {
        self.separate();
        self.byte(b'"');
        fill(self.out);
        self.byte(b'"');
    }

    pub(crate) fn string_or_null(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.string(text),
            None => self.null(),
        }
    }

    pub(crate) fn strings<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        self.array(|w| texts.into_iter().for_each(|text| w.string(text)));
    }
}

/// Returns the written bytes as text.
pub(crate) fn into_text(written: Vec<u8>) -> String {
    or_bug(String::from_utf8(written).ok(), String::new())
}

/// Returns what `fill` writes as text.
pub(crate) fn text_by(fill: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    fill(&mut out);
    into_text(out)
}

/// Writes decimal digits.
pub(crate) fn write_integer(value: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Appends `text` as the content of a JSON string.
pub(crate) fn escape(text: &str, out: &mut Vec<u8>) {
    escape_by(text, |bytes| out.extend_from_slice(bytes));
}

/// Passes `text` as the content of a JSON string to `put`, in several pieces.
pub(crate) fn escape_by(text: &str, mut put: impl FnMut(&[u8])) {
    let mut rest = text.as_bytes();
    while let Some(at) = first_terminator(rest) {
        let (plain, special) = rest.split_at_checked(at).unwrap_or((rest, &[]));
        put(plain);
        let Some((byte, following)) = special.split_first() else {
            return;
        };
        match byte {
            b'"' => put(b"\\\""),
            b'\\' => put(b"\\\\"),
            b'\n' => put(b"\\n"),
            b'\r' => put(b"\\r"),
            b'\t' => put(b"\\t"),
            0x08 => put(b"\\b"),
            0x0C => put(b"\\f"),
            byte => {
                put(b"\\u00");
                put(&hex(*byte));
            }
        }
        rest = following;
    }
    put(rest);
}

/// Returns a byte as two lower-case hexadecimal digits.
pub(crate) fn hex(byte: u8) -> [u8; 2] {
    [byte >> 4, byte & 0xF].map(|nibble| match nibble {
        0..=9 => b'0'.wrapping_add(nibble),
        _ => b'a'.wrapping_add(nibble.wrapping_sub(10)),
    })
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::{Writer, escape};

    #[test]
    fn writes_commas_after_any_value() {
        let mut out = Vec::from(*b"{");
        Writer::new(&mut out).array(|w| {
            for text in ["{", "[", ":", "a:"] {
                w.raw(text);
                w.plain(|out| out.extend_from_slice(text.as_bytes()));
                w.value_by(|out| out.extend_from_slice(text.as_bytes()));
            }
        });
        assert_eq!(out, br#"{[{,"{",{,[,"[",[,:,":",:,a:,"a:",a:]"#);
    }

    #[test]
    fn writes_nested_empty_containers() {
        let mut out = Vec::new();
        Writer::new(&mut out).object(|w| {
            w.name("a").array(|w| {
                w.object(|_| {});
                w.array(|w| w.array(|_| {}));
                w.null();
            });
            w.name("b").object(|w| w.name("c").object(|_| {}));
            w.foreign_name("d").null();
            w.name("e").array(|_| {});
        });
        assert_eq!(out, br#"{"a":[{},[[]],null],"b":{"c":{}},"d":null,"e":[]}"#);
    }

    #[test]
    fn writes_numbers_of_every_width() {
        for number in [0, 7, -1, 10, 1_234_567_890, i64::MAX, i64::MIN] {
            let mut out = Vec::new();
            Writer::new(&mut out).signed(number);
            assert_eq!(out, number.to_string().as_bytes());
        }
    }

    #[test]
    fn writes_the_shortest_escapes() {
        for before in ["", "a", "seven b", "more than eight", "я"] {
            let mut out = Vec::new();
            escape(
                &format!("{before}\"\\\n\r\t\u{8}\u{c}\u{1}\u{7f}{before}"),
                &mut out,
            );
            let expected = format!("{before}\\\"\\\\\\n\\r\\t\\b\\f\\u0001\u{7f}{before}");
            assert_eq!(out, expected.as_bytes());
        }
    }
}
