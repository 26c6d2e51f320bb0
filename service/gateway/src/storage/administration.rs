//! The data that operators administer: tokens, keys, merchant_ids, secrets, and the audit of their
//! actions.

use std::time::Duration;

use async_trait::async_trait;
use zeroize::Zeroizing;

use super::types::{
    Audit, AuditEntry, MerchantProfile, StorageError, Token, TokenKind, TokenOwner,
};

/// The part of the database that operators change. A change with an [`Audit`] is recorded in the
/// same transaction.
#[async_trait]
pub trait Administration: Send + Sync {
    /// Returns the owner of the token with this hash, unless it is revoked.
    async fn token_of(
        &self,
        kind: TokenKind,
        hash: &str,
    ) -> Result<Option<TokenOwner>, StorageError>;
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
    /// Revokes a token; returns false if no such token is valid.
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

    /// Returns the merchant_ids that a merchant may name, besides its own.
    async fn merchant_ids(&self, merchant: &str) -> Result<Vec<String>, StorageError>;
    /// Adds one of them, or removes it.
    async fn set_merchant_id(
        &self,
        merchant: &str,
        id: &str,
        allowed: bool,
        audit: Audit<'_>,
    ) -> Result<(), StorageError>;

    /// Returns the profile of a merchant that payers see.
    async fn profile(&self, merchant: &str) -> Result<MerchantProfile, StorageError>;
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
    /// Returns all secrets that a merchant's events are signed with: after a rotation there are two
    /// for a while.
    async fn secrets(&self, merchant: &str) -> Result<Vec<Zeroizing<String>>, StorageError>;
    /// Replaces the secret, which stays valid for `keep`; returns false if there is no secret.
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
