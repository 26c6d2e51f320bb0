//! Converts the OpenAPI document from version 3.1 to 3.0, for tools that do not read JSON Schema
//! 2020-12.
//!
//! | 3.1 | 3.0 |
//! |---|---|
//! | `"type": ["string", "null"]`, `null` in `anyOf` | `"nullable": true` |
//! | `const` | `enum` with one value |
//! | `examples` of a schema | `example`, the first one |
//! | `if`, `then`, `else` | `allOf` of `anyOf` with `not` |
//! | `$ref` beside other members | `allOf` with the reference |
//! | `webhooks` | `x-webhooks` |
//! | `info.summary`, `license.identifier` | omitted |

use serde_json::{Map, Value, json};

/// The version that is written. Tools support it widely.
const VERSION: &str = "3.0.3";

/// Converts a document.
pub(crate) fn convert(document: &mut Value) {
    let Value::Object(members) = document else {
        return;
    };
    members.insert("openapi".to_owned(), VERSION.into());
    if let Some(Value::Object(info)) = members.get_mut("info") {
        info.remove("summary");
        if let Some(Value::Object(license)) = info.get_mut("license") {
            license.remove("identifier");
        }
    }
    if let Some(webhooks) = members.remove("webhooks") {
        members.insert("x-webhooks".to_owned(), webhooks);
    }
    object(members);
}

/// Converts an object of the document and all objects in it.
fn object(members: &mut Map<String, Value>) {
    for (name, value) in members.iter_mut() {
        match (name.as_str(), value) {
            // Values of bodies.
            ("example" | "examples" | "default" | "enum" | "const", _) => {}
            // Names of members are not keywords.
            ("properties" | "schemas", Value::Object(schemas)) => each(schemas.values_mut()),
            (_, value) => each(std::iter::once(value)),
        }
    }
    reference(members);
    types(members);
    null_alternative(members);
    conditions(members);
    if let Some(value) = members.remove("const") {
        members.insert("enum".to_owned(), json!([value]));
    }
    if let Some(Value::Array(examples)) = members.get_mut("examples") {
        let first = examples.drain(..).next();
        members.remove("examples");
        members.extend(first.map(|first| ("example".to_owned(), first)));
    }
}

fn each<'a>(values: impl Iterator<Item = &'a mut Value>) {
    for value in values {
        match value {
            Value::Object(members) => object(members),
            Value::Array(items) => each(items.iter_mut()),
            _ => {}
        }
    }
}

/// Converts a reference with other members, which 3.0 ignores beside it.
fn reference(members: &mut Map<String, Value>) {
    if members.len() > 1
        && let Some(target) = members.remove("$ref")
    {
        members.insert("allOf".to_owned(), json!([{"$ref": target}]));
    }
}

/// Converts a list of types.
fn types(members: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = members.get("type") else {
        return;
    };
    let (nulls, others): (Vec<Value>, Vec<Value>) =
        types.iter().cloned().partition(|name| name == "null");
    members.remove("type");
    match <[Value; 1]>::try_from(others) {
        Ok([name]) => _ = members.insert("type".to_owned(), name),
        Err(names) => {
            let types = names.into_iter().map(|name| json!({"type": name}));
            members.insert("anyOf".to_owned(), types.collect());
        }
    }
    if !nulls.is_empty() {
        members.insert("nullable".to_owned(), true.into());
    }
}

/// Converts null as an alternative.
fn null_alternative(members: &mut Map<String, Value>) {
    let Some(Value::Array(alternatives)) = members.get_mut("anyOf") else {
        return;
    };
    let count = alternatives.len();
    alternatives.retain(|alternative| *alternative != json!({"type": "null"}));
    if alternatives.len() == count {
        return;
    }
    if alternatives.len() == 1
        && let Some(only) = members.remove("anyOf")
    {
        members.insert("allOf".to_owned(), only);
    }
    members.insert("nullable".to_owned(), true.into());
}

/// Converts `if`, `then`, and `else`: the condition does not hold, or `then` holds; and the condition
/// or `else` holds.
fn conditions(members: &mut Map<String, Value>) {
    let Some(condition) = members.remove("if") else {
        return;
    };
    let mut all = Vec::new();
    if let Some(then) = members.remove("then") {
        all.push(json!({"anyOf": [{"not": condition}, then]}));
    }
    if let Some(otherwise) = members.remove("else") {
        all.push(json!({"anyOf": [condition, otherwise]}));
    }
    match members.get_mut("allOf") {
        Some(Value::Array(before)) => before.append(&mut all),
        _ => _ = members.insert("allOf".to_owned(), all.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(mut schema: Value) -> Value {
        each(std::iter::once(&mut schema));
        schema
    }

    #[test]
    fn converts_each_keyword() {
        for (schema, expected) in [
            (
                json!({"type": ["string", "null"], "maxLength": 2}),
                json!({"type": "string", "nullable": true, "maxLength": 2}),
            ),
            (
                json!({"anyOf": [{"$ref": "#/a"}, {"type": "null"}]}),
                json!({"allOf": [{"$ref": "#/a"}], "nullable": true}),
            ),
            (
                json!({"$ref": "#/a", "description": "b"}),
                json!({"allOf": [{"$ref": "#/a"}], "description": "b"}),
            ),
            (json!({"$ref": "#/a"}), json!({"$ref": "#/a"})),
            (json!({"const": "a"}), json!({"enum": ["a"]})),
            (json!({"examples": ["a", "b"]}), json!({"example": "a"})),
            (
                json!({"if": {"const": 1}, "then": {"a": 1}, "else": {"b": 1}}),
                json!({"allOf": [
                    {"anyOf": [{"not": {"enum": [1]}}, {"a": 1}]},
                    {"anyOf": [{"enum": [1]}, {"b": 1}]},
                ]}),
            ),
            (
                json!({"properties": {"const": {"const": 1}, "type": {"type": ["string", "null"]}}}),
                json!({"properties": {
                    "const": {"enum": [1]},
                    "type": {"type": "string", "nullable": true},
                }}),
            ),
            (
                json!({"examples": {"a": {"value": {"const": 1}}}, "default": {"const": 1}}),
                json!({"examples": {"a": {"value": {"const": 1}}}, "default": {"const": 1}}),
            ),
        ] {
            assert_eq!(converted(schema.clone()), expected, "{schema}");
        }
    }

    #[test]
    fn leaves_no_keyword_of_3_1() {
        let mut text = Vec::new();
        let operation = payspec::operations::operation("openapi").expect("the operation");
        let engine = payspec::Engine::default();
        operation
            .call(&engine, &[], Some(&mut text))
            .expect("no inputs");
        let mut document: Value = serde_json::from_slice(&text).expect("JSON");
        convert(&mut document);
        assert_eq!(document["openapi"], VERSION);
        assert!(document["x-webhooks"]["payment"]["post"].is_object());
        let mut schemas = 0;
        let mut rest = vec![
            &document["paths"],
            &document["components"],
            &document["x-webhooks"],
        ];
        while let Some(value) = rest.pop() {
            match value {
                Value::Object(members) => {
                    schemas += usize::from(members.contains_key("type"));
                    for name in ["const", "if", "then", "else"] {
                        assert!(!members.contains_key(name), "{name}");
                    }
                    assert!(!members.get("type").is_some_and(Value::is_array));
                    assert!(!members.get("examples").is_some_and(Value::is_array));
                    assert!(members.get("type").is_none_or(|name| name != "null"));
                    assert!(!members.contains_key("$ref") || members.len() == 1);
                    let bodies = ["example", "examples", "default", "enum"];
                    let inner = members
                        .iter()
                        .filter(|(name, _)| !bodies.contains(&name.as_str()));
                    rest.extend(inner.map(|(_, value)| value));
                }
                Value::Array(items) => rest.extend(items),
                _ => {}
            }
        }
        assert!(schemas > 50, "{schemas}");
    }
}
