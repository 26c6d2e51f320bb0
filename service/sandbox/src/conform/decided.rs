//! The requests that a policy decides otherwise than the default one.

use payspec::{ComparePoliciesContext, Engine, Policy, PolicyChange, PolicyDifference};
use serde_json::Value;

use super::client::{Answer, Call, Target};
use super::facts::CREATE;

/// A request that exactly one of the two policies accepts.
pub(super) struct Decided {
    /// The JSON Pointer of the setting that decides.
    pub(super) setting: String,
    /// Whether the policy of the examination accepts it.
    pub(super) is_accepted: bool,
    pub(super) answer: Option<Answer>,
}

/// Returns the differences that one request shows. One that depends on the time shows nothing of a
/// service with its own clock.
fn differences(engine: &Engine) -> Vec<PolicyDifference> {
    let context = ComparePoliciesContext::new(Policy::default(), engine.policy().clone());
    let Ok(context) = context else {
        return Vec::new();
    };
    let comparison = Engine::default().compare_policies(&context);
    let has_request = |difference: &PolicyDifference| {
        let witness = difference.witness.as_ref();
        witness.is_some_and(|witness| witness.now.is_none())
    };
    let differences = comparison.differences.into_iter();
    differences.filter(has_request).collect()
}

/// Sends a request for each difference.
pub(super) async fn collect(
    target: &Target,
    engine: &Engine,
    merchant: Option<&str>,
) -> Vec<Decided> {
    let mut decided = Vec::new();
    for difference in differences(engine) {
        let Some(witness) = difference.witness else {
            continue;
        };
        let is_accepted = difference.change == PolicyChange::Wider;
        let body = with_usual_values(engine, merchant, is_accepted, witness.body);
        decided.push(Decided {
            setting: difference.path,
            is_accepted,
            answer: target.call(Call::post(CREATE, body)).await,
        });
    }
    decided
}

/// Returns the body with the amount and the currency of the other requests, and with the merchant of
/// the examination: a service may refuse others. A member stays as it is if the two policies would
/// decide otherwise.
fn with_usual_values(
    engine: &Engine,
    merchant: Option<&str>,
    is_accepted: bool,
    body: String,
) -> String {
    let is_witness = |body: &str| {
        let accepts = |engine: &Engine| engine.is_valid_request(body.as_bytes(), None);
        accepts(engine) == is_accepted && accepts(&Engine::default()) != is_accepted
    };
    let usual = [
        ("cur", Some("RUB")),
        ("amount", Some("100.00")),
        ("merchant_id", merchant),
    ];
    let mut body = body;
    for (member, value) in usual {
        let Ok(mut json) = serde_json::from_str::<Value>(&body) else {
            continue;
        };
        let Some(value) = value.filter(|_| json.is_object()) else {
            continue;
        };
        json[member] = Value::from(value);
        let changed = json.to_string();
        if is_witness(&changed) {
            body = changed;
        }
    }
    body
}
