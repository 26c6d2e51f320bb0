//! Prints JSON over several lines, with the members and numbers exactly as given.

use anstyle::{AnsiColor, Style};

/// The styles of tokens.
#[derive(Clone, Copy, Debug, Default)]
struct Styles {
    name: Style,
    string: Style,
    /// Numbers, booleans, and null.
    other: Style,
}

/// Appends JSON with an indentation of two spaces.
///
/// `json` must be valid, as every answer of the library is.
pub(crate) fn expand(json: &[u8], out: &mut Vec<u8>) {
    write(json, Styles::default(), out);
}

/// Appends JSON like `expand`, with colors.
pub(crate) fn expand_colored(json: &[u8], out: &mut Vec<u8>) {
    let [name, string, other] =
        [AnsiColor::Blue, AnsiColor::Green, AnsiColor::Magenta].map(AnsiColor::on_default);
    write(
        json,
        Styles {
            name: name.bold(),
            string,
            other,
        },
        out,
    );
}

fn write(json: &[u8], styles: Styles, out: &mut Vec<u8>) {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(&byte) = json.get(at) {
        match byte {
            b'{' | b'[' => {
                let next = json[at + 1..]
                    .iter()
                    .position(|byte| !byte.is_ascii_whitespace())
                    .map(|skip| at + 1 + skip);
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
                let is_name = json[end..].trim_ascii_start().starts_with(b":");
                styled(
                    &json[at..end],
                    if is_name { styles.name } else { styles.string },
                    out,
                );
                at = end;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {}
            _ => {
                let is_end =
                    |byte: &u8| matches!(byte, b',' | b']' | b'}') || byte.is_ascii_whitespace();
                let end = json[at..]
                    .iter()
                    .position(is_end)
                    .map_or(json.len(), |length| at + length);
                styled(&json[at..end], styles.other, out);
                at = end;
                continue;
            }
        }
        at += 1;
    }
    out.push(b'\n');
}

fn styled(token: &[u8], style: Style, out: &mut Vec<u8>) {
    out.extend_from_slice(style.render().to_string().as_bytes());
    out.extend_from_slice(token);
    out.extend_from_slice(style.render_reset().to_string().as_bytes());
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
        expand(
            br#"{"a":[],"b\"{":[1.50,{"c":"\\"},{ }],"d":null}"#,
            &mut out,
        );
        let expected = "{\n  \"a\": [],\n  \"b\\\"{\": [\n    1.50,\n    {\n      \"c\": \"\\\\\"\n    },\n    {}\n  ],\n  \"d\": null\n}\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        let mut colored = Vec::new();
        expand_colored(br#"{"a":[1.50,true,"b:"]}"#, &mut colored);
        let colored = anstream::adapter::strip_bytes(&colored).into_vec();
        assert_eq!(
            String::from_utf8(colored).unwrap(),
            "{\n  \"a\": [\n    1.50,\n    true,\n    \"b:\"\n  ]\n}\n"
        );
    }
}
