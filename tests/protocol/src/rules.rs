//! The calls of the library.

use payspec::{
    CreateContext, Engine, IdempotencyContext, IdempotencyRecord, IdempotencyVerdict, State,
    StoredPayment, Timestamp,
};
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);

/// The fingerprints of the two contents.
const FINGERPRINTS: [&str; 2] = ["6e340b9cffb37a98", "4bf5122f344554c5"];
const UID: &str = "0b0de3e8-9d4b-4c4e-8a57-6f6f6f4f1d52";
const PAYMENT: &str = r#"{"uid":"0b0de3e8-9d4b-4c4e-8a57-6f6f6f4f1d52"}"#;
/// The uid that a gateway creates for a repetition.
const OTHER_UID: &str = "5c8a6f0e-3a55-4f0a-9c43-2f1d9b1f7a10";
/// The second 0 of the model's clocks.
const EPOCH: i64 = 1_795_169_730;

/// A record as `check_idempotency` reads it: its creation in seconds of the model, and the content
/// of its request.
pub(crate) type Known = Option<(i64, u8)>;

/// Returns the verdict on a request with this content at `now`, in seconds of the model.
pub(crate) fn verdict(now: i64, content: u8, known: Known) -> IdempotencyVerdict {
    let record = known.map(|(created_at, content)| {
        let payment = StoredPayment::try_from(PAYMENT).expect("a payment");
        IdempotencyRecord::new(timestamp(created_at), fingerprint(content), Some(payment))
    });
    ENGINE
        .check_idempotency(&IdempotencyContext::new(
            timestamp(now),
            fingerprint(content),
            record,
        ))
        .verdict
}

/// Returns whether the problem of a conflict contains the uid of the stored payment.
pub(crate) fn has_uid(now: i64, content: u8, known: (i64, u8)) -> bool {
    let (now, created_at) = (timestamp(now), timestamp(known.0));
    let fingerprint = ENGINE.fingerprint_request(body(known.1).as_bytes());
    let fingerprint = fingerprint.expect("a request");
    let context = format!(
        r#"{{"uid":"{OTHER_UID}","now":"{now}","authorization":"checked_by_caller","idempotency":{{
        "key":"key","existing":{{"created_at":"{created_at}","fingerprint":"{fingerprint}","payment":{PAYMENT}}}}}}}"#
    );
    let context = CreateContext::from_json(&context).expect("a context");
    let outcome = ENGINE.create_payment(body(content).as_bytes(), &context);
    outcome.body_json().contains(UID)
}

/// Returns the body of a request.
fn body(content: u8) -> String {
    format!(
        r#"{{"payment_type":"pay_in","mode":"CRYPTO","cur":"RUB","amount":"{}"}}"#,
        content + 1
    )
}

/// Returns whether the library permits this change of a payment.
pub(crate) fn may_change(from: State, to: State) -> bool {
    ENGINE.check_transition(from, to).is_possible()
}

fn fingerprint(content: u8) -> &'static str {
    FINGERPRINTS[usize::from(content)]
}

fn timestamp(second: i64) -> Timestamp {
    Timestamp::from_unix(EPOCH + second, 0).expect("an instant of this century")
}
