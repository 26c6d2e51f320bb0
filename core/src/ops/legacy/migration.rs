//! The migration of a body, member by member.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::migrated_body::{Change, MigratedBody, Unresolved};
use crate::json::writer::{Writer, into_text};
use crate::json::{
    Field, JsonStr, ObjectSchema, Occurrence, UnknownMember, Value, members, occurrences,
};
use crate::report::Pointer;
use crate::schema::legacy::{BodyChanges, ChangeKind, IDEMPOTENCY_KEY_HEADER, MemberChange};
use crate::types::idempotency_key::IdempotencyKey;
use crate::util::inline_vec::InlineVec;

const ALREADY_LEGACY: &str =
    "a member of the legacy API; the current member is given too, and counts";

/// A member of the new body.
#[derive(Clone, Copy)]
struct Member<'a> {
    /// The rank, which determines the order of members.
    rank: usize,
    name: JsonStr<'a>,
    value: Value<'a>,
}

/// The new body during migration.
pub(super) struct Migration<'a> {
    /// Returns the rank of a member. Members of equal rank keep their order.
    rank: fn(JsonStr<'_>) -> usize,
    /// The members of the original body, with the first value of each name.
    original: Vec<(JsonStr<'a>, Value<'a>)>,
    members: Vec<Member<'a>>,
    /// The result, still without the body.
    migrated: MigratedBody,
}

/// An ordinary payment has at most this many members and changes.
const USUAL_MEMBERS: usize = 32;

/// A schema without fields.
static NO_FIELDS: ObjectSchema = ObjectSchema::new("", 0, &[]);

impl<'a> Migration<'a> {
    /// Reads the members of a body. If a member is repeated, its first value is used.
    pub(super) fn new(body: &'a str, rank: fn(JsonStr<'_>) -> usize) -> Self {
        let mut original = Vec::with_capacity(USUAL_MEMBERS);
        original.extend(members(body));
        let unknown = |(name, _): &(JsonStr<'a>, Value<'a>)| UnknownMember {
            schema: &NO_FIELDS,
            name: *name,
        };
        let names: InlineVec<UnknownMember<'a>, 64> = original.iter().map(unknown).collect();
        let mut named = names.iter().zip(occurrences(&names));
        let mut unresolved = Vec::new();
        original.retain(|_| match named.next() {
            Some((name, Occurrence::Repeated)) => {
                let path = Pointer::unknown(name).to_text(&mut None).into_owned();
                unresolved.push(Unresolved {
                    path,
                    reason: "the member is repeated; its first value counts",
                });
                false
            }
            _ => true,
        });
        let migrated = MigratedBody {
            body: String::new(),
            changes: Vec::with_capacity(USUAL_MEMBERS),
            unresolved,
            idempotency_key: None,
        };
        Migration {
            rank,
            original,
            members: Vec::with_capacity(USUAL_MEMBERS),
            migrated,
        }
    }

    /// Migrates the members of a legacy body. `special` returns true for a member that it has
    /// migrated.
    pub(super) fn upgrade(
        &mut self,
        api: &'static BodyChanges,
        special: fn(&mut Self, JsonStr<'a>, Option<MemberChange>, Value<'a>) -> bool,
    ) {
        for index in 0..self.original.len() {
            let Some((name, value)) = self.original.get(index).copied() else {
                break;
            };
            let change = api.change(name);
            if special(self, name, change, value) {
                continue;
            }
            match change {
                Some(MemberChange {
                    legacy,
                    current: Some(current),
                    kind,
                }) => {
                    self.rename(legacy, current, kind, value);
                }
                Some(MemberChange { legacy, .. }) => self.removed(legacy.pointer),
                None => self.put(name, value),
            }
        }
    }

    /// Migrates the members of a current body. `special` returns true for a member that it has
    /// migrated.
    pub(super) fn downgrade(
        &mut self,
        api: &'static BodyChanges,
        special: fn(&mut Self, &'static Field, Value<'a>) -> bool,
    ) {
        for index in 0..self.original.len() {
            let Some((name, value)) = self.original.get(index).copied() else {
                break;
            };
            let Some((_, field)) = api.current.find(name) else {
                match api.change(name) {
                    Some(MemberChange {
                        legacy,
                        current: Some(current),
                        ..
                    }) if self.is_given(current.name) => {
                        self.unresolved(legacy.pointer, ALREADY_LEGACY);
                    }
                    // Other legacy members and unknown members are copied.
                    _ => self.put(name, value),
                }
                continue;
            };
            // A null is dropped if the body has the value in a legacy member.
            if !value.is_present()
                && api
                    .changes_of(field.name)
                    .any(|(legacy, _)| self.is_given(legacy.name))
            {
                continue;
            }
            if special(self, field, value) {
                continue;
            }
            if let Some(legacy) = api.legacy_name(field.name) {
                self.change(field.pointer, legacy.pointer, ChangeKind::Renamed);
                self.put_known(legacy.name, value);
            } else if api.is_added(field.name) {
                self.removed(field.pointer);
            } else {
                self.put(name, value);
            }
        }
    }

    /// Returns the value of `name` in the original body, even if it is null.
    pub(super) fn given(&self, name: &str) -> Option<Value<'a>> {
        self.original
            .iter()
            .find(|(known, _)| known.is(name))
            .map(|(_, value)| *value)
    }

    /// Returns whether the original body has a value other than null for `name`.
    ///
    /// A null yields to a value in a member of the same meaning.
    pub(super) fn is_given(&self, name: &str) -> bool {
        self.given(name).is_some_and(Value::is_present)
    }

    /// Renames the member `legacy` to `current`.
    ///
    /// Returns false, and reports `legacy` as unresolved, if the original body also has a value for
    /// `current`.
    pub(super) fn rename(
        &mut self,
        legacy: &'static Field,
        current: &'static Field,
        kind: ChangeKind,
        value: Value<'a>,
    ) -> bool {
        if self.is_given(current.name) {
            self.unresolved(
                legacy.pointer,
                "the current member is given too, and counts",
            );
            return false;
        }
        self.change(legacy.pointer, current.pointer, kind);
        self.put_known(current.name, value);
        true
    }

    /// Returns whether the new body has the member.
    pub(super) fn has(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name.is(name))
    }

    /// Reports a member as unresolved if the new body does not have it.
    pub(super) fn must_have(&mut self, field: &'static Field, reason: &'static str) {
        if !self.has(field.name) {
            self.unresolved(field.pointer, reason);
        }
    }

    /// Adds a member to the new body. Of two values of one known member the first counts, unless it
    /// is null.
    pub(super) fn put(&mut self, name: JsonStr<'a>, value: Value<'a>) {
        let rank = (self.rank)(name);
        let is_same =
            |member: &&mut Member<'_>| member.rank == rank && member.name.compare(name).is_eq();
        // Unknown members, of which a body may have thousands, are never added twice.
        match self
            .members
            .iter_mut()
            .filter(|_| rank != usize::MAX)
            .find(is_same)
        {
            Some(member) if !member.value.is_present() => member.value = value,
            Some(_) => {}
            None => self.members.push(Member { rank, name, value }),
        }
    }

    /// Adds a member with a name from the tables to the new body.
    pub(super) fn put_known(&mut self, name: &'static str, value: Value<'a>) {
        self.put(JsonStr::new(name, false), value);
    }

    /// Adds a member with a name and a string value from the tables to the new body.
    pub(super) fn put_string(&mut self, name: &'static str, value: &'static str) {
        self.put_known(name, Value::String(JsonStr::new(value, false)));
    }

    /// Records that a member of the original body is another one in the new body.
    pub(super) fn change(&mut self, from: &'static str, to: &'static str, kind: ChangeKind) {
        self.migrated.changes.push(Change {
            from: Some(from),
            to: Some(to),
            kind,
        });
    }

    /// Records that a member is not in the new body.
    pub(super) fn removed(&mut self, from: &'static str) {
        self.migrated.changes.push(Change {
            from: Some(from),
            to: None,
            kind: ChangeKind::Removed,
        });
    }

    /// Records that a member is only in the new body.
    pub(super) fn added(&mut self, to: &'static str) {
        self.migrated.changes.push(Change {
            from: None,
            to: Some(to),
            kind: ChangeKind::Added,
        });
    }

    /// Returns the key beside the body, and records that it is in the header Idempotency-Key.
    pub(super) fn move_key(&mut self, from: &'static str, key: IdempotencyKey) {
        self.change(from, IDEMPOTENCY_KEY_HEADER, ChangeKind::Moved);
        self.migrated.idempotency_key = Some(key);
    }

    /// Reports the member at the pointer as unresolved.
    pub(super) fn unresolved(&mut self, path: &'static str, reason: &'static str) {
        self.migrated.unresolved.push(Unresolved {
            path: path.to_owned(),
            reason,
        });
    }

    /// Writes the new body. `write` writes the value of a member.
    pub(super) fn finish(
        mut self,
        write: fn(JsonStr<'_>, Value<'_>, &mut Writer<'_>),
    ) -> MigratedBody {
        self.members.sort_by_key(|member| member.rank);
        // Large enough, because a buffer that grows leaves a copy in memory that is not wiped.
        let mut body = Vec::with_capacity(
            self.members
                .iter()
                .fold(2, |sum, member| sum.saturating_add(member.size())),
        );
        Writer::new(&mut body).object(|w| {
            for Member { name, value, .. } in &self.members {
                write(*name, *value, w.name_of(*name));
            }
        });
        self.migrated.body = into_text(body);
        self.migrated
    }
}

impl Member<'_> {
    /// Returns the maximum size in the new body.
    fn size(&self) -> usize {
        let value = match self.value {
            Value::Absent | Value::Null | Value::Bool(_) => 5,
            Value::Number(raw) | Value::Array(raw) | Value::Object(raw) => raw.len(),
            Value::String(text) => text.raw().len(),
        };
        // Quotes, colon, comma, and the object `card`, which may be added.
        self.name
            .raw()
            .len()
            .saturating_add(value)
            .saturating_add(20)
    }
}

/// Writes a value unchanged.
pub(super) fn write_value(_: JsonStr<'_>, value: Value<'_>, w: &mut Writer<'_>) {
    w.value(value);
}
