//! Rates from a file, read again when it changes.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use payspec::{Currency, Quote, Timestamp};
use tokio::fs::File;
use tokio::io::AsyncReadExt;

use super::cache::{Cache, Fetch};
use super::document::{Document, MAX_BYTES};
use super::{RateError, RateSource};

/// The time after which the file is read again. Watching it would not work on every file system.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The rates of a JSON file (see `document`).
///
/// The rates of a file without `as_of` hold as of its last reading. If it can no longer be read, they
/// grow old, and the library refuses them.
pub struct FileRates(Cache<Source>);

struct Source(PathBuf);

impl FileRates {
    /// Reads the rates of a file at once, so that a mistake is reported at the start.
    ///
    /// # Errors
    /// Returns an error if there is no file, or if it is not a document of rates.
    pub async fn open(path: &Path) -> Result<Self, RateError> {
        let source = Source(path.to_owned());
        source.fetch().await?;
        Ok(Self(Cache::new(source, LOOK_EVERY, LOOK_EVERY)))
    }
}

#[async_trait]
impl RateSource for FileRates {
    async fn quote(&self, currency: Currency, now: Timestamp) -> Result<Option<Quote>, RateError> {
        self.0.quote(currency, now).await
    }
}

#[async_trait]
impl Fetch for Source {
    async fn fetch(&self) -> Result<Document, RateError> {
        let file = File::open(&self.0)
            .await
            .map_err(|error| RateError::File(error.kind()))?;
        let mut bytes = Vec::new();
        // One byte over the limit shows that there are too many.
        let bound = MAX_BYTES as u64 + 1;
        file.take(bound)
            .read_to_end(&mut bytes)
            .await
            .map_err(|error| RateError::File(error.kind()))?;
        Document::parse(&bytes)
    }
}

impl fmt::Debug for FileRates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileRates").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    async fn ask(rates: &FileRates, now: &str) -> (String, Timestamp) {
        let quote = rates
            .quote("RUB".parse().unwrap(), at(now))
            .await
            .unwrap()
            .unwrap();
        (quote.rate().to_string(), quote.as_of().unwrap())
    }

    #[tokio::test]
    async fn a_change_is_seen_and_a_broken_file_lets_the_rates_grow_old() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rates.json");
        fs::write(&path, r#"{"per_usdt":{"RUB":"92.45"}}"#).unwrap();
        let rates = FileRates::open(&path).await.unwrap();
        assert_eq!(
            ask(&rates, "2026-11-20T10:00:00Z").await,
            ("92.45".into(), at("2026-11-20T10:00:00Z"))
        );

        // Of the same length and within the same moment: what a look at size and time would miss.
        fs::write(&path, r#"{"per_usdt":{"RUB":"92.46"}}"#).unwrap();
        assert_eq!(
            ask(&rates, "2026-11-20T10:00:01Z").await.0,
            "92.45",
            "not looked at for a second"
        );
        tokio::time::sleep(LOOK_EVERY).await;
        assert_eq!(
            ask(&rates, "2026-11-20T10:00:02Z").await,
            ("92.46".into(), at("2026-11-20T10:00:02Z"))
        );

        fs::write(&path, r#"{"per_usdt":{"RUB":92.47}}"#).unwrap();
        tokio::time::sleep(LOOK_EVERY).await;
        assert_eq!(
            ask(&rates, "2026-11-20T11:00:00Z").await,
            ("92.46".into(), at("2026-11-20T10:00:02Z"))
        );
        fs::remove_file(&path).unwrap();
        tokio::time::sleep(LOOK_EVERY).await;
        assert_eq!(
            ask(&rates, "2026-11-20T12:00:00Z").await,
            ("92.46".into(), at("2026-11-20T10:00:02Z"))
        );

        fs::write(
            &path,
            r#"{"as_of":"2026-11-20T00:00:00Z","per_usdt":{"RUB":"92.48"}}"#,
        )
        .unwrap();
        tokio::time::sleep(LOOK_EVERY).await;
        assert_eq!(
            ask(&rates, "2026-11-20T13:00:00Z").await,
            ("92.48".into(), at("2026-11-20T00:00:00Z"))
        );
    }

    #[tokio::test]
    async fn a_mistake_is_seen_at_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rates.json");
        assert_eq!(
            FileRates::open(&path).await.unwrap_err(),
            RateError::File(std::io::ErrorKind::NotFound)
        );
        fs::write(&path, "RUB: 92.45").unwrap();
        assert!(matches!(
            FileRates::open(&path).await,
            Err(RateError::Document(_))
        ));
        fs::write(&path, " ".repeat(MAX_BYTES + 1)).unwrap();
        assert_eq!(
            FileRates::open(&path).await.unwrap_err(),
            RateError::TooLarge(MAX_BYTES)
        );
    }
}
