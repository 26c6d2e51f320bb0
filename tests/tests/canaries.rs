//! Canaries: a payer's name and a token at every place of every input, card data in typed values. None comes out where it
//! does not belong, and typed card data is gone from memory when its owner is. Card numbers and security codes at every
//! place are in `properties/secrets.rs`.

#[path = "canaries/memory.rs"]
mod memory;
#[path = "canaries/policy.rs"]
mod policy;
#[path = "canaries/texts.rs"]
mod texts;
#[path = "canaries/typed.rs"]
mod typed;

/// A payer's name, and a token as RFC 6750 has them: no part of any vector, and nothing that a grammar would refuse early.
const NAME: &str = "Kanarek Zyxwvut";
const TOKEN: &str = "kAnArEk-0token";
/// A card number and its code, of no vector either.
const PAN: &str = "4539578763621486";
const CODE: &str = "8306";
