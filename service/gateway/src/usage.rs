//! How many bytes merchants store, and the limit of it.
//!
//! A counter in the transaction of each payment would let the payments of a merchant wait for each
//! other. So each gateway counts what it stores, and adds it to the database's count once a second.
//! A gateway that is killed does not add its last second, and a merchant may exceed the limit by
//! what all gateways store in a second.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::storage::{NewPayment, Shared, Storage, StorageError, in_time};

const PERIOD: Duration = Duration::from_secs(1);

/// The bytes of each merchant that has stored something through this gateway.
#[derive(Default)]
pub struct Usage {
    /// The most bytes of a merchant; 0 disables the limit.
    limit: i64,
    merchants: Mutex<HashMap<String, Bytes>>,
}

/// The bytes of a merchant.
#[derive(Clone, Copy)]
struct Bytes {
    /// The database's count when it was last seen.
    stored: i64,
    /// The bytes that this gateway has not added to it yet.
    added: i64,
}

/// Returns the stored size of a payment, without its events, which are deleted.
fn size(payment: &NewPayment<'_>) -> i64 {
    let key = payment.idempotency.map_or(0, |(key, fingerprint)| {
        payment.body.len() + key.len() + fingerprint.len()
    });
    let callback = payment.callback.map_or(0, str::len);
    i64::try_from(payment.body.len() + callback + key).unwrap_or(i64::MAX)
}

impl Usage {
    /// Creates a limit in bytes. 0 disables it.
    pub fn new(limit: u64) -> Self {
        Self {
            limit: i64::try_from(limit).unwrap_or(i64::MAX),
            merchants: Mutex::default(),
        }
    }

    fn merchants(&self) -> MutexGuard<'_, HashMap<String, Bytes>> {
        self.merchants
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks that a payment is within the limit of its merchant.
    ///
    /// # Errors
    /// Returns `StoredBytes` if it is not, or another error if the storage cannot be used.
    pub(crate) async fn check(
        &self,
        storage: &dyn Storage,
        payment: &NewPayment<'_>,
    ) -> Result<(), StorageError> {
        if self.limit == 0 {
            return Ok(());
        }
        let known = self.merchants().get(payment.merchant).copied();
        let Bytes { stored, added } = match known {
            Some(bytes) => bytes,
            None => {
                let stored = storage.add_stored_bytes(payment.merchant, 0).await?;
                let new = Bytes { stored, added: 0 };
                *self
                    .merchants()
                    .entry(payment.merchant.to_owned())
                    .or_insert(new)
            }
        };
        let sum = stored.saturating_add(added).saturating_add(size(payment));
        if sum > self.limit {
            Err(StorageError::StoredBytes)
        } else {
            Ok(())
        }
    }

    /// Counts a payment that is stored.
    pub(crate) fn add(&self, payment: &NewPayment<'_>) {
        let mut merchants = self.merchants();
        let bytes = merchants
            .entry(payment.merchant.to_owned())
            .or_insert(Bytes {
                stored: 0,
                added: 0,
            });
        bytes.added = bytes.added.saturating_add(size(payment));
    }

    /// Adds to the database's counts what has been stored since.
    ///
    /// # Errors
    /// Returns an error if the storage cannot be used. Bytes that are not added yet are added
    /// later.
    pub async fn write(&self, storage: &dyn Storage) -> Result<(), StorageError> {
        let merchants = self.merchants().clone();
        for (merchant, Bytes { added, .. }) in
            merchants.into_iter().filter(|(_, bytes)| bytes.added != 0)
        {
            let stored = in_time(storage.add_stored_bytes(&merchant, added)).await?;
            if let Some(bytes) = self.merchants().get_mut(&merchant) {
                *bytes = Bytes {
                    stored,
                    added: bytes.added - added,
                };
            }
        }
        Ok(())
    }
}

/// Writes the counts until `stop` is set.
pub async fn run(usage: Arc<Usage>, storage: Shared, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        if let Err(error) = usage.write(storage.as_ref()).await {
            tracing::warn!(%error, "the bytes of merchants cannot be counted");
        }
        tokio::select! {
            () = tokio::time::sleep(PERIOD) => {}
            _ = stop.changed() => {}
        }
    }
}
