//! The extension `payspec` of DuckDB: functions over columns of bodies, in every client of DuckDB.
//!
//! ```sql
//! LOAD 'payspec.duckdb_extension';
//! SELECT payspec_report(body) FROM 'requests/*.parquet' WHERE payspec_is_valid(body) IS DISTINCT FROM true;
//! ```
//!
//! | function | result |
//! |---|---|
//! | `payspec_is_valid(body[, policy[, now]])` | whether a creation request is valid |
//! | `payspec_report(body[, policy[, now]])` | its report; with `now`, expired cards are detected |
//! | `payspec_redact(body[, policy])` | the body, safe to log |
//! | `payspec_fingerprint(body[, policy])` | 64 hexadecimal digits, or NULL for a body that has no fingerprint |
//! | `payspec_migrate_payment(body[, policy])` | the answer of `upgrade_payment`, as JSON |
//! | `payspec_downgrade_payment(body[, policy])` | the answer of `downgrade_payment`, as JSON |
//!
//! All arguments are VARCHAR, the policy is JSON. The result is NULL if the body, the policy, or
//! the time is NULL, so `NOT payspec_is_valid(body)` omits such rows in a WHERE. A query with an
//! invalid policy or time fails; a body that is rejected has a result like any other. The bodies
//! are read where DuckDB stores them.

mod engines;
mod functions;
mod texts;

use duckdb::{Connection, duckdb_entrypoint_c_api};
use std::error::Error;

/// Adds the functions to a database when DuckDB loads the extension.
#[duckdb_entrypoint_c_api(ext_name = "payspec", min_duckdb_version = "v1.2.0")]
fn register(connection: Connection) -> Result<(), Box<dyn Error>> {
    Ok(functions::register(&connection)?)
}
