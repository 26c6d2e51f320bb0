//! The document of AsyncAPI, whose notifications are the webhooks of the OpenAPI document.

use super::common::{output, printed, sources, write};
use crate::build::npm;
use crate::support::process::text_of;
use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};
use std::process::Command;

/// The beginning of a reference to a schema, in both documents.
const SCHEMAS: &str = "#/components/schemas/";

/// Validates the document, and the example of each message with its schema.
const VALIDATE: &str = r##"
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [file, tools] = process.argv.slice(1);
const require = createRequire(`${tools}/`);
const Ajv = require("ajv").default;
const document = JSON.parse(readFileSync(file, "utf8"));
const schema = require("@asyncapi/specs/schemas/3.0.0-without-$id.json");
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
assert.ok(ajv.validate(schema, document), JSON.stringify(ajv.errors?.slice(0, 5), null, 1));
const { payload, headers, examples } = document.components.messages.payment;
const ofMessage = ajv.compile({ ...payload, components: document.components });
assert.ok(examples.length > 1);
for (const { name, payload } of examples) assert.ok(ofMessage(payload), `${name}: ${JSON.stringify(ofMessage.errors)}`);
assert.ok(!ofMessage({ ...examples[0].payload, state: "unknown" }));
assert.deepEqual(headers.required, Object.keys(headers.properties));
console.log(`${examples.length} examples`);
"##;

/// Fails if the document does not match the published schema of AsyncAPI, or an example its message.
pub(super) fn check() -> Result<()> {
    let tools = sources().join("tools");
    npm::install(&tools)?;
    let openapi = serde_json::from_str(&printed(&["openapi"])?)?;
    let file = output().join("asyncapi.json");
    write(&file, &document(&openapi)?.to_string())?;
    let mut node = Command::new("node");
    node.args(["--input-type=module", "--eval", VALIDATE, "--"]);
    let printed = text_of(node.arg(file).arg(tools))?;
    ensure!(printed.ends_with(" examples\n"), "{printed}");
    Ok(())
}

/// Returns the document of AsyncAPI for the webhook of a document of OpenAPI.
pub(crate) fn document(openapi: &Value) -> Result<Value> {
    let webhook = openapi
        .pointer("/webhooks/payment/post")
        .context("no webhook")?;
    let content = &webhook["requestBody"]["content"]["application/json"];
    let mut headers = Map::new();
    let parameters = webhook["parameters"].as_array().context("no headers")?;
    for parameter in parameters {
        let mut schema = parameter["schema"].clone();
        schema["description"] = parameter["description"].clone();
        headers.insert(
            parameter["name"].as_str().context("a header")?.to_owned(),
            schema,
        );
    }
    let required: Vec<&String> = headers.keys().collect();
    let examples: Vec<Value> = content["examples"]
        .as_object()
        .context("no examples")?
        .iter()
        .map(|(name, example)| {
            json!({ "name": name, "summary": example["summary"], "payload": example["value"] })
        })
        .collect();
    let message = json!({
        "name": "payment",
        "title": webhook["summary"],
        "summary": webhook["requestBody"]["description"],
        "contentType": "application/json",
        "headers": { "type": "object", "properties": headers, "required": required },
        "payload": content["schema"],
        "examples": examples,
    });
    let operation = webhook["operationId"]
        .as_str()
        .context("no name of the operation")?;
    let operation = (
        operation.to_owned(),
        json!({
            "action": "send",
            "channel": { "$ref": "#/channels/callback" },
            "summary": webhook["summary"],
            "description": webhook["description"],
            "bindings": { "http": { "method": "POST", "bindingVersion": "0.3.0" } },
            "messages": [{ "$ref": "#/channels/callback/messages/payment" }],
        }),
    );
    Ok(json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": openapi["info"]["title"],
            "version": openapi["info"]["version"],
            "description": "The notifications of the gateway and of the sandbox. OpenAPI describes the requests to the service.",
        },
        "defaultContentType": "application/json",
        "channels": { "callback": {
            // The client states the address in its request.
            "address": null,
            "description": "The address in `callback` of the creation request.",
            "messages": { "payment": { "$ref": "#/components/messages/payment" } },
        } },
        "operations": Value::Object([operation].into_iter().collect()),
        "components": {
            "messages": { "payment": message },
            "schemas": used_schemas(openapi, &content["schema"])?,
        },
    }))
}

/// Returns the schemas that a schema refers to, and those that they refer to.
fn used_schemas(openapi: &Value, start: &Value) -> Result<Map<String, Value>> {
    let mut used = Map::new();
    let mut next = references(start);
    while let Some(name) = next.pop() {
        if !used.contains_key(&name) {
            let schema = &openapi["components"]["schemas"][&name];
            ensure!(schema.is_object(), "no schema {name}");
            next.extend(references(schema));
            used.insert(name, schema.clone());
        }
    }
    Ok(used)
}

/// Returns the names of the schemas in the references of a value.
fn references(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, member)| match member.as_str() {
                Some(text) if name == "$ref" => text
                    .strip_prefix(SCHEMAS)
                    .map(str::to_owned)
                    .into_iter()
                    .collect(),
                _ => references(member),
            })
            .collect(),
        Value::Array(values) => values.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collects_schemas_through_others() {
        let to = |name: &str| json!({ "$ref": format!("{SCHEMAS}{name}") });
        let openapi = json!({ "components": { "schemas": {
            "A": { "properties": { "b": { "anyOf": [to("B"), { "type": "null" }] } } },
            "B": { "items": to("B"), "then": to("C") },
            "C": { "const": 1 },
            "D": to("A"),
        } } });
        let used = used_schemas(&openapi, &to("A")).unwrap();
        assert_eq!(used.keys().collect::<Vec<_>>(), ["A", "B", "C"]);
        assert!(used_schemas(&openapi, &to("E")).is_err());
    }
}
