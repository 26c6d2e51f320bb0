//! The requests that a policy decides otherwise than the default one.

use payspec::{
    Code, ComparePoliciesContext, Engine, Policy, PolicyChange, PolicyDifference, Severity,
};
use serde_json::Value;

use super::client::{Answer, CREATE, Call, Target};

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
        let rejecting = match is_accepted {
            true => &Engine::default(),
            false => engine,
        };
        let mut body = witness.body;
        // The witness of a bound is an amount beside it.
        let is_of_amount =
            |path: &str| path == "/currencies" || path.starts_with("/limits/amount/");
        if !is_of_amount(&difference.path) {
            body = with(rejecting, "cur", "RUB", body);
            body = with(rejecting, "amount", "100.00", body);
        }
        if let Some(merchant) = merchant {
            body = with(rejecting, "merchant_id", merchant, body);
        }
        decided.push(Decided {
            setting: difference.path,
            is_accepted,
            answer: target.call(Call::post(CREATE, body)).await,
        });
    }
    decided
}

/// Returns the body with a value that a service is likely to accept, instead of the smallest one. The
/// body stays as it is if the engine would reject the other one for other reasons.
fn with(rejecting: &Engine, member: &str, value: &str, body: String) -> String {
    let Ok(Value::Object(mut members)) = serde_json::from_str(&body) else {
        return body;
    };
    members.insert(member.to_owned(), Value::from(value));
    let changed = Value::Object(members).to_string();
    match errors(rejecting, &changed) == errors(rejecting, &body) {
        true => changed,
        false => body,
    }
}

/// Returns path and code of each error.
fn errors(engine: &Engine, body: &str) -> Vec<(String, Code)> {
    let report = engine.validate_request(body.as_bytes(), None);
    let violations = report.violations().iter();
    let errors = violations.filter(|violation| violation.severity() == Severity::Error);
    errors
        .map(|violation| (violation.path().to_owned(), violation.code()))
        .collect()
}
