//! The jobs that wait for a trip to the database.

use super::types::NewPayment;

/// A payment to be stored.
pub(super) struct Store {
    pub(super) uid: String,
    pub(super) merchant: String,
    pub(super) body: String,
    pub(super) callback: Option<String>,
    pub(super) steady: i64,
    /// The key and the fingerprint.
    pub(super) idempotency: Option<(String, String)>,
}

impl From<NewPayment<'_>> for Store {
    fn from(new: NewPayment<'_>) -> Self {
        Self {
            uid: new.uid.to_owned(),
            merchant: new.merchant.to_owned(),
            body: new.body.to_owned(),
            callback: new.callback.map(ToOwned::to_owned),
            steady: new.steady,
            idempotency: new
                .idempotency
                .map(|(key, fingerprint)| (key.to_owned(), fingerprint.to_owned())),
        }
    }
}

/// A search for the owner of a token by its hash, together with the record of a key or a payment.
pub(super) struct Find {
    pub(super) hash: String,
    /// The key, or the uid of the payment.
    pub(super) name: Option<String>,
}
