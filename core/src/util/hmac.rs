//! HMAC-SHA256 with keys of any length.

use hmac::{Hmac, KeyInit};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// The length of a block of SHA-256 in bytes.
const BLOCK_BYTES: usize = 64;

/// Returns HMAC-SHA256 with this key.
///
/// `Hmac::new_from_slice` returns a `Result`, and a caller could continue without a key. So the key
/// is brought to the length of a block as in RFC 2104: a longer key is hashed, and a shorter one is
/// extended with zeros. `Hmac::new` accepts a block and cannot fail.
pub(crate) fn hmac_sha256(key: &[u8]) -> Hmac<Sha256> {
    let mut block = Zeroizing::new([0; BLOCK_BYTES]);
    let mut copy_from = |source: &[u8]| {
        let bytes = block.iter_mut().zip(source);
        bytes.for_each(|(target, byte)| *target = *byte);
    };
    if key.len() > BLOCK_BYTES {
        copy_from(&Sha256::digest(key));
    } else {
        copy_from(key);
    }
    Hmac::new((&*block).into())
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use hmac::Mac;

    use super::*;

    #[test]
    fn equals_the_package_for_keys_of_every_length() {
        for length in 0..200 {
            let key: Vec<u8> = (1..=length).collect();
            let mut expected = Hmac::<Sha256>::new_from_slice(&key).unwrap();
            let mut mac = hmac_sha256(&key);
            expected.update(b"text");
            mac.update(b"text");
            assert!(mac.finalize() == expected.finalize(), "{length}");
        }
    }
}
