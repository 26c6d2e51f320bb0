//! Access tokens, which are generated here, shown once, and kept as a hash.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

/// The prefix of a token, which identifies it in a file.
const PREFIX: &str = "pgw_";
/// 256 bits cannot be guessed, so a plain hash is enough, and the time of a search by it reveals
/// nothing.
const BYTES: usize = 32;

/// Returns a new token.
///
/// # Errors
/// Returns an error if the operating system has no randomness.
pub fn generate() -> Result<Zeroizing<String>, getrandom::Error> {
    let mut bytes = Zeroizing::new([0; BYTES]);
    getrandom::fill(bytes.as_mut_slice())?;
    let mut token = Zeroizing::new(String::with_capacity(PREFIX.len() + 43));
    token.push_str(PREFIX);
    URL_SAFE_NO_PAD.encode_string(bytes.as_slice(), &mut token);
    Ok(token)
}

/// Returns the stored form of a token: its SHA-256 in hex.
pub fn hash(token: &str) -> String {
    hex::encode(Sha256::digest(token.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_digest() {
        assert_eq!(
            hash("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn tokens_are_bearer_tokens_and_never_the_same() {
        let (one, other) = (generate().unwrap(), generate().unwrap());
        assert_ne!(*one, *other);
        let header = format!("Bearer {}", *one);
        assert_eq!(
            payspec::bearer_token(Some(header.as_bytes())),
            Ok(one.as_str())
        );
    }
}
