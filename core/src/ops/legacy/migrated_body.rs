//! The result of a migration: the new body, the changes, and the members that a person must decide
//! on.

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use zeroize::Zeroize;

use crate::json::writer::Writer;
use crate::schema::legacy::ChangeKind;
use crate::types::idempotency_key::IdempotencyKey;
use crate::util::debug::impl_debug_of_fields;

/// One change, with JSON Pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Change {
    /// The member in the original body, if there is one.
    pub from: Option<&'static str>,
    /// The member in the new body, if there is one, or `Idempotency-Key header`.
    pub to: Option<&'static str>,
    /// The kind of the change.
    pub kind: ChangeKind,
}

/// A member that cannot be migrated from the body without a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Unresolved {
    /// The JSON Pointer of the member.
    pub path: String,
    /// The reason.
    pub reason: &'static str,
}

/// A body migrated from one API to the other.
///
/// The new body may contain card data. Debug output omits it and the key, and both are wiped on
/// drop.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde_json", derive(serde::Serialize))]
pub struct MigratedBody {
    // Unchanged: numbers of the body may have any number of digits.
    #[cfg_attr(
        feature = "serde_json",
        serde(serialize_with = "crate::util::serialize::raw")
    )]
    pub(super) body: String,
    pub(super) changes: Vec<Change>,
    pub(super) unresolved: Vec<Unresolved>,
    #[cfg_attr(feature = "serde_json", serde(skip_serializing_if = "Option::is_none"))]
    pub(super) idempotency_key: Option<IdempotencyKey>,
}

impl MigratedBody {
    /// Returns the new body in JSON.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Returns the new body in JSON, which is then not wiped on drop.
    pub fn into_body(mut self) -> String {
        mem::take(&mut self.body)
    }

    /// Returns the changes.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Returns the members that a person has to decide on.
    pub fn unresolved(&self) -> &[Unresolved] {
        &self.unresolved
    }

    /// Returns the key for the header Idempotency-Key, if a legacy request contained one.
    pub fn idempotency_key(&self) -> Option<&IdempotencyKey> {
        self.idempotency_key.as_ref()
    }

    /// Appends `{"body":…,"changes":[…],"unresolved":[…]}`, with the member `idempotency_key` if
    /// there is one.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            w.name("body").raw(&self.body);
            w.name("changes").array(|w| {
                for Change { from, to, kind } in &self.changes {
                    w.object(|w| {
                        w.name("from").word_or_null(*from);
                        w.name("to").word_or_null(*to);
                        w.name("kind").word(kind.name());
                    });
                }
            });
            w.name("unresolved").array(|w| {
                for Unresolved { path, reason } in &self.unresolved {
                    w.object(|w| {
                        w.name("path").string(path);
                        w.name("reason").word(reason);
                    });
                }
            });
            if let Some(key) = &self.idempotency_key {
                w.name("idempotency_key").string(key.as_str());
            }
        });
    }
}

impl Drop for MigratedBody {
    fn drop(&mut self) {
        self.body.zeroize();
        if let Some(key) = &mut self.idempotency_key {
            key.wipe();
        }
    }
}

impl_debug_of_fields! { MigratedBody { changes, unresolved } }
