//! The part of the storage that requests of merchants and payers use.

use std::time::Duration;

use async_trait::async_trait;
use payspec::Timestamp;

use super::types::{
    Balance, CheckoutSession, Created, Lookup, MerchantProfile, NewPayment, StateChange,
    StorageError, StoredPayment, TokenOwner,
};

/// Payments, their idempotency keys, checkout sessions, and balances.
#[async_trait]
pub trait Payments: Send + Sync {
    /// Returns the time of the database's clock.
    async fn now(&self) -> Result<Timestamp, StorageError>;
    /// Returns the owner of the merchant's token with this hash, unless it is revoked.
    async fn token_owner(&self, hash: &str) -> Result<Option<TokenOwner>, StorageError>;

    /// Returns the time, and the record of a key.
    async fn look_up(&self, merchant: &str, key: Option<&str>) -> Result<Lookup, StorageError>;
    /// Returns the owner of a merchant's token, unless no such token is valid, and what `look_up`
    /// returns for its merchant, in one statement if the storage can.
    async fn look_up_by_token(
        &self,
        hash: &str,
        key: Option<&str>,
    ) -> Result<(Option<TokenOwner>, Lookup), StorageError> {
        let owner = self.token_owner(hash).await?;
        let lookup = match &owner {
            Some(owner) => self.look_up(&owner.name, key).await?,
            None => self.look_up("", None).await?,
        };
        Ok((owner, lookup))
    }
    /// Stores a payment and its key in one transaction, or nothing.
    async fn create(&self, payment: NewPayment<'_>) -> Result<Created, StorageError>;
    /// Returns a payment.
    async fn payment(&self, uid: &str) -> Result<Option<StoredPayment>, StorageError>;
    /// Returns the owner of a merchant's token and the body of a payment of its merchant, in one
    /// statement if the storage can. `None` if no such token is valid.
    async fn payment_by_token(
        &self,
        hash: &str,
        uid: Option<&str>,
    ) -> Result<Option<(TokenOwner, Option<String>)>, StorageError> {
        let Some(owner) = self.token_owner(hash).await? else {
            return Ok(None);
        };
        let payment = match uid {
            Some(uid) => self
                .payment(uid)
                .await?
                .filter(|payment| payment.merchant == owner.name),
            None => None,
        };
        Ok(Some((owner, payment.map(|payment| payment.body))))
    }
    /// Stores a change, its event, and the balance in one transaction. Returns false if another
    /// change was faster.
    async fn apply(&self, change: StateChange<'_>) -> Result<bool, StorageError>;
    /// Returns the balance of a merchant in each currency in which it has had payments.
    async fn balances(&self, merchant: &str) -> Result<Vec<Balance>, StorageError>;

    /// Returns the merchant_ids that a merchant may name, besides its own.
    async fn merchant_ids(&self, merchant: &str) -> Result<Vec<String>, StorageError>;
    /// Returns the profile of a merchant that payers see.
    async fn profile(&self, merchant: &str) -> Result<MerchantProfile, StorageError>;

    /// Adds a checkout session that expires after a time. If the merchant has one for the order,
    /// that one gets the time and is returned; `None` if its amount is another.
    async fn add_session(
        &self,
        session: &CheckoutSession,
        time: Duration,
    ) -> Result<Option<CheckoutSession>, StorageError>;
    /// Returns a checkout session.
    async fn session(&self, id: &str) -> Result<Option<CheckoutSession>, StorageError>;
    /// Closes a checkout session.
    async fn close_session(&self, id: &str) -> Result<(), StorageError>;
}
