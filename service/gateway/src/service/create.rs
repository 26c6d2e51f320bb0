//! The operation of `POST /v1/payments/new`.

use std::borrow::Cow;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use payspec::{
    AbsoluteUri, Code, CreateContext, Currency, IdempotencyKey, IdempotencyLookup,
    IdempotencyRecord, Outcome, ProblemCode, Quote, Request, Timestamp, Uuid,
};

use super::{Caller, EarlyLookup, IdKind, Reply, Service, payment};
use crate::storage::{Created, Lookup, NewPayment, StorageError};

/// The most rounds of a request. If another request has taken the key, the second round reads its
/// record; a third one would need the record to vanish.
const ROUNDS: usize = 3;
/// The time for which a count of the waiting events of a merchant is used.
const COUNTED: Duration = Duration::from_secs(1);

impl Service {
    /// Creates a payment, or returns the problem of the request.
    ///
    /// `early` saves a query if the body has followed at once: it is the record of the same key,
    /// and recent.
    ///
    /// # Errors
    /// Returns an error if the storage cannot be used. The payment may be stored all the same, so a
    /// client with a key repeats the request.
    pub async fn create(
        &self,
        caller: &Caller<'_>,
        key: Option<&IdempotencyKey>,
        body: &[u8],
        early: Option<EarlyLookup>,
    ) -> Result<Reply, StorageError> {
        // The token decides ownership: the payment and its key belong to the token's merchant, even
        // if the body names a merchant_id that the operator has assigned to it, which the Payment
        // repeats (D28). Without a merchant the library answers 401 before any other check.
        let merchant = caller.merchant().unwrap_or_default();
        let stored_key = key.map(|key| caller.stored_key(key.as_str()));
        let request = self.engine.read_request(body);
        let mut early = early.map(|early| early.lookup);
        for _ in 0..ROUNDS {
            let lookup = match early.take() {
                Some(lookup) => lookup,
                None => self.look_up(caller, key).await?,
            };
            let uid = self.ids.next(IdKind::Payment);
            let outcome = self.evaluate(&request, caller, key, uid, &lookup).await?;
            log_warnings(&outcome);
            let reply = Reply::of(&outcome);
            if !outcome.must_be_stored() {
                self.observe(merchant, body, &lookup, &reply);
                return Ok(reply);
            }
            let typed = request.parse(Some(lookup.now)).ok();
            let typed = typed.as_ref().map(|(typed, _)| typed);
            let callback = typed.and_then(|typed| typed.common().callback.as_deref());
            if callback.is_some() {
                self.check_pending(merchant).await?;
            }
            let text = uid.to_string();
            let new = NewPayment {
                uid: &text,
                merchant,
                body: &reply.body,
                callback,
                steady: lookup.steady,
                idempotency: stored_key.as_deref().zip(outcome.fingerprint()),
            };
            self.usage.check(merchant, new.bytes()).await?;
            if let (Some(acquirer), Some(typed)) = (&self.acquirer, typed) {
                acquirer.submit(uid, body, typed);
            }
            match self.storage.create(new.clone()).await? {
                Created::Stored => {
                    self.usage.add(merchant, new.bytes());
                    self.observe(merchant, body, &lookup, &reply);
                    return Ok(reply);
                }
                Created::KeyTaken => tracing::debug!("another request had the key first"),
            }
        }
        Err(StorageError::Row("a key that is taken and not there"))
    }

    /// Compares the shadow policy for a request to which the rules were applied.
    fn observe(&self, merchant: &str, body: &[u8], lookup: &Lookup, reply: &Reply) {
        let is_examined = matches!(reply.status, 201 | 400 | 422 | 455) && !reply.replayed;
        if let Some(shadow) = self.shadow.as_ref().filter(|_| is_examined) {
            shadow.observe(merchant, body, lookup.now);
        }
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
                let many = self.outbox.pending_of(merchant, limit).await? >= limit;
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
        key: Option<&IdempotencyKey>,
    ) -> Result<Reply, StorageError> {
        // The library checks here too what precedes the body: a record older than the window is
        // answered with 409.
        let lookup = self.look_up(caller, key).await?;
        let request = self.engine.unread_request();
        let outcome = self
            .evaluate(&request, caller, key, Uuid::nil(), &lookup)
            .await?;
        Ok(Reply::of(&outcome))
    }

    /// Returns the time, and the record of the key if there is one. Without a merchant there is no
    /// record to look for.
    async fn look_up(
        &self,
        caller: &Caller<'_>,
        key: Option<&IdempotencyKey>,
    ) -> Result<Lookup, StorageError> {
        let key = key
            .filter(|_| caller.merchant().is_some())
            .map(|key| caller.stored_key(key.as_str()));
        self.storage
            .look_up(caller.merchant().unwrap_or_default(), key.as_deref())
            .await
    }

    /// Computes the response. The context is complete only after the library has reported what it
    /// lacks, so the request can be created more than once; its body is read once.
    async fn evaluate(
        &self,
        request: &Request<'_>,
        caller: &Caller<'_>,
        key: Option<&IdempotencyKey>,
        uid: Uuid,
        lookup: &Lookup,
    ) -> Result<Outcome, StorageError> {
        let mut context = CreateContext::new(uid, lookup.now, caller.authorization());
        context.merchant_id = caller.merchant().map(Into::into);
        context.allowed_merchant_ids = caller.merchant().map(|merchant| vec![merchant.into()]);
        context.url = self
            .url(uid)
            .and_then(|url| AbsoluteUri::try_from(Cow::from(url)).ok());
        if let Some(key) = key {
            let existing = match &lookup.record {
                Some(record) => Some(IdempotencyRecord::new(
                    record.created_at,
                    &record.fingerprint,
                    Some(payment(&record.payment)?),
                )),
                None => None,
            };
            context.idempotency = Some(IdempotencyLookup::new(key.clone(), existing));
        }
        let mut outcome = request.create(&context);
        // Few requests name another merchant, so the others are not looked up for each.
        if let Some(merchant) = caller.merchant()
            && names_another_merchant(&outcome)
        {
            let mut ids = self.storage.merchant_ids(merchant).await?;
            ids.push(merchant.to_owned());
            context.allowed_merchant_ids = Some(ids.into_iter().map(Into::into).collect());
            outcome = request.create(&context);
        }
        // Only a payment in mode CRYPTO needs a rate, and only if it has no other problem.
        if lacks_quote(&outcome)
            && let Some(currency) = request.currency_to_quote()
            && let Some(quote) = self.quote(currency, lookup.now).await
        {
            context.quote = Some(quote);
            outcome = request.create(&context);
        }
        Ok(outcome)
    }

    async fn quote(&self, currency: Currency, now: Timestamp) -> Option<Quote> {
        match self.rates.quote(currency, now).await {
            Ok(quote) => quote,
            Err(error) => {
                tracing::warn!(%error, "no rate");
                None
            }
        }
    }
}

fn log_warnings(outcome: &Outcome) {
    for warning in outcome.warnings() {
        // An unknown name is text of the client, which is not logged.
        tracing::info!(
            code = warning.code().name(),
            path = warning.member(),
            "a request with a warning"
        );
    }
}

/// Returns whether the body names a merchant that the context does not allow.
fn names_another_merchant(outcome: &Outcome) -> bool {
    outcome
        .problem()
        .and_then(|problem| problem.report())
        .is_some_and(|report| report.find(Code::MerchantNotAllowed).is_some())
}

fn lacks_quote(outcome: &Outcome) -> bool {
    outcome
        .problem()
        .is_some_and(|problem| problem.code() == ProblemCode::QuoteMissing)
}
