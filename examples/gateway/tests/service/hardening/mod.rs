//! What must not stop a gateway, and what strangers must not be able to do to it.

mod checkout;
mod clients;
mod clock;
mod deliveries;
mod disk;
mod log;
mod operators;
mod panics;
mod quotas;
mod rates;
mod secrets;
mod settings;
