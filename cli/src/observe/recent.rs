//! The last entries of an unlimited stream, in limited memory.

use std::collections::HashMap;

/// The entries of one generation. Two are kept.
const GENERATION: usize = 100_000;

/// A map that forgets its oldest entries.
///
/// New entries go to the newer of two generations. If it is full, it becomes the older one, and the
/// older one is dropped. So the last 100,000 entries are always known, and never more than twice as
/// many.
#[derive(Debug)]
pub(super) struct Recent<V> {
    newer: HashMap<u64, V>,
    older: HashMap<u64, V>,
}

impl<V> Default for Recent<V> {
    fn default() -> Self {
        Recent {
            newer: HashMap::new(),
            older: HashMap::new(),
        }
    }
}

impl<V> Recent<V> {
    pub(super) fn get(&self, key: u64) -> Option<&V> {
        self.newer.get(&key).or_else(|| self.older.get(&key))
    }

    pub(super) fn insert(&mut self, key: u64, value: V) {
        if self.newer.len() >= GENERATION {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_the_last_entries_only() {
        let mut recent = Recent::default();
        let last = 250_000;
        (0..=last).for_each(|key| recent.insert(key, key));
        assert_eq!(recent.get(last - 100_000), Some(&(last - 100_000)));
        assert_eq!(recent.get(0), None);
        assert!(recent.newer.len() + recent.older.len() <= 200_000);
    }
}
