//! The fingerprint of a request: equal for bodies that differ only in the order of members, blanks and escapes.
//!
//! SHA-256 over the canonical form: members sorted by name (by code points), no blanks, strings in their shortest
//! escapes, numbers as written. No security code goes in, and without a key every card number goes in masked: a bare
//! hash of a card number could be searched for. A host's key (HMAC) makes the search impossible, so there it goes in.
//! The request's amount and time_to_complete_payment go in as they are, however much they look like a card number: two
//! requests over different amounts are never the same.

mod buffered_digest;
mod canonical;

use crate::types::fingerprint::Fingerprint;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::card::known::KnownPans;
use crate::json::Tape;
use crate::json::writer::hex;
use crate::policy::FingerprintKey;
use buffered_digest::BufferedDigest;
use canonical::Canonical;

/// Computes the fingerprint of a body that is a JSON object.
pub(crate) fn compute(body: &str, key: Option<&FingerprintKey>) -> Fingerprint {
    let tape = Tape::read(body);
    let keyed = key.and_then(|key| Hmac::<Sha256>::new_from_slice(key.bytes()).ok());
    let hash = match keyed {
        Some(mut mac) => {
            Canonical::new(&tape, None, BufferedDigest::new(&mut mac)).write();
            mac.finalize().into_bytes()
        }
        None => {
            let mut known_pans = KnownPans::default();
            canonical::collect(&tape, &mut known_pans);
            let mut hash = Sha256::new();
            Canonical::new(&tape, Some(&known_pans), BufferedDigest::new(&mut hash)).write();
            hash.finalize()
        }
    };
    let mut digits = [0; 64];
    for (pair, byte) in digits.as_chunks_mut().0.iter_mut().zip(hash) {
        *pair = hex(byte);
    }
    Fingerprint::new(digits)
}
