//! A JSON text with gaps: the member `"$": "name"` of an object is a placeholder for members that
//! are filled in.

use crate::json::writer::Writer;
use crate::json::{Value, items, members};

/// Includes a JSON file without the whitespace around its values.
macro_rules! include_compact {
    ($file:literal) => {{
        const TEXT: &str = include_str!($file);
        const COMPACT: [u8; $crate::openapi::frame::compact::<0>(TEXT).1] =
            $crate::openapi::frame::compact(TEXT).0;
        match core::str::from_utf8(&COMPACT) {
            Ok(text) => text,
            Err(_) => TEXT,
        }
    }};
}

pub(super) use include_compact;

/// Returns the first `N` bytes of a JSON text without whitespace around its values, and their total
/// number.
#[expect(
    clippy::indexing_slicing,
    reason = "at compile time a panic is an error of the compiler"
)]
pub(super) const fn compact<const N: usize>(text: &str) -> ([u8; N], usize) {
    let text = text.as_bytes();
    let (mut bytes, mut length, mut at) = ([0; N], 0_usize, 0_usize);
    let (mut in_string, mut is_escaped) = (false, false);
    while at < text.len() {
        let byte = text[at];
        in_string ^= byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        if in_string || !byte.is_ascii_whitespace() {
            if length < N {
                bytes[length] = byte;
            }
            length = length.saturating_add(1);
        }
        at = at.saturating_add(1);
    }
    (bytes, length)
}

/// Writes a value of the frame without its whitespace, and calls `fill` for each gap.
pub(super) fn write(
    frame: Value<'static>,
    w: &mut Writer<'_>,
    fill: &mut dyn FnMut(&'static str, &mut Writer<'_>),
) {
    match frame {
        Value::Object(object) => w.object(|w| {
            for (name, value) in members(object) {
                match value {
                    Value::String(gap) if name.is("$") => fill(gap.raw(), w),
                    value => write(value, w.name_of(name), fill),
                }
            }
        }),
        Value::Array(array) => w.array(|w| items(array).for_each(|item| write(item, w, fill))),
        value => w.value(value),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    fn filled(frame: &'static str) -> String {
        let mut out = Vec::new();
        write(
            Value::Object(frame),
            &mut Writer::new(&mut out),
            &mut |name, w| {
                if name != "nothing" {
                    w.name(name).integer(1_u32);
                    w.name("b").raw("[]");
                }
            },
        );
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn removes_whitespace_outside_strings_only() {
        let text = "{\n  \"a \\\" b\" : [ 1, \"\\\\\" , \" c\\n\" ]\n}\n";
        let compact_text = r#"{"a \" b":[1,"\\"," c\n"]}"#;
        assert_eq!(
            compact(text),
            (*compact_text.as_bytes().first_chunk::<26>().unwrap(), 26)
        );
        assert_eq!(compact::<0>(text), ([], compact_text.len()));
    }

    #[test]
    fn fills_placeholders_at_every_position() {
        let frame = "{\n  \"a\": [ {}, true, -1.5 ],\n  \"$\": \"x y\",\n  \"c\\\"\": {\"$\": \"z\", \"d, \": \"\\\\\"}\n}\n";
        assert_eq!(
            filled(frame),
            r#"{"a":[{},true,-1.5],"x y":1,"b":[],"c\"":{"z":1,"b":[],"d, ":"\\"}}"#
        );
        assert_eq!(
            filled(r#"{"$": "nothing", "a": {"$": "nothing"}, "$": "nothing"}"#),
            r#"{"a":{}}"#
        );
    }
}
