//! The calls of the library.

use payspec::{
    Engine, IdempotencyContext, IdempotencyRecord, IdempotencyVerdict, State, StoredPayment,
    Timestamp,
};
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);

/// The fingerprints of the two contents.
const FINGERPRINTS: [&str; 2] = ["6e340b9cffb37a98", "4bf5122f344554c5"];
const PAYMENT: &str = r#"{"uid":"0b0de3e8-9d4b-4c4e-8a57-6f6f6f4f1d52"}"#;
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
