//! `POST /v1/payments/new`.

use std::borrow::Cow;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use payspec::{
    AbsoluteUri, Code, CreateContext, IdempotencyLookup, IdempotencyRecord, Outcome, ProblemCode,
    Quote, Timestamp, Uuid,
};

use super::{Caller, EarlyLookup, IdKind, Reply, Service, payment};
use crate::storage::{Created, Lookup, NewPayment, Record, StorageError};

/// The loser of a race for a key reads what the winner has stored. More rounds than two would need
/// the record to go away.
const ROUNDS: usize = 3;
/// How long a count of the waiting events of a merchant holds.
const COUNTED: Duration = Duration::from_secs(1);

impl Service {
    /// Creates a payment, or returns the reason against it.
    ///
    /// `early` saves a query if the body has followed at once: it is the record of the same key,
    /// and recent.
    ///
    /// # Errors
    /// The storage cannot be used. Then nothing is stored, or the answer to it is lost: a client
    /// with a key may ask again.
    pub async fn create(
        &self,
        caller: &Caller<'_>,
        key: Option<&str>,
        body: &[u8],
        early: Option<EarlyLookup>,
    ) -> Result<Reply, StorageError> {
        // The token decides ownership: the payment and its key belong to the token's merchant, even
        // if the body names a merchant_id that the operator has assigned to it, which the Payment
        // repeats (D28). Without a merchant the library answers 401 before any other check.
        let merchant = caller.merchant().unwrap_or_default();
        let stored_key = key.map(|key| caller.stored_key(key));
        let mut early = early.map(|early| early.lookup);
        for _ in 0..ROUNDS {
            let Lookup {
                now,
                steady,
                record,
            } = match early.take() {
                Some(lookup) => lookup,
                None => self.look_up(caller, key).await?,
            };
            let uid = self.ids.next(IdKind::Payment);
            let evaluation = self
                .evaluate(caller, key, body, uid, now, record.as_ref())
                .await?;
            if !evaluation.is_new {
                return Ok(evaluation.reply);
            }
            if evaluation.callback.is_some() {
                self.check_pending(merchant).await?;
            }
            let text = uid.to_string();
            let new = NewPayment {
                uid: &text,
                merchant,
                body: &evaluation.reply.body,
                callback: evaluation.callback.as_deref(),
                steady,
                idempotency: stored_key.as_deref().zip(evaluation.fingerprint.as_deref()),
            };
            self.usage.check(self.storage.as_ref(), &new).await?;
            self.submit(uid, body, now);
            match self.storage.create(new.clone()).await? {
                Created::Stored => {
                    self.usage.add(&new);
                    return Ok(evaluation.reply);
                }
                Created::KeyTaken => tracing::debug!("another request had the key first"),
            }
        }
        Err(StorageError::Row("a key that is taken and not there"))
    }

    /// Checks that a merchant has fewer waiting events than it may have. They are counted once in
    /// [`COUNTED`]: a query for each payment took a fifth of its time.
    async fn check_pending(&self, merchant: &str) -> Result<(), StorageError> {
        let limit = i64::from(self.pending_events);
        if limit == 0 {
            return Ok(());
        }
        let counted = || self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let known = counted()
            .get(merchant)
            .filter(|(at, _)| at.elapsed() < COUNTED)
            .map(|(_, many)| *many);
        let many = match known {
            Some(many) => many,
            None => {
                let many = self.storage.pending_of(merchant, limit).await? >= limit;
                counted().insert(merchant.to_owned(), (Instant::now(), many));
                many
            }
        };
        if many {
            Err(StorageError::PendingEvents)
        } else {
            Ok(())
        }
    }

    /// Returns the answer to a body that is not read because it is too large.
    ///
    /// # Errors
    /// Returns an error if the storage cannot be used.
    pub async fn too_large(
        &self,
        caller: &Caller<'_>,
        key: Option<&str>,
    ) -> Result<Reply, StorageError> {
        // The library checks here too what precedes the body: a record older than the window is
        // answered with 409.
        let Lookup { now, record, .. } = self.look_up(caller, key).await?;
        // A body just over the limit, to have the library answer for one that is not read.
        let body = vec![b' '; self.body_limit().saturating_add(1)];
        Ok(self
            .evaluate(caller, key, &body, Uuid::nil(), now, record.as_ref())
            .await?
            .reply)
    }

    fn submit(&self, uid: Uuid, body: &[u8], now: Timestamp) {
        let Some(acquirer) = &self.acquirer else {
            return;
        };
        if let Ok((request, _)) = self.engine.parse_request(body, Some(now)) {
            acquirer.submit(uid, body, &request);
        }
    }

    /// Returns the time, and the record of the key if there is one. Without a merchant there is no
    /// record to look for.
    async fn look_up(
        &self,
        caller: &Caller<'_>,
        key: Option<&str>,
    ) -> Result<Lookup, StorageError> {
        let key = key
            .filter(|_| caller.merchant().is_some())
            .map(|key| caller.stored_key(key));
        self.storage
            .look_up(caller.merchant().unwrap_or_default(), key.as_deref())
            .await
    }

    async fn evaluate(
        &self,
        caller: &Caller<'_>,
        key: Option<&str>,
        body: &[u8],
        uid: Uuid,
        now: Timestamp,
        record: Option<&Record>,
    ) -> Result<Evaluation, StorageError> {
        let mut context = CreateContext::new(uid, now, caller.authorization());
        context.merchant_id = caller.merchant().map(Into::into);
        if !self.any_merchant_id {
            context.allowed_merchant_ids = caller.merchant().map(|merchant| vec![merchant.into()]);
        }
        context.url = self
            .url(uid)
            .and_then(|url| AbsoluteUri::try_from(Cow::from(url)).ok());
        if let Some(key) = key {
            let existing = match record {
                Some(record) => Some(IdempotencyRecord::new(
                    record.created_at,
                    &record.fingerprint,
                    Some(payment(&record.payment)?),
                )),
                None => None,
            };
            context.idempotency = Some(IdempotencyLookup::new(key, existing));
        }
        let mut evaluation = self.summarize(&self.engine.create_payment(body, &context), body, now);
        // Few requests name another merchant, so the others are not looked up for each.
        if let Some(merchant) = caller
            .merchant()
            .filter(|_| evaluation.names_another_merchant)
        {
            let mut ids = self.storage.merchant_ids(merchant).await?;
            ids.push(merchant.to_owned());
            context.allowed_merchant_ids = Some(ids.into_iter().map(Into::into).collect());
            evaluation = self.summarize(&self.engine.create_payment(body, &context), body, now);
        }
        // Only a payment in mode CRYPTO needs a rate, and only if it has no other problem.
        if evaluation.wants_quote
            && let Some(quote) = self.quote(body, now).await
        {
            context.quote = Some(quote);
            evaluation = self.summarize(&self.engine.create_payment(body, &context), body, now);
        }
        Ok(evaluation)
    }

    /// Copies the needed parts of an outcome, which borrows values that must not be held across the
    /// storage's await.
    fn summarize(&self, outcome: &Outcome, body: &[u8], now: Timestamp) -> Evaluation {
        for warning in outcome.warnings() {
            // An unknown name is text of the client, which is not logged.
            tracing::info!(
                code = warning.code().name(),
                path = warning.member(),
                "a request with a warning"
            );
        }
        let is_new = outcome.replayed() == Some(false);
        let request = is_new
            .then(|| self.engine.parse_request(body, Some(now)).ok())
            .flatten();
        Evaluation {
            reply: Reply::of(outcome),
            is_new,
            fingerprint: outcome.fingerprint().map(ToOwned::to_owned),
            callback: request.and_then(|(request, _)| {
                request.common().callback.as_deref().map(ToOwned::to_owned)
            }),
            names_another_merchant: outcome
                .problem()
                .and_then(|problem| problem.report())
                .is_some_and(|report| {
                    report
                        .violations()
                        .iter()
                        .any(|found| found.code() == Code::MerchantNotAllowed)
                }),
            wants_quote: outcome
                .problem()
                .is_some_and(|problem| problem.code() == ProblemCode::QuoteMissing),
        }
    }

    async fn quote(&self, body: &[u8], now: Timestamp) -> Option<Quote> {
        let currency = self
            .engine
            .parse_request(body, Some(now))
            .ok()?
            .0
            .common()
            .cur;
        match self.rates.quote(currency, now).await {
            Ok(quote) => quote,
            Err(error) => {
                tracing::warn!(%error, "no rate");
                None
            }
        }
    }
}

struct Evaluation {
    reply: Reply,
    /// To be stored.
    is_new: bool,
    fingerprint: Option<String>,
    callback: Option<String>,
    names_another_merchant: bool,
    wants_quote: bool,
}
