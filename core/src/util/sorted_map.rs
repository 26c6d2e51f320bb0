//! A small map for the settings of a policy by code or currency.

use alloc::vec::Vec;

/// A map that iterates in the order of its keys.
///
/// A policy has few entries, so a list is faster than a tree and compiles to a third of the code.
///
/// ```
/// use payspec::policy::SortedMap;
/// use payspec::{Code, Severity};
///
/// let mut severity = SortedMap::default();
/// assert_eq!(severity.insert(Code::UnknownMember, Severity::Error), None);
/// assert_eq!(severity.insert(Code::UnknownMember, Severity::Off), Some(Severity::Error));
/// assert_eq!(severity.get(&Code::UnknownMember), Some(&Severity::Off));
/// assert_eq!(severity, [(Code::UnknownMember, Severity::Off)].into());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        SortedMap {
            entries: Vec::new(),
        }
    }
}

impl<K: Copy + Ord, V> SortedMap<K, V> {
    /// Sets a value and returns the previous one.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.entries.binary_search_by_key(&key, |(known, _)| *known) {
            Ok(position) => self
                .entries
                .get_mut(position)
                .map(|(_, known)| core::mem::replace(known, value)),
            Err(position) => {
                self.entries.insert(position, (key, value));
                None
            }
        }
    }

    /// Returns the value for a key.
    pub fn get(&self, key: &K) -> Option<&V> {
        self.entries
            .iter()
            .find(|(known, _)| known == key)
            .map(|(_, value)| value)
    }

    /// Checks if the map is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns all entries in the order of the keys.
    pub fn iter(&self) -> core::slice::Iter<'_, (K, V)> {
        self.entries.iter()
    }
}

impl<K: Copy + Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = SortedMap::default();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl<K: Copy + Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<'s, K: Copy + Ord, V> IntoIterator for &'s SortedMap<K, V> {
    type Item = &'s (K, V);
    type IntoIter = core::slice::Iter<'s, (K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(feature = "serde")]
impl<K: serde::Serialize, V: serde::Serialize> serde::Serialize for SortedMap<K, V> {
    /// Writes a map.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.entries.iter().map(|(key, value)| (key, value)))
    }
}
