//! Canaries: a payer's name and a token at every location of every input, and card data in typed
//! values. No output contains them unless it is permitted to, and typed card data is wiped from
//! memory when it is dropped. Card numbers and security codes at every location are in
//! `properties/secrets.rs`.

#[path = "canaries/memory.rs"]
mod memory;
#[path = "canaries/policy.rs"]
mod policy;
#[path = "canaries/texts.rs"]
mod texts;
#[path = "canaries/typed.rs"]
mod typed;

/// A payer's name, and a token by RFC 6750. No vector contains them, and no grammar rejects them
/// early.
const NAME: &str = "Kanarek Zyxwvut";
const TOKEN: &str = "kAnArEk-0token";
/// A card number and its code, which no vector contains.
const PAN: &str = "4539578763621486";
const CODE: &str = "8306";
