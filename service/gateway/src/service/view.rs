//! The part of a payment's `url` that proves that the payer has the address from the merchant.
//!
//! The uid alone proves nothing: it is in events, logs, and letters.

use ring::hmac;
use subtle::ConstantTimeEq;

/// The number of bytes of the proof, which cannot be guessed.
const LENGTH: usize = 16;

/// The key of the proofs, which all gateways of a database share.
pub struct ViewKey(hmac::Key);

impl ViewKey {
    /// Creates a key of any bytes.
    pub fn new(bytes: &[u8]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, bytes))
    }

    /// Returns the proof for a payment.
    pub(super) fn view(&self, uid: &str) -> String {
        let tag = hmac::sign(&self.0, uid.as_bytes());
        hex::encode(tag.as_ref().get(..LENGTH).unwrap_or_default())
    }

    /// Returns whether a proof is the one for a payment.
    pub(super) fn is_view(&self, uid: &str, view: &str) -> bool {
        self.view(uid).as_bytes().ct_eq(view.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_of_one_payment_under_one_key() {
        let (key, other) = (ViewKey::new(b"one"), ViewKey::new(b"two"));
        let view = key.view("a");
        assert_eq!(view.len(), 2 * LENGTH);
        assert!(key.is_view("a", &view) && !key.is_view("b", &view) && !other.is_view("a", &view));
        assert!(
            !key.is_view("a", "")
                && !key.is_view("a", &view[1..])
                && !key.is_view("a", &format!("{view}0"))
        );
    }
}
