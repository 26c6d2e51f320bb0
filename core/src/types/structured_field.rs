//! Items of structured fields (RFC 8941, section 3.3) that are strings.

use alloc::string::String;

/// Returns the characters of an item that is a string, without its quotes and escapes. Spaces
/// around the item and its parameters are ignored. Returns `None` for any other text.
pub(crate) fn string_item(field: &str) -> Option<String> {
    let (text, parameters) = string(field.trim_matches(' '))?;
    after_parameters(parameters)?.is_empty().then_some(text)
}

/// Splits a string into its characters and the text after it.
fn string(text: &str) -> Option<(String, &str)> {
    let mut characters = text.strip_prefix('"')?.chars();
    let mut out = String::with_capacity(text.len());
    loop {
        let character = match characters.next()? {
            '"' => return Some((out, characters.as_str())),
            '\\' => characters
                .next()
                .filter(|escaped| matches!(escaped, '"' | '\\'))?,
            plain => plain,
        };
        if !matches!(character, ' '..='~') {
            return None;
        }
        out.push(character);
    }
}

/// Returns the text after the parameters of an item: `;name` or `;name=value`.
fn after_parameters(mut text: &str) -> Option<&str> {
    while let Some(parameter) = text.strip_prefix(';') {
        let parameter = parameter.trim_start_matches(' ');
        if !parameter.starts_with(|first: char| first.is_ascii_lowercase() || first == '*') {
            return None;
        }
        let rest = parameter.trim_start_matches(is_of_name);
        text = match rest.strip_prefix('=') {
            Some(value) => after_value(value)?,
            None => rest,
        };
    }
    Some(text)
}

fn is_of_name(character: char) -> bool {
    matches!(character, 'a'..='z' | '0'..='9' | '_' | '-' | '.' | '*')
}

/// Returns the text after the value of a parameter.
fn after_value(text: &str) -> Option<&str> {
    match text.chars().next()? {
        '"' => string(text).map(|(_, rest)| rest),
        ':' => after_bytes(text),
        '?' => text.strip_prefix("?0").or_else(|| text.strip_prefix("?1")),
        '-' | '0'..='9' => after_number(text),
        'A'..='Z' | 'a'..='z' | '*' => Some(text.trim_start_matches(is_of_token)),
        _ => None,
    }
}

/// Returns the text after a sequence of bytes: base64 between colons.
fn after_bytes(text: &str) -> Option<&str> {
    let (encoded, rest) = text.strip_prefix(':')?.split_once(':')?;
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    encoded.bytes().all(is_base64).then_some(rest)
}

/// Returns the text after an integer of at most 15 digits, or a decimal of at most 12 and 3 digits.
fn after_number(text: &str) -> Option<&str> {
    let (whole, rest) = digits(text.strip_prefix('-').unwrap_or(text));
    match rest.strip_prefix('.') {
        None => matches!(whole.len(), 1..=15).then_some(rest),
        Some(fraction) => {
            let (fraction, rest) = digits(fraction);
            (matches!(whole.len(), 1..=12) && matches!(fraction.len(), 1..=3)).then_some(rest)
        }
    }
}

/// Splits a text after the digits that it begins with.
fn digits(text: &str) -> (&str, &str) {
    let rest = text.trim_start_matches(|character: char| character.is_ascii_digit());
    let digits = text.strip_suffix(rest).unwrap_or("");
    (digits, rest)
}

fn is_of_token(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~:/".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_strings_with_parameters() {
        for (field, expected) in [
            (r#""k""#, Some("k")),
            (r#"   "k"  "#, Some("k")),
            (r#""a b""#, Some("a b")),
            (r#""a\"b\\c""#, Some(r#"a"b\c"#)),
            (r#""""#, Some("")),
            (r#""k";v=1"#, Some("k")),
            (r#""k"; v=1;w; *x="a;\"b""#, Some("k")),
            (r#""k";a=-1.5;b=?1;c=:aGk=:;d=to/ken:x;e="#, None),
            (
                r#""k";a=-1.5;b=?0;c=::;d=*t;e_1-.*=999999999999999"#,
                Some("k"),
            ),
            (r#""k";a=1 "#, Some("k")),
        ] {
            assert_eq!(string_item(field).as_deref(), expected, "{field}");
        }
    }

    #[test]
    fn rejects_other_fields() {
        for field in [
            "",
            "k",
            "1",
            r#""k"#,
            r#""k\"#,
            r#""k\x""#,
            r#""k"x"#,
            r#""k" ;a"#,
            r#""k",1"#,
            r#""k";"#,
            r#""k";A=1"#,
            r#""k";1"#,
            r#""k";a=1.2345"#,
            r#""k";a=1."#,
            r#""k";a=-"#,
            r#""k";a=1234567890123456"#,
            r#""k";a=?2"#,
            r#""k";a=:a"#,
            r#""k";a=:é:"#,
            r#""k";a="x"#,
            r#""k";a=é"#,
            "\"k\u{7f}\"",
            "\"é\"",
            "\t\"k\"",
        ] {
            assert_eq!(string_item(field), None, "{field}");
        }
    }
}
