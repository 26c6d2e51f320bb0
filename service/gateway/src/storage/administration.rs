//! The part of the storage that operators and the upkeep of a gateway use.

use std::time::Duration;

use async_trait::async_trait;
use zeroize::Zeroizing;

use super::types::{Audit, AuditEntry, StorageError, Token, TokenKind, TokenOwner};

/// Tokens, keys, merchants, secrets, the audit, and the upkeep of the database. A change with an
/// [`Audit`] is recorded in the same transaction.
#[async_trait]
pub trait Administration: Send + Sync {
    /// Brings the schema up to date. Of several gateways that start at once, one does it.
    async fn migrate(&self) -> Result<(), StorageError>;
    /// Checks that the database takes writes, has space for payments, and has the schema.
    async fn ping(&self) -> Result<(), StorageError>;
    /// Writes the steady clock. Returns by how much it is ahead of the database's clock.
    async fn tick(&self) -> Result<i64, StorageError>;
    /// Returns the payments that have been in a state for so long, the oldest first.
    async fn waiting(
        &self,
        state: &str,
        since: Duration,
        limit: i64,
    ) -> Result<Vec<String>, StorageError>;
    /// Adds to the count of a merchant's bytes. Returns the sum.
    async fn add_stored_bytes(&self, merchant: &str, bytes: i64) -> Result<i64, StorageError>;
    /// Deletes delivered events that are older than `age`, at most `limit` of them. Returns their
    /// number.
    async fn forget(&self, age: Duration, limit: i64) -> Result<u64, StorageError>;
    /// Deletes sessions that have expired for longer than `age` and have no payment, at most
    /// `limit` of them. Returns the number of sessions that were deleted, or found to be paid.
    async fn forget_sessions(&self, age: Duration, limit: i64) -> Result<u64, StorageError>;
    /// Ends all connections.
    async fn close(&self);

    /// Returns the operator of the token with this hash, unless it is revoked.
    async fn operator(&self, hash: &str) -> Result<Option<TokenOwner>, StorageError>;
    /// Adds a token, of which only the hash is kept.
    async fn add_token(
        &self,
        kind: TokenKind,
        owner: &TokenOwner,
        hash: &str,
        audit: Audit<'_>,
    ) -> Result<(), StorageError>;
    /// Returns all tokens of a kind.
    async fn tokens(&self, kind: TokenKind) -> Result<Vec<Token>, StorageError>;
    /// Revokes a token. Returns false if no such token is valid.
    async fn revoke_token(
        &self,
        kind: TokenKind,
        id: &str,
        audit: Audit<'_>,
    ) -> Result<bool, StorageError>;

    /// Returns a key that all gateways share, and inserts the given one first if it is missing. It
    /// is stored encrypted.
    async fn get_or_insert_key(
        &self,
        name: &str,
        key: &str,
    ) -> Result<Zeroizing<String>, StorageError>;

    /// Adds a merchant_id that a merchant may name, or removes it.
    async fn set_merchant_id(
        &self,
        merchant: &str,
        id: &str,
        allowed: bool,
        audit: Audit<'_>,
    ) -> Result<(), StorageError>;
    /// Registers the name of a merchant.
    async fn set_merchant_name(
        &self,
        merchant: &str,
        name: &str,
        audit: Audit<'_>,
    ) -> Result<(), StorageError>;
    /// Registers an origin of a merchant, or removes it.
    async fn set_origin(
        &self,
        merchant: &str,
        origin: &str,
        allowed: bool,
        audit: Audit<'_>,
    ) -> Result<(), StorageError>;

    /// Encrypts the secrets and shared keys that are under a replaced key, under the first one.
    async fn encrypt_secrets(&self) -> Result<(), StorageError>;
    /// Returns the secret of a merchant.
    async fn secret(&self, merchant: &str) -> Result<Option<Zeroizing<String>>, StorageError>;
    /// Returns the merchant's secret, and inserts the given one first if it has none.
    async fn get_or_insert_secret(
        &self,
        merchant: &str,
        secret: &str,
    ) -> Result<Zeroizing<String>, StorageError>;
    /// Replaces the secret, which stays valid for `keep`. Returns false if there is no secret.
    async fn rotate_secret(
        &self,
        merchant: &str,
        secret: &str,
        keep: Duration,
        audit: Audit<'_>,
    ) -> Result<bool, StorageError>;
    /// Deletes replaced secrets whose time is over.
    async fn wipe_secrets(&self) -> Result<(), StorageError>;

    /// Records an action that has changed nothing.
    async fn record_refusal(&self, audit: Audit<'_>) -> Result<(), StorageError>;
    /// Returns the last actions, the latest first.
    async fn audit(&self, limit: i64) -> Result<Vec<AuditEntry>, StorageError>;
}
