//! Attacks and faults that must not stop a gateway.

mod attacks;
mod checkout;
mod clients;
mod clock;
mod deliveries;
mod disk;
mod framing;
mod log;
mod memory;
mod networks;
mod operators;
mod page;
mod panics;
mod paths;
mod quotas;
mod rates;
mod secrets;
mod settings;
