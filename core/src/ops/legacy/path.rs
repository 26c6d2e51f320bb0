//! The location of a change, a pointer in JSON.

use alloc::string::String;

use crate::json::UnknownMember;
use crate::json::writer::Writer;
use crate::report::Pointer;

/// A member in the tables: the pointer of the object that contains it, and its name.
#[derive(Clone, Copy)]
pub(super) struct FieldPath(pub(super) &'static str, pub(super) &'static str);

/// The location of a member.
#[derive(Clone, Copy)]
pub(super) enum Path<'a> {
    Known(FieldPath),
    /// A member of the body with any name.
    InputObject(UnknownMember<'a>),
}

impl Path<'_> {
    pub(super) fn to_text(self) -> String {
        match self {
            Path::Known(FieldPath(object, name)) => [object, "/", name].concat(),
            Path::InputObject(unknown) => Pointer::unknown(&unknown).to_text(),
        }
    }

    pub(super) fn write(self, w: &mut Writer<'_>) {
        match self {
            // The names in the tables need no escapes.
            Path::Known(FieldPath(object, name)) => w.plain(|out| {
                [object, "/", name].iter().for_each(|part| out.extend_from_slice(part.as_bytes()));
            }),
            Path::InputObject(unknown) => w.plain(|out| Pointer::unknown(&unknown).write_escaped(&mut None, out)),
        }
    }
}
