//! Compares the reader with serde_json: which texts are JSON, and which strings they contain.
//!
//! Strings are compared through the fingerprint, which covers every decoded name and value of a
//! body. The canonical form is built here a second time, from the result of serde_json.

use crate::names::{CardName, MAX_LENGTH, member_name, pair_name};
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
    if write(&body, REQUEST, &mut canonical).is_some() {
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

/// The members of an object of §2.2, and the objects among them.
struct Object {
    members: &'static [&'static str],
    objects: &'static [(&'static str, &'static Object)],
}

const REQUEST: Option<&Object> = Some(&Object {
    members: &[
        "payment_type",
        "mode",
        "cur",
        "amount",
        "subtype",
        "merchant_id",
        "user_id",
        "user_name",
        "callback",
        "redirect_url",
        "bank_name",
        "host2host",
        "description",
        "time_to_complete_payment",
        "pay_out_details",
        "pay_in_details",
        "system",
    ],
    objects: &[
        ("pay_out_details", &PAY_OUT_DETAILS),
        ("pay_in_details", &PAY_IN_DETAILS),
    ],
});
const PAY_OUT_DETAILS: Object = Object {
    members: &["bank_name", "full_name", "card_number", "phone_number"],
    objects: &[],
};
const PAY_IN_DETAILS: Object = Object {
    members: &["card", "bank_name"],
    objects: &[("card", &CARD)],
};
const CARD: Object = Object {
    members: &[
        "card_holder",
        "card_number",
        "expiry_year",
        "expiry_month",
        "security_code",
    ],
    objects: &[],
};

impl Object {
    /// Checks if a member means the same as an absent one.
    fn is_default(&self, name: &str, value: &Json) -> bool {
        match value {
            Json::Null => self.members.contains(&name),
            Json::Bool(false) => name == "host2host" && self.members.contains(&name),
            _ => false,
        }
    }

    fn object(&self, name: &str) -> Option<&'static Object> {
        let mut objects = self.objects.iter();
        objects
            .find(|(known, _)| *known == name)
            .map(|(_, object)| *object)
    }
}

/// Writes the canonical form: names sorted, no whitespace, no security code, no member of §2.2 that
/// means the same as an absent one. Returns `None` at a number that serde_json does not keep as
/// written, and at a name that the library classifies by its ends.
fn write(json: &Json, schema: Option<&Object>, out: &mut String) -> Option<()> {
    match json {
        Json::Object(all) => {
            let pair = pair_name(all);
            let is_code = |name: &str, value: &Json| match member_name(name, pair) {
                Some(CardName::SecurityCode) => true,
                Some(CardName::PossibleCode) => {
                    let text = match value {
                        Json::String(text) => text.clone(),
                        Json::Number(number) => number.to_string(),
                        _ => return false,
                    };
                    matches!(text.chars().count(), 3 | 4)
                        && text.bytes().all(|byte| byte.is_ascii_digit())
                }
                _ => false,
            };
            let is_repeated =
                |name: &str| all.iter().filter(|(other, _)| other == name).count() > 1;
            let is_default = |name: &str, value: &Json| {
                schema.is_some_and(|schema| schema.is_default(name, value)) && !is_repeated(name)
            };
            let mut members: Vec<_> = all
                .iter()
                .filter(|(name, value)| !is_code(name, value) && !is_default(name, value))
                .collect();
            members.sort_by(|(one, _), (other, _)| one.chars().cmp(other.chars()));
            out.push('{');
            for (index, (name, value)) in members.into_iter().enumerate() {
                if name.len() > MAX_LENGTH {
                    return None;
                }
                out.push_str(if index == 0 { "" } else { "," });
                out.push_str(&serde_json::to_string(name).ok()?);
                out.push(':');
                write(value, schema.and_then(|schema| schema.object(name)), out)?;
            }
            out.push('}');
        }
        Json::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                write(element, None, out)?;
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
