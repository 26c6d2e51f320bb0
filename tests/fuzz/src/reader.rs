//! Compares the reader with serde_json: which texts are JSON, and which strings they contain.
//!
//! Strings are compared through the fingerprint, which covers every decoded name and value of a
//! body. The canonical form is built here a second time, from the result of serde_json.

use crate::redact::{Sensitive, may_be_sensitive, sensitive};
use hmac::{Hmac, KeyInit, Mac};
use payspec::Engine;
use payspec_tests::json::Json;
use payspec_tests::reader::{ours, reference};
use payspec_tests::seeds;
use sha2::Sha256;
use std::sync::LazyLock;

/// Has the limits of the comparison, and a key, because with a key nothing is masked.
static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let key = "0b".repeat(32);
    let limits = r#"{"body_bytes":1000000,"depth":64,"violations":1}"#;
    Engine::from_json(&format!(
        r#"{{"limits":{limits},"fingerprint_key":"{key}"}}"#
    ))
    .expect("the policy")
});

pub(crate) fn run(bytes: &[u8]) {
    let (Some(ours), Some(reference)) = (ours(&ENGINE, bytes, &mut Vec::new()), reference(bytes))
    else {
        return;
    };
    assert_eq!(
        ours,
        reference,
        "ours and serde_json's verdict on {:?}",
        String::from_utf8_lossy(bytes)
    );
    let Ok(body @ Json::Object(_)) = Json::parse(bytes) else {
        return;
    };
    let mut canonical = String::new();
    let is_written = write(&body, &mut canonical).is_some();
    // Nulls and `host2host: false` may mean the same as an absent member, which vectors check.
    let has_defaults = [":null", "\"host2host\":false"]
        .iter()
        .any(|part| canonical.contains(part));
    // The model in Python has the complete table of names of card data.
    let may_be_masked = may_be_sensitive(&canonical.replace("card_number", ""));
    if is_written && !has_defaults && !may_be_masked {
        let mut mac = Hmac::<Sha256>::new_from_slice(&[0x0b; 32]).expect("a key of any length");
        mac.update(canonical.as_bytes());
        let expected: String = mac
            .finalize()
            .into_bytes()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let found = ENGINE
            .fingerprint_request(bytes)
            .expect("an object within the bounds");
        assert_eq!(found.as_str(), expected, "the fingerprint of {canonical}");
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let vectors = seeds::calls()
        .into_iter()
        .flat_map(|seed| seed.inputs)
        .flatten();
    let bodies = seeds::example_bodies().into_iter().map(|(_, body)| body);
    vectors
        .chain(bodies)
        .filter(|input| matches!(input.first(), Some(b'{' | b'[')))
        .collect()
}

/// Writes the canonical form: names sorted, no whitespace, no security code. Returns `None` at a
/// number that serde_json does not keep as written.
fn write(json: &Json, out: &mut String) -> Option<()> {
    match json {
        Json::Object(members) => {
            let mut members: Vec<_> = members
                .iter()
                .filter(|(name, _)| sensitive(name) != Some(Sensitive::SecurityCode))
                .collect();
            members.sort_by(|(one, _), (other, _)| one.chars().cmp(other.chars()));
            out.push('{');
            for (index, (name, value)) in members.into_iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                out.push_str(&serde_json::to_string(name).ok()?);
                out.push(':');
                write(value, out)?;
            }
            out.push('}');
        }
        Json::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write(element, out)?;
            }
            out.push(']');
        }
        Json::String(text) => out.push_str(&serde_json::to_string(text).ok()?),
        Json::Number(number) if number.is_f64() => return None,
        Json::Number(number) => out.push_str(&number.to_string()),
        Json::Bool(value) => out.push_str(&value.to_string()),
        Json::Null => out.push_str("null"),
    }
    Some(())
}
