//! A connection that writes. If its work does not end well, it is closed.
//!
//! After some errors, a full disk among them, SQLite ends a transaction by itself. sqlx goes on
//! counting it, and every later transaction of the connection would fail. A new connection costs
//! less than to find out which state an old one is in.

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

    /// Gives the connection back to its pool. Without this it is closed, even if the work is
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
