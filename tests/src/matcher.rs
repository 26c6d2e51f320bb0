//! The matcher of vectors: compares an answer with the expectation that a person wrote before the
//! answer existed.
//!
//! The members of an object must be present and match; other members are ignored.
//! `{"$absent":true}` means that a member must not be present. Arrays match element by element and
//! in length; other values must be equal. `{"$text":"…"}` as the complete expectation is the exact
//! text of the answer.

use crate::json::Json;

/// Returns a line for each difference between the answer and the expectation.
pub fn differences(expect: &Json, answer: &str) -> Vec<String> {
    if let Some(text) = expect.get("$text").and_then(Json::as_str) {
        return if text == answer {
            Vec::new()
        } else {
            vec![format!("the text should be {text}")]
        };
    }
    match Json::parse(answer.as_bytes()) {
        Ok(found) => {
            let mut out = Vec::new();
            compare(expect, &found, "", &mut out);
            out
        }
        Err(error) => vec![format!("the answer is not JSON: {error}")],
    }
}

fn compare(expect: &Json, found: &Json, path: &str, out: &mut Vec<String>) {
    match (expect, found) {
        (Json::Object(members), Json::Object(_)) => {
            for (name, value) in members {
                let path = format!("{path}/{name}");
                match found.get(name) {
                    Some(_) if is_absent(value) => out.push(format!("{path} should be absent")),
                    None if is_absent(value) => {}
                    Some(member) => compare(value, member, &path, out),
                    None => out.push(format!("{path} is missing")),
                }
            }
        }
        (Json::Array(expected), Json::Array(elements)) => {
            if expected.len() != elements.len() {
                out.push(format!(
                    "{path} should have {} elements, it has {}: {}",
                    expected.len(),
                    elements.len(),
                    found.flat()
                ));
            } else {
                for (index, (value, element)) in expected.iter().zip(elements).enumerate() {
                    compare(value, element, &format!("{path}/{index}"), out);
                }
            }
        }
        _ if expect == found => {}
        _ => out.push(format!(
            "{path} should be {}, it is {}",
            expect.flat(),
            found.flat()
        )),
    }
}

fn is_absent(value: &Json) -> bool {
    matches!(value.members(), [(name, Json::Bool(true))] if name == "$absent")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(expect: &str, answer: &str) -> bool {
        differences(&Json::parse(expect.as_bytes()).unwrap(), answer).is_empty()
    }

    #[test]
    fn ignores_members_that_are_not_named() {
        assert!(matches(
            r#"{"a":1,"c":{"$absent":true}}"#,
            r#"{"b":2,"a":1}"#
        ));
    }

    #[test]
    fn rejects_named_members_that_are_missing_or_different() {
        for answer in [
            r#"{}"#,
            r#"{"a":2}"#,
            r#"{"a":"1"}"#,
            r#"[]"#,
            "",
            r#"{"a":1,"c":null}"#,
        ] {
            assert!(
                !matches(r#"{"a":1,"c":{"$absent":true}}"#, answer),
                "{answer}"
            );
        }
    }

    #[test]
    fn compares_arrays_by_element_and_in_length() {
        assert!(matches(r#"[{"a":1},2]"#, r#"[{"a":1,"b":2},2]"#));
        assert!(!matches(r#"[1]"#, "[1,2]"));
        assert!(!matches(r#"[1,2]"#, "[2,1]"));
    }

    #[test]
    fn compares_texts_byte_by_byte() {
        assert!(matches(r#"{"$text":"{\"a\":1}"}"#, r#"{"a":1}"#));
        assert!(!matches(r#"{"$text":"{\"a\":1}"}"#, r#"{"a": 1}"#));
    }
}
