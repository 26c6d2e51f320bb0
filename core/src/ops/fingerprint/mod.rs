//! The fingerprint of a request, equal for bodies that differ only in the order of members,
//! whitespace, and escapes.
//!
//! The fingerprint is the SHA-256 of the canonical form. In this form, members are sorted by name
//! (by code points), without whitespace. Strings have their shortest escapes, and numbers are
//! unchanged.
//!
//! Security codes are omitted. Without a key, card data are masked as in `redact`, since the plain
//! hash of a card number can be found by trial. With the caller's key (HMAC) such a search is impossible, so
//! card numbers are included unmasked.
//!
//! A null in a member of §2.2 and `"host2host":false` mean the same as an absent member, and are
//! omitted.
//!
//! The members `amount` and `time_to_complete_payment` of the request are never masked, even if
//! they look like a card number. Requests with different amounts must have different fingerprints.

mod canonical;

use crate::types::fingerprint::Fingerprint;
use hmac::Mac;
use sha2::{Digest, Sha256};

use crate::card::document::CardDocument;
use crate::card::text::TextMask;
use crate::json::Tape;
use crate::json::writer::hex;
use crate::policy::FingerprintKey;
use crate::util::hmac::hmac_sha256;
use canonical::Canonical;

/// Computes the fingerprint of a body that is a JSON object.
pub(crate) fn compute(body: &str, key: Option<&FingerprintKey>) -> Fingerprint {
    let tape = Tape::read(body);
    let hash = match key {
        Some(key) => {
            let mut mac = hmac_sha256(key.bytes());
            Canonical::new(&tape, None, &mut mac).write();
            mac.finalize().into_bytes()
        }
        None => {
            let document = CardDocument::read(body);
            let mask = TextMask::complete_and_known(document.known_pans());
            let mut hash = Sha256::new();
            Canonical::new(&tape, Some(mask), &mut hash).write();
            hash.finalize()
        }
    };
    let mut digits = [0; 64];
    for (pair, byte) in digits.as_chunks_mut().0.iter_mut().zip(hash) {
        *pair = hex(byte);
    }
    Fingerprint::new(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::bug::with_bug;

    #[test]
    fn depends_on_the_key_for_keys_of_every_length() {
        let body = r#"{"amount":"1","pay_in_details":{"card":{"card_number":"4111111111111111"}}}"#;
        let plain = compute(body, None);
        let mut last = plain;
        for length in 1..200 {
            let key = FingerprintKey::new(alloc::vec![7; length]).unwrap();
            let keyed = compute(body, Some(&key));
            assert!(keyed != plain && keyed != last, "{length}");
            last = keyed;
        }
    }

    #[test]
    fn hashes_no_part_of_an_invalid_body() {
        let of = |body: &str| with_bug(|| compute(body, None));
        assert!(of(r#"{"a":"4111111111111111"#) == of(r#"{"pan":"41111111111111"#));
    }
}
