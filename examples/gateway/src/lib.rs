//! The payment service of the specification: HTTP, storage, delivery. Every verdict is the library's.

mod outbound;
pub mod rates;
pub mod webhook;
