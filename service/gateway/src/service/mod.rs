//! The operations of the gateway, without HTTP: it passes time, uid, rate, and records to the
//! library and stores its answers.

mod advance;
mod balance;
mod create;
mod shadow;
mod view;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use payspec::{
    Authorization, CreateRequest, Currency, Engine, IdempotencyKey, Outcome, ReadContext,
    StoredPayment, Uuid, bearer_token,
};
use tokio::sync::Notify;

use crate::rates::RateSource;
use crate::storage::{CheckoutSession, Lookup, Outbox, Payments, Record, StorageError, TokenOwner};
use crate::token;
use crate::usage::Usage;

pub use advance::{AdvanceResult, AuditedActor, Change};
pub use shadow::ShadowPolicy;
pub use view::ViewKey;

/// An answer of the library, as it is sent.
#[derive(Clone, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body, to the byte.
    pub body: String,
    /// The value of WWW-Authenticate, with a 401.
    pub challenge: Option<&'static str>,
    /// Whether the body is the first answer to the same key.
    pub replayed: bool,
}

impl Reply {
    pub(crate) fn of(outcome: &Outcome) -> Self {
        Reply {
            status: outcome.status(),
            body: outcome.body_json(),
            challenge: outcome.www_authenticate(),
            replayed: outcome.replayed() == Some(true),
        }
    }
}

/// The client of a request.
#[derive(Clone)]
pub struct Caller<'a> {
    /// The Authorization header. The page has none, and is `trusted`.
    header: Option<&'a [u8]>,
    /// The token and its merchant, to which the payments of the token belong.
    owner: Option<TokenOwner>,
    trusted: bool,
    /// The prefix of stored keys. Visitors of the page and clients of the merchant have keys of their
    /// own.
    key_space: &'static str,
}

/// The prefix of keys of the page. No key of a client contains a space.
const PAGE_KEYS: &str = "checkout ";

impl<'a> Caller<'a> {
    /// Returns the client with a header, whose token has an owner if it is valid. Lines of the log
    /// for the request name it.
    fn of_token(header: Option<&'a [u8]>, owner: Option<TokenOwner>) -> Self {
        if let Some(owner) = &owner {
            Self::record(owner);
        }
        Caller {
            header,
            owner,
            trusted: false,
            key_space: "",
        }
    }

    /// Adds the owner of a token to the lines of the log for the request.
    pub(crate) fn record(owner: &TokenOwner) {
        tracing::record_all!(
            tracing::Span::current(),
            merchant = owner.name,
            token = owner.id
        );
    }

    /// Returns the checkout page of this gateway, which acts for the merchant of a session without a
    /// token.
    pub fn page(merchant: &str) -> Self {
        let owner = TokenOwner {
            id: String::new(),
            name: merchant.to_owned(),
        };
        Caller {
            header: None,
            owner: Some(owner),
            trusted: true,
            key_space: PAGE_KEYS,
        }
    }

    /// Returns the merchant of the token, if it is valid. Only this merchant's payments can be
    /// read.
    pub fn merchant(&self) -> Option<&str> {
        self.owner().map(|owner| owner.name.as_str())
    }

    /// Returns the token of the request, whether it is valid or not.
    pub(crate) fn token(&self) -> Option<&'a str> {
        bearer_token(self.header).ok()
    }

    /// Returns the owner of the token, if it is valid.
    pub(crate) fn owner(&self) -> Option<&TokenOwner> {
        self.owner.as_ref()
    }

    /// Returns the key as it is stored.
    fn stored_key<'k>(&self, key: &'k str) -> Cow<'k, str> {
        if self.key_space.is_empty() {
            Cow::Borrowed(key)
        } else {
            Cow::Owned(format!("{}{key}", self.key_space))
        }
    }

    fn authorization(&self) -> Authorization<'a> {
        if self.trusted {
            Authorization::CheckedByCaller
        } else {
            Authorization::Header {
                value: self.header.map(Cow::Borrowed),
                accepted: self.owner.is_some(),
            }
        }
    }
}

/// The time and the record of a key, which came with the merchant of the token.
pub struct EarlyLookup {
    lookup: Lookup,
    /// The time just before the look-up.
    at: Instant,
}

impl EarlyLookup {
    /// The greatest age of a look-up that is used. A request has its time when it is evaluated, so
    /// a body that takes longer needs a new look-up.
    const RECENT: Duration = Duration::from_millis(100);

    /// Returns whether the look-up is recent enough to evaluate a request.
    pub fn is_recent(&self) -> bool {
        self.at.elapsed() < Self::RECENT
    }
}

/// The purpose of an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdKind {
    /// The uid of a payment.
    Payment,
    /// An event of a payment.
    Event,
    /// A checkout session.
    Session,
    /// A request, in the log and in its answer.
    Request,
}

/// The source of new identifiers.
pub trait Ids: Send + Sync {
    /// Returns an identifier that no other call returns.
    fn next(&self, kind: IdKind) -> Uuid;
}

/// Random identifiers.
pub struct RandomIds;

impl Ids for RandomIds {
    fn next(&self, _: IdKind) -> Uuid {
        Uuid::new_v4()
    }
}

/// The counterpart that processes payments. Without one, operators advance them.
pub trait Acquirer: Send + Sync {
    /// Submits a payment, just before it is stored. If its key turns out to be taken, it is never
    /// stored.
    fn submit(&self, uid: Uuid, body: &[u8], request: &CreateRequest<'_>);
}

/// The parts of a gateway without HTTP.
pub struct Service {
    /// The rules and the policy.
    pub engine: Arc<Engine>,
    /// Payments, keys, sessions, and balances.
    pub storage: Arc<dyn Payments>,
    /// The events that wait.
    pub outbox: Arc<dyn Outbox>,
    /// The prices of 1 USDT.
    pub rates: Arc<dyn RateSource>,
    /// The currency of the balance that is read; other currencies follow it.
    pub balance_currency: Currency,
    /// The address of the page of a payment. The uid is added, and a proof that the payer has the
    /// address from the merchant.
    pub page_url: Option<String>,
    /// The key of these proofs. Without it, addresses have no proof.
    pub view_key: Option<ViewKey>,
    /// Events of one merchant that may wait; beyond it, payments with a callback are not stored. 0
    /// disables the limit.
    pub pending_events: u32,
    /// The time of the last count of a merchant's events, and whether they were as many as may wait.
    pending: Mutex<HashMap<String, (Instant, bool)>>,
    /// The bytes that merchants store, and their limit.
    pub usage: Arc<Usage>,
    /// Wakes the outbox's worker.
    pub events: Notify,
    /// The source of identifiers.
    pub ids: Arc<dyn Ids>,
    /// The acquirer of new payments.
    pub acquirer: Option<Arc<dyn Acquirer>>,
    /// A policy that is compared with the one in use.
    pub shadow: Option<ShadowPolicy>,
}

impl Service {
    /// Creates a service from its parts.
    pub fn new(
        engine: impl Into<Arc<Engine>>,
        storage: Arc<dyn Payments>,
        outbox: Arc<dyn Outbox>,
        rates: Arc<dyn RateSource>,
        balance_currency: Currency,
        page_url: Option<String>,
    ) -> Self {
        Service {
            engine: engine.into(),
            storage,
            outbox,
            rates,
            balance_currency,
            page_url,
            view_key: None,
            pending_events: 0,
            pending: Mutex::default(),
            usage: Arc::default(),
            events: Notify::new(),
            ids: Arc::new(RandomIds),
            acquirer: None,
            shadow: None,
        }
    }

    /// Returns the largest size of a body in bytes.
    pub fn body_limit(&self) -> usize {
        usize::try_from(self.engine.policy().limits.body_bytes).unwrap_or(usize::MAX - 1)
    }

    /// Finds the merchant of an Authorization header.
    ///
    /// # Errors
    /// Returns an error if the storage cannot be used.
    pub async fn caller<'a>(&self, header: Option<&'a [u8]>) -> Result<Caller<'a>, StorageError> {
        let owner = match bearer_token(header) {
            Ok(token) => self.storage.token_owner(&token::hash(token)).await?,
            Err(_) => None,
        };
        Ok(Caller::of_token(header, owner))
    }

    /// The same, with the record of a key, for [`create`](Self::create).
    ///
    /// # Errors
    /// Returns an error if the storage cannot be used.
    pub async fn caller_with_record<'a>(
        &self,
        header: Option<&'a [u8]>,
        key: Option<&IdempotencyKey>,
    ) -> Result<(Caller<'a>, Option<EarlyLookup>), StorageError> {
        let Ok(token) = bearer_token(header) else {
            return Ok((Caller::of_token(header, None), None));
        };
        // The keys of clients are stored as they are.
        let at = Instant::now();
        let (owner, lookup) = self
            .storage
            .look_up_by_token(&token::hash(token), key.map(IdempotencyKey::as_str))
            .await?;
        Ok((
            Caller::of_token(header, owner),
            Some(EarlyLookup { lookup, at }),
        ))
    }

    /// The same, with the stored body of a payment of the merchant, for
    /// [`answer_read`](Self::answer_read).
    ///
    /// # Errors
    /// Returns an error if the storage cannot be used.
    pub async fn caller_with_payment<'a>(
        &self,
        header: Option<&'a [u8]>,
        uid: &str,
    ) -> Result<(Caller<'a>, Option<String>), StorageError> {
        let found = match bearer_token(header) {
            Ok(token) => {
                self.storage
                    .payment_by_token(&token::hash(token), stored_uid(uid).as_deref())
                    .await?
            }
            Err(_) => None,
        };
        let (owner, body) = found.unzip();
        Ok((Caller::of_token(header, owner), body.flatten()))
    }

    /// Returns the record of a checkout session's payment, whose key is the id of the session.
    ///
    /// # Errors
    /// Returns an error if the storage cannot be used.
    pub async fn session_record(
        &self,
        session: &CheckoutSession,
    ) -> Result<Option<Record>, StorageError> {
        let key = Caller::page(&session.merchant)
            .stored_key(&session.id)
            .into_owned();
        Ok(self
            .storage
            .look_up(&session.merchant, Some(&key))
            .await?
            .record)
    }

    /// Returns where the payer finds a payment, if there is a page.
    fn url(&self, uid: Uuid) -> Option<String> {
        let page = self.page_url.as_ref()?;
        let view = self
            .view_key
            .as_ref()
            .map(|key| format!("?view={}", key.view(&uid.to_string())));
        Some(format!("{page}{uid}{}", view.unwrap_or_default()))
    }

    /// Finds the merchant of a payment for a payer who has its `url`.
    ///
    /// # Errors
    /// Returns an error if the storage cannot be used.
    pub async fn merchant_of_view(
        &self,
        uid: &str,
        view: &str,
    ) -> Result<Option<String>, StorageError> {
        let uid = stored_uid(uid);
        let Some(uid) = uid.filter(|uid| {
            self.view_key
                .as_ref()
                .is_some_and(|key| key.is_view(uid, view))
        }) else {
            return Ok(None);
        };
        Ok(self
            .storage
            .payment(&uid)
            .await?
            .map(|payment| payment.merchant))
    }

    /// Reads a payment for a caller that is known.
    ///
    /// # Errors
    /// Returns an error if the storage cannot be used.
    pub async fn read(&self, caller: &Caller<'_>, uid: &str) -> Result<Reply, StorageError> {
        let stored = match (caller.merchant(), stored_uid(uid)) {
            (Some(merchant), Some(uid)) => self
                .storage
                .payment(&uid)
                .await?
                .filter(|payment| payment.merchant == merchant),
            _ => None,
        };
        self.answer_read(
            caller,
            uid,
            stored.as_ref().map(|stored| stored.body.as_str()),
        )
    }

    /// `GET /v1/payments/{uid}/status`, with the stored body of the caller's payment. A payment
    /// that another merchant's token created is 404, even if its `merchant_id` is the caller's.
    ///
    /// # Errors
    /// Returns an error if the stored payment cannot be read.
    pub fn answer_read(
        &self,
        caller: &Caller<'_>,
        uid: &str,
        body: Option<&str>,
    ) -> Result<Reply, StorageError> {
        let context = ReadContext::new(uid, body.map(payment).transpose()?, caller.authorization())
            .map_err(|_| StorageError::Row("a payment with another uid"))?;
        Ok(Reply::of(&self.engine.read_payment(&context)))
    }
}

/// Returns the stored form of a uid, if the text is one.
fn stored_uid(uid: &str) -> Option<String> {
    // 36 characters: the parser would take other notations too, which the library calls no uid.
    let parsed = Uuid::try_parse(uid).ok().filter(|_| uid.len() == 36)?;
    Some(parsed.hyphenated().to_string())
}

/// Returns a stored body as a payment of the library.
fn payment(body: &str) -> Result<StoredPayment<'_>, StorageError> {
    StoredPayment::try_from(body)
        .map_err(|_| StorageError::Row("a payment that is not a JSON object with a uid"))
}
