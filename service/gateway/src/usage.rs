//! The bytes that merchants store, and their limit.
//!
//! A counter in the transaction of each payment would let the payments of a merchant wait for each
//! other. So each gateway counts the bytes that it stores, and adds them to the database's count once
//! a second. A gateway that is killed does not add its last second, and a merchant may exceed the
//! limit by the bytes that all gateways store in a second.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::storage::{Administration, StorageError, in_time};

const PERIOD: Duration = Duration::from_secs(1);

/// The bytes of each merchant that has stored something through this gateway.
#[derive(Default)]
pub struct Usage {
    /// Absent if nothing is counted.
    limit: Option<Limit>,
    merchants: Mutex<HashMap<String, Bytes>>,
}

struct Limit {
    /// The most bytes of a merchant; 0 if they are counted without a limit.
    bytes: i64,
    storage: Arc<dyn Administration>,
}

/// The bytes of a merchant.
#[derive(Clone, Copy, Default)]
struct Bytes {
    /// The database's count when it was last read.
    stored: i64,
    /// The bytes that this gateway has not added to it yet.
    added: i64,
    /// Whether something was refused since the database's count was last read.
    refused: bool,
}

impl Usage {
    /// Counts the bytes of merchants in a storage, up to a limit. 0 disables the limit.
    pub fn new(limit: u64, storage: Arc<dyn Administration>) -> Self {
        let bytes = i64::try_from(limit).unwrap_or(i64::MAX);
        Self {
            limit: Some(Limit { bytes, storage }),
            merchants: Mutex::default(),
        }
    }

    fn merchants(&self) -> MutexGuard<'_, HashMap<String, Bytes>> {
        self.merchants
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks that a merchant may store so many bytes more.
    ///
    /// # Errors
    /// Returns `StoredBytes` if it may not, or another error if the storage cannot be used.
    pub(crate) async fn check(&self, merchant: &str, bytes: i64) -> Result<(), StorageError> {
        let Some(limit) = self.limit.as_ref().filter(|limit| limit.bytes != 0) else {
            return Ok(());
        };
        let known = self.merchants().get(merchant).copied();
        let Bytes { stored, added, .. } = match known {
            Some(known) => known,
            None => {
                let stored = limit.storage.add_stored_bytes(merchant, 0).await?;
                let new = Bytes {
                    stored,
                    ..Bytes::default()
                };
                *self.merchants().entry(merchant.to_owned()).or_insert(new)
            }
        };
        if stored.saturating_add(added).saturating_add(bytes) <= limit.bytes {
            return Ok(());
        }
        if let Some(known) = self.merchants().get_mut(merchant) {
            known.refused = true;
        }
        Err(StorageError::StoredBytes)
    }

    /// Counts bytes that are stored.
    pub(crate) fn add(&self, merchant: &str, bytes: i64) {
        if self.limit.is_none() {
            return;
        }
        let mut merchants = self.merchants();
        let known = merchants.entry(merchant.to_owned()).or_default();
        known.added = known.added.saturating_add(bytes);
    }

    /// Adds the bytes that were stored since to the database's counts. The count of a merchant that
    /// was refused something is read again, because deleted sessions reduce it.
    ///
    /// # Errors
    /// Returns an error if the storage cannot be used. Bytes that are not added yet are added
    /// later.
    pub async fn write(&self) -> Result<(), StorageError> {
        let Some(Limit { storage, .. }) = &self.limit else {
            return Ok(());
        };
        let merchants = self.merchants().clone();
        for (merchant, Bytes { added, .. }) in merchants
            .into_iter()
            .filter(|(_, bytes)| bytes.added != 0 || bytes.refused)
        {
            let stored = in_time(storage.add_stored_bytes(&merchant, added)).await?;
            if let Some(bytes) = self.merchants().get_mut(&merchant) {
                *bytes = Bytes {
                    stored,
                    added: bytes.added - added,
                    refused: false,
                };
            }
        }
        Ok(())
    }
}

/// Writes the counts until `stop` is set.
pub async fn run(usage: Arc<Usage>, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        if let Err(error) = usage.write().await {
            tracing::warn!(%error, "the bytes of merchants cannot be counted");
        }
        tokio::select! {
            () = tokio::time::sleep(PERIOD) => {}
            _ = stop.changed() => {}
        }
    }
}
