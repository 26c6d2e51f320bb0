//! The OpenAPI document that the gateway serves: the library's, and what only the gateway knows.
//!
//! That is its own address, the answers that come from storage and clocks and not from the library,
//! and the header of a replay. The rest stays as the library wrote it, in its order.

use indexmap::IndexMap;
use payspec::{Engine, operations};
use serde_json::json;
use serde_json::value::{RawValue, Value, to_raw_value};

use super::static_file::StaticFile;

/// An object whose members stay in their order, as texts.
type Members = IndexMap<String, Box<RawValue>>;
type Edited = Result<(), serde_json::Error>;

/// Why there is no document: the library's is not what this file takes it for.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The library gives none.
    #[error("the library has no OpenAPI document")]
    Missing,
    /// The document does not have the expected structure.
    #[error("the library's OpenAPI document: {0}")]
    Shape(#[from] serde_json::Error),
}

/// Returns the document of a gateway at an address.
///
/// # Errors
/// See [`DocumentError`].
pub fn document(engine: &Engine, public_url: &str) -> Result<StaticFile, DocumentError> {
    let mut text = Vec::new();
    let openapi = operations::operation("openapi").ok_or(DocumentError::Missing)?;
    openapi
        .call(engine, &[], Some(&mut text))
        .map_err(|_| DocumentError::Missing)?;
    let mut document: Members = serde_json::from_slice(&text)?;
    document.insert(
        "servers".to_owned(),
        to_raw_value(&json!([{"url": public_url}]))?,
    );
    edit(&mut document, "paths", |paths| {
        each(paths, |item| each(item, operation))
    })?;
    edit(&mut document, "components", |components| {
        edit(components, "schemas", |schemas| {
            edit(schemas, "Balance", |balance| {
                edit(balance, "properties", |properties| {
                    let other = balances();
                    properties.insert(
                        "amount".to_owned(),
                        to_raw_value(&other["items"]["properties"]["amount"])?,
                    );
                    properties.insert("balances".to_owned(), to_raw_value(&other)?);
                    Ok(())
                })
            })?;
            schemas.insert("HttpProblem".to_owned(), to_raw_value(&schema())?);
            Ok(())
        })?;
        edit(components, "responses", |responses| {
            for (name, _, _, description) in ANSWERS {
                responses.insert(name.to_owned(), to_raw_value(&answer(name, description))?);
            }
            Ok(())
        })
    })?;
    Ok(StaticFile::new(
        "application/json",
        serde_json::to_vec(&document)?.into(),
    ))
}

/// Answers of the gateway itself: name, status, whether only a request with a body gets it, and
/// when.
const ANSWERS: [(&str, &str, bool, &str); 5] = [
    (
        "RequestTimeout",
        "408",
        true,
        "The body did not arrive in time. Nothing was done.",
    ),
    (
        "UnsupportedMediaType",
        "415",
        true,
        "The body is not `application/json`, or it is compressed. Nothing was done.",
    ),
    (
        "TooManyRequests",
        "429",
        false,
        "The merchant or the address is at a limit. Nothing was done.",
    ),
    (
        "InternalError",
        "500",
        false,
        "The service has a fault. Whether anything was done is not known.",
    ),
    (
        "Unavailable",
        "503",
        false,
        "The service cannot serve now. Whether a payment was made is not known: ask again with the same idempotency key.",
    ),
];

fn operation(operation: &mut Members) -> Edited {
    let has_body = operation.contains_key("requestBody");
    edit(operation, "responses", |responses| {
        for (name, status, with_body, _) in ANSWERS {
            if has_body || !with_body {
                let reference = json!({"$ref": format!("#/components/responses/{name}")});
                responses.insert(status.to_owned(), to_raw_value(&reference)?);
            }
        }
        if !responses.contains_key("201") {
            return Ok(());
        }
        edit(responses, "201", |created| {
            let header = json!({
                "description": "`true` if an earlier request with this key created the payment; otherwise absent.",
                "schema": {"const": "true"},
            });
            created.insert(
                "headers".to_owned(),
                to_raw_value(&json!({"Idempotent-Replayed": header}))?,
            );
            Ok(())
        })
    })
}

fn schema() -> Value {
    json!({
        "title": "HttpProblem",
        "description": "A problem of RFC 9457 that its status describes.",
        "type": "object",
        "required": ["type", "title", "status"],
        "properties": {
            "type": {"const": "about:blank"},
            "title": {"type": "string"},
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
        },
    })
}

/// Returns the schema of the member with the balance in each currency.
fn balances() -> Value {
    let amount =
        json!({"type": "string", "description": "A decimal number, which may be negative."});
    let currency = json!({"type": "string", "description": "The code of a currency."});
    json!({
        "description": "The balance in each currency that the merchant has had payments in, and in `cur`.",
        "type": "array",
        "items": {"type": "object", "required": ["cur", "amount"], "properties": {"cur": currency, "amount": amount}},
    })
}

fn answer(name: &str, description: &str) -> Value {
    let content =
        json!({"application/json": {"schema": {"$ref": "#/components/schemas/HttpProblem"}}});
    if !["TooManyRequests", "Unavailable"].contains(&name) {
        return json!({"description": description, "content": content});
    }
    let retry = json!({"description": "Seconds until the next try.", "schema": {"type": "integer", "minimum": 0}});
    json!({"description": description, "headers": {"Retry-After": retry}, "content": content})
}

/// Edits one member, which must be an object.
fn edit(members: &mut Members, name: &str, change: impl FnOnce(&mut Members) -> Edited) -> Edited {
    let member = members
        .get_mut(name)
        .ok_or_else(|| serde::de::Error::custom(format!("no member {name}")))?;
    edit_text(member, change)
}

/// Edits every member that is an object.
fn each(members: &mut Members, mut change: impl FnMut(&mut Members) -> Edited) -> Edited {
    members
        .values_mut()
        .filter(|member| member.get().starts_with('{'))
        .try_for_each(|member| edit_text(member, &mut change))
}

fn edit_text(member: &mut Box<RawValue>, change: impl FnOnce(&mut Members) -> Edited) -> Edited {
    let mut inner: Members = serde_json::from_str(member.get())?;
    change(&mut inner)?;
    *member = to_raw_value(&inner)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library() -> Value {
        let mut text = Vec::new();
        operations::operation("openapi")
            .unwrap()
            .call(&Engine::default(), &[], Some(&mut text))
            .unwrap();
        serde_json::from_slice(&text).unwrap()
    }

    #[test]
    fn nothing_of_the_library_s_is_lost_and_little_is_added() {
        let mut own: Value = serde_json::from_slice(
            document(&Engine::default(), "https://pay.example")
                .unwrap()
                .as_ref(),
        )
        .unwrap();
        assert_eq!(own["servers"], json!([{"url": "https://pay.example"}]));
        own["servers"] = library()["servers"].clone();
        let responses = |value: &mut Value, operation: &str| {
            let responses = value
                .pointer_mut(&format!("/paths/{operation}/responses"))
                .unwrap()
                .as_object_mut()
                .unwrap();
            ["408", "415", "429", "500", "503"].map(|status| responses.remove(status).is_some())
        };
        assert_eq!(responses(&mut own, "~1v1~1payments~1new/post"), [true; 5]);
        assert_eq!(
            responses(&mut own, "~1v1~1payments~1{uid}~1status/get"),
            [false, false, true, true, true]
        );
        assert_eq!(
            responses(&mut own, "~1v1~1partner~1balance/get"),
            [false, false, true, true, true]
        );
        let created = own
            .pointer_mut("/paths/~1v1~1payments~1new/post/responses/201")
            .unwrap();
        assert!(created.as_object_mut().unwrap().remove("headers").is_some());
        let schemas = own["components"]["schemas"].as_object_mut().unwrap();
        schemas.remove("HttpProblem").unwrap();
        let balance = schemas["Balance"]["properties"].as_object_mut().unwrap();
        assert!(
            ["amount", "balances"]
                .iter()
                .all(|member| balance.remove(*member).is_some())
        );
        for name in [
            "RequestTimeout",
            "UnsupportedMediaType",
            "TooManyRequests",
            "InternalError",
            "Unavailable",
        ] {
            own["components"]["responses"]
                .as_object_mut()
                .unwrap()
                .remove(name)
                .unwrap();
        }
        assert_eq!(own, library());
    }

    #[test]
    fn members_stay_in_their_order() {
        let own = String::from_utf8(document(&Engine::default(), "x").unwrap().as_ref().to_vec())
            .unwrap();
        let at = |name: &str| own.find(name).unwrap_or_else(|| panic!("{name}"));
        assert!(
            own.starts_with("{\"openapi\":")
                && at("\"info\"") < at("\"paths\"")
                && at("\"paths\"") < at("\"components\"")
        );
        assert!(
            at("/v1/payments/new") < at("/v1/payments/{uid}/status")
                && at("\"201\"") < at("\"408\"")
        );
    }
}
