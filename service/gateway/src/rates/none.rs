//! The absence of rates: payments in mode CRYPTO are answered with 455 `quote_missing`.

use async_trait::async_trait;
use payspec::{Currency, Quote, Timestamp};

use super::{RateError, RateSource};

/// The source of a gateway without rates.
#[derive(Debug, Clone, Copy)]
pub struct NoRates;

#[async_trait]
impl RateSource for NoRates {
    async fn quote(&self, _: Currency, _: Timestamp) -> Result<Option<Quote>, RateError> {
        Ok(None)
    }
}
