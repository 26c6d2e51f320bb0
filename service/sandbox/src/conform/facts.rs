//! The calls of an examination. The checks evaluate the answers.

use std::collections::BTreeMap;
use std::time::Duration;

use payspec::Engine;
use serde_json::{Value, json};

use super::client::{Answer, CREATE, Call, Credential, Target};
use super::decided::{self, Decided};

pub(super) const BALANCE: &str = "/v1/partner/balance";
const CLOCK: &str = "/sandbox/clock";
/// A uid that no service assigns.
const UNKNOWN_UID: &str = "00000000-0000-4000-8000-000000000000";
/// The card number of the requests. No answer may contain it.
pub(super) const PAN: &str = "4111111111111111";
pub(super) const RECIPIENT_PAN: &str = "5555555555554444";
pub(super) const SECURITY_CODE: &str = "739";

/// A creation request that the specification describes.
pub(super) struct Example {
    pub(super) name: &'static str,
    pub(super) request: Value,
}

impl Example {
    pub(super) fn text(&self, member: &str) -> &str {
        self.request[member].as_str().unwrap_or_default()
    }

    pub(super) fn is_crypto(&self) -> bool {
        self.text("mode") == "CRYPTO"
    }

    pub(super) fn is_h2h(&self) -> bool {
        self.request["host2host"] == true
    }
}

/// A creation and the status of the payment.
pub(super) struct Created {
    pub(super) example: Example,
    pub(super) answer: Option<Answer>,
    pub(super) status: Option<Answer>,
}

impl Created {
    /// Returns the answer if the payment was created.
    pub(super) fn payment(&self) -> Option<&Answer> {
        self.answer.as_ref().filter(|answer| answer.status == 201)
    }
}

/// A body that is not accepted, and what is wrong with it.
pub(super) struct Rejected {
    pub(super) name: &'static str,
    pub(super) answer: Option<Answer>,
}

/// Everything that the checks need.
pub(super) struct Facts {
    pub(super) engine: Engine,
    pub(super) created: Vec<Created>,
    pub(super) unknown_payment: Option<Answer>,
    pub(super) no_uid: Option<Answer>,
    pub(super) balance: Option<Answer>,
    /// Answers without a valid credential, by endpoint and credential.
    pub(super) unauthorized: BTreeMap<(&'static str, &'static str), Option<Answer>>,
    pub(super) key: KeyFacts,
    pub(super) without_key: Vec<Option<Answer>>,
    pub(super) rejected: Vec<Rejected>,
    pub(super) unknown_member: Option<Answer>,
    /// The removed endpoints of §9.
    pub(super) removed: Vec<(&'static str, Option<Answer>)>,
    pub(super) decided: Vec<Decided>,
}

/// Requests with one idempotency key.
#[derive(Default)]
pub(super) struct KeyFacts {
    pub(super) first: Option<Answer>,
    pub(super) within: Option<Answer>,
    pub(super) outside: Option<Answer>,
    /// Another body, also after the window.
    pub(super) outside_other: Option<Answer>,
    /// The status of the first payment after all of them.
    pub(super) status: Option<Answer>,
    /// Another key, with the same body.
    pub(super) other: Option<Answer>,
    /// Another body with a key that has just been used.
    pub(super) reused: Option<Answer>,
    /// The first request with a key that is repeated in quotes.
    pub(super) quoted_first: Option<Answer>,
    /// The same key in quotes.
    pub(super) quoted: Option<Answer>,
    /// A key that is not one.
    pub(super) invalid: Option<Answer>,
}

pub(super) fn examples(merchant: Option<&str>) -> Vec<Example> {
    let card = json!({
        "card": {
            "card_holder": "ANNA PETROVA", "card_number": PAN, "expiry_year": 2099, "expiry_month": 12,
            "security_code": SECURITY_CODE,
        },
        "bank_name": "Sberbank",
    });
    let recipient =
        json!({"bank_name": "Sberbank", "full_name": "ANNA PETROVA", "card_number": RECIPIENT_PAN});
    let table = [
        (
            "P2P, bank_card",
            json!({
                "payment_type": "pay_in", "mode": "P2P", "subtype": "bank_card", "cur": "RUB", "amount": "1500.00",
                "user_id": "user-1", "user_name": "Anna", "bank_name": "Sberbank",
                "redirect_url": "https://shop.example/orders/1",
            }),
        ),
        (
            "P2P, sbp",
            json!({"payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": "RUB", "amount": "990.50", "user_id": "user-2"}),
        ),
        (
            "ACQUIRING, bank_card",
            json!({"payment_type": "pay_in", "mode": "ACQUIRING", "subtype": "bank_card", "cur": "RUB", "amount": "250.00"}),
        ),
        (
            "ACQUIRING, bank_card, host2host",
            json!({
                "payment_type": "pay_in", "mode": "ACQUIRING", "subtype": "bank_card", "cur": "RUB", "amount": "320.00",
                "host2host": true, "pay_in_details": card,
            }),
        ),
        (
            "CRYPTO",
            json!({"payment_type": "pay_in", "mode": "CRYPTO", "cur": "RUB", "amount": "5000.00"}),
        ),
        (
            "pay-out, P2P, bank_card",
            json!({
                "payment_type": "pay_out", "mode": "P2P", "subtype": "bank_card", "cur": "RUB", "amount": "700.00",
                "description": "Withdrawal", "time_to_complete_payment": 600, "pay_out_details": recipient,
            }),
        ),
    ];
    let with_merchant = |mut request: Value| {
        if let Some(merchant) = merchant {
            request["merchant_id"] = json!(merchant);
        }
        request
    };
    table
        .into_iter()
        .map(|(name, request)| Example {
            name,
            request: with_merchant(request),
        })
        .collect()
}

/// Bodies with one mistake.
fn rejected() -> Vec<(&'static str, Vec<u8>)> {
    let base = json!({"payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": "RUB", "amount": "100.00"});
    let pay_out = json!({
        "payment_type": "pay_out", "mode": "P2P", "subtype": "bank_card", "cur": "RUB", "amount": "100.00",
        "pay_out_details": {"card_number": RECIPIENT_PAN},
    });
    let with = |member: &str, value: Value| {
        let mut body = base.clone();
        body[member] = value;
        body.to_string().into_bytes()
    };
    let without = |body: &Value, member: &str| {
        let mut body = body.clone();
        if let Some(members) = body.as_object_mut() {
            members.remove(member);
        }
        body.to_string().into_bytes()
    };
    vec![
        ("payment_type is missing", without(&base, "payment_type")),
        (
            "payment_type is unknown",
            with("payment_type", json!("transfer")),
        ),
        ("subtype is missing in a pay-in", without(&base, "subtype")),
        (
            "subtype is missing in a pay-out",
            without(&pay_out, "subtype"),
        ),
        ("mode is missing in a pay-out", without(&pay_out, "mode")),
        ("mode is unknown", with("mode", json!("BARTER"))),
        ("amount is missing", without(&base, "amount")),
        ("amount is a number", with("amount", json!(100))),
        ("amount is zero", with("amount", json!("0.00"))),
        ("amount is negative", with("amount", json!("-1.00"))),
        (
            "amount has too many fraction digits",
            with("amount", json!("1.001")),
        ),
        ("cur is missing", without(&base, "cur")),
        ("cur is not a currency", with("cur", json!("ZZZ"))),
        ("the body is not JSON", b"{\"payment_type\":".to_vec()),
        ("the body is not an object", b"[]".to_vec()),
    ]
}

/// Adds the members that the policy requires, with the values of an example of the library.
fn complete(engine: &Engine, merchant: Option<&str>, request: &mut Value) {
    let kind = request["payment_type"]
        .as_str()
        .and_then(|text| text.parse().ok());
    let mode = request["mode"].as_str().and_then(|text| text.parse().ok());
    let example = kind
        .zip(mode)
        .and_then(|(kind, mode)| engine.example_request(kind, mode));
    let example = example.and_then(|text| serde_json::from_str::<Value>(&text).ok());
    let Some(mut example) = example else { return };
    // A token allows only merchants of its own.
    if let Some(merchant) = merchant {
        example["merchant_id"] = json!(merchant);
    }
    for pointer in &engine.policy().required {
        let (base, name) = pointer.rsplit_once('/').unwrap_or_default();
        // A member of a nested object is required only in that object.
        if let (Some(value), Some(Value::Object(members))) =
            (example.pointer(pointer), request.pointer_mut(base))
        {
            members.entry(name).or_insert_with(|| value.clone());
        }
    }
}

/// Makes all calls.
pub(super) async fn collect(
    target: &Target,
    engine: Engine,
    run: &str,
    merchant: Option<&str>,
) -> Facts {
    let mut created = Vec::new();
    for mut example in examples(merchant) {
        complete(&engine, merchant, &mut example.request);
        let key = format!("{run}-{}", created.len());
        let answer = target
            .call(Call::post(CREATE, example.request.to_string()).key(&key))
            .await;
        let uid = answer
            .as_ref()
            .filter(|answer| answer.status == 201)
            .and_then(|answer| answer.text("uid"));
        let status = match uid {
            Some(uid) => target.call(Call::get(status_path(uid))).await,
            None => None,
        };
        created.push(Created {
            example,
            answer,
            status,
        });
    }
    let sample = created
        .iter()
        .find_map(|created| created.payment()?.text("uid").map(str::to_owned));
    let mut unauthorized = BTreeMap::new();
    let mut body = json!({"payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": "RUB", "amount": "100.00"});
    complete(&engine, merchant, &mut body);
    for (name, credential) in [
        ("no Authorization header", Credential::Missing),
        (
            "the scheme Basic",
            Credential::Other("Basic dXNlcjpwYXNzd29yZA=="),
        ),
        (
            "an unknown token",
            Credential::Other("Bearer unknown-token-of-payspec-conform"),
        ),
    ] {
        let uid = sample.as_deref().unwrap_or(UNKNOWN_UID);
        for (endpoint, call) in [
            (CREATE, Call::post(CREATE, body.to_string())),
            ("/v1/payments/{uid}/status", Call::get(status_path(uid))),
            (BALANCE, Call::get(BALANCE)),
        ] {
            unauthorized.insert(
                (endpoint, name),
                target.call(call.credential(credential)).await,
            );
        }
    }
    let mut answers = Vec::new();
    for (name, body) in rejected() {
        answers.push(Rejected {
            name,
            answer: target.call(Call::post(CREATE, body)).await,
        });
    }
    let limit = usize::try_from(engine.policy().limits.body_bytes)
        .unwrap_or(0)
        .min(8 * 1024 * 1024);
    let mut large = body.to_string().into_bytes();
    large.resize(limit + 1, b' ');
    answers.push(Rejected {
        name: "the body is too large",
        answer: target.call(Call::post(CREATE, large)).await,
    });
    let mut with_unknown = body.clone();
    with_unknown["payspec_conform"] = json!("unknown");
    let legacy = json!({"amount": "100.00", "currency": "RUB"}).to_string();
    let mut removed = Vec::new();
    for path in ["/v1/payments/pay_in", "/v1/payments/pay_out"] {
        removed.push((path, target.call(Call::post(path, legacy.clone())).await));
    }
    let mut without_key = Vec::new();
    for _ in 0..2 {
        without_key.push(target.call(Call::post(CREATE, body.to_string())).await);
    }
    Facts {
        unknown_payment: target.call(Call::get(status_path(UNKNOWN_UID))).await,
        no_uid: target.call(Call::get(status_path("not-a-uid"))).await,
        balance: target.call(Call::get(BALANCE)).await,
        decided: decided::collect(target, &engine, merchant).await,
        key: key_facts(target, &engine, run, &body).await,
        unknown_member: target
            .call(Call::post(CREATE, with_unknown.to_string()))
            .await,
        created,
        unauthorized,
        without_key,
        rejected: answers,
        removed,
        engine,
    }
}

pub(super) fn status_path(uid: &str) -> String {
    format!("/v1/payments/{uid}/status")
}

/// Returns the time of a sandbox; `None` if the implementation is not one.
async fn clock(target: &Target) -> Option<String> {
    target
        .call(Call::get(CLOCK))
        .await?
        .text("now")
        .map(str::to_owned)
}

async fn key_facts(target: &Target, engine: &Engine, run: &str, body: &Value) -> KeyFacts {
    let create =
        |key: &str, body: &Value| target.call(Call::post(CREATE, body.to_string()).key(key));
    let (key, other, reused) = (
        format!("{run}-window"),
        format!("{run}-other"),
        format!("{run}-reused"),
    );
    let mut other_body = body.clone();
    other_body["amount"] = json!("101.00");
    let first = create(&key, body).await;
    let within = create(&key, body).await;
    let began = std::time::Instant::now();
    let quoted_first = create(&reused, body).await;
    let reused_answer = create(&reused, &other_body).await;
    let quoted = create(&format!("\"{reused}\""), body).await;
    let other = create(&other, body).await;
    let invalid = create("not a key", body).await;
    // A window of the policy, and some more: clocks have milliseconds.
    let window =
        Duration::from_millis(engine.policy().idempotency.window_ms) + Duration::from_millis(100);
    let before = clock(target).await;
    tokio::time::sleep(window.saturating_sub(began.elapsed())).await;
    if before.is_some() && before == clock(target).await {
        // The clock of a sandbox that is stopped.
        let millis = u64::try_from(window.as_millis()).unwrap_or(u64::MAX);
        target
            .call(Call::post(CLOCK, json!({"advance_ms": millis}).to_string()))
            .await;
    }
    let outside = create(&key, body).await;
    let outside_other = create(&key, &other_body).await;
    let uid = first.as_ref().and_then(|first| first.text("uid"));
    let status = match uid {
        Some(uid) => target.call(Call::get(status_path(uid))).await,
        None => None,
    };
    KeyFacts {
        first,
        within,
        outside,
        outside_other,
        status,
        other,
        reused: reused_answer,
        quoted_first,
        quoted,
        invalid,
    }
}
