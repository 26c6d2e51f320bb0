//! A body being carried over: what goes out, what was changed, what the body does not decide.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::kinds::words;
use crate::read::{Stray, Text, Value};
use crate::report::Pointer;
use crate::request::{Sighting, sightings};
use crate::write::{Writer, into_text};

words! {
    /// How a member changed.
    ChangeKind {
        /// The same value under another name.
        Renamed = "renamed",
        /// The same value in another object.
        Moved = "moved",
        /// Left out.
        Removed = "removed",
        /// New, with a value that does not depend on the body.
        Added = "added",
        /// Made from other members.
        Derived = "derived",
    }
}

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
    /// Appends `{"body":…,"changes":[…],"unresolved":[…]}`.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            w.name("body").raw(&self.body);
            w.name("changes").array(|w| {
                for change in &self.changes {
                    w.object(|w| {
                        w.name("from").string_or_null(change.from.as_deref());
                        w.name("to").string_or_null(change.to.as_deref());
                        w.name("kind").string(change.kind.name());
                    });
                }
            });
            w.name("unresolved").array(|w| {
                for open in &self.unresolved {
                    w.object(|w| {
                        w.name("path").string(&open.path);
                        w.name("reason").string(open.reason);
                    });
                }
            });
        });
    }
}

/// The new body while it is put together.
pub(super) struct Rewrite<'a> {
    source: Vec<(Text<'a>, Value<'a>)>,
    members: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    changes: Vec<Change>,
    unresolved: Vec<Unresolved>,
}

impl<'a> Rewrite<'a> {
    /// Starts from the members of a body. Of a name that stands twice the first value counts.
    pub(super) fn new(strays: &[Stray<'a>]) -> Self {
        let mut rewrite = Rewrite {
            source: Vec::with_capacity(strays.len()),
            members: Vec::with_capacity(strays.len()),
            changes: Vec::new(),
            unresolved: Vec::new(),
        };
        for (stray, sighting) in strays.iter().zip(sightings(strays)) {
            if sighting == Sighting::Again {
                let path = Pointer::stray(stray).to_text();
                rewrite.unresolved.push(Unresolved { path, reason: "named twice: the first value counts" });
            } else {
                rewrite.source.push((stray.name, stray.value));
            }
        }
        rewrite
    }

    /// The members that came in.
    pub(super) fn source(&self) -> Vec<(Text<'a>, Value<'a>)> {
        self.source.clone()
    }

    /// The value that came in under `name`; a null counts.
    pub(super) fn given(&self, name: &str) -> Option<Value<'a>> {
        self.source.iter().find(|(given, _)| given.is(name)).map(|(_, value)| *value)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(given, _)| given == name)
    }

    /// Puts a member into the new body.
    pub(super) fn put(&mut self, name: impl Into<Cow<'a, str>>, json: impl Into<Cow<'a, str>>) {
        self.members.push((name.into(), json.into()));
    }

    pub(super) fn put_text(&mut self, name: &'static str, text: &str) {
        let mut json = Vec::new();
        Writer::new(&mut json).string(text);
        self.put(name, into_text(json));
    }

    /// Notes a change, by member names at the top of both bodies.
    pub(super) fn change(&mut self, from: Option<&str>, to: Option<&str>, kind: ChangeKind) {
        let pointer = |name: &str| Cow::Owned(["/", name].concat());
        self.changes.push(Change { from: from.map(pointer), to: to.map(pointer), kind });
    }

    pub(super) fn unresolved(&mut self, name: &str, reason: &'static str) {
        self.unresolved.push(Unresolved { path: ["/", name].concat(), reason });
    }

    /// The result: members that `order` knows first, in its order, then the others as they came.
    pub(super) fn finish(self, order: &dyn Fn(&str) -> Option<usize>) -> Rewritten {
        let mut members: Vec<_> = self.members.iter().map(|member| (order(&member.0), member)).collect();
        members.sort_by_key(|(place, _)| place.unwrap_or(usize::MAX));
        let mut body = Vec::new();
        Writer::new(&mut body).object(|w| {
            for (_, (name, json)) in &members {
                w.foreign_name(name).raw(json);
            }
        });
        Rewritten { body: into_text(body), changes: self.changes, unresolved: self.unresolved }
    }
}

/// A value as it was written.
pub(super) fn json<'a>(value: Value<'a>) -> Cow<'a, str> {
    match value {
        Value::Absent | Value::Null => "null".into(),
        Value::Bool(true) => "true".into(),
        Value::Bool(false) => "false".into(),
        Value::Number(raw) | Value::Array(raw) | Value::Object(raw) => raw.into(),
        Value::String(text) => {
            let mut quoted = String::with_capacity(text.raw().len().saturating_add(2));
            quoted.push('"');
            quoted.push_str(text.raw());
            quoted.push('"');
            quoted.into()
        }
    }
}
