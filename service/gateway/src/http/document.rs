//! The OpenAPI document that the gateway serves: that of the library, with the additions of the
//! gateway.
//!
//! These are its address, the answers that the library does not write, and the header of a replay.
//! The other members stay in the text and order of the library.

use indexmap::IndexMap;
use payspec::{Engine, operations};
use serde_json::json;
use serde_json::value::{RawValue, Value, to_raw_value};

use super::problem::{HTTP_PROBLEMS, HttpProblem};
use super::static_file::StaticFile;

/// An object whose members stay in their order, as texts.
type Members = IndexMap<String, Box<RawValue>>;
type Edited = Result<(), serde_json::Error>;

/// The reason why there is no document.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The library returns none.
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
            for (name, problem) in named() {
                responses.insert(name.to_owned(), to_raw_value(&answer(problem))?);
            }
            Ok(())
        })
    })?;
    Ok(StaticFile::new(
        "application/json",
        serde_json::to_vec(&document)?.into(),
    ))
}

/// Returns the problems of the document with their names.
fn named() -> impl Iterator<Item = (&'static str, &'static HttpProblem)> {
    HTTP_PROBLEMS
        .iter()
        .filter_map(|problem| Some((problem.name?, problem)))
}

fn operation(operation: &mut Members) -> Edited {
    let has_body = operation.contains_key("requestBody");
    edit(operation, "responses", |responses| {
        for (name, problem) in named() {
            if has_body || !problem.needs_body {
                let reference = json!({"$ref": format!("#/components/responses/{name}")});
                responses.insert(problem.status.to_string(), to_raw_value(&reference)?);
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
        "required": ["type", "title", "status", "detail"],
        "properties": {
            "type": {"const": "about:blank"},
            "title": {"type": "string"},
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "detail": {"type": "string"},
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

/// Returns the response of a problem.
fn answer(problem: &HttpProblem) -> Value {
    let content =
        json!({"application/json": {"schema": {"$ref": "#/components/schemas/HttpProblem"}}});
    let header = match problem.status {
        429 | 503 => json!({
            "Retry-After": {"description": "Seconds until the next try.", "schema": {"type": "integer", "minimum": 0}},
        }),
        415 => json!({
            "Accept-Encoding": {"description": "`identity` if the body had a Content-Encoding.", "schema": {"const": "identity"}},
        }),
        _ => return json!({"description": problem.detail, "content": content}),
    };
    json!({"description": problem.detail, "headers": header, "content": content})
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
