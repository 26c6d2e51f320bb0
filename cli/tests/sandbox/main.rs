//! Tests of `payspec sandbox`, `payspec conform`, and `payspec page`, as a merchant uses them: over HTTP, and
//! without a pause.

/// The PostgreSQL of the tests need not survive a crash.
const FSYNC: &str = "off";

mod access;
mod bad_input;
mod conformance;
mod console;
mod deliveries;
mod faults;
mod http;
mod limits;
#[cfg(feature = "mcp")]
mod mcp;
mod memory;
mod observe;
mod page_check;
mod pages;
mod parallel;
mod port;
#[path = "../../../service/gateway/tests/service/postgres.rs"]
mod postgres;
mod process;
#[path = "../../../service/gateway/tests/service/process_memory.rs"]
mod process_memory;
mod receiver;
mod repetition;
mod scenarios;
mod storage;
mod wrong_server;
