//! The context of `check_idempotency`.

use alloc::borrow::Cow;
use core::fmt;

use super::{StoredPayment, stored_payment};
use crate::error::{Error, ErrorKind};
use crate::input::{Input, InputObject};
use crate::json::{Value, object_schema};
use crate::types::timestamp::{NANOS_PER_MILLI, Timestamp};

object_schema! {
    /// Members of the context of `check_idempotency`.
    enum IdempotencyField;
    ROOT "" { Now "now" String, Key "key" String, Fingerprint "fingerprint" String, Record "existing" Object(RECORD) }
    RECORD "/existing" {
        RecordCreatedAt "created_at" String, RecordFingerprint "fingerprint" String, RecordPayment "payment" Object,
    }
}

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
    /// Creates a context for a request at `now` with this fingerprint and the record of its key. If `key` is set as well,
    /// its syntax is checked.
    pub fn new(now: Timestamp, fingerprint: impl Into<Cow<'a, str>>, record: Option<IdempotencyRecord<'a>>) -> Self {
        IdempotencyContext { now, key: None, fingerprint: fingerprint.into(), record }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &'a T) -> Result<Self, Error> {
        let mut slots = [Value::Absent; IdempotencyField::COUNT];
        let input = InputObject::read(json.as_ref(), &ROOT, &mut slots, ErrorKind::Context)?;
        let get = |field| input.get(field);
        let now = get(IdempotencyField::Now).require(Input::timestamp)?;
        let key = get(IdempotencyField::Key).text()?;
        let fingerprint = get(IdempotencyField::Fingerprint);
        let text = fingerprint.text()?;
        let [created_at, stored, payment] =
            [IdempotencyField::RecordCreatedAt, IdempotencyField::RecordFingerprint, IdempotencyField::RecordPayment]
                .map(get);
        let record = IdempotencyRecord::read(get(IdempotencyField::Record), created_at, stored, payment)?;
        if record.is_some() {
            fingerprint.require(|_| Ok(text.as_ref()))?;
        }
        Ok(IdempotencyContext { now, key, fingerprint: text.unwrap_or_default(), record })
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
        IdempotencyRecord { created_at, fingerprint: fingerprint.into(), payment }
    }

    /// Reads the record from a context.
    pub(super) fn read(
        record: Input<'a>,
        created_at: Input<'a>,
        fingerprint: Input<'a>,
        payment: Input<'a>,
    ) -> Result<Option<Self>, Error> {
        let Some(_) = record.object()? else { return Ok(None) };
        Ok(Some(IdempotencyRecord {
            created_at: created_at.require(Input::timestamp)?,
            fingerprint: fingerprint.require(Input::text)?,
            payment: stored_payment(payment)?,
        }))
    }

    /// Returns whether the age of the record exceeds the window. A record from the future never does.
    pub(crate) fn is_older_than(&self, window_ms: u64, now: Timestamp) -> bool {
        // No overflow: 2^64 ms in nanoseconds are far below the limit of i128.
        now.nanos_since(&self.created_at) > i128::from(window_ms).saturating_mul(i128::from(NANOS_PER_MILLI))
    }
}

impl fmt::Debug for IdempotencyRecord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdempotencyRecord").field("created_at", &self.created_at).finish_non_exhaustive()
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
        IdempotencyLookup { key: key.into(), record }
    }
}

impl fmt::Debug for IdempotencyLookup<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdempotencyLookup").field("record", &self.record).finish_non_exhaustive()
    }
}

impl fmt::Debug for IdempotencyContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdempotencyContext")
            .field("now", &self.now)
            .field("record", &self.record)
            .finish_non_exhaustive()
    }
}
