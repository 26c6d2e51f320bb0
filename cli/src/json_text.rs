//! Prints JSON over several lines, with the members and numbers exactly as given.

/// Appends JSON with an indentation of two spaces.
///
/// `json` must be valid, as every answer of the library is.
pub(crate) fn expand(json: &[u8], out: &mut Vec<u8>) {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = json.get(at) {
        match byte {
            b'{' | b'[' => {
                let next = json[at + 1..].iter().position(|byte| !byte.is_ascii_whitespace()).map(|skip| at + 1 + skip);
                out.push(byte);
                if let Some(next) = next.filter(|next| matches!(json[*next], b'}' | b']')) {
                    out.push(json[next]);
                    at = next;
                } else {
                    depth += 1;
                    new_line(depth, out);
                }
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                new_line(depth, out);
                out.push(byte);
            }
            b',' => {
                out.push(byte);
                new_line(depth, out);
            }
            b':' => out.extend_from_slice(b": "),
            b'"' => {
                let end = string_end(json, at);
                out.extend_from_slice(&json[at..end]);
                at = end;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {}
            byte => out.push(byte),
        }
        at += 1;
    }
    out.push(b'\n');
}

fn new_line(depth: usize, out: &mut Vec<u8>) {
    out.push(b'\n');
    out.resize(out.len() + depth * 2, b' ');
}

/// Returns the index after the string that begins at `start`.
fn string_end(json: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = json.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    json.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_only_whitespace() {
        let mut out = Vec::new();
        expand(br#"{"a":[],"b\"{":[1.50,{"c":"\\"},{ }],"d":null}"#, &mut out);
        let expected = "{\n  \"a\": [],\n  \"b\\\"{\": [\n    1.50,\n    {\n      \"c\": \"\\\\\"\n    },\n    {}\n  ],\n  \"d\": null\n}\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
