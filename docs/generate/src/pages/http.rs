//! The page of the HTTP interface, from the OpenAPI document.

use super::markdown::{code, json, linked, table};
use crate::common::{Page, printed};
use payspec_tests::json::Json;

pub(super) fn page() -> Result<Page, String> {
    let document = Json::parse(printed(&["openapi"])?.as_bytes())?;
    let mut text =
        "# HTTP interface\n\nThe service has three endpoints. This page is generated from the document that \
                    the operation [`openapi`](operations/openapi.md) returns; `payspec openapi` prints it, for the \
                    default policy or for yours. The gateway and the sandbox serve it at `/openapi.json`, and at `/docs` \
                    as a page with a console, which a gateway with a checkout page serves only with `--docs`. openapi-typescript and openapi-python-client generate clients from it, \
                    which the tests of the gateway run.\n\n[Callbacks](../guides/callbacks.md#what-the-gateway-and-the-sandbox-send) \
                    contains what the service sends to the `callback` of a request. [Problems of HTTP](http-problems.md) lists the \
                    responses that a server adds to those of this page.\n\n"
            .to_owned();
    for (path, methods) in members(&document, "paths") {
        for (method, operation) in methods.members() {
            endpoint(
                &mut text,
                &document,
                &method.to_uppercase(),
                path,
                operation,
            );
        }
    }
    text.push_str("## Objects\n\n");
    for (name, schema) in members(document.get("components").unwrap_or(&Json::Null), "schemas") {
        object(&mut text, name, schema);
    }
    Ok(Page {
        path: "reference/http.md".to_owned(),
        title: "HTTP interface".to_owned(),
        text,
    })
}

fn members<'j>(json: &'j Json, name: &str) -> &'j [(String, Json)] {
    json.get(name).map_or(&[], Json::members)
}

fn text_of<'j>(json: &'j Json, name: &str) -> &'j str {
    json.get(name).and_then(Json::as_str).unwrap_or_default()
}

/// Follows a `$ref`.
fn resolved<'j>(document: &'j Json, json: &'j Json) -> &'j Json {
    let Some(pointer) = json.get("$ref").and_then(Json::as_str) else {
        return json;
    };
    pointer
        .trim_start_matches("#/")
        .split('/')
        .try_fold(document, |json, name| json.get(name))
        .unwrap_or(json)
}

fn endpoint(out: &mut String, document: &Json, method: &str, path: &str, operation: &Json) {
    out.push_str(&format!(
        "## {method} {path}\n\n{}\n\n",
        linked(text_of(operation, "description"), 0)
    ));
    let parameters = operation.get("parameters").map_or(&[][..], Json::elements);
    if !parameters.is_empty() {
        let rows = parameters.iter().map(|parameter| {
            let parameter = resolved(document, parameter);
            [
                format!("`{}`", text_of(parameter, "name")),
                text_of(parameter, "in").to_owned(),
                linked(text_of(parameter, "description"), 0),
            ]
        });
        out.push_str(&format!(
            "{}\n",
            table(["parameter", "in", "meaning"], rows)
        ));
    }
    if let Some(content) = operation.get("requestBody") {
        out.push_str(&format!(
            "**Body.** {}\n\n",
            linked(text_of(content, "description"), 0)
        ));
        examples(out, content);
    }
    for (status, response) in members(operation, "responses") {
        let response = resolved(document, response);
        out.push_str(&format!(
            "### {method} {path}: {status}\n\n{}\n\n",
            linked(text_of(response, "description"), 0)
        ));
        examples(out, response);
    }
}

fn examples(out: &mut String, owner: &Json) {
    let content = owner
        .get("content")
        .and_then(|content| content.get("application/json"));
    let Some(content) = content else { return };
    for (name, example) in members(content, "examples") {
        let summary = text_of(example, "summary");
        let summary = if summary.is_empty() { name } else { summary };
        let value = example.get("value").map(Json::compact).unwrap_or_default();
        out.push_str(&format!(
            "<details>\n<summary>Example: {summary}</summary>\n\n{}\n</details>\n\n",
            code("json", &json(&value))
        ));
    }
}

fn object(out: &mut String, name: &str, schema: &Json) {
    out.push_str(&format!(
        "### {name}\n\n{}\n\n",
        linked(text_of(schema, "description"), 0)
    ));
    let required: Vec<&str> = schema
        .get("required")
        .map_or(&[][..], Json::elements)
        .iter()
        .filter_map(Json::as_str)
        .collect();
    let properties = members(schema, "properties");
    if !properties.is_empty() {
        let rows = properties.iter().map(|(member, value)| {
            let mark = if required.contains(&member.as_str()) {
                "yes"
            } else {
                "no"
            };
            [
                format!("`{member}`"),
                kind(value),
                mark.to_owned(),
                linked(text_of(value, "description"), 0),
            ]
        });
        out.push_str(&format!(
            "{}\n",
            table(["member", "type", "required", "meaning"], rows)
        ));
    }
    if schema.get("oneOf").is_some() {
        out.push_str(&format!("It is {}.\n\n", kind(schema)));
    }
    if let Some(values) = schema
        .get("enum")
        .map(Json::elements)
        .filter(|values| values.len() <= 80)
    {
        let values: Vec<String> = values
            .iter()
            .filter_map(Json::as_str)
            .map(|value| format!("`{value}`"))
            .collect();
        out.push_str(&format!("One of {}.\n\n", values.join(", ")));
    }
}

/// Returns a short description of a type.
fn kind(schema: &Json) -> String {
    if let Some(name) = schema
        .get("$ref")
        .and_then(Json::as_str)
        .and_then(|path| path.rsplit('/').next())
    {
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(value) = schema.get("const") {
        return format!("`{}`", value.compact());
    }
    let options = ["anyOf", "oneOf"]
        .iter()
        .find_map(|word| schema.get(word))
        .map_or(&[][..], Json::elements);
    let joined = |describe: &dyn Fn(&Json) -> String| {
        options
            .iter()
            .map(describe)
            .collect::<Vec<_>>()
            .join(" or ")
    };
    match schema.get("type") {
        None if !options.is_empty() => joined(&kind),
        Some(Json::String(name)) if name == "array" => {
            format!(
                "array of {}",
                schema.get("items").map(kind).unwrap_or_default()
            )
        }
        Some(Json::String(name)) => name.clone(),
        Some(types) => {
            let names: Vec<&str> = types.elements().iter().filter_map(Json::as_str).collect();
            let gap = schema.get("not");
            let numbers = gap.map(|gap| format!(", {} without {}", range(schema), range(gap)));
            names.join(" or ") + &numbers.unwrap_or_default()
        }
        None => "any".to_owned(),
    }
}

/// Returns the range of numbers that a schema accepts.
fn range(schema: &Json) -> String {
    let bound = |name: &str| schema.get(name).map(Json::compact).unwrap_or_default();
    format!("{} to {}", bound("minimum"), bound("maximum"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn describes_types() {
        let described = |schema: &str| kind(&Json::parse(schema.as_bytes()).unwrap());
        let year = r#"{"type":["integer","null"],"minimum":0,"maximum":2099,"not":{"minimum":100,"maximum":1999}}"#;
        assert_eq!(
            described(year),
            "integer or null, 0 to 2099 without 100 to 1999"
        );
        assert_eq!(
            described(r##"{"anyOf":[{"$ref":"#/a/Mode"},{"type":"null"}]}"##),
            "[Mode](#mode) or null"
        );
        assert_eq!(
            described(r#"{"type":"array","items":{"type":"string"}}"#),
            "array of string"
        );
    }
}
