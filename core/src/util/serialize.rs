//! Serializes values that serde has no type for.

use serde::{Serialize, Serializer};

/// Members that serialize as a map.
pub(crate) struct Members<I>(pub(crate) I);

impl<K: Serialize, V: Serialize, I: Iterator<Item = (K, V)> + Clone> Serialize for Members<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.clone())
    }
}

/// Serializes JSON that may contain values of the caller, which are written unchanged.
#[cfg(feature = "serde_json")]
pub(crate) fn raw<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let json: &serde_json::value::RawValue =
        serde_json::from_str(json).map_err(serde::ser::Error::custom)?;
    json.serialize(serializer)
}
