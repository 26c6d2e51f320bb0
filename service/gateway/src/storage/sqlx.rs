//! The used part of sqlx, under the names of the crate `sqlx`. That crate itself would bring the
//! crates of MySQL into the lock file.

pub(super) use sqlx_core::connection::Connection;
pub(super) use sqlx_core::database::Database;
pub(super) use sqlx_core::error::Error;
pub(super) use sqlx_core::migrate;
pub(super) use sqlx_core::pool::{self, Pool};
pub(super) use sqlx_core::query::{self, query};
pub(super) use sqlx_core::query_as::query_as;
pub(super) use sqlx_core::query_scalar::query_scalar;
pub(super) use sqlx_core::sql_str::{AssertSqlSafe, SqlSafeStr};
pub(super) use sqlx_postgres::{self as postgres, Postgres};
pub(super) use sqlx_sqlite::{self as sqlite, Sqlite};
