//! The keys that webhook secrets and the fingerprint key are encrypted with in the database:
//! AES-256-GCM, bound to the merchant or to the name.
//!
//! There may be several keys, each with an id. The first one encrypts, all of them decrypt, so a
//! key can be replaced without a moment at which a secret cannot be read.

use std::fmt;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use zeroize::Zeroizing;

use crate::system;

/// The prefix of an encrypted text. After it are the id of the key, `:`, and base64 of nonce, text,
/// and tag.
const PREFIX: &str = "aes256gcm:";
const KEY_BYTES: usize = 32;

/// The reason why a secret cannot be encrypted or decrypted. It contains neither keys nor secrets.
#[derive(Debug, thiserror::Error)]
pub enum SecretKeyError {
    /// A line is not a key, or all keys are missing.
    #[error(
        "expected keys of the form ID:BASE64, as `gateway key new` prints them, with ids that differ"
    )]
    Syntax,
    /// The key was removed too early, or belongs to another database.
    #[error("a secret is encrypted with the key {0}, which is not among the configured ones")]
    UnknownKey(String),
    /// The key is another one, or the text has been changed.
    #[error("a secret cannot be decrypted")]
    Decryption,
    /// The operating system has no randomness to give.
    #[error("no randomness: {0}")]
    Randomness(#[from] getrandom::Error),
    /// The file of keys beside a database.
    #[error("the file of keys beside the database: {0}")]
    File(#[from] std::io::Error),
    /// Others can read the file.
    #[error("the file of keys beside the database: others have access to it: chmod 600")]
    Permissions,
}

struct Key {
    id: String,
    key: LessSafeKey,
}

/// Keys, of which the first one encrypts.
pub struct SecretKeys(Vec<Key>);

impl SecretKeys {
    /// Parses `ID:BASE64`, separated by commas or white space.
    ///
    /// # Errors
    /// The text holds something else, or no key.
    pub fn parse(text: &str) -> Result<Self, SecretKeyError> {
        let mut keys: Vec<Key> = Vec::new();
        for word in text.split(|separator: char| separator == ',' || separator.is_whitespace()) {
            if word.is_empty() {
                continue;
            }
            let (id, key) = word.split_once(':').ok_or(SecretKeyError::Syntax)?;
            if !is_id(id) || keys.iter().any(|known| known.id == id) {
                return Err(SecretKeyError::Syntax);
            }
            let bytes = Zeroizing::new(STANDARD.decode(key).map_err(|_| SecretKeyError::Syntax)?);
            let key = UnboundKey::new(&AES_256_GCM, &bytes).map_err(|_| SecretKeyError::Syntax)?;
            keys.push(Key {
                id: id.to_owned(),
                key: LessSafeKey::new(key),
            });
        }
        if keys.is_empty() {
            Err(SecretKeyError::Syntax)
        } else {
            Ok(Self(keys))
        }
    }

    /// Returns a new key in the form that `parse` reads.
    ///
    /// # Errors
    /// The id has other characters than letters, digits, `-`, `_` and `.`, or there is no
    /// randomness.
    pub fn generate(id: &str) -> Result<Zeroizing<String>, SecretKeyError> {
        if !is_id(id) {
            return Err(SecretKeyError::Syntax);
        }
        let mut bytes = Zeroizing::new([0; KEY_BYTES]);
        getrandom::fill(bytes.as_mut_slice())?;
        let encoded = Zeroizing::new(STANDARD.encode(bytes.as_slice()));
        Ok(Zeroizing::new(format!("{id}:{}", *encoded)))
    }

    /// Reads the keys in a file, and creates it with one key if it is not there. Of several that
    /// create it at once, one does.
    pub(crate) fn beside(path: &Path) -> Result<Self, SecretKeyError> {
        match fs::symlink_metadata(path) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => create(path)?,
            Err(error) => return Err(error.into()),
        }
        let text = Zeroizing::new(fs::read_to_string(path)?);
        if !system::is_private(&fs::metadata(path)?) {
            return Err(SecretKeyError::Permissions);
        }
        Self::parse(&text)
    }

    /// Encrypts a secret of a merchant under the first key.
    ///
    /// # Errors
    /// Returns an error if there is no key or no randomness.
    pub fn encrypt(&self, merchant: &str, secret: &str) -> Result<String, SecretKeyError> {
        let Some(Key { id, key }) = self.0.first() else {
            return Err(SecretKeyError::Syntax);
        };
        let mut nonce = [0; NONCE_LEN];
        // Random nonces may not repeat within some 2^32 encryptions of a key; there is one for each
        // rotation of a merchant.
        getrandom::fill(&mut nonce)?;
        let mut sealed = Zeroizing::new(Vec::from(secret));
        let nonce_of_key = Nonce::assume_unique_for_key(nonce);
        key.seal_in_place_append_tag(nonce_of_key, Aad::from(merchant), &mut *sealed)
            .map_err(|_| SecretKeyError::Decryption)?;
        Ok(format!(
            "{PREFIX}{id}:{}",
            STANDARD.encode([&nonce, sealed.as_slice()].concat())
        ))
    }

    /// Decrypts a stored secret of a merchant.
    pub(crate) fn decrypt(
        &self,
        merchant: &str,
        stored: &str,
    ) -> Result<Zeroizing<String>, SecretKeyError> {
        let text = stored
            .strip_prefix(PREFIX)
            .ok_or(SecretKeyError::Decryption)?;
        let (id, sealed) = text.split_once(':').ok_or(SecretKeyError::Decryption)?;
        let key = self
            .0
            .iter()
            .find(|key| key.id == id)
            .ok_or_else(|| SecretKeyError::UnknownKey(id.to_owned()))?;
        let sealed = STANDARD
            .decode(sealed)
            .map_err(|_| SecretKeyError::Decryption)?;
        let (nonce, sealed) = sealed
            .split_at_checked(NONCE_LEN)
            .ok_or(SecretKeyError::Decryption)?;
        let nonce =
            Nonce::try_assume_unique_for_key(nonce).map_err(|_| SecretKeyError::Decryption)?;
        let mut sealed = Zeroizing::new(sealed.to_vec());
        let secret = key
            .key
            .open_in_place(nonce, Aad::from(merchant), &mut sealed)
            .map_err(|_| SecretKeyError::Decryption)?;
        let secret = std::str::from_utf8(secret).map_err(|_| SecretKeyError::Decryption)?;
        Ok(Zeroizing::new(secret.to_owned()))
    }

    /// Returns whether a stored secret is encrypted under the first key.
    pub(crate) fn is_current(&self, stored: &str) -> bool {
        let id = stored
            .strip_prefix(PREFIX)
            .and_then(|text| text.split_once(':'))
            .map(|(id, _)| id);
        self.0
            .first()
            .is_some_and(|key| id == Some(key.id.as_str()))
    }
}

impl fmt::Debug for SecretKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|key| &key.id))
            .finish()
    }
}

/// Returns the owner to which a shared key of gateways is bound, in place of a merchant. No
/// merchant has a control character in its name.
pub(crate) fn owner_of_key(name: &str) -> String {
    format!("\0{name}")
}

fn is_id(id: &str) -> bool {
    (1..=64).contains(&id.len())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// Creates the file whole: another gateway must not read a part of it.
fn create(path: &Path) -> Result<(), SecretKeyError> {
    let number = getrandom::u32()?;
    let text = SecretKeys::generate(&format!("{number:08x}"))?;
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{number:08x}"));
    let mut file = system::new_private_file().open(&name)?;
    writeln!(file, "{}", *text)?;
    file.sync_all()?;
    let linked = fs::hard_link(&name, path);
    fs::remove_file(&name)?;
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(ids: &[&str]) -> String {
        ids.iter()
            .map(|id| format!("{}\n", *SecretKeys::generate(id).unwrap()))
            .collect()
    }

    #[test]
    fn a_secret_is_read_by_its_merchant_and_its_key_alone() {
        let text = keys(&["a", "b"]);
        let both = SecretKeys::parse(&text).unwrap();
        let stored = both.encrypt("shop", "whsec_x").unwrap();
        assert!(stored.starts_with("aes256gcm:a:") && !stored.contains("whsec_x"));
        assert_ne!(stored, both.encrypt("shop", "whsec_x").unwrap());
        assert_eq!(*both.decrypt("shop", &stored).unwrap(), "whsec_x");
        assert!(both.is_current(&stored) && !both.is_current("whsec_x"));
        assert!(matches!(
            both.decrypt("shop", "whsec_x"),
            Err(SecretKeyError::Decryption)
        ));
        assert!(matches!(
            both.decrypt("other", &stored),
            Err(SecretKeyError::Decryption)
        ));
        let changed = format!("{}{}", &stored[..stored.len() - 4], "AAA=");
        assert!(
            both.decrypt("shop", &changed).is_err()
                && both.decrypt("shop", "aes256gcm:a:AAAA").is_err()
        );
        // The order of keys decides which one encrypts; another key of the same id does not
        // decrypt.
        let turned: Vec<_> = text.lines().rev().collect();
        let turned = SecretKeys::parse(&turned.join(",")).unwrap();
        assert_eq!(*turned.decrypt("shop", &stored).unwrap(), "whsec_x");
        assert!(!turned.is_current(&stored));
        let second = SecretKeys::parse(text.lines().nth(1).unwrap()).unwrap();
        assert!(
            matches!(second.decrypt("shop", &stored), Err(SecretKeyError::UnknownKey(id)) if id == "a")
        );
        let other = SecretKeys::parse(&keys(&["a"])).unwrap();
        assert!(matches!(
            other.decrypt("shop", &stored),
            Err(SecretKeyError::Decryption)
        ));
    }

    #[test]
    fn texts_that_are_not_keys_are_not_repeated() {
        let long = format!("a:{}", STANDARD.encode([1; 33]));
        let twice = format!("a:{0},a:{0}", STANDARD.encode([1; 32]));
        for text in ["", " ,\n", "a", "a:hush", ":hush", "ä:hush", &long, &twice] {
            let error = SecretKeys::parse(text).unwrap_err();
            assert!(
                matches!(error, SecretKeyError::Syntax) && !error.to_string().contains("hush"),
                "{text}"
            );
        }
        let one = SecretKeys::parse(&keys(&["a"])).unwrap();
        assert_eq!(format!("{one:?}"), r#"["a"]"#);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_is_created_once() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gateway.db.keys");
        let stored = SecretKeys::beside(&path)
            .unwrap()
            .encrypt("shop", "whsec_x")
            .unwrap();
        assert_eq!(
            *SecretKeys::beside(&path)
                .unwrap()
                .decrypt("shop", &stored)
                .unwrap(),
            "whsec_x"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(
            SecretKeys::beside(&path),
            Err(SecretKeyError::Permissions)
        ));
    }
}
