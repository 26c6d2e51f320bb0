//! libpayspec, the C door. Pointers are checked here; everything else is the core's. The manual is `include/payspec.h`,
//! which `cargo xtask header` makes from the documentation in this crate.

mod status;

mod buf;
mod call;
mod engine;
mod guard;
mod input;
mod version;

mod operations;
