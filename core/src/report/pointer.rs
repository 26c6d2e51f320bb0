//! JSON Pointers of violations: a field of the schemas, a member or item below it, or an offset in
//! a value.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::card::mask::Masked;
use crate::card::text::TextMask;
use crate::json::writer::{escape, text_by, write_integer};
use crate::json::{Field, PathResolver, PathSegment, UnknownMember};

/// A JSON Pointer: the path of an object or field in a schema, or a path below it.
#[derive(Clone, Copy)]
pub(crate) struct Pointer<'a> {
    base: &'static str,
    tail: PointerTail<'a>,
}

/// The part of a pointer after the path in a schema.
#[derive(Clone, Copy)]
enum PointerTail<'a> {
    None,
    /// An unknown member, or an item of an array.
    Segment(PathSegment<'a>),
    /// The name or value at this byte of an object.
    Offset(&'a str, usize),
}

impl<'a> Pointer<'a> {
    pub(crate) const ROOT: Pointer<'static> = Pointer::new("");

    pub(crate) const fn new(base: &'static str) -> Self {
        Pointer {
            base,
            tail: PointerTail::None,
        }
    }

    pub(crate) fn field(field: &'static Field) -> Self {
        Pointer::new(field.pointer)
    }

    pub(crate) fn unknown(unknown: &UnknownMember<'a>) -> Self {
        Pointer {
            base: unknown.schema.pointer,
            tail: PointerTail::Segment(PathSegment::Key(unknown.name)),
        }
    }

    pub(crate) const fn item(base: &'static str, index: usize) -> Self {
        Pointer {
            base,
            tail: PointerTail::Segment(PathSegment::Index(index)),
        }
    }

    /// Returns the pointer to the byte `at` in `object`, which is the value of `base`.
    pub(crate) const fn inside(base: &'static str, object: &'a str, at: usize) -> Self {
        Pointer {
            base,
            tail: PointerTail::Offset(object, at),
        }
    }

    /// Returns the path in the schema.
    pub(super) fn base(self) -> &'static str {
        self.base
    }

    /// Returns the pointer as text. `resolver` keeps the position of the last traversal of a value,
    /// where the next one continues.
    pub(crate) fn to_text(self, resolver: &mut Option<PathResolver<'a>>) -> Cow<'static, str> {
        match self.tail {
            PointerTail::None => Cow::Borrowed(self.base),
            _ => {
                let mut text = String::new();
                self.each(resolver, &mut |part| text.push_str(part));
                Cow::Owned(text)
            }
        }
    }

    pub(crate) fn write_escaped(self, resolver: &mut Option<PathResolver<'a>>, out: &mut Vec<u8>) {
        match self.tail {
            // The names in schemas need no escapes.
            PointerTail::None => out.extend_from_slice(self.base.as_bytes()),
            _ => self.each(resolver, &mut |part| escape(part, out)),
        }
    }

    /// Passes the pointer to `put` in pieces. `resolver` keeps the position of the last traversal
    /// of a value, where the next one continues.
    fn each(self, resolver: &mut Option<PathResolver<'a>>, put: &mut dyn FnMut(&str)) {
        put(self.base);
        match self.tail {
            PointerTail::None => {}
            PointerTail::Segment(segment) => put_segment(segment, put),
            PointerTail::Offset(object, at) => {
                let resolver = resolver.get_or_insert_with(|| PathResolver::new(object));
                resolver
                    .to(object, at)
                    .for_each(|segment| put_segment(segment, put));
            }
        }
    }
}

/// Returns the pointer `base`, extended by these segments.
pub(crate) fn path_by(base: &str, segments: &[PathSegment<'_>]) -> String {
    let mut path = String::from(base);
    segments
        .iter()
        .for_each(|segment| put_segment(*segment, &mut |part| path.push_str(part)));
    path
}

fn put_segment(segment: PathSegment<'_>, put: &mut dyn FnMut(&str)) {
    put("/");
    match segment {
        PathSegment::Key(name) => name.with_decoded(|name| put_plain_name(name, put)),
        PathSegment::Index(index) => {
            put(&text_by(|out| {
                write_integer(u64::try_from(index).unwrap_or(u64::MAX), out)
            }));
        }
    }
}

/// Escapes a name for a pointer (RFC 6901) and masks card numbers, because names are untrusted as
/// well.
fn put_plain_name(name: &str, put: &mut dyn FnMut(&str)) {
    let masked = TextMask::any_number().mask(name);
    let mut rest = masked.as_ref().map_or(name, Masked::as_str);
    while let Some(at) = rest.find(['~', '/']) {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        put(before);
        put(if after.starts_with('~') { "~0" } else { "~1" });
        rest = after.get(1..).unwrap_or("");
    }
    put(rest);
}

impl fmt::Debug for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_text(&mut None), f)
    }
}
