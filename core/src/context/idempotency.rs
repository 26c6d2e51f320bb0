//! The context of `check_idempotency`.

use alloc::borrow::Cow;

use super::{StoredPayment, checked_object};
use crate::error::Error;
use crate::input::{ContextMembers, InputValue};
use crate::schema::context::IdempotencyField;
use crate::types::idempotency_key::{IdempotencyKey, IdempotencyKeyError};
use crate::types::timestamp::{NANOS_PER_MILLI, Timestamp};
use crate::util::debug::impl_debug_of_fields;

/// A repeated key and its record.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct IdempotencyContext<'a> {
    /// The time of the request.
    pub now: Timestamp,
    /// The key, or the error of its header, which precedes all other verdicts.
    pub key: Option<Result<IdempotencyKey, IdempotencyKeyError>>,
    /// The request's fingerprint.
    pub fingerprint: Cow<'a, str>,
    /// The record stored under the key.
    pub record: Option<IdempotencyRecord<'a>>,
}

impl<'a> IdempotencyContext<'a> {
    /// Creates a context for a request at `now` with this fingerprint and the record of its key.
    pub fn new(
        now: Timestamp,
        fingerprint: impl Into<Cow<'a, str>>,
        record: Option<IdempotencyRecord<'a>>,
    ) -> Self {
        IdempotencyContext {
            now,
            key: None,
            fingerprint: fingerprint.into(),
            record,
        }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &'a T) -> Result<Self, Error> {
        let members = ContextMembers::<IdempotencyField>::read(json)?;
        let record = RecordMembers {
            record: members.get(IdempotencyField::Existing),
            created_at: members.get(IdempotencyField::CreatedAt),
            fingerprint: members.get(IdempotencyField::Fingerprint),
            payment: members.get(IdempotencyField::Payment),
        };
        let fingerprint = members.get(IdempotencyField::RequestFingerprint);
        let now = members
            .get(IdempotencyField::Now)
            .require(InputValue::timestamp)?;
        let key = members.get(IdempotencyField::Key).text()?;
        let text = fingerprint.text()?;
        let record = record.read()?;
        if record.is_some() {
            fingerprint.require(|_| Ok(text.as_ref()))?;
        }
        Ok(IdempotencyContext {
            now,
            key: key.map(IdempotencyKey::new),
            fingerprint: text.unwrap_or_default(),
            record,
        })
    }
}

/// The record that the caller has stored under an idempotency key.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct IdempotencyRecord<'a> {
    /// The time of the first request.
    pub created_at: Timestamp,
    /// The fingerprint of the first request.
    pub fingerprint: Cow<'a, str>,
    /// The payment created by the first request; `None` while that request is in progress.
    pub payment: Option<StoredPayment<'a>>,
}

impl<'a> IdempotencyRecord<'a> {
    /// Creates the record of the first request.
    pub fn new(
        created_at: Timestamp,
        fingerprint: impl Into<Cow<'a, str>>,
        payment: Option<StoredPayment<'a>>,
    ) -> Self {
        IdempotencyRecord {
            created_at,
            fingerprint: fingerprint.into(),
            payment,
        }
    }

    /// Returns whether the first request had this fingerprint.
    pub(crate) fn has_fingerprint(&self, fingerprint: &str) -> bool {
        self.fingerprint.eq_ignore_ascii_case(fingerprint)
    }

    /// Returns whether the age of the record exceeds the window. A record from the future never
    /// does.
    pub(crate) fn is_older_than(&self, window_ms: u64, now: Timestamp) -> bool {
        // No overflow: 2^64 ms in nanoseconds are far below the limit of i128.
        now.nanos_since(&self.created_at)
            > i128::from(window_ms).saturating_mul(i128::from(NANOS_PER_MILLI))
    }
}

/// The member `existing` of a context, and its members.
pub(super) struct RecordMembers<'a> {
    pub(super) record: InputValue<'a>,
    pub(super) created_at: InputValue<'a>,
    pub(super) fingerprint: InputValue<'a>,
    pub(super) payment: InputValue<'a>,
}

impl<'a> RecordMembers<'a> {
    /// Reads the record.
    fn read(&self) -> Result<Option<IdempotencyRecord<'a>>, Error> {
        if self.record.object()?.is_none() {
            return Ok(None);
        }
        Ok(Some(IdempotencyRecord {
            created_at: self.created_at.require(InputValue::timestamp)?,
            fingerprint: self.fingerprint.require(InputValue::text)?,
            payment: checked_object(&self.payment)?,
        }))
    }
}

/// The idempotency key of a request, and the record stored under it.
///
/// If the header is not a key, convert its error with `From`. The response is then 400
/// `invalid_idempotency_key`, unless the request is not authorized.
///
/// ```
/// use payspec::{IdempotencyKey, IdempotencyLookup};
///
/// let lookup = |header: &str| match header.parse::<IdempotencyKey>() {
///     Ok(key) => IdempotencyLookup::new(key, None), // the record that you have stored
///     Err(error) => error.into(),
/// };
/// assert!(lookup("order-7").key.is_ok());
/// assert!(lookup("order 7").key.is_err());
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct IdempotencyLookup<'a> {
    /// The key, or the error of its header.
    pub key: Result<IdempotencyKey, IdempotencyKeyError>,
    /// The record stored under the key, if there is one.
    pub record: Option<IdempotencyRecord<'a>>,
}

impl<'a> IdempotencyLookup<'a> {
    /// Creates the lookup of a key from the record that the caller has found, if there is one.
    pub fn new(key: IdempotencyKey, record: Option<IdempotencyRecord<'a>>) -> Self {
        IdempotencyLookup {
            key: Ok(key),
            record,
        }
    }
}

impl From<IdempotencyKeyError> for IdempotencyLookup<'_> {
    fn from(error: IdempotencyKeyError) -> Self {
        IdempotencyLookup {
            key: Err(error),
            record: None,
        }
    }
}

/// The member `idempotency` of a context, and its members.
pub(super) struct LookupMembers<'a> {
    pub(super) lookup: InputValue<'a>,
    pub(super) key: InputValue<'a>,
    pub(super) record: RecordMembers<'a>,
}

impl<'a> LookupMembers<'a> {
    /// Reads the key and its record. An invalid key comes from the client, so it is not an error of
    /// the context.
    pub(super) fn read(&self) -> Result<Option<IdempotencyLookup<'a>>, Error> {
        if self.lookup.object()?.is_none() {
            return Ok(None);
        }
        let key = self.key.require(InputValue::text)?;
        // If the caller forgets the record, a second payment must not be created.
        self.record.record.require_or_null()?;
        Ok(Some(IdempotencyLookup {
            key: IdempotencyKey::new(key),
            record: self.record.read()?,
        }))
    }
}

impl_debug_of_fields! { IdempotencyContext<'_> { now, record } }
impl_debug_of_fields! { IdempotencyRecord<'_> { created_at } }
impl_debug_of_fields! { IdempotencyLookup<'_> { record } }
