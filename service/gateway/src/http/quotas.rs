//! The limits of requests of one merchant and of one address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::response::Response;
use payspec::bearer_token;
use tokio::time::Instant;

use super::answer;
use super::header;
use crate::rate_limit::RateLimit;
use crate::service::Caller;
use crate::storage::TokenOwner;
use crate::token;

/// The limits. An absent one does not apply. They are counted in each gateway.
#[derive(Default)]
pub struct Quotas {
    by_merchant: Option<RateLimit<String>>,
    by_address: Option<RateLimit<IpAddr>>,
    /// The owners of tokens whose merchant is at its limit, with the end of its pause, by the hashes of
    /// the tokens. Without it, each request beyond the limit would cost the database a statement.
    refused: RwLock<HashMap<String, (TokenOwner, Instant)>>,
}

impl Quotas {
    /// Creates limits of requests a second, with twice as many at once. Zero disables a limit.
    pub fn new(merchant_rate: u32, address_rate: u32) -> Self {
        fn limit<K: std::hash::Hash + Eq + Clone>(rate: u32) -> Option<RateLimit<K>> {
            let rate = NonZeroU32::new(rate)?;
            Some(RateLimit::new(
                rate,
                rate.saturating_mul(NonZeroU32::MIN.saturating_add(1)),
            ))
        }
        Self {
            by_merchant: limit(merchant_rate),
            by_address: limit(address_rate),
            refused: RwLock::default(),
        }
    }

    /// Counts a request of an address. Returns the answer if there are too many.
    pub(super) fn address(&self, address: IpAddr) -> Option<Response> {
        let pause = self.by_address.as_ref()?.check(&address).err()?;
        Some(refuse("address", pause))
    }

    /// Returns the answer to a token whose merchant was at its limit, until the end of its pause.
    pub(super) fn token(&self, headers: &HeaderMap) -> Option<Response> {
        let refused = self.refused.read().unwrap_or_else(PoisonError::into_inner);
        if refused.is_empty() {
            return None;
        }
        let header = header::bytes(headers, AUTHORIZATION.as_str());
        let (owner, until) = refused.get(&token::hash(bearer_token(header.as_deref()).ok()?))?;
        let pause = until
            .checked_duration_since(Instant::now())
            .filter(|pause| !pause.is_zero())?;
        Caller::record(owner);
        Some(refuse("merchant", pause))
    }

    /// Counts a request of a merchant. Returns the answer if there are too many.
    pub(super) fn merchant(&self, caller: &Caller<'_>) -> Option<Response> {
        let owner = caller.owner()?;
        let pause = self.by_merchant.as_ref()?.check(&owner.name).err()?;
        if let Some(token) = caller.token() {
            let now = Instant::now();
            let mut refused = self.refused.write().unwrap_or_else(PoisonError::into_inner);
            refused.retain(|_, (_, until)| *until > now);
            refused.insert(token::hash(token), (owner.clone(), now + pause));
        }
        Some(refuse("merchant", pause))
    }
}

fn refuse(limit: &'static str, pause: Duration) -> Response {
    metrics::counter!("gateway_limited_total", "limit" => limit).increment(1);
    answer::too_many(pause)
}
