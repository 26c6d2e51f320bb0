//! A connection that writes, and is closed unless its work succeeds.
//!
//! After some errors, such as a full disk, SQLite ends a transaction by itself. sqlx goes on counting
//! it, and every later transaction of the connection would fail.

use std::ops::{Deref, DerefMut};

use super::sqlx::pool::PoolConnection;
use super::sqlx::{self, Database, Pool};

pub(super) struct Writer<D: Database> {
    connection: PoolConnection<D>,
    is_clean: bool,
}

impl<D: Database> Writer<D> {
    pub(super) async fn acquire(pool: &Pool<D>) -> Result<Self, sqlx::Error> {
        Ok(Self {
            connection: pool.acquire().await?,
            is_clean: false,
        })
    }

    /// Returns the connection to its pool. Without this call it is closed, even if the work is
    /// canceled.
    pub(super) fn release(mut self) {
        self.is_clean = true;
    }
}

impl<D: Database> Drop for Writer<D> {
    fn drop(&mut self) {
        if !self.is_clean {
            self.connection.close_on_drop();
        }
    }
}

impl<D: Database> Deref for Writer<D> {
    type Target = D::Connection;

    fn deref(&self) -> &D::Connection {
        &self.connection
    }
}

impl<D: Database> DerefMut for Writer<D> {
    fn deref_mut(&mut self) -> &mut D::Connection {
        &mut self.connection
    }
}
