//! JSON that keeps the order of its members and repeated members, and its canonical printed form.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// The maximum length of a line.
pub const WIDTH: usize = 116;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the types of RFC 8259")]
pub enum Json {
    Null,
    Bool(bool),
    Number(serde_json::Number),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Parses one JSON text.
    pub fn parse(text: &[u8]) -> Result<Json, String> {
        serde_json::from_slice(text).map_err(|error| error.to_string())
    }

    /// Returns the member of an object by its name.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.members()
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value)
    }

    /// Returns the members of an object. Other values have no members.
    pub fn members(&self) -> &[(String, Json)] {
        match self {
            Json::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns the elements of an array. Other values have no elements.
    pub fn elements(&self) -> &[Json] {
        match self {
            Json::Array(elements) => elements,
            _ => &[],
        }
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the text on one line without whitespace, as a client would send it.
    pub fn compact(&self) -> String {
        let mut out = String::new();
        self.write_flat(&mut out, ",", ":");
        out
    }

    /// Returns the text on one line with spaces after commas and colons.
    pub fn flat(&self) -> String {
        let mut out = String::new();
        self.write_flat(&mut out, ", ", ": ");
        out
    }

    /// Returns the text on one line if it fits into `WIDTH`, else with a line for each member or
    /// element.
    pub fn pretty(&self, indent: usize) -> String {
        let flat = self.flat();
        if self.is_leaf() || indent + flat.chars().count() <= WIDTH {
            flat
        } else {
            self.expanded(indent)
        }
    }

    /// Returns the text with a line for each member or element.
    pub fn expanded(&self, indent: usize) -> String {
        let lines = |items: Vec<String>, open: char, close: char| {
            let spaces = " ".repeat(indent + 2);
            let body: Vec<String> = items
                .into_iter()
                .map(|item| format!("{spaces}{item}"))
                .collect();
            format!(
                "{open}\n{}\n{}{close}",
                body.join(",\n"),
                " ".repeat(indent)
            )
        };
        match self {
            Json::Array(elements) if !elements.is_empty() => lines(
                elements
                    .iter()
                    .map(|element| element.pretty(indent + 2))
                    .collect(),
                '[',
                ']',
            ),
            Json::Object(members) if !members.is_empty() => {
                let line = |(name, value): &(String, Json)| {
                    format!("{}: {}", quoted(name), value.pretty(indent + 2))
                };
                lines(members.iter().map(line).collect(), '{', '}')
            }
            _ => self.flat(),
        }
    }

    fn is_leaf(&self) -> bool {
        self.members().is_empty() && self.elements().is_empty()
    }

    fn write_flat(&self, out: &mut String, comma: &str, colon: &str) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Json::Number(number) => out.push_str(&number.to_string()),
            Json::String(text) => out.push_str(&quoted(text)),
            Json::Array(elements) => {
                out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { comma });
                    element.write_flat(out, comma, colon);
                }
                out.push(']');
            }
            Json::Object(members) => {
                out.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { comma });
                    out.push_str(&quoted(name));
                    out.push_str(colon);
                    value.write_flat(out, comma, colon);
                }
                out.push('}');
            }
        }
    }
}

/// Returns a string as JSON. Characters that an editor does not show are escaped, so that files are
/// readable.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\'' => out.push('\''),
            _ if character.escape_debug().count() == 1 => out.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    out.push('"');
    out
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Json;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Json, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Json, E> {
        serde_json::Number::from_f64(value)
            .map(Json::Number)
            .ok_or_else(|| E::custom("the number is not finite"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Json, E> {
        Ok(Json::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut elements = Vec::new();
        while let Some(element) = access.next_element()? {
            elements.push(element);
        }
        Ok(Json::Array(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = access.next_entry()? {
            members.push(member);
        }
        Ok(Json::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_order_and_repetition_of_members() {
        let text = r#"{"b":1,"a":[null,true,-2,"x\n"],"b":{}}"#;
        assert_eq!(Json::parse(text.as_bytes()).unwrap().compact(), text);
    }

    #[test]
    fn escapes_invisible_characters() {
        assert_eq!(
            quoted("a'\u{202e}\u{1}\u{1f600}\u{e000}é"),
            "\"a'\\u202e\\u0001\u{1f600}\\ue000é\""
        );
    }

    #[test]
    fn keeps_short_values_on_one_line() {
        let long = "x".repeat(WIDTH);
        let value = Json::parse(format!(r#"{{"a":[1,2],"b":["{long}"]}}"#).as_bytes()).unwrap();
        assert_eq!(
            value.pretty(0),
            format!("{{\n  \"a\": [1, 2],\n  \"b\": [\n    \"{long}\"\n  ]\n}}")
        );
    }
}
