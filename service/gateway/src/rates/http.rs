//! Rates over HTTP, within a time and a size, kept for a while.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use payspec::{Currency, Quote, Timestamp};
use reqwest::{Client, Response, StatusCode, Url};

use super::cache::{Cache, Fetch};
use super::document::{Document, MAX_BYTES};
use super::{RateError, RateSource};
use crate::outbound::{self, Timeouts};

/// A server of rates.
#[derive(Clone)]
pub struct HttpRatesConfig {
    /// Answers GET with a document of rates (see `document`).
    pub url: Url,
    /// The longest time of an answer. A payment waits for it if there are no rates yet.
    pub timeouts: Timeouts,
    /// The time for which rates are used before they are requested again, far less than the policy's
    /// `crypto.max_quote_age_ms`.
    pub max_age: Duration,
    /// The pause after a failure of the server.
    pub pause: Duration,
}

impl HttpRatesConfig {
    /// Returns the usual times: answers within 2 s, kept for 10 s, 5 s of rest after a failure.
    pub fn new(url: Url) -> Self {
        let timeouts = Timeouts {
            connect: Duration::from_secs(1),
            total: Duration::from_secs(2),
        };
        Self {
            url,
            timeouts,
            max_age: Duration::from_secs(10),
            pause: Duration::from_secs(5),
        }
    }
}

// An API key may be in the address.
impl fmt::Debug for HttpRatesConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRatesConfig")
            .field("host", &self.url.host_str())
            .field("timeouts", &self.timeouts)
            .field("max_age", &self.max_age)
            .field("pause", &self.pause)
            .finish()
    }
}

/// The rates of a server. While it cannot be reached, the last ones are returned with their time.
pub struct HttpRates(Cache<Source>);

struct Source {
    client: Client,
    url: Url,
}

impl HttpRates {
    /// Rates of a server. The first request is made when the first rate is needed.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be set up.
    pub fn new(config: HttpRatesConfig) -> Result<Self, RateError> {
        let client = outbound::client(config.timeouts)
            .build()
            .map_err(|_| RateError::Client)?;
        Ok(Self(Cache::new(
            Source {
                client,
                url: config.url,
            },
            config.max_age,
            config.pause,
        )))
    }
}

#[async_trait]
impl RateSource for HttpRates {
    async fn quote(&self, currency: Currency, now: Timestamp) -> Result<Option<Quote>, RateError> {
        self.0.quote(currency, now).await
    }
}

#[async_trait]
impl Fetch for Source {
    async fn fetch(&self) -> Result<Document, RateError> {
        let response = self
            .client
            .get(self.url.clone())
            .send()
            .await
            .map_err(|error| failure(&error))?;
        if response.status() != StatusCode::OK {
            return Err(RateError::Status(response.status().as_u16()));
        }
        Document::parse(&body(response).await?)
    }
}

/// Reads the body, if it is within bounds. Its Content-Length is not trusted.
async fn body(mut response: Response) -> Result<Vec<u8>, RateError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failure(&error))? {
        if bytes.len() + chunk.len() > MAX_BYTES {
            return Err(RateError::TooLarge(MAX_BYTES));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Returns a word for an error of the client, whose text contains the address.
fn failure(error: &reqwest::Error) -> RateError {
    RateError::Server(if error.is_timeout() {
        "it took too long"
    } else if error.is_connect() {
        "no connection could be made"
    } else {
        "the connection broke"
    })
}

impl fmt::Debug for HttpRates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRates").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
