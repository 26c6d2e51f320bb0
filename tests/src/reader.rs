//! Compares the texts that the library's reader and serde_json accept as JSON. serde_json does not
//! have the library's limits, so these are raised to the maximum and texts are kept below them.
//!
//! serde_json is the reference, with one exception: a number outside the range of `f64` is JSON
//! (RFC 8259 sets no range), so it is replaced before serde_json reads the text. serde_json reads
//! into our `Json`, because its own `Value` interprets a member `$serde_json::private::RawValue` as
//! raw JSON.

use crate::json::Json;
use payspec::{Engine, operations};

/// The maximum limits.
pub const POLICY: &str = r#"{"limits":{"body_bytes":1000000,"depth":64,"violations":1}}"#;

/// Returns whether the library accepts a body as JSON, or `None` if the text exceeds a limit.
///
/// # Panics
/// Panics if the operation returns a caller error, which no body causes.
pub fn ours(engine: &Engine, text: &[u8], out: &mut Vec<u8>) -> Option<bool> {
    out.clear();
    let operation = operations::operation("validate_request").expect("an operation");
    operation
        .call(engine, &[Some(text), None], Some(out))
        .expect("a body is never a caller error");
    // Names and values of the body cannot match: their quotes are escaped.
    let holds = |code: &str| {
        out.windows(code.len())
            .any(|window| window == code.as_bytes())
    };
    if holds("\"code\":\"too_deep\"") || holds("\"code\":\"body_too_large\"") {
        return None;
    }
    Some(!holds("\"code\":\"json_syntax\""))
}

/// Returns whether serde_json accepts a text as JSON, or `None` if the text exceeds its limit of
/// depth.
pub fn reference(text: &[u8]) -> Option<bool> {
    match serde_json::from_slice::<Json>(text) {
        Ok(_) => Some(true),
        Err(error) if error.to_string().starts_with("recursion limit") => None,
        Err(error) if error.to_string().starts_with("number out of range") => {
            reference(&without_number_at(text, error.line(), error.column()))
        }
        Err(_) => Some(false),
    }
}

/// Replaces the number at this position by `0e0`: an exponent cannot be continued.
fn without_number_at(text: &[u8], line: usize, column: usize) -> Vec<u8> {
    let before: usize = text
        .split_inclusive(|byte| *byte == b'\n')
        .take(line - 1)
        .map(<[u8]>::len)
        .sum();
    let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let at = (before + column).min(text.len());
    // serde_json reports the last byte of the number or the byte after it.
    let at = if at < text.len() && is_part(&text[at]) {
        at + 1
    } else {
        at
    };
    let end = if at > 0 && !is_part(&text[at - 1]) {
        at - 1
    } else {
        at
    };
    let start = text[..end]
        .iter()
        .rposition(|byte| !is_part(byte))
        .map_or(0, |index| index + 1);
    let length = number_length(&text[start..]);
    [&text[..start], b"0e0", &text[start + length..]].concat()
}

/// Returns the length of the number at the start of these bytes, by the grammar.
fn number_length(bytes: &[u8]) -> usize {
    let digits = |from: usize| {
        bytes
            .iter()
            .skip(from)
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let sign = usize::from(bytes.first() == Some(&b'-'));
    let mut length = sign + digits(sign);
    if bytes.get(length) == Some(&b'.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let first = length + 1 + usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        if digits(first) > 0 {
            length = first + digits(first);
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::reference;

    #[test]
    fn accepts_numbers_of_any_size_and_otherwise_equals_serde_json() {
        for text in [
            "1e999",
            "[1,\n -1E+400 ,2]",
            "{\"a\":1e999,\"b\":123e4567}",
            "[1e99999999999999999999]",
        ] {
            assert_eq!(reference(text.as_bytes()), Some(true), "{text}");
        }
        for own in ["RawValue", "Number"] {
            let text = format!(r#"{{"a":{{"$serde_json::private::{own}":"01x"}}}}"#);
            assert_eq!(reference(text.as_bytes()), Some(true), "{text}");
        }
        for text in [
            "1e999x",
            "1e999-1",
            "[1e999,\"\\ud800\"]",
            "01e999",
            "[1e999.5]",
            "1e999 1",
        ] {
            assert_eq!(reference(text.as_bytes()), Some(false), "{text}");
        }
    }
}
