//! How much of the gateway one merchant or one address may use.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use axum::response::Response;

use super::answer;
use crate::rate_limit::RateLimit;
use crate::service::Caller;

/// The limits. An absent one does not apply. They are counted in each gateway.
#[derive(Default)]
pub struct Quotas {
    by_merchant: Option<RateLimit<String>>,
    by_address: Option<RateLimit<IpAddr>>,
}

impl Quotas {
    /// Requests a second of one merchant and of one address, and twice as many at once. Zero disables a limit.
    pub fn new(merchant_rate: u32, address_rate: u32) -> Self {
        fn limit<K: std::hash::Hash + Eq + Clone>(rate: u32) -> Option<RateLimit<K>> {
            let rate = NonZeroU32::new(rate)?;
            Some(RateLimit::new(rate, rate.saturating_mul(NonZeroU32::MIN.saturating_add(1))))
        }
        Self { by_merchant: limit(merchant_rate), by_address: limit(address_rate) }
    }

    /// Counts a request of an address; returns the answer if there are too many.
    pub(super) fn address(&self, address: IpAddr) -> Option<Response> {
        let pause = self.by_address.as_ref()?.check(&address).err()?;
        Some(refuse("address", pause))
    }

    /// Counts a request of a merchant; returns the answer if there are too many.
    pub(super) fn merchant(&self, caller: &Caller<'_>) -> Option<Response> {
        let merchant = caller.merchant()?;
        let pause = self.by_merchant.as_ref()?.check(&merchant.to_owned()).err()?;
        Some(refuse("merchant", pause))
    }
}

fn refuse(limit: &'static str, pause: Duration) -> Response {
    metrics::counter!("gateway_limited_total", "limit" => limit).increment(1);
    answer::too_many(pause)
}
