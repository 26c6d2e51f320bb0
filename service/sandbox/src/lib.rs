//! `payspec sandbox`, a payment service to test merchants against, and `payspec conform`, which
//! examines an implementation over HTTP. The program `payspec` calls both.
#![forbid(unsafe_code)]

pub mod conform;
mod failure;
pub mod sandbox;

pub use failure::Failure;
