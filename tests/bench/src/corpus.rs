//! The bodies, eight valid ones of every kind (two with an escape) and seven invalid ones, and
//! their contexts.

/// A body with the name of its file.
pub struct Body {
    /// The name of the file without extension.
    pub name: &'static str,
    /// The bytes.
    pub bytes: &'static [u8],
}

macro_rules! bodies {
    ($folder:literal: $($name:literal),+) => {
        &[$(Body { name: $name, bytes: include_bytes!(concat!("../corpus/", $folder, "/", $name, ".json")) }),+]
    };
}

/// Bodies without violations.
pub const VALID: &[Body] = bodies!("valid":
    "p2p-card", "p2p-sbp", "acquiring-card", "acquiring-h2h", "h2h-amex", "crypto", "pay-out-card", "pay-out-sbp");

/// Bodies with at least one violation.
pub const INVALID: &[Body] = bodies!("invalid":
    "missing-members", "wrong-values", "wrong-types", "amounts", "urls", "card", "pay-out");

/// The context of `create_payment` for P2P.
pub const CONTEXT: &[u8] = br#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2026-11-20T10:15:30.250Z","authorization":"checked_by_caller","url":"https://pay.example/p/0b6ea6a6","charges":{"fee":"1.00","commission":"2.00","shared_commission":"0.50"}}"#;

/// The same with an idempotency key, which requires a fingerprint.
pub const CONTEXT_WITH_KEY: &[u8] = br#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2026-11-20T10:15:30.250Z","authorization":"checked_by_caller","url":"https://pay.example/p/0b6ea6a6","idempotency":{"key":"order-1007","existing":null},"charges":{"fee":"1.00","commission":"2.00","shared_commission":"0.50"}}"#;

/// The context of `create_payment` in CRYPTO: the first one with a quote.
pub const CONTEXT_CRYPTO: &[u8] = br#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2026-11-20T10:15:30.250Z","authorization":"checked_by_caller","url":"https://pay.example/p/0b6ea6a6","quote":{"currency":"RUB","rate":"92.45","as_of":"2026-11-20T10:15:00Z"},"charges":{"fee":"1.00","commission":"2.00","shared_commission":"0.50"}}"#;

/// Lines of a log without digits.
pub const WORDS: &str = "INFO checkout: the payment was accepted by the acquirer, and the shop was notified
DEBUG http: POST /payments/new from shop.example: accepted, mode=P2P subtype=bank_card currency=RUB
WARN callbacks: no answer from https://shop.example/hooks/orders within the timeout; it will be repeated
INFO ledger: reserved the commission and the fee of merchant \"north-star\" (net, gross, shared)
";
/// Lines of a log with times, numbers, and a card number.
pub const LOG: &str = "2026-11-20T10:15:30.250Z INFO checkout: payment 7c9e6679-7425-40de-944b-e07fc1f90ae7 of 1500.00 RUB created in 12 ms
2026-11-20T10:15:30.412Z DEBUG http: POST /v1/payments/new from 203.0.113.7: 201, 418 bytes, mode=P2P merchant=shop-17
2026-11-20T10:15:31.003Z WARN acquirer: card 4539 5787 6362 1486 declined with code 51, order 1007
2026-11-20T10:15:31.077Z INFO ledger: reserved 12.50 and 0.75 of merchant 17 (net, gross, shared) in 3 ms
";

/// Returns the valid bodies with a mode.
pub fn valid_of_mode(mode: &str) -> Vec<&'static [u8]> {
    let of_mode = |body: &&Body| {
        serde_json::from_slice::<serde_json::Value>(body.bytes).is_ok_and(|v| v["mode"] == mode)
    };
    VALID
        .iter()
        .filter(of_mode)
        .map(|body| body.bytes)
        .collect()
}

/// Returns the bytes of the bodies.
pub fn bytes(bodies: &[Body]) -> Vec<&'static [u8]> {
    bodies.iter().map(|body| body.bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_sizes_of_the_valid_bodies() {
        assert_eq!((VALID.len(), INVALID.len()), (8, 7));
        let sizes: Vec<usize> = VALID.iter().map(|body| body.bytes.len()).collect();
        assert!(
            sizes.iter().all(|size| (322..=544).contains(size)),
            "{sizes:?}"
        );
        let mean = sizes.iter().sum::<usize>() / sizes.len();
        assert!((405..=430).contains(&mean), "{mean}");
    }

    #[test]
    fn has_bodies_for_both_kinds_of_creation() {
        assert_eq!(valid_of_mode("P2P").len(), 5);
        assert_eq!(valid_of_mode("CRYPTO").len(), 1);
    }
}
