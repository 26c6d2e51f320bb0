//! The schema, version by version. A released file is never changed; a change is a new file.

use std::borrow::Cow;

use super::sqlx::migrate::{Migration, MigrationType, Migrator};
use super::sqlx::{AssertSqlSafe, SqlSafeStr};

const FILES: [(i64, &str, &str); 1] = [(
    1,
    "schema",
    include_str!("../../migrations/0001_schema.sql"),
)];

/// Returns the migrations in the dialect of a database, in which `serial` declares a counting primary
/// key.
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
