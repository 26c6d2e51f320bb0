//! Checks the document itself.

use super::{POLICIES, document, objects};
use jsonschema::{Registry, Resource, Validator};
use payspec::{DECISIONS, Mode, PaymentType, ProblemCode, RULES, State, Subtype};
use serde_json::{Value, json};
use std::collections::BTreeSet;

static SCHEMA: &str = include_str!("../../data/openapi-3.1/schema.json");
static DIALECT: &str = include_str!("../../data/openapi-3.1/dialect.json");
static VOCABULARY: &str = include_str!("../../data/openapi-3.1/vocabulary.json");

/// Runs a check with the published schema of documents, which validates their schemas with the
/// dialect of OpenAPI.
fn published(check: impl FnOnce(&Validator)) {
    let mut registry = Registry::new();
    for text in [SCHEMA, DIALECT, VOCABULARY] {
        let schema: Value = serde_json::from_str(text).expect("a JSON text");
        let id = schema["$id"].as_str().expect("an $id").to_owned();
        registry = registry
            .add(id, Resource::from_contents(schema))
            .expect("a schema");
    }
    let registry = registry.prepare().expect("schemas");
    let with_dialect = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:payspec:tests:openapi",
        "$ref": "https://spec.openapis.org/oas/3.1/schema/2022-10-07",
        "$defs": {"schema": {"$dynamicAnchor": "meta", "$ref": "https://spec.openapis.org/oas/3.1/dialect/base"}},
    });
    check(
        &jsonschema::options()
            .with_registry(&registry)
            .build(&with_dialect)
            .expect("a schema"),
    );
}

#[test]
fn is_openapi_3_1_under_every_policy() {
    published(|schema| {
        for policy in POLICIES {
            let found: Vec<String> = schema
                .iter_errors(&document(Some(policy)))
                .map(|e| format!("{}: {e}", e.instance_path()))
                .collect();
            assert_eq!(found, [""; 0], "{policy}");
        }
    });
}

#[test]
fn rejects_documents_that_are_not_openapi() {
    published(|schema| {
        let breaks: [fn(&mut Value); 5] = [
            |document| document["openapi"] = json!("3.0.3"),
            |document| {
                document["paths"]["/v1/payments/new"]["post"]["responses"]["201"] = json!({})
            },
            |document| document["components"]["parameters"]["Uid"]["in"] = json!("body"),
            // Two that only the dialect rejects.
            |document| document["components"]["schemas"]["Payment"]["type"] = json!("record"),
            |document| {
                document["components"]["schemas"]["Payment"]["properties"]["fee"]["pattern"] =
                    json!(1)
            },
        ];
        for (number, spoil) in breaks.into_iter().enumerate() {
            let mut document = document(None);
            spoil(&mut document);
            assert!(!schema.is_valid(&document), "break {number}");
        }
    });
}

#[test]
fn resolves_every_reference() {
    for policy in POLICIES {
        let document = document(Some(policy));
        let mut used = BTreeSet::new();
        let mut resolve = |location: &str, target: &Value| {
            let pointer = target
                .as_str()
                .and_then(|target| target.strip_prefix('#'))
                .expect(location);
            assert!(
                document.pointer(pointer).is_some(),
                "{location}: {pointer} under {policy}"
            );
            used.insert(pointer.to_owned());
        };
        objects(&document, "", &mut |location, members| {
            if let Some(target) = members.get("$ref") {
                resolve(location, target);
            }
            if let Some(Value::Object(mapping)) = members.get("mapping") {
                mapping
                    .values()
                    .for_each(|target| resolve(location, target));
            }
        });
        for kind in ["schemas", "parameters", "responses"] {
            for name in document["components"][kind]
                .as_object()
                .expect("components")
                .keys()
            {
                assert!(
                    used.contains(&format!("/components/{kind}/{name}")),
                    "{kind} {name} is not used"
                );
            }
        }
        let paths = &document["paths"];
        let link = &paths["/v1/payments/new"]["post"]["responses"]["201"]["links"]["status"];
        assert_eq!(
            link["operationId"],
            paths["/v1/payments/{uid}/status"]["get"]["operationId"]
        );
    }
}

#[test]
fn explains_cited_decisions_and_cites_open_questions() {
    let document = document(None);
    let register = document["x-payspec-decisions"]
        .as_object()
        .expect("a register");
    assert_eq!(register.len(), DECISIONS.len());
    let mut cited = BTreeSet::new();
    objects(&document, "", &mut |_, members| {
        if let Some(Value::Array(ids)) = members.get("x-payspec-decisions") {
            cited.extend(
                ids.iter()
                    .map(|id| id.as_str().expect("a number").to_owned()),
            );
        }
        if let Some(text) = members.get("description").and_then(Value::as_str) {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric());
            let number = |word: &&str| {
                word.strip_prefix('D')
                    .is_some_and(|digits| digits.parse::<u8>().is_ok())
            };
            cited.extend(words.filter(number).map(str::to_owned));
        }
    });
    for id in &cited {
        assert!(
            register.contains_key(id),
            "{id} is cited, but not explained"
        );
    }
    for decision in DECISIONS.iter().take(16) {
        assert!(
            cited.contains(decision.id),
            "{} is not cited: {}",
            decision.id,
            decision.open
        );
    }
}

#[test]
fn has_patterns_that_re2_and_pcre_accept() {
    let mut count = 0;
    for policy in POLICIES {
        objects(&document(Some(policy)), "", &mut |path, members| {
            if let Some(pattern) = members.get("pattern").and_then(Value::as_str) {
                count += 1;
                let has_look_around = ["(?=", "(?!", "(?<"]
                    .iter()
                    .any(|look| pattern.contains(look));
                assert!(
                    !pattern.contains("\\u") && !has_look_around,
                    "{path}: {pattern}"
                );
            }
        });
    }
    assert!(count > 100, "{count}");
}

#[test]
fn describes_the_server_and_the_callback() {
    let document = document(None);
    let url = document["servers"][0]["url"].as_str().expect("a URL");
    assert!(url.starts_with("https://"), "{url}");
    let post = &document["webhooks"]["payment"]["post"];
    let body = &post["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(body["$ref"], "#/components/schemas/Payment");
    assert_eq!(post["x-payspec-decisions"], serde_json::json!(["D11"]));
    let parameters = post["parameters"].as_array().expect("headers");
    let names: Vec<&str> = parameters
        .iter()
        .filter_map(|parameter| parameter["name"].as_str())
        .collect();
    assert_eq!(
        names,
        ["webhook-id", "webhook-timestamp", "webhook-signature"]
    );
}

#[test]
fn lists_the_values_of_the_library() {
    let document = document(None);
    let schemas = &document["components"]["schemas"];
    let words = |name: &str| -> Vec<&str> {
        schemas[name]["enum"]
            .as_array()
            .expect(name)
            .iter()
            .map(|word| word.as_str().expect("a word"))
            .collect()
    };
    assert_eq!(words("State"), State::NAMES);
    assert_eq!(words("Mode"), Mode::NAMES);
    assert_eq!(words("Subtype"), Subtype::NAMES);
    assert_eq!(words("PaymentType"), PaymentType::NAMES);
    assert_eq!(
        words("ProblemCode"),
        ProblemCode::ALL
            .iter()
            .map(|code| code.name())
            .collect::<Vec<_>>()
    );
    assert_eq!(
        words("ViolationCode"),
        RULES.iter().map(|rule| rule.name).collect::<Vec<_>>()
    );
    assert_eq!(
        document["info"]["x-payspec-version"],
        env!("CARGO_PKG_VERSION")
    );
}

#[test]
fn describes_every_operation_and_member() {
    for policy in POLICIES {
        let document = document(Some(policy));
        for operation in document["paths"]
            .as_object()
            .expect("paths")
            .values()
            .flat_map(|path| path.as_object())
            .flatten()
        {
            for member in ["operationId", "summary", "description", "tags"] {
                assert!(
                    operation.1.get(member).is_some(),
                    "{} has no {member}",
                    operation.0
                );
            }
        }
        for (name, schema) in document["components"]["schemas"]
            .as_object()
            .expect("schemas")
        {
            assert!(schema["description"].is_string(), "{name}");
            for (member, value) in schema["properties"].as_object().into_iter().flatten() {
                assert!(
                    value["description"].is_string() || value["$ref"].is_string(),
                    "{name} {member}"
                );
            }
        }
    }
}
