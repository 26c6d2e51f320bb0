//! The context of `check_idempotency`.

use alloc::borrow::Cow;

use super::{StoredPayment, checked_object};
use crate::error::Error;
use crate::input::{ContextMembers, InputValue};
use crate::schema::context::IdempotencyField;
use crate::types::timestamp::{NANOS_PER_MILLI, Timestamp};
use crate::util::debug::impl_debug_of_fields;

/// A repeated key and its record.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct IdempotencyContext<'a> {
    /// The time of the request.
    pub now: Timestamp,
    /// The key; if given, its syntax is checked as well.
    pub key: Option<Cow<'a, str>>,
    /// The request's fingerprint.
    pub fingerprint: Cow<'a, str>,
    /// The record stored under the key.
    pub record: Option<IdempotencyRecord<'a>>,
}

impl<'a> IdempotencyContext<'a> {
    /// Creates a context for a request at `now` with this fingerprint and the record of its key. If
    /// `key` is set as well, its syntax is checked.
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
        let record = [
            IdempotencyField::CreatedAt,
            IdempotencyField::Fingerprint,
            IdempotencyField::Payment,
        ];
        let fingerprint = members.get(IdempotencyField::RequestFingerprint);
        let now = members
            .get(IdempotencyField::Now)
            .require(InputValue::timestamp)?;
        let key = members.get(IdempotencyField::Key).text()?;
        let text = fingerprint.text()?;
        let record = IdempotencyRecord::read(
            &members.get(IdempotencyField::Existing),
            &members.all(record),
        )?;
        if record.is_some() {
            fingerprint.require(|_| Ok(text.as_ref()))?;
        }
        Ok(IdempotencyContext {
            now,
            key,
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

    /// Reads the record from a context.
    fn read(
        record: &InputValue<'a>,
        [created_at, fingerprint, payment]: &[InputValue<'a>; 3],
    ) -> Result<Option<Self>, Error> {
        if record.object()?.is_none() {
            return Ok(None);
        }
        Ok(Some(IdempotencyRecord {
            created_at: created_at.require(InputValue::timestamp)?,
            fingerprint: fingerprint.require(InputValue::text)?,
            payment: checked_object(payment)?,
        }))
    }

    /// Returns whether the age of the record exceeds the window. A record from the future never
    /// does.
    pub(crate) fn is_older_than(&self, window_ms: u64, now: Timestamp) -> bool {
        // No overflow: 2^64 ms in nanoseconds are far below the limit of i128.
        now.nanos_since(&self.created_at)
            > i128::from(window_ms).saturating_mul(i128::from(NANOS_PER_MILLI))
    }
}

/// The idempotency key of a request, and the record stored under it.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct IdempotencyLookup<'a> {
    /// The key, as returned by [`Engine::idempotency_key`](crate::Engine::idempotency_key).
    pub key: Cow<'a, str>,
    /// The record stored under the key, if there is one.
    pub record: Option<IdempotencyRecord<'a>>,
}

impl<'a> IdempotencyLookup<'a> {
    /// Creates the lookup of a key from the record that the caller has found, if there is one.
    pub fn new(key: impl Into<Cow<'a, str>>, record: Option<IdempotencyRecord<'a>>) -> Self {
        IdempotencyLookup {
            key: key.into(),
            record,
        }
    }
    /// Reads the key and its record from a context.
    pub(super) fn read(
        [lookup, key, existing]: &[InputValue<'a>; 3],
        record: &[InputValue<'a>; 3],
    ) -> Result<Option<Self>, Error> {
        if lookup.object()?.is_none() {
            return Ok(None);
        }
        let key = key.require(InputValue::text)?;
        // If the caller forgets the record, a second payment must not be created.
        existing.require_or_null()?;
        Ok(Some(IdempotencyLookup {
            key,
            record: IdempotencyRecord::read(existing, record)?,
        }))
    }
}

impl_debug_of_fields! { IdempotencyContext<'_> { now, record } }
impl_debug_of_fields! { IdempotencyRecord<'_> { created_at } }
impl_debug_of_fields! { IdempotencyLookup<'_> { record } }
