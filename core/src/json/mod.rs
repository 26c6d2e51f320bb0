//! Reads JSON in one pass, without recursion, with borrowed text, and collects every error.
//!
//! The library has its own reader because it must report every violation with its path, duplicate
//! members, and depth. No message may contain a value, and no body may allocate. It takes half the
//! time of a deserializer without these properties.

mod escape;
mod fast_path;
mod integer;
mod iter;
mod kind;
mod lexer;
mod locate;
mod path;
pub(crate) mod position;
mod presence;
mod reader;
mod repeated;
mod scanner;
mod schema;
mod slots;
mod string;
mod tape;
mod terminator;
mod tokens;
pub(crate) mod writer;

pub(crate) use integer::{Integer, integer_value};
pub(crate) use kind::ValueKind;
pub(crate) use schema::{Field, FieldId, JsonType, ObjectSchema, check_schemas, object_schema};
pub(crate) use slots::bit;
pub(crate) use {
    iter::{items, member, members},
    lexer::{ParseError, Value},
    locate::locate,
    path::{PathResolver, PathSegment},
    presence::{FieldPresence, UnknownMember},
    reader::{Root, read, validate_syntax},
    repeated::{Occurrence, occurrences},
    string::JsonStr,
    tape::{Node, Tape},
    tokens::{Token, Tokens},
};
