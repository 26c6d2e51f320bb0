//! The kept corpus: `corpus/<target>.txt` in this crate, one input per line, sorted by length and
//! then by bytes.
//!
//! Valid UTF-8 is written unchanged, except for `\\`, `\n`, `\r`, `\t`, and invisible characters,
//! whose bytes are `\xNN`. Bytes that are not UTF-8 are `\xNN` too. Every input has exactly one
//! spelling.

use crate::Target;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the file that holds the corpus of a target.
pub fn path(target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(format!("{}.txt", target.name))
}

/// Reads the corpus of a target. The input at index `i` is on line `i + 1`.
///
/// # Errors
/// Returns a message with the path if the file cannot be read, and with path and line if a line is
/// malformed or out of order.
pub fn read(target: &Target) -> Result<Vec<Vec<u8>>, String> {
    let path = path(target);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    parse(&path, &text)
}

/// Replaces the corpus of a target. Inputs may come in any order; duplicates are dropped.
///
/// # Errors
/// Returns a message with the path if the file cannot be written.
pub fn write(target: &Target, inputs: Vec<Vec<u8>>) -> Result<(), String> {
    let path = path(target);
    fs::write(&path, to_text(inputs)).map_err(|error| format!("{}: {error}", path.display()))
}

fn parse(path: &Path, text: &str) -> Result<Vec<Vec<u8>>, String> {
    let mut inputs: Vec<Vec<u8>> = Vec::new();
    // Not `lines`, which would drop a carriage return.
    for (index, line) in text.split_terminator('\n').enumerate() {
        let error = |problem: &str| format!("{}:{}: {problem}", path.display(), index + 1);
        let input = unescape(line)
            .ok_or_else(|| error("malformed: expected the escaping of `cargo xtask fuzz`"))?;
        if inputs
            .last()
            .is_some_and(|last| order(last) >= order(&input))
        {
            return Err(error(
                "expected a longer or greater input than on the line before",
            ));
        }
        inputs.push(input);
    }
    Ok(inputs)
}

fn to_text(mut inputs: Vec<Vec<u8>>) -> String {
    inputs.sort_unstable_by(|one, other| order(one).cmp(&order(other)));
    inputs.dedup();
    inputs.iter().map(|input| escape(input) + "\n").collect()
}

/// Returns the sort key: length, then bytes.
fn order(input: &[u8]) -> (usize, &[u8]) {
    (input.len(), input)
}

fn escape(input: &[u8]) -> String {
    let mut line = String::with_capacity(input.len());
    for chunk in input.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\\' => line.push_str(r"\\"),
                '\n' => line.push_str(r"\n"),
                '\r' => line.push_str(r"\r"),
                '\t' => line.push_str(r"\t"),
                _ if is_invisible(character) => {
                    push_hex(&mut line, character.encode_utf8(&mut [0; 4]).as_bytes())
                }
                _ => line.push(character),
            }
        }
        push_hex(&mut line, chunk.invalid());
    }
    // Editors trim spaces at the end of a line.
    if line.ends_with(' ') {
        line.pop();
        push_hex(&mut line, b" ");
    }
    line
}

/// Returns true for controls, zero-width characters, line and paragraph separators, and direction
/// marks. The list is fixed, so that a new version of Unicode in std does not change the spelling
/// of kept lines.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
        || character.is_control()
}

fn push_hex(line: &mut String, bytes: &[u8]) {
    for byte in bytes {
        write!(line, r"\x{byte:02X}").expect("a String takes any text");
    }
}

/// Returns the input of a line, or `None` if `escape` would not write that line.
fn unescape(line: &str) -> Option<Vec<u8>> {
    let mut input = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some((text, escaped)) = rest.split_once('\\') {
        let (byte, length) = match escaped.bytes().next()? {
            b'\\' => (b'\\', 1),
            b'n' => (b'\n', 1),
            b'r' => (b'\r', 1),
            b't' => (b'\t', 1),
            b'x' => (u8::from_str_radix(escaped.get(1..3)?, 16).ok()?, 3),
            _ => return None,
        };
        input.extend(text.bytes());
        input.push(byte);
        rest = &escaped[length..];
    }
    input.extend(rest.bytes());
    (escape(&input) == line).then_some(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<Vec<u8>>, String> {
        super::parse(Path::new("corpus/name.txt"), text)
    }

    #[track_caller]
    fn round_trip(input: &[u8], line: &str) {
        assert_eq!(to_text(vec![input.to_vec()]), format!("{line}\n"));
        assert_eq!(parse(&format!("{line}\n")), Ok(vec![input.to_vec()]));
    }

    #[test]
    fn round_trips_every_byte() {
        let all: Vec<u8> = (0..=255).collect();
        let mut inputs: Vec<Vec<u8>> = all.iter().map(|byte| vec![*byte]).collect();
        inputs.extend([all.clone(), all.into_iter().rev().collect()]);
        let text = to_text(inputs.clone());
        assert_eq!(text.lines().count(), 258);
        assert!(
            !text
                .contains(|character: char| character != '\n' && !(' '..='~').contains(&character)),
            "{text}"
        );
        inputs[256..].sort_unstable();
        assert_eq!(parse(&text), Ok(inputs));
    }

    #[test]
    fn writes_one_readable_line_for_each_input() {
        round_trip(b"", "");
        round_trip(br#"{"a": 'b'}"#, r#"{"a": 'b'}"#);
        round_trip(b"a\nb\r\tc\0", r"a\nb\r\tc\x00");
        round_trip(br"\", r"\\");
        round_trip(br"\n \x41 \\", r"\\n \\x41 \\\\");
        round_trip("é €".as_bytes(), "é €");
        round_trip(b"\xC3\xFFa\xE2\x82", r"\xC3\xFFa\xE2\x82");
        round_trip(
            "\u{85}\u{2028}\u{FEFF}\u{7F}".as_bytes(),
            r"\xC2\x85\xE2\x80\xA8\xEF\xBB\xBF\x7F",
        );
        round_trip(b"  ", r" \x20");
    }

    #[test]
    fn writes_sorted_lines_without_duplicates() {
        let inputs = [&b"b"[..], b"aa", b"a", b"", b"b"].map(<[u8]>::to_vec);
        assert_eq!(to_text(inputs.to_vec()), "\na\nb\naa\n");
        assert_eq!(
            (to_text(Vec::new()).as_str(), parse("")),
            ("", Ok(Vec::new()))
        );
        assert_eq!(
            parse("a"),
            Ok(vec![b"a".to_vec()]),
            "without a newline at the end"
        );
    }

    #[test]
    fn rejects_malformed_lines() {
        let lines = [
            r"\",
            r"a\",
            r"\q",
            r"\x",
            r"\x4",
            r"\xG0",
            r"\x+1",
            r"\xé",
            r"\x41",
            r"\x0A",
            r"\xff",
            r"\xC3\xA9",
            "a\r",
            "a\t",
            "a ",
            "\u{2028}",
        ];
        for line in lines {
            let expected =
                "corpus/name.txt:2: malformed: expected the escaping of `cargo xtask fuzz`";
            assert_eq!(
                parse(&format!("\n{line}\n")),
                Err(expected.to_owned()),
                "{line:?}"
            );
        }
    }

    #[test]
    fn rejects_lines_out_of_order() {
        for text in ["b\na\n", "aa\na\n", "a\na\n"] {
            let expected =
                "corpus/name.txt:2: expected a longer or greater input than on the line before";
            assert_eq!(parse(text), Err(expected.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn errors_name_the_file() {
        let unknown = Target {
            name: "no-such-target",
            ..crate::TARGETS[0]
        };
        let error = read(&unknown).unwrap_err();
        assert!(error.contains("no-such-target.txt: "), "{error}");
    }
}
