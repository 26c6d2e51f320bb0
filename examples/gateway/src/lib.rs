//! The payment service of the specification: HTTP, storage, delivery. Every verdict is the library's.

pub mod demo;
pub mod http;
pub mod outbox;
mod outbound;
pub mod rates;
pub mod service;
pub mod storage;
pub mod token;
pub mod webhook;
