//! The JSON form of the policy.

use alloc::string::String;
use alloc::vec::Vec;

use super::Policy;
use super::setting::Setting;
use crate::error::{Error, ErrorKind};
use crate::input::{InputValue, OBJECT};
use crate::json::writer::{Writer, text_by};

impl Policy {
    /// Reads the JSON form. All members are optional; an unknown member is an error.
    ///
    /// # Errors
    /// Returns a policy error with the JSON Pointer of the invalid member.
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &T) -> Result<Policy, Error> {
        let root = InputValue::root(json.as_ref(), ErrorKind::Policy)?;
        let policy = Policy::from_member(&root)?;
        policy.check()?;
        Ok(policy)
    }

    /// Reads the types and names of the settings in a member of a context. Without it, returns the
    /// default policy. The caller checks the values.
    pub(crate) fn from_member(member: &InputValue<'_>) -> Result<Policy, Error> {
        let mut policy = Policy::default();
        policy.update(member, OBJECT)?;
        Ok(policy)
    }

    /// Returns the JSON form as text, like [`Policy::write_json`].
    pub fn to_json(&self) -> String {
        text_by(|out| self.write_json(out))
    }

    /// Appends the JSON form, including default values. The fingerprint key is never written: its
    /// member is null, so set `fingerprint_key` again before you build an engine from this form.
    ///
    /// ```
    /// use payspec::Policy;
    ///
    /// let policy = Policy::from_json(br#"{"fingerprint_key":"00ff"}"#)?;
    /// assert!(policy.to_json().contains(r#""fingerprint_key":null"#));
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn write_json(&self, out: &mut Vec<u8>) {
        self.write(&mut Writer::new(out));
    }
}

#[cfg(feature = "serde_json")]
impl<'de> serde::Deserialize<'de> for Policy {
    /// Reads the JSON by [`Policy::from_json`]. This needs serde_json's `RawValue`, so it works with
    /// serde_json only.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = alloc::boxed::Box::<serde_json::value::RawValue>::deserialize(deserializer)?;
        // Overwritten on drop, because it may contain the fingerprint key.
        let json = zeroize::Zeroizing::new(alloc::boxed::Box::<str>::from(json));
        Policy::from_json(&**json).map_err(serde::de::Error::custom)
    }
}
