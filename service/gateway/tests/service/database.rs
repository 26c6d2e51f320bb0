//! A fresh database for each test, and a look into it that does not go through the gateway.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use sqlx_core::connection::{ConnectOptions, Connection};
use sqlx_core::query::query;
use sqlx_core::row::Row;
use sqlx_core::sql_str::AssertSqlSafe;
use sqlx_postgres::PgConnection;
use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection};
use tempfile::TempDir;

use crate::postgres;

/// How long a server may take for a query.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(30);

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// A database. A file is deleted with its owner.
pub(crate) struct Database {
    pub(crate) url: String,
    /// How long a query is repeated, if the server may be replaced meanwhile.
    retry_for: Duration,
    _folder: Option<TempDir>,
}

impl Database {
    pub(crate) fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self {
            url: format!("sqlite:{}/gateway.db", folder.path().display()),
            retry_for: Duration::ZERO,
            _folder: Some(folder),
        }
    }

    /// Returns an existing database.
    pub(crate) fn at(url: &str) -> Self {
        Self::with_retries(url, Duration::ZERO)
    }

    /// Returns a database whose server may be replaced: queries are repeated for this time.
    pub(crate) fn with_retries(url: &str, retry_for: Duration) -> Self {
        Self {
            url: url.to_owned(),
            retry_for,
            _folder: None,
        }
    }

    pub(crate) async fn postgres() -> Self {
        let server = tokio::task::spawn_blocking(postgres::address)
            .await
            .unwrap();
        let name = format!("test{}", NUMBER.fetch_add(1, Ordering::SeqCst));
        let mut connection = PgConnection::connect(&format!("{server}/postgres"))
            .await
            .unwrap();
        query(AssertSqlSafe(format!("CREATE DATABASE {name}")))
            .execute(&mut connection)
            .await
            .unwrap();
        Self::at(&format!("{server}/{name}"))
    }

    /// One of each kind.
    pub(crate) async fn both() -> [Self; 2] {
        [Self::sqlite(), Self::postgres().await]
    }

    pub(crate) fn is_sqlite(&self) -> bool {
        self.url.starts_with("sqlite:")
    }

    /// Changes rows, and returns their number.
    pub(crate) async fn execute(&self, statement: &str) -> u64 {
        if self.is_sqlite() {
            let mut connection = self.file().await;
            query(AssertSqlSafe(statement))
                .execute(&mut connection)
                .await
                .unwrap()
                .rows_affected()
        } else {
            let mut connection = PgConnection::connect(&self.url).await.unwrap();
            query(AssertSqlSafe(statement))
                .execute(&mut connection)
                .await
                .unwrap()
                .rows_affected()
        }
    }

    /// All texts of the first column.
    pub(crate) async fn texts(&self, text: &str) -> Vec<String> {
        if self.is_sqlite() {
            let mut connection = self.file().await;
            let rows = query(AssertSqlSafe(text))
                .fetch_all(&mut connection)
                .await
                .unwrap();
            rows.iter().map(|row| row.get(0)).collect()
        } else {
            let start = Instant::now();
            loop {
                match tokio::time::timeout(STATEMENT_TIMEOUT, fetch(&self.url, text)).await {
                    Ok(Ok(texts)) => return texts,
                    error => assert!(start.elapsed() < self.retry_for, "{text}: {error:?}"),
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }

    /// How SQLite would run a query.
    pub(crate) async fn plan(&self, text: &str) -> Vec<String> {
        let rows = query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {text}")))
            .fetch_all(&mut self.file().await)
            .await
            .unwrap();
        rows.iter().map(|row| row.get("detail")).collect()
    }

    /// A number.
    pub(crate) async fn count(&self, number: &str) -> i64 {
        let text = format!("SELECT CAST(n AS TEXT) FROM ({number}) AS counted(n)");
        let text = if self.is_sqlite() {
            format!("SELECT CAST(({number}) AS TEXT)")
        } else {
            text
        };
        self.texts(&text).await[0].parse().unwrap()
    }

    /// Waits until a query returns a number.
    pub(crate) async fn wait(&self, query: &str, number: i64) {
        let start = Instant::now();
        while self.count(query).await != number {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "never {number}: {query}"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Keeps everybody from writing payments until it is dropped.
    pub(crate) async fn block(&self) -> Box<dyn std::any::Any + Send> {
        if self.is_sqlite() {
            let mut connection = self.file().await;
            query("BEGIN IMMEDIATE")
                .execute(&mut connection)
                .await
                .unwrap();
            Box::new(connection)
        } else {
            let mut connection = PgConnection::connect(&self.url).await.unwrap();
            query("BEGIN").execute(&mut connection).await.unwrap();
            query("LOCK TABLE payments IN SHARE MODE")
                .execute(&mut connection)
                .await
                .unwrap();
            Box::new(connection)
        }
    }

    async fn file(&self) -> SqliteConnection {
        let options: SqliteConnectOptions = self.url.parse().unwrap();
        options
            .busy_timeout(Duration::from_secs(10))
            .connect()
            .await
            .unwrap()
    }
}

/// All texts of the first column.
async fn fetch(url: &str, text: &str) -> sqlx_core::Result<Vec<String>> {
    let mut connection = PgConnection::connect(url).await?;
    let rows = query(AssertSqlSafe(text))
        .fetch_all(&mut connection)
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}
