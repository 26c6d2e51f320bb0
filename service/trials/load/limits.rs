//! What the databases do without a service: the statements of one payment, one after the other,
//! with the same durability, and a handler that reads one row.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{Path as PathPart, State};
use axum::http::StatusCode;
use axum::routing::get;
use payspec::Uuid;
use sqlx_core::connection::Connection;
use sqlx_core::query::query;
use sqlx_core::query_scalar::query_scalar;
use sqlx_postgres::{PgPool, PgPoolOptions};
use sqlx_sqlite::{
    SqliteConnectOptions, SqliteConnection, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

use crate::{MERCHANT, Result, wrk};

/// The statements of one payment for PostgreSQL, with the variables of pgbench.
const POSTGRES: &str = include_str!("payment.pgbench.sql");

/// Returns the payments a second by pgbench, with as many connections as wrk has.
pub(crate) fn pgbench(database: &str, hash: &str, body: &str, seconds: u64) -> Result<f64> {
    let found = Command::new("pg_config").arg("--bindir").output()?;
    let program = Path::new(String::from_utf8(found.stdout)?.trim()).join("pgbench");
    let script = std::env::temp_dir().join(format!("gateway-load-{}.pgbench", std::process::id()));
    std::fs::write(&script, POSTGRES)?;
    let output = Command::new(program)
        .args(["--no-vacuum", "--protocol=prepared", "--jobs=2"])
        .args([
            format!("--client={}", wrk::CONNECTIONS),
            format!("--time={seconds}"),
        ])
        .args([
            format!("--define=hash={hash}"),
            format!("--define=merchant={MERCHANT}"),
        ])
        .args([
            format!("--define=body={body}"),
            format!("--define=fingerprint={hash}"),
        ])
        .arg(format!("--file={}", script.display()))
        .arg(database)
        .output()?;
    std::fs::remove_file(script)?;
    let text = String::from_utf8(output.stdout)?;
    let tps = text
        .lines()
        .find_map(|line| line.strip_prefix("tps = "))
        .and_then(|rest| rest.split(' ').next());
    let tps = tps.ok_or_else(|| format!("pgbench: {}", String::from_utf8_lossy(&output.stderr)))?;
    Ok(tps.parse()?)
}

/// Returns the payments a second by one connection of SQLite, which commits each.
pub(crate) fn sqlite(file: &str, hash: &str, body: &str, seconds: u64) -> Result<f64> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let options: SqliteConnectOptions = file.parse()?;
        // As the gateway opens it.
        let options =
            options.synchronous(SqliteSynchronous::Full).foreign_keys(true).busy_timeout(Duration::from_secs(10));
        let mut connection = SqliteConnection::connect_with(&options).await?;
        let (start, mut count) = (Instant::now(), 0_u32);
        while start.elapsed() < Duration::from_secs(seconds) {
            let (uid, key) = (Uuid::new_v4().to_string(), format!("bare-{}", Uuid::new_v4()));
            query(
                "SELECT id, tokens.merchant, unixepoch('subsec'), idempotency.created_at, first_body FROM tokens \
                 LEFT JOIN idempotency ON idempotency.merchant = tokens.merchant AND key = $2 \
                 WHERE hash = $1 AND revoked_at IS NULL",
            )
            .bind(hash)
            .bind(&key)
            .fetch_one(&mut connection)
            .await?;
            let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
            query(
                "INSERT INTO payments (uid, merchant, body, state, version, changed_at) \
                 SELECT $1, $2, $3, 'idle', 1, $4 \
                 WHERE NOT EXISTS (SELECT 1 FROM idempotency WHERE merchant = $2 AND key = $5)",
            )
            .bind(&uid)
            .bind(MERCHANT)
            .bind(body)
            .bind(i64::from(count))
            .bind(&key)
            .execute(&mut *transaction)
            .await?;
            query(
                "INSERT INTO idempotency (merchant, key, fingerprint, uid, first_body, created_at) \
                 VALUES ($1, $2, $3, $4, $5, $6)",
            )
            .bind(MERCHANT)
            .bind(&key)
            .bind(hash)
            .bind(&uid)
            .bind(body)
            .bind(i64::from(count))
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
            count += 1;
        }
        Ok(f64::from(count) / start.elapsed().as_secs_f64())
    })
}

/// Serves the body of a payment by its uid, and nothing else.
pub(crate) fn serve_rows(database: &str) -> Result<()> {
    const SELECT: &str = "SELECT body FROM payments WHERE uid = $1";
    macro_rules! rows {
        ($pool:ty, $options:ty) => {{
            async fn read(
                State(pool): State<$pool>,
                PathPart(uid): PathPart<String>,
            ) -> std::result::Result<String, StatusCode> {
                let found = query_scalar(SELECT).bind(uid).fetch_one(&pool).await;
                found.map_err(|_| StatusCode::NOT_FOUND)
            }
            // As many connections as the gateway has. A check of each connection before its use
            // would double the time.
            let options = <$options>::new()
                .max_connections(16)
                .test_before_acquire(false);
            Router::new()
                .route("/v1/payments/{uid}/status", get(read))
                .with_state(options.connect(database).await?)
        }};
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let router = if database.starts_with("sqlite:") {
            rows!(SqlitePool, SqlitePoolOptions)
        } else {
            rows!(PgPool, PgPoolOptions)
        };
        crate::server::announce(router).await
    })
}
