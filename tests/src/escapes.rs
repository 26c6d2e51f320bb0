//! The escapes in which texts of logs, markup, and addresses write characters: how to write a
//! character in each of them, and how to read all of them.
//!
//! The library has a table of its own, with which this one shares no code.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

/// A way to write characters.
#[derive(Clone, Copy, Debug)]
pub struct Escape {
    /// A quote or a digit, written so.
    pub example: &'static str,
    write: fn(char) -> Option<String>,
    /// False if no program writes digits so. They are then read under the name of card data only.
    pub writes_digits: bool,
}

impl Escape {
    const fn new(example: &'static str, write: fn(char) -> Option<String>) -> Self {
        Escape {
            example,
            write,
            writes_digits: true,
        }
    }

    /// Writes a character, or returns `None` if this escape has no form for it.
    pub fn character(&self, character: char) -> Option<String> {
        (self.write)(character)
    }

    /// Writes some of the characters of a text, as far as this escape has a form for them.
    pub fn text(&self, text: &str, is_escaped: impl Fn(char) -> bool) -> String {
        let written = |character: char| {
            let escaped = is_escaped(character).then(|| self.character(character));
            escaped.flatten().unwrap_or_else(|| character.to_string())
        };
        text.chars().map(written).collect()
    }
}

/// All escapes.
pub const ESCAPES: [Escape; 14] = [
    Escape::new(r"\u0034", |c| Some(format!("\\u{:04x}", u32::from(c)))),
    Escape::new(r"\U00000034", |c| Some(format!("\\U{:08x}", u32::from(c)))),
    Escape::new(r"\u{34}", |c| Some(format!("\\u{{{:x}}}", u32::from(c)))),
    Escape::new(r"\x{34}", |c| Some(format!("\\x{{{:x}}}", u32::from(c)))),
    Escape::new(r"\x34", |c| Some(format!("\\x{:02x}", u32::from(c)))),
    Escape::new(r"\064", |c| {
        (c < '\u{40}').then(|| format!("\\0{:02o}", u32::from(c)))
    }),
    Escape::new(r#"\""#, backslash),
    Escape {
        writes_digits: false,
        ..Escape::new("%34", |c| Some(format!("%{:02X}", u32::from(c))))
    },
    Escape::new("%u0034", |c| Some(format!("%u{:04x}", u32::from(c)))),
    Escape::new("&#52;", |c| Some(format!("&#{};", u32::from(c)))),
    Escape::new("&#052;", |c| Some(format!("&#{:03};", u32::from(c)))),
    Escape::new("&#x34;", |c| Some(format!("&#x{:x};", u32::from(c)))),
    Escape::new("&#X34;", |c| Some(format!("&#X{:X};", u32::from(c)))),
    Escape::new("&quot;", entity),
];

fn backslash(character: char) -> Option<String> {
    let escaped = match character {
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '"' | '\'' | '`' | '/' | '\\' => character,
        _ => return None,
    };
    Some(format!("\\{escaped}"))
}

fn entity(character: char) -> Option<String> {
    let name = match character {
        '"' => "quot",
        '\'' => "apos",
        '&' => "amp",
        '<' => "lt",
        '>' => "gt",
        '=' => "equals",
        ':' => "colon",
        '\t' => "Tab",
        '\n' => "NewLine",
        '\u{A0}' => "nbsp",
        _ => return None,
    };
    Some(format!("&{name};"))
}

/// The character that begins a color, before its `[`, as itself and in ways that only colors have.
pub const COLORS: [&str; 6] = ["\u{1B}", "\\e", "\\E", "^[", "#033", "\\27"];

/// What may contain a text, and so escapes its escapes.
const CONTEXTS: [fn(&str) -> String; 3] = [json_string, address, markup];

/// Returns a text as it is, and as it is in each context, and in each context of another one.
pub fn in_contexts(text: &str) -> Vec<String> {
    let around = |text: &str| CONTEXTS.map(|context| context(text));
    let mut texts = vec![text.to_owned()];
    texts.extend(around(text));
    texts.extend(around(text).iter().flat_map(|text| around(text)));
    let mut known = HashSet::new();
    texts.retain(|text| known.insert(text.clone()));
    texts
}

fn json_string(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\u{1B}', "\\u001b")
}

fn address(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes()
        .map(|byte| match is_plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

fn markup(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The characters that are decoded: those of planted secrets, their separators, and those of the
/// escapes.
const DECODED: &str = "0123456789Zq~ -\\%&#;{}";

/// Those characters in every escape.
static SPELLINGS: LazyLock<Vec<(String, char)>> = LazyLock::new(|| {
    let spellings = DECODED.chars().flat_map(|character| {
        let written = ESCAPES
            .iter()
            .filter_map(move |escape| escape.character(character));
        written.map(move |spelling| (spelling, character))
    });
    spellings.collect()
});

/// Returns a text with its escapes decoded, and those that result from them as well.
pub fn decoded(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    while let Some(next) = decoded_once(&text) {
        text = Cow::Owned(next);
    }
    text
}

/// Decodes each escape once. Returns `None` without an escape.
fn decoded_once(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '%', '&']) {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let found = SPELLINGS.iter().find_map(|(spelling, character)| {
            let (start, after) = escape.split_at_checked(spelling.len())?;
            start
                .eq_ignore_ascii_case(spelling)
                .then_some((*character, after))
        });
        // The lead of an escape is one byte.
        let (_, after_lead) = escape.split_at(1);
        let lead = escape.chars().next()?;
        let (character, after) = found.unwrap_or((lead, after_lead));
        out.push(character);
        rest = after;
    }
    out.push_str(rest);
    (out.len() < text.len()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes_in_every_context() {
        for escape in ESCAPES {
            let written = escape.text("a 45\\b", |c| !c.is_ascii_alphabetic());
            for text in in_contexts(&written) {
                assert_eq!(decoded(&text), "a 45\\b", "{text}");
            }
        }
    }

    #[test]
    fn keeps_other_texts() {
        for text in ["", "4539", "100 % & more \\d", "%4 \\u003 &#5", "ё%"] {
            assert_eq!(decoded(text), text);
        }
    }

    #[test]
    fn writes_what_the_examples_show() {
        for escape in ESCAPES {
            let quote_or_digit = ['4', '"'].map(|character| escape.character(character));
            let example = Some(escape.example.to_owned());
            assert!(quote_or_digit.contains(&example), "{}", escape.example);
        }
    }
}
