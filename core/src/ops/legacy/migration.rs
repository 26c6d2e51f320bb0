//! The migration of a body, member by member.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use super::migrated_body::{Change, MigratedBody, Unresolved};
use crate::json::writer::{Writer, into_text};
use crate::json::{Field, JsonStr, ObjectSchema, UnknownMember, Value, members};
use crate::report::Pointer;
use crate::schema::legacy::{ChangeKind, IDEMPOTENCY_KEY_HEADER};
use crate::util::inline_vec::InlineVec;
use crate::validate::unknown::{Occurrence, occurrences};

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
    names: InlineVec<UnknownMember<'a>, 64>,
    /// The value of each name in the original body.
    values: InlineVec<Value<'a>, 64>,
    /// The number of values already taken.
    taken: usize,
    members: InlineVec<Member<'a>, 96>,
    /// The result, still without the body.
    migrated: MigratedBody,
}

/// A schema without fields.
static NO_FIELDS: ObjectSchema = ObjectSchema::new("", 0, &[]);

impl<'a> Migration<'a> {
    /// Creates an empty migration. It is inlined, since the value is too large to be moved.
    #[inline(always)]
    pub(super) fn new(rank: fn(JsonStr<'_>) -> usize) -> Self {
        Migration {
            rank,
            names: InlineVec::new(),
            values: InlineVec::new(),
            taken: 0,
            members: InlineVec::new(),
            migrated: MigratedBody::default(),
        }
    }

    /// Reads the members of a body. If a member is repeated, its first value is used.
    pub(super) fn read(&mut self, body: &'a str) {
        // An ordinary payment has at most this many changes.
        self.migrated.changes.reserve(32);
        for (name, value) in members(body) {
            self.names.push(UnknownMember { schema: &NO_FIELDS, name });
            self.values.push(value);
        }
        let occurrences = occurrences(&self.names);
        if occurrences.contains(&Occurrence::Repeat) {
            self.drop_repeated(&occurrences);
        }
    }

    #[cold]
    #[inline(never)]
    fn drop_repeated(&mut self, occurrences: &[Occurrence]) {
        let first = |occurrence: Option<&Occurrence>| occurrence != Some(&Occurrence::Repeat);
        let (mut of_name, mut of_value) = (occurrences.iter(), occurrences.iter());
        self.names.retain(|unknown| {
            let stays = first(of_name.next());
            if !stays {
                let path = Pointer::unknown(unknown).to_text();
                self.migrated
                    .unresolved
                    .push(Unresolved { path, reason: "the member is repeated; its first value counts" });
            }
            stays
        });
        self.values.retain(|_| first(of_value.next()));
    }

    /// Takes the next member of the original body.
    pub(super) fn next(&mut self) -> Option<(JsonStr<'a>, Value<'a>)> {
        loop {
            let member = (self.names.get(self.taken)?.name, *self.values.get(self.taken)?);
            self.taken = self.taken.saturating_add(1);
            if !matches!(member.1, Value::Absent) {
                return Some(member);
            }
        }
    }

    /// Returns the value of `name` in the original body, even if it is null.
    pub(super) fn given(&self, name: &str) -> Option<Value<'a>> {
        self.values.get(self.position_of(name)?).copied()
    }

    fn position_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|unknown| unknown.name.is(name))
    }

    /// Returns whether the original body has a value other than null for `name`.
    ///
    /// A null yields to a value in a member of the same meaning.
    pub(super) fn is_given(&self, name: &str) -> bool {
        self.given(name).is_some_and(Value::is_present)
    }

    /// Removes a member that is null in the original body, since another member determines its value.
    pub(super) fn drop_null(&mut self, name: &str) {
        if let Some(position) = self.position_of(name) {
            self.drop_at(position, name);
        }
    }

    #[cold]
    #[inline(never)]
    fn drop_at(&mut self, position: usize, name: &str) {
        if position < self.taken {
            self.members.retain(|member| !member.name.is(name));
        } else if let Some(value) = self.values.get_mut(position) {
            *value = Value::Absent;
        }
    }

    /// Renames the member `legacy` to `current`.
    ///
    /// Returns false, and reports `legacy` as unresolved, if the original body also has a value for `current`.
    pub(super) fn rename(
        &mut self,
        legacy: &'static Field,
        current: &'static Field,
        kind: ChangeKind,
        value: Value<'a>,
    ) -> bool {
        if let Some(position) = self.position_of(current.name) {
            if self.values.get(position).is_some_and(|value| value.is_present()) {
                self.unresolved(legacy.pointer, "the current member is given too, and counts");
                return false;
            }
            self.drop_at(position, current.name);
        }
        self.change(legacy.pointer, current.pointer, kind);
        self.put_known(current.name, value);
        true
    }

    /// Returns whether the new body has the member.
    pub(super) fn has(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name.is(name))
    }

    /// Adds a member to the new body.
    pub(super) fn put(&mut self, name: JsonStr<'a>, value: Value<'a>) {
        self.members.push(Member { rank: (self.rank)(name), name, value });
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
        self.migrated.changes.push(Change { from: Some(from), to: Some(to), kind });
    }

    /// Records that a member is not in the new body.
    pub(super) fn removed(&mut self, from: &'static str) {
        self.migrated.changes.push(Change { from: Some(from), to: None, kind: ChangeKind::Removed });
    }

    /// Records that a member is only in the new body.
    pub(super) fn added(&mut self, to: &'static str) {
        self.migrated.changes.push(Change { from: None, to: Some(to), kind: ChangeKind::Added });
    }

    /// Returns the key beside the body, and records that it is in the header Idempotency-Key.
    pub(super) fn move_key(&mut self, from: &'static str, key: String) {
        self.change(from, IDEMPOTENCY_KEY_HEADER, ChangeKind::Moved);
        self.migrated.idempotency_key = Some(key);
    }

    /// Reports the member at the pointer as unresolved.
    pub(super) fn unresolved(&mut self, path: &'static str, reason: &'static str) {
        self.migrated.unresolved.push(Unresolved { path: path.to_owned(), reason });
    }

    /// Writes the new body. `write` writes the value of a member.
    pub(super) fn finish(&mut self, write: fn(JsonStr<'_>, Value<'_>, &mut Writer<'_>)) -> MigratedBody {
        self.members.sort_by_key(|member| member.rank);
        // Large enough, because a buffer that grows leaves a copy in memory that is not wiped.
        let mut body = Vec::with_capacity(self.members.iter().fold(2, |sum, member| sum.saturating_add(member.size())));
        Writer::new(&mut body).object(|w| {
            for Member { name, value, .. } in &self.members {
                write(*name, *value, w.name_of(*name));
            }
        });
        self.migrated.body = into_text(body);
        mem::take(&mut self.migrated)
    }
}

impl Member<'_> {
    /// Returns the maximum size in the new body.
    fn size(&self) -> usize {
        let value = match self.value {
            Value::Absent | Value::Null => 4,
            Value::Bool(_) => 5,
            Value::Number(raw) | Value::Array(raw) | Value::Object(raw) => raw.len(),
            Value::String(text) => text.raw().len(),
        };
        // Quotes, colon, comma, and the object `card`, which may be added.
        self.name.raw().len().saturating_add(value).saturating_add(20)
    }
}

/// Writes a value unchanged.
pub(super) fn write_value(_: JsonStr<'_>, value: Value<'_>, w: &mut Writer<'_>) {
    w.value(value);
}
