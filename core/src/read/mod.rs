//! Reading JSON: one pass, no recursion, text borrowed, every error kept.
//!
//! A reader of our own because of what the library is for: every violation with its place, duplicates and depth seen,
//! no value in any message, no allocation, and half the time of a deserializer that does none of it.

mod document;
mod lexer;
mod marks;
mod scope;
mod tape;
mod text;
mod tokens;
mod way;

pub(crate) use document::{Extras, Root, Stray, bit, field_of, items, members, read, walk};
pub(crate) use lexer::{Fault, Value, whole};
pub(crate) use scope::{Field, Scope, Shape};
pub(crate) use tape::{Node, Tape};
pub(crate) use text::Text;
pub(crate) use tokens::{Token, Tokens};
pub(crate) use way::{Step, Walk};
