//! Random payments, which the library creates from random requests.

use fastrand::Rng;
use payspec::Engine;
use payspec::operations::{Verdict, operation};
use serde_json::{Value, json};

use super::body::Body;
use super::request::{self, Shape};

/// Returns a payment and its request.
pub(super) fn random(engine: &Engine, now: &str, rng: &mut Rng) -> Option<(Body, Body)> {
    let request = request::random(engine, Shape::Any, rng);
    let context = json!({
        "uid": format!("{:08x}-0000-4000-8000-{:012x}", rng.u32(..), rng.u64(..1 << 48)),
        "now": now,
        "authorization": "checked_by_caller",
        "url": format!("https://pay.example/p/{}", rng.u32(1000..10_000)),
        "charges": {"fee": "0.50", "commission": "0.25", "shared_commission": "0.10"},
    });
    let context = context.to_string();
    let mut answer = Vec::new();
    let create = operation("create_payment")?;
    let inputs = [
        Some(request.json().into_bytes()),
        Some(context.into_bytes()),
    ];
    let inputs: Vec<Option<&[u8]>> = inputs.iter().map(Option::as_deref).collect();
    match create.call(engine, &inputs, Some(&mut answer)) {
        Ok(Verdict::Accepted) => {}
        _ => return None,
    }
    let text = String::from_utf8(answer).ok()?;
    let outcome: Value = serde_json::from_str(&text).ok()?;
    let body = outcome.get("body")?;
    // The order of the members is that of the text.
    let mut payment = Body::parse(text.get(text.find("\"body\":")? + 7..).and_then(object)?)?;
    debug_assert_eq!(
        serde_json::from_str::<Value>(&payment.json()).ok().as_ref(),
        Some(body)
    );
    payment.set(
        "merchant_id",
        body.get("merchant_id").cloned().unwrap_or_default(),
    );
    Some((payment, request))
}

/// Returns the JSON object at the beginning of the text.
fn object(text: &str) -> Option<&str> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    values.next()?.ok()?;
    text.get(..values.byte_offset())
}
