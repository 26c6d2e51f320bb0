//! `payspec sandbox`, a payment service to test merchants against, `payspec conform`, which examines
//! an implementation over HTTP, and `payspec page check`, which examines a served checkout page. The
//! program `payspec` calls them.
#![forbid(unsafe_code)]

pub mod conform;
mod failure;
mod http_client;
pub mod page_check;
pub mod sandbox;

pub use failure::Failure;
