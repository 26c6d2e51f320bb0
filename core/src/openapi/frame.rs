//! A JSON text with gaps: `"$": "name"` in an object is a placeholder for members that are filled in.

use crate::json::writer::Writer;

/// Writes the frame without its whitespace, and calls `fill` for each gap.
pub(super) fn fill(frame: &'static str, w: &mut Writer<'_>, mut fill: impl FnMut(&'static str, &mut Writer<'_>)) {
    let mut rest = frame;
    let mut in_gap = false;
    while let Some(token) = next(&mut rest) {
        match token {
            // The writer adds the commas, since a gap may be filled with no members.
            "," => {}
            ":" if in_gap => {}
            "\"$\"" => in_gap = true,
            name if in_gap => {
                in_gap = false;
                fill(name.trim_matches('"'), w);
            }
            token => w.token(token),
        }
    }
}

/// Takes the next token: a string with its quotes, one of `{}[]:,`, a number, or a literal.
fn next(rest: &mut &'static str) -> Option<&'static str> {
    let text = rest.trim_ascii_start();
    let length = match text.bytes().next()? {
        b'"' => {
            let mut escaped = false;
            let end = text.bytes().skip(1).position(|byte| {
                let ends = byte == b'"' && !escaped;
                escaped = byte == b'\\' && !escaped;
                ends
            });
            end?.saturating_add(2)
        }
        b'{' | b'}' | b'[' | b']' | b':' | b',' => 1,
        _ => text.find([',', '}', ']', ' ', '\n']).unwrap_or(text.len()),
    };
    let (token, behind) = text.split_at_checked(length)?;
    *rest = behind;
    Some(token)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    fn filled(frame: &'static str) -> String {
        let mut out = Vec::new();
        fill(frame, &mut Writer::new(&mut out), |name, w| {
            if name != "nothing" {
                w.name(name).integer(1_u32);
                w.name("b").raw("[]");
            }
        });
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn gaps_at_every_place() {
        let frame =
            "{\n  \"a\": [ {}, true, -1.5 ],\n  \"$\": \"x y\",\n  \"c\\\"\": {\"$\": \"z\", \"d, \": \"\\\\\"}\n}\n";
        assert_eq!(filled(frame), r#"{"a":[{},true,-1.5],"x y":1,"b":[],"c\"":{"z":1,"b":[],"d, ":"\\"}}"#);
        assert_eq!(filled(r#"{"$": "nothing", "a": {"$": "nothing"}, "$": "nothing"}"#), r#"{"a":{}}"#);
    }
}
