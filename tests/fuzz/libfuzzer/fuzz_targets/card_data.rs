//! See `payspec_fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| payspec_fuzz::run("card_data", bytes));
