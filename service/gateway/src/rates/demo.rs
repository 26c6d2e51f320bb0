//! Invented rates that always hold, for demonstrations.

use async_trait::async_trait;
use payspec::{Currency, Quote, Timestamp};

use super::document::Document;
use super::{RateError, RateSource};

/// The rates of `demo.json`, as of the time of the request, for demonstrations.
#[derive(Debug, Clone)]
pub struct DemoRates(Document);

impl Default for DemoRates {
    fn default() -> Self {
        Self(
            Document::parse(include_bytes!("demo.json"))
                .expect("a document of rates, checked by a test"),
        )
    }
}

#[async_trait]
impl RateSource for DemoRates {
    async fn quote(&self, currency: Currency, now: Timestamp) -> Result<Option<Quote>, RateError> {
        Ok(self.0.quote(currency, now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_the_demonstration_needs_is_there_and_fresh() {
        let now = "2026-11-20T10:15:30.25Z".parse().unwrap();
        for code in ["RUB", "USD", "EUR"] {
            let quote = DemoRates::default()
                .quote(code.parse().unwrap(), now)
                .await
                .unwrap()
                .unwrap();
            assert_eq!((quote.currency().code(), quote.as_of()), (code, Some(now)));
        }
        assert_eq!(
            DemoRates::default()
                .quote("ISK".parse().unwrap(), now)
                .await,
            Ok(None)
        );
    }
}
