//! Rates for payments in mode CRYPTO: the price of 1 USDT, and its time.
//!
//! The age of a rate is not checked here. The rate is passed to the library with its timestamp, and the
//! library answers 455 `quote_stale`. So if a source cannot be reached, its last rates are
//! used, and the error is logged.

mod cache;
mod demo;
mod document;
mod file;
mod http;
mod none;

use async_trait::async_trait;
use payspec::{Currency, Quote, Timestamp};

pub use demo::DemoRates;
pub use file::FileRates;
pub use http::{HttpRates, HttpRatesConfig};
pub use none::NoRates;

/// A source of rates.
#[async_trait]
pub trait RateSource: Send + Sync {
    /// Returns the price of 1 USDT in a currency, if the source has one. `now` is the time of the
    /// request.
    ///
    /// # Errors
    /// The source has never given any rates, and cannot now.
    async fn quote(&self, currency: Currency, now: Timestamp) -> Result<Option<Quote>, RateError>;
}

/// The reason why there are no rates.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RateError {
    /// The file cannot be read.
    #[error("the file of rates cannot be read: {0}")]
    File(std::io::ErrorKind),
    /// The server cannot be reached.
    #[error("the server of rates gave no answer: {0}")]
    Server(&'static str),
    /// The answer of the server is not a success.
    #[error("the server of rates answered {0}")]
    Status(u16),
    /// The document is too large.
    #[error("the document of rates is over {0} bytes")]
    TooLarge(usize),
    /// The text is not a document of rates.
    #[error("not a document of rates: {0}")]
    Document(String),
    /// The HTTP client cannot be made.
    #[error(
        "the HTTP client for rates cannot be made: are the system's CA certificates installed?"
    )]
    Client,
}
