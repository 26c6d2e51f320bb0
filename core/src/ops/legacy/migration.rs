//! The migration of a body: the new body, the changes, and the members that a person must decide on.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::path::{FieldPath, Path};
use crate::json::writer::{Writer, into_text};
use crate::json::{JsonStr, ObjectSchema, UnknownMember, Value, members};
use crate::schema::legacy::ChangeKind;
use crate::util::inline_vec::List;
use crate::validate::unknown::{Occurrence, occurrences};

/// One change, with JSON Pointers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The member in the original body, if there is one.
    pub from: Option<Cow<'static, str>>,
    /// The member in the new body, if there is one.
    pub to: Option<Cow<'static, str>>,
    /// The kind of the change.
    pub kind: ChangeKind,
}

/// A member that cannot be migrated from the body without a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// The JSON Pointer of the member.
    pub path: String,
    /// The reason.
    pub reason: &'static str,
}

/// A body migrated from one API to the other. Debug output omits the body, since it may contain card data.
#[derive(Clone, PartialEq, Eq)]
pub struct MigratedBody {
    /// The new body in JSON.
    pub body: String,
    /// The changes.
    pub changes: Vec<Change>,
    /// The members that a person has to decide on.
    pub unresolved: Vec<Unresolved>,
}

impl fmt::Debug for MigratedBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MigratedBody")
            .field("changes", &self.changes)
            .field("unresolved", &self.unresolved)
            .finish_non_exhaustive()
    }
}

impl MigratedBody {
    pub(crate) fn of(migration: &Migration<'_>) -> Self {
        let mut body = Vec::new();
        migration.write_body(&mut Writer::new(&mut body));
        let text = |known| Cow::Owned(Path::Known(known).to_text());
        let change =
            |change: &PendingChange| Change { from: change.from.map(text), to: change.to.map(text), kind: change.kind };
        MigratedBody {
            body: into_text(body),
            changes: migration.changes.iter().map(change).collect(),
            unresolved: migration
                .unresolved
                .iter()
                .map(|(path, reason)| Unresolved { path: path.to_text(), reason })
                .collect(),
        }
    }

    /// Appends `{"body":…,"changes":[…],"unresolved":[…]}`.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let changes = self.changes.iter().map(|change| (change.from.as_deref(), change.to.as_deref(), change.kind));
        let unresolved = self.unresolved.iter().map(|open| (&*open.path, open.reason));
        write(|w| w.raw(&self.body), changes, unresolved, |path, w| w.string(path), out);
    }
}

/// Writes the result of a migration. `path` writes a JSON Pointer.
fn write<P>(
    body: impl FnOnce(&mut Writer<'_>),
    changes: impl Iterator<Item = (Option<P>, Option<P>, ChangeKind)>,
    unresolved: impl Iterator<Item = (P, &'static str)>,
    path: impl Fn(P, &mut Writer<'_>),
    out: &mut Vec<u8>,
) {
    let path_or_null = |pointer: Option<P>, w: &mut Writer<'_>| match pointer {
        Some(pointer) => path(pointer, w),
        None => w.null(),
    };
    Writer::new(out).object(|w| {
        body(w.name("body"));
        w.name("changes").array(|w| {
            for (from, to, kind) in changes {
                w.object(|w| {
                    path_or_null(from, w.name("from"));
                    path_or_null(to, w.name("to"));
                    w.name("kind").string(kind.name());
                });
            }
        });
        w.name("unresolved").array(|w| {
            for (position, reason) in unresolved {
                w.object(|w| {
                    path(position, w.name("path"));
                    w.name("reason").string(reason);
                });
            }
        });
    });
}

/// A member of the new body.
#[derive(Clone, Copy)]
struct Member<'a> {
    /// The rank, which determines the order of members.
    rank: usize,
    name: JsonStr<'a>,
    value: Value<'a>,
}

/// One change, before its pointers are built.
#[derive(Clone, Copy)]
struct PendingChange {
    from: Option<FieldPath>,
    to: Option<FieldPath>,
    kind: ChangeKind,
}

/// The functions that order and write the members of the new body in one operation.
pub(super) struct MigrationTarget {
    /// Returns the rank of a member. Members of equal rank keep their order.
    pub(super) rank: fn(JsonStr<'_>) -> usize,
    /// Writes the value of a member.
    pub(super) write: fn(JsonStr<'_>, Value<'_>, &mut Writer<'_>),
}

/// The new body during migration. An ordinary body needs no heap memory.
pub(crate) struct Migration<'a> {
    target: &'static MigrationTarget,
    names: List<UnknownMember<'a>, 64>,
    /// The value of each name in the original body.
    values: List<Value<'a>, 64>,
    /// The number of values already taken.
    taken: usize,
    members: List<Member<'a>, 96>,
    changes: List<PendingChange, 32>,
    unresolved: List<(Path<'a>, &'static str), 16>,
}

/// A schema without fields.
static NOTHING: ObjectSchema = ObjectSchema::new("", 0, &[]);

impl<'a> Migration<'a> {
    /// Creates an empty migration. It is inlined, since the value is too large to be moved.
    #[inline(always)]
    pub(super) fn new(target: &'static MigrationTarget) -> Self {
        Migration {
            target,
            names: List::new(),
            values: List::new(),
            taken: 0,
            members: List::new(),
            changes: List::new(),
            unresolved: List::new(),
        }
    }

    /// Reads the members of a body. If a member is repeated, its first value is used.
    pub(super) fn read(&mut self, body: &'a str) {
        for (name, value) in members(body) {
            self.names.push(UnknownMember { schema: &NOTHING, name });
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
                self.unresolved.push((Path::InputObject(*unknown), "named twice: the first value counts"));
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
    pub(super) fn tells(&self, name: &str) -> bool {
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

    /// Renames the member `legacy` to `successor`.
    ///
    /// Returns false, and reports `legacy` as unresolved, if the original body also has a value for `successor`.
    pub(super) fn rename(
        &mut self,
        legacy: Option<&'static str>,
        successor: &'static str,
        kind: ChangeKind,
        value: Value<'a>,
    ) -> bool {
        if let Some(position) = self.position_of(successor) {
            if self.values.get(position).is_some_and(|value| value.is_present()) {
                let counts = |legacy| self.unresolved(legacy, "its successor is given too, and counts");
                legacy.into_iter().for_each(counts);
                return false;
            }
            self.drop_at(position, successor);
        }
        self.change(legacy, Some(successor), kind);
        self.put_known(successor, value);
        true
    }

    /// Returns whether the new body has a value other than null for `name`.
    pub(super) fn has_told(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name.is(name) && member.value.is_present())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name.is(name))
    }

    /// Adds a member to the new body.
    pub(super) fn put(&mut self, name: JsonStr<'a>, value: Value<'a>) {
        self.members.push(Member { rank: (self.target.rank)(name), name, value });
    }

    /// Adds a member with a name from the tables to the new body.
    pub(super) fn put_known(&mut self, name: &'static str, value: Value<'a>) {
        self.put(JsonStr::new(name, false), value);
    }

    /// Adds a member with a name and a string value from the tables to the new body.
    pub(super) fn put_word(&mut self, name: &'static str, word: &'static str) {
        self.put_known(name, Value::String(JsonStr::new(word, false)));
    }

    /// Records a change between top-level members of both bodies.
    pub(super) fn change(&mut self, from: Option<&'static str>, to: Option<&'static str>, kind: ChangeKind) {
        let top = |name| FieldPath("", name);
        self.change_at(from.map(top), to.map(top), kind);
    }

    pub(super) fn change_at(&mut self, from: Option<FieldPath>, to: Option<FieldPath>, kind: ChangeKind) {
        self.changes.push(PendingChange { from, to, kind });
    }

    pub(super) fn unresolved(&mut self, name: &'static str, reason: &'static str) {
        self.unresolved.push((Path::Known(FieldPath("", name)), reason));
    }

    /// Sorts the members by rank, which completes the migration.
    pub(super) fn sort(&mut self) {
        self.members.sort_by_key(|member| member.rank);
    }

    fn write_body(&self, w: &mut Writer<'_>) {
        w.object(|w| {
            for Member { name, value, .. } in &self.members {
                (self.target.write)(*name, *value, w.name_of(*name));
            }
        });
    }

    /// Appends the same JSON as [`MigratedBody::write_json`].
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        let changes =
            self.changes.iter().map(|change| (change.from.map(Path::Known), change.to.map(Path::Known), change.kind));
        write(|w| self.write_body(w), changes, self.unresolved.iter().copied(), Path::write, out);
    }
}
