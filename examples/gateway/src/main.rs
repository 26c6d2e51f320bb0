//! The program `gateway`.
fn main() {}
