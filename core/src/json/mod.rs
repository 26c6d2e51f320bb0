//! Reading JSON: one pass, no recursion, text borrowed, every error kept.
//!
//! A reader of our own because of what the library is for: every violation with its place, duplicates and depth seen,
//! no value in any message, no allocation, and half the time of a deserializer that does none of it.

mod lexer;
mod locate;
mod path;
mod reader;
mod scanner;
mod schema;
#[cfg(feature = "serde")]
pub(crate) mod serialize;
mod slots;
mod string;
mod tape;
mod tokens;
pub(crate) mod writer;

pub(crate) use lexer::{ParseError, Value, integer_value};
pub(crate) use locate::locate;
pub(crate) use path::{PathResolver, PathSegment};
pub(crate) use reader::{FieldPresence, Root, UnknownMember, field_of, items, members, read, validate_syntax};
pub(crate) use schema::{Field, FieldId, JsonType, ObjectSchema, check_schemas, fields_by_slot, object_schema};
pub(crate) use slots::bit;
pub(crate) use string::JsonStr;
pub(crate) use tape::{Node, Tape};
pub(crate) use tokens::{Token, Tokens};
