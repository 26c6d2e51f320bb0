//! `payspec sandbox`, a payment service to test merchants against, `payspec conform`, which examines
//! an implementation over HTTP, `payspec page check`, which examines a served checkout page, and the
//! proxy of `payspec observe`. The program `payspec` calls them.
#![forbid(unsafe_code)]

pub mod conform;
mod failure;
mod http_client;
mod interruption;
pub mod page_check;
mod profile;
pub mod proxy;
pub mod sandbox;

pub use axum::Router;
pub use axum::http::Method;
pub use failure::Failure;
