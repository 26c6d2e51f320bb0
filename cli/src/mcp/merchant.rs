//! The tools that act for a merchant of the sandbox.

use payspec::IdempotencyKey;
use payspec_sandbox::Method;
use payspec_sandbox::sandbox::{Local, Reply};
use serde_json::{Value, json};

use super::answer::{Answer, Refusal};
use super::arguments::Arguments;
use super::workbench::Workbench;

/// The number of payments and of attempts that a tool lists.
const LISTED: usize = 50;

/// The answers of a payer.
pub(super) const CHALLENGE_RESULTS: [&str; 2] = ["passed", "failed"];

/// The advice if it is not known whether a payment was created.
const REPEAT: &str =
    "the payment may exist: call create_payment again with the same order and the same request";

type Result<T> = std::result::Result<T, Refusal>;

pub(super) async fn create(tools: &Workbench, arguments: Arguments) -> Result<Answer> {
    let order = arguments.required_text("order")?;
    let key = IdempotencyKey::new(order).map_err(|_| {
        Refusal::new("order: expected 1 to 255 visible ASCII characters without spaces")
    })?;
    let request = arguments.object("request")?;
    let request = request.ok_or_else(|| Refusal::new("request: expected a JSON object"))?;
    let scenario = arguments.one_of("scenario", &super::tools::scenario_names())?;
    let mut headers = vec![("idempotency-key", header(key.as_str()))];
    headers.extend(scenario.map(|name| ("sandbox-scenario", name.to_owned())));
    let body = request.to_string().into_bytes();
    let reply = tools
        .sandbox
        .call(Method::POST, "/v1/payments/new", &headers, Some(body))
        .await;
    let Some(reply) = reply else {
        return Err(Refusal::new(format!("the answer was lost, and {REPEAT}")));
    };
    if reply.status >= 500 {
        let status = reply.status;
        return Err(Refusal::new(format!(
            "the service answered {status}, and {REPEAT}"
        )));
    }
    match paid(&reply) {
        Some(uid) => of_order(tools, &uid).await,
        None => answered(reply),
    }
}

/// Returns the uid of the order's payment: of a new one, of one that was created within the window of
/// the key, whose answer repeats the first state, or in the conflict after the window.
fn paid(reply: &Reply) -> Option<String> {
    let body: Value = serde_json::from_slice(&reply.body).ok()?;
    let uid = matches!(reply.status, 201 | 409).then(|| body["uid"].as_str());
    uid.flatten().map(str::to_owned)
}

/// Returns the payment that an order has.
async fn of_order(tools: &Workbench, uid: &str) -> Result<Answer> {
    let path = format!("/v1/payments/{uid}/status");
    let read = call(tools, Method::GET, &path, None).await;
    read.map_err(|_| {
        let advice = "read it with payment_status";
        Refusal::new(format!("the order has the payment {uid} already: {advice}"))
    })
}

/// Returns a key as a string of RFC 8941, in which quotes have no other meaning.
fn header(key: &str) -> String {
    format!("\"{}\"", key.replace('\\', "\\\\").replace('"', "\\\""))
}

pub(super) async fn status(tools: &Workbench, arguments: Arguments) -> Result<Answer> {
    let uid = uid_of(&arguments)?;
    let path = format!("/v1/payments/{uid}/status");
    call(tools, Method::GET, &path, None).await
}

/// Returns the argument `uid`.
fn uid_of(arguments: &Arguments) -> Result<&str> {
    let uid = uid(arguments.required_text("uid")?);
    uid.ok_or_else(|| Refusal::new("uid: expected a UUID"))
}

/// Returns a text that is a UUID, and thus a segment of a path.
fn uid(text: &str) -> Option<&str> {
    let is_part = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
    (text.len() == 36 && text.bytes().all(is_part)).then_some(text)
}

pub(super) async fn answer_challenge(tools: &Workbench, arguments: Arguments) -> Result<Answer> {
    let uid = uid_of(&arguments)?;
    let result = arguments.one_of("result", &CHALLENGE_RESULTS)?;
    let body = json!({ "result": result });
    let path = format!("/sandbox/challenge/{uid}");
    call(tools, Method::POST, &path, Some(&body)).await
}

pub(super) async fn advance(tools: &Workbench, arguments: Arguments) -> Result<Answer> {
    let seconds = arguments.integer("seconds", Local::LONGEST_ADVANCE)?;
    let seconds = seconds.ok_or_else(|| Refusal::new("seconds: the argument is required"))?;
    let body = json!({"advance_ms": seconds.saturating_mul(1000)});
    call(tools, Method::POST, "/sandbox/clock", Some(&body)).await
}

pub(super) async fn add_fault(tools: &Workbench, arguments: Arguments) -> Result<Answer> {
    let body = arguments.all();
    call(tools, Method::POST, "/sandbox/faults", Some(&body)).await
}

pub(super) async fn clear_faults(tools: &Workbench, _: Arguments) -> Result<Answer> {
    call(tools, Method::DELETE, "/sandbox/faults", None).await
}

pub(super) async fn deliveries(tools: &Workbench, arguments: Arguments) -> Result<Answer> {
    let path = match arguments.text("payment")? {
        None => "/sandbox/deliveries".to_owned(),
        Some(text) => {
            let payment = uid(text).ok_or_else(|| Refusal::new("payment: expected a UUID"))?;
            format!("/sandbox/deliveries?payment={payment}")
        }
    };
    let Answer::Object(mut found) = call(tools, Method::GET, &path, None).await? else {
        return Err(Refusal::new("the sandbox returned no list"));
    };
    // The last attempts are those of interest.
    if let Some(attempts) = found["result"].as_array_mut() {
        let earlier = attempts.len().saturating_sub(LISTED);
        attempts.drain(..earlier);
    }
    Ok(Answer::Object(json!({"attempts": found["result"].take()})))
}

pub(super) async fn overview(tools: &Workbench, _: Arguments) -> Result<Answer> {
    let listed = call(tools, Method::GET, "/sandbox/payments", None).await?;
    let Answer::Object(mut listed) = listed else {
        return Err(Refusal::new("the sandbox returned no list"));
    };
    if let Some(payments) = listed["payments"].as_array_mut() {
        payments.truncate(LISTED);
    }
    listed["api"] = json!(tools.sandbox.url());
    Ok(Answer::Object(listed))
}

async fn call(
    tools: &Workbench,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Result<Answer> {
    let body = body.map(|body| body.to_string().into_bytes());
    let reply = tools.sandbox.call(method, path, &[], body).await;
    let lost = || Refusal::new("the answer was lost by a fault: call the tool again");
    answered(reply.ok_or_else(lost)?)
}

/// Returns the body of an answer, or the sentence of its problem. A list becomes the member `result`.
fn answered(reply: Reply) -> Result<Answer> {
    let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    if reply.status < 400 {
        return Ok(Answer::Object(match body {
            Value::Object(_) => body,
            other => json!({"result": other}),
        }));
    }
    let text = |name: &str| body[name].as_str().unwrap_or_default();
    let detail = text("detail").trim_end_matches('.');
    let code = match text("code") {
        "" => String::new(),
        code => format!(" {code}"),
    };
    let mut sentence = format!("the service answered {}{code}: {detail}", reply.status);
    let violations = body["violations"].as_array().into_iter().flatten();
    for violation in violations.filter(|violation| violation["severity"] != "warning") {
        let member = |name: &str| violation[name].as_str().unwrap_or_default();
        let (path, message, code) = (member("path"), member("message"), member("code"));
        sentence.push_str(&format!("; {path}: {message} ({code})"));
    }
    Err(Refusal::new(sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_survives_the_header() {
        for order in ["order-17", "\"x\"", "a\\b", "'", "\""] {
            let parsed: IdempotencyKey = header(order).parse().unwrap();
            assert_eq!(parsed.as_str(), order);
        }
    }

    #[test]
    fn problems_become_one_sentence() {
        let body = json!({
            "status": 422, "code": "invalid", "detail": "The body is not valid.", "violations": [
                {"path": "/amount", "code": "amount_scale", "severity": "error", "message": "too many digits"},
                {"path": "/x", "code": "unknown_member", "severity": "warning", "message": "unknown"},
            ],
        });
        let reply = |status| Reply {
            status,
            body: body.to_string().into_bytes(),
        };
        let Err(Refusal(sentence)) = answered(reply(422)) else {
            panic!("a problem")
        };
        assert_eq!(
            sentence,
            "the service answered 422 invalid: The body is not valid; /amount: too many digits (amount_scale)"
        );
        assert!(answered(reply(200)).is_ok());
    }

    #[test]
    fn paths_contain_only_uuids() {
        assert!(uid("6fa459ea-ee8a-3ca4-894e-db77e160355e").is_some());
        for wrong in [
            "",
            "../../v1/partner/balance",
            "6fa459ea-ee8a-3ca4-894e-db77e160355/",
        ] {
            assert!(uid(wrong).is_none(), "{wrong}");
        }
    }
}
