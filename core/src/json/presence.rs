//! The members of an object beyond the values of the slots: which are present, repeated, or
//! unknown.

use super::schema::ObjectSchema;
use super::slots::bit;
use super::string::JsonStr;

/// A member that is not in the schema. Its value is not kept: no rule checks it, and a body may
/// have tens of thousands.
#[derive(Clone, Copy)]
pub(crate) struct UnknownMember<'a> {
    /// The schema of the object that contains the member.
    pub(crate) schema: &'static ObjectSchema,
    pub(crate) name: JsonStr<'a>,
}

/// The unknown members. Up to eight of them need no heap.
pub(crate) type UnknownMembers<'a> = crate::util::inline_vec::InlineVec<UnknownMember<'a>, 8>;

/// The members of a body beyond the values of the slots.
#[derive(Default)]
pub(crate) struct FieldPresence<'a> {
    /// One bit for each slot whose member is in the body.
    pub(crate) given: u64,
    /// One bit for each slot whose member is repeated. The first value counts.
    pub(crate) duplicates: u64,
    pub(crate) unknown: UnknownMembers<'a>,
}

impl FieldPresence<'_> {
    #[inline]
    pub(crate) fn is_duplicate(&self, slot: usize) -> bool {
        self.duplicates & bit(slot) != 0
    }
}
