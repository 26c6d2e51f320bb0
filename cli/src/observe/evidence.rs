//! The redacted form of a recorded exchange.

use std::sync::LazyLock;

use payspec::Engine;
use serde_json::Value;

use super::exchange::{Body, Exchange};

/// The rules that traffic is compared with, which are those of the register.
pub(super) static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);

/// The longest part of a body in a report, in characters.
const SHOWN: usize = 600;
/// Replaces a credential.
const HIDDEN: &str = "***";
/// Shorter values of headers are no secret, and could be a part of any word.
const SHORTEST_SECRET: usize = 4;
/// Parts of the names of members that contain credentials, without `_` and `-`, in lower case.
const CREDENTIALS: [&str; 6] = [
    "token",
    "authorization",
    "secret",
    "password",
    "idempotencykey",
    "apikey",
];

/// An exchange that contradicts a decision. It contains no card data and no credential.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    /// The place in the input.
    pub(super) place: String,
    /// The difference, without values.
    pub(super) difference: String,
    pub(super) status: u16,
    pub(super) request: Option<String>,
    pub(super) response: Option<String>,
}

impl Sample {
    pub(super) fn new(place: &str, difference: &str, exchange: &Exchange) -> Self {
        let secrets = secrets(exchange);
        let body = |body: &Body| Some(shortened(&redacted(body.bytes()?, &secrets)));
        Sample {
            place: place.to_owned(),
            difference: difference.to_owned(),
            status: exchange.status,
            request: body(&exchange.request.body),
            response: body(&exchange.response.body),
        }
    }
}

/// Returns the credentials in the headers of an exchange: the token and the idempotency key, with
/// and without what surrounds them.
pub(super) fn secrets(exchange: &Exchange) -> Vec<String> {
    let mut secrets = Vec::new();
    for (name, value) in &exchange.request.headers {
        if !is_secret(name) {
            continue;
        }
        secrets.push(value.clone());
        secrets.extend(value.split([' ', ',', ';', '=', '"']).map(str::to_owned));
    }
    secrets.retain(|secret| secret.len() >= SHORTEST_SECRET && secret != "Bearer");
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    secrets
}

/// Returns whether a header contains a credential or an idempotency key.
pub(super) fn is_secret(name: &str) -> bool {
    name == "cookie"
        || name.contains("signature")
        || name.contains("idempotency")
        || is_credential(name)
}

fn is_credential(name: &str) -> bool {
    let name: String = name
        .chars()
        .filter(|character| !matches!(character, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect();
    CREDENTIALS.iter().any(|part| name.contains(part))
}

/// Returns a body without card data and credentials.
///
/// A body that the library does not read, such as a large one, is redacted as text.
pub(super) fn redacted(body: &[u8], secrets: &[String]) -> String {
    let hidden = match serde_json::from_slice::<Value>(body) {
        Ok(mut json) if has_credentials(&json) => {
            hide(&mut json);
            json.to_string().into_bytes()
        }
        _ => body.to_vec(),
    };
    let mut text = ENGINE
        .redact(&hidden)
        .unwrap_or_else(|_| ENGINE.redact_text(&String::from_utf8_lossy(&hidden)));
    for secret in secrets {
        text = text.replace(secret.as_str(), HIDDEN);
    }
    text
}

fn has_credentials(json: &Value) -> bool {
    match json {
        Value::Object(members) => members
            .iter()
            .any(|(name, value)| is_credential(name) || has_credentials(value)),
        Value::Array(items) => items.iter().any(has_credentials),
        _ => false,
    }
}

fn hide(json: &mut Value) {
    match json {
        Value::Object(members) => {
            for (name, value) in members {
                match is_credential(name) {
                    true => *value = Value::from(HIDDEN),
                    false => hide(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(hide),
        _ => {}
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hides_card_data_and_credentials() {
        let mut exchange = Exchange::default();
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        exchange.request.headers = vec![
            header("authorization", "Bearer tok-canary"),
            header("idempotency-key", "\"key-canary\""),
        ];
        let body = br#"{"pan":"4111111111111111","cvv":"739","x":"tok-canary key-canary","access_token":"other"}"#;
        exchange.request.body = Body::Bytes(body.to_vec());
        exchange.response.body = Body::Bytes(b"not JSON 4111111111111111 key-canary".to_vec());
        let sample = format!("{:?}", Sample::new("a", "b", &exchange));
        for canary in [
            "4111111111111111",
            "739",
            "tok-canary",
            "key-canary",
            "other",
        ] {
            assert!(!sample.contains(canary), "{canary}: {sample}");
        }
        assert!(sample.contains("411111******1111"), "{sample}");
    }
}
