//! A JSON text with gaps: the member `"$": "name"` of an object is a placeholder for members that are filled in.

use crate::json::writer::Writer;
use crate::json::{Value, items, members};

/// Writes a value of the frame without its whitespace, and calls `fill` for each gap.
pub(super) fn write(frame: Value<'static>, w: &mut Writer<'_>, fill: &mut dyn FnMut(&'static str, &mut Writer<'_>)) {
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
        write(Value::Object(frame), &mut Writer::new(&mut out), &mut |name, w| {
            if name != "nothing" {
                w.name(name).integer(1_u32);
                w.name("b").raw("[]");
            }
        });
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn fills_placeholders_at_every_position() {
        let frame =
            "{\n  \"a\": [ {}, true, -1.5 ],\n  \"$\": \"x y\",\n  \"c\\\"\": {\"$\": \"z\", \"d, \": \"\\\\\"}\n}\n";
        assert_eq!(filled(frame), r#"{"a":[{},true,-1.5],"x y":1,"b":[],"c\"":{"z":1,"b":[],"d, ":"\\"}}"#);
        assert_eq!(filled(r#"{"$": "nothing", "a": {"$": "nothing"}, "$": "nothing"}"#), r#"{"a":{}}"#);
    }
}
