//! The schema, version by version. A released file is never changed; a change is a new file.

use std::borrow::Cow;

use super::sqlx::migrate::{Migration, MigrationType, Migrator};
use super::sqlx::{AssertSqlSafe, SqlSafeStr};

const FILES: [(i64, &str, &str); 13] = [
    (
        1,
        "schema",
        include_str!("../../migrations/0001_schema.sql"),
    ),
    (
        2,
        "secrets",
        include_str!("../../migrations/0002_secrets.sql"),
    ),
    (
        3,
        "balances",
        include_str!("../../migrations/0003_balances.sql"),
    ),
    (
        4,
        "readiness",
        include_str!("../../migrations/0004_readiness.sql"),
    ),
    (
        5,
        "fair_claims",
        include_str!("../../migrations/0005_fair_claims.sql"),
    ),
    (
        6,
        "retention",
        include_str!("../../migrations/0006_retention.sql"),
    ),
    (
        7,
        "merchant_ids",
        include_str!("../../migrations/0007_merchant_ids.sql"),
    ),
    (8, "keys", include_str!("../../migrations/0008_keys.sql")),
    (
        9,
        "operators",
        include_str!("../../migrations/0009_operators.sql"),
    ),
    (10, "clock", include_str!("../../migrations/0010_clock.sql")),
    (
        11,
        "stored_bytes",
        include_str!("../../migrations/0011_stored_bytes.sql"),
    ),
    (
        12,
        "checkout_sessions",
        include_str!("../../migrations/0012_checkout_sessions.sql"),
    ),
    (
        13,
        "profiles",
        include_str!("../../migrations/0013_profiles.sql"),
    ),
];

/// Returns the migrations in the dialect of a database: `serial` is its counting primary key.
pub(super) fn migrator(serial: &str) -> Migrator {
    let migration = |(version, name, sql): (i64, &'static str, &str)| {
        let sql = AssertSqlSafe(sql.replace("{serial}", serial)).into_sql_str();
        Migration::new(
            version,
            Cow::Borrowed(name),
            MigrationType::Simple,
            sql,
            false,
        )
    };
    Migrator {
        migrations: FILES.into_iter().map(migration).collect(),
        ..Migrator::DEFAULT
    }
}
