//! A body being carried over: what goes out, what was changed, what the body does not decide.

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

/// One change, by JSON Pointers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The member in the body that came in, if it had one.
    pub from: Option<Cow<'static, str>>,
    /// The member in the body that goes out, if it has one.
    pub to: Option<Cow<'static, str>>,
    /// What happened.
    pub kind: ChangeKind,
}

/// Something that the body alone does not decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// The member, by its JSON Pointer.
    pub path: String,
    /// Why.
    pub reason: &'static str,
}

/// A body carried over from one interface to the other. Debug output does not show it: it may hold card data.
#[derive(Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// The new body, JSON.
    pub body: String,
    /// What was changed.
    pub changes: Vec<Change>,
    /// What a person has to decide.
    pub unresolved: Vec<Unresolved>,
}

impl fmt::Debug for Rewritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rewritten")
            .field("changes", &self.changes)
            .field("unresolved", &self.unresolved)
            .finish_non_exhaustive()
    }
}

impl Rewritten {
    pub(crate) fn of(migration: &Migration<'_>) -> Self {
        let mut body = Vec::new();
        migration.write_body(&mut Writer::new(&mut body));
        let text = |known| Cow::Owned(Path::Known(known).to_text());
        let change =
            |change: &PendingChange| Change { from: change.from.map(text), to: change.to.map(text), kind: change.kind };
        Rewritten {
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

/// Writes a body that was carried over. `path` writes a JSON Pointer.
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
    /// Its rank among the others.
    rank: usize,
    name: JsonStr<'a>,
    value: Value<'a>,
}

/// One change, while nobody asks for texts.
#[derive(Clone, Copy)]
struct PendingChange {
    from: Option<FieldPath>,
    to: Option<FieldPath>,
    kind: ChangeKind,
}

/// What makes the body of one operation out of the members.
pub(super) struct MigrationTarget {
    /// The rank of a member. Those of equal rank stay as they were put.
    pub(super) rank: fn(JsonStr<'_>) -> usize,
    /// Writes the value of a member.
    pub(super) write: fn(JsonStr<'_>, Value<'_>, &mut Writer<'_>),
}

/// The new body while it is put together. That of an ordinary body stands on the stack.
pub(crate) struct Migration<'a> {
    target: &'static MigrationTarget,
    names: List<UnknownMember<'a>, 64>,
    /// For each name what came in under it.
    values: List<Value<'a>, 64>,
    /// How many of them were taken.
    taken: usize,
    members: List<Member<'a>, 96>,
    changes: List<PendingChange, 32>,
    unresolved: List<(Path<'a>, &'static str), 16>,
}

/// No member is known.
static NOTHING: ObjectSchema = ObjectSchema::new("", 0, &[]);

impl<'a> Migration<'a> {
    /// Nothing yet. It is filled where it stands, for it is too large to be moved about.
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

    /// Takes the members of a body. Of a name that stands twice the first value counts.
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

    /// The members that came in, one after the other.
    pub(super) fn next(&mut self) -> Option<(JsonStr<'a>, Value<'a>)> {
        loop {
            let member = (self.names.get(self.taken)?.name, *self.values.get(self.taken)?);
            self.taken = self.taken.saturating_add(1);
            if !matches!(member.1, Value::Absent) {
                return Some(member);
            }
        }
    }

    /// The value that came in under `name`; a null counts.
    pub(super) fn given(&self, name: &str) -> Option<Value<'a>> {
        self.values.get(self.position_of(name)?).copied()
    }

    fn position_of(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|unknown| unknown.name.is(name))
    }

    /// Whether `name` came in with more than a null, which says nothing beside another member that says something.
    pub(super) fn tells(&self, name: &str) -> bool {
        self.given(name).is_some_and(Value::is_present)
    }

    /// Takes a member that came in as null out again, wherever it is by now: another one tells its value.
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

    /// The member `earlier` under the name that it has today, unless that one is told too: then it counts, and this is false.
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

    /// Whether the new body has `name` with more than a null.
    pub(super) fn has_told(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name.is(name) && member.value.is_present())
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name.is(name))
    }

    /// Puts a member into the new body.
    pub(super) fn put(&mut self, name: JsonStr<'a>, value: Value<'a>) {
        self.members.push(Member { rank: (self.target.rank)(name), name, value });
    }

    /// Puts a member of the tables into the new body.
    pub(super) fn put_known(&mut self, name: &'static str, value: Value<'a>) {
        self.put(JsonStr::new(name, false), value);
    }

    /// The same, its value a word of the tables.
    pub(super) fn put_word(&mut self, name: &'static str, word: &'static str) {
        self.put_known(name, Value::String(JsonStr::new(word, false)));
    }

    /// Notes a change, by member names at the top of both bodies.
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

    /// The end: the members in the order of their ranks.
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

    /// Appends what [`Rewritten::write_json`] would.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        let changes =
            self.changes.iter().map(|change| (change.from.map(Path::Known), change.to.map(Path::Known), change.kind));
        write(|w| self.write_body(w), changes, self.unresolved.iter().copied(), Path::write, out);
    }
}
