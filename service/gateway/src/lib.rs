//! The payment service of the specification: HTTP, storage, and delivery. The library decides about
//! every request.

pub mod clock;
pub mod http;
pub mod memory;
pub mod metrics;
pub mod outbound;
pub mod outbox;
pub mod rate_limit;
pub mod rates;
pub mod retention;
pub mod secret_keys;
pub mod service;
pub mod simulator;
pub mod storage;
pub mod system;
pub mod token;
pub mod usage;
pub mod webhook;
