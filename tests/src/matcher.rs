//! The matcher of vectors: does an answer hold what a person wrote down before there was an answer?
//!
//! An object's members must be there and match, others are not looked at; `{"$absent":true}` says that a member must
//! not be there; arrays match element by element and in length; anything else must be equal. `{"$text":"…"}` as the
//! whole of it is the answer's exact text.

use crate::json::Json;

/// Where the answer differs from what is expected, a line for each; empty where it matches.
pub fn differences(expect: &Json, answer: &str) -> Vec<String> {
    if let Some(text) = expect.get("$text").and_then(Json::as_str) {
        return if text == answer { Vec::new() } else { vec![format!("the text should be {text}")] };
    }
    match Json::parse(answer.as_bytes()) {
        Ok(found) => {
            let mut out = Vec::new();
            compare(expect, &found, "", &mut out);
            out
        }
        Err(error) => vec![format!("the answer is no JSON: {error}")],
    }
}

fn compare(expect: &Json, found: &Json, path: &str, out: &mut Vec<String>) {
    match (expect, found) {
        (Json::Object(members), Json::Object(_)) => {
            for (name, value) in members {
                let path = format!("{path}/{name}");
                match found.get(name) {
                    Some(_) if is_absent(value) => out.push(format!("{path} should not be there")),
                    None if is_absent(value) => {}
                    Some(own) => compare(value, own, &path, out),
                    None => out.push(format!("{path} is missing")),
                }
            }
        }
        (Json::Array(wanted), Json::Array(own)) => {
            if wanted.len() != own.len() {
                out.push(format!(
                    "{path} should have {} elements, it has {}: {}",
                    wanted.len(),
                    own.len(),
                    found.flat()
                ));
            } else {
                for (index, (value, own)) in wanted.iter().zip(own).enumerate() {
                    compare(value, own, &format!("{path}/{index}"), out);
                }
            }
        }
        _ if expect == found => {}
        _ => out.push(format!("{path} should be {}, it is {}", expect.flat(), found.flat())),
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
    fn members_not_named_are_not_looked_at() {
        assert!(matches(r#"{"a":1,"c":{"$absent":true}}"#, r#"{"b":2,"a":1}"#));
    }

    #[test]
    fn what_is_named_must_be_there_and_be_the_same() {
        for answer in [r#"{}"#, r#"{"a":2}"#, r#"{"a":"1"}"#, r#"[]"#, "", r#"{"a":1,"c":null}"#] {
            assert!(!matches(r#"{"a":1,"c":{"$absent":true}}"#, answer), "{answer}");
        }
    }

    #[test]
    fn arrays_match_by_element_and_in_length() {
        assert!(matches(r#"[{"a":1},2]"#, r#"[{"a":1,"b":2},2]"#));
        assert!(!matches(r#"[1]"#, "[1,2]"));
        assert!(!matches(r#"[1,2]"#, "[2,1]"));
    }

    #[test]
    fn a_text_is_compared_byte_by_byte() {
        assert!(matches(r#"{"$text":"{\"a\":1}"}"#, r#"{"a":1}"#));
        assert!(!matches(r#"{"$text":"{\"a\":1}"}"#, r#"{"a": 1}"#));
    }
}
