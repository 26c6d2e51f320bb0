//! Reads JSON in one pass, without recursion, with borrowed text, and collects every error.
//!
//! The library has its own reader because it must report every violation with its path, duplicate members, and depth.
//! No message may contain a value, and no body may allocate. It takes half the time of a deserializer without these
//! properties.

mod escape;
#[cfg(feature = "fast")]
mod fast_path;
#[cfg(feature = "alloc")]
mod iter;
mod lexer;
#[cfg(feature = "alloc")]
mod locate;
#[cfg(feature = "alloc")]
mod path;
#[cfg(not(feature = "fast"))]
mod plain_scanner;
mod presence;
mod reader;
#[cfg(feature = "fast")]
mod scanner;
mod schema;
mod scratch;
#[cfg(feature = "serde")]
pub(crate) mod serialize;
mod slots;
mod string;
#[cfg(feature = "alloc")]
mod tape;
#[cfg(feature = "alloc")]
mod tokens;
#[cfg(feature = "alloc")]
pub(crate) mod writer;

#[cfg(feature = "alloc")]
pub(crate) use lexer::ValueKind;
pub(crate) use lexer::{ParseError, Value, integer_value};
pub(crate) use presence::FieldPresence;
#[cfg(feature = "alloc")]
pub(crate) use presence::UnknownMember;
#[cfg(not(feature = "alloc"))]
pub use presence::UnknownMember;
pub(crate) use reader::{Root, read};
pub(crate) use schema::{Field, FieldId, JsonType, ObjectSchema, check_schemas, object_schema};
pub(crate) use scratch::Scratch;
pub(crate) use slots::bit;
pub(crate) use string::JsonStr;

#[cfg(feature = "alloc")]
pub(crate) use {
    iter::{items, member, members},
    locate::locate,
    path::{PathResolver, PathSegment},
    reader::validate_syntax,
    scratch::Heap,
    tape::{Node, Tape},
    tokens::{Token, Tokens},
};
#[cfg(not(feature = "alloc"))]
pub(crate) use {presence::UnknownMembers, scratch::Slice};
