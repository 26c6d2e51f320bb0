//! One change of a body that breaks one rule.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::draft::{Draft, Json};
use crate::schema::request::RequestField;

/// The largest witness that is written, in bytes.
pub(super) const LONGEST: u64 = 1 << 20;

/// A change of a body. The members of a body that a change does not name stay as they are.
#[derive(Clone, Default)]
pub(super) struct Change {
    /// The new value of each field by its slot; without a value, the field is removed.
    members: Vec<(usize, Option<Json>)>,
    repeated: Option<(RequestField, Json)>,
    unknown: Option<(&'static str, Json)>,
    /// The number of bytes to which spaces after the body extend it.
    length: u64,
    /// The number of bytes that a shortened value lacks, because it would be too long to write.
    pub(super) omitted: u64,
    /// The time of the validation.
    pub(super) now: Option<&'static str>,
}

/// A changed body.
pub(super) struct Body {
    pub(super) text: String,
    /// The number of bytes that the text lacks, because it would be too long to write.
    pub(super) omitted: u64,
}

impl Body {
    /// Returns the number of bytes of the whole body.
    pub(super) fn length(&self) -> u64 {
        length_of(&self.text).saturating_add(self.omitted)
    }
}

impl Change {
    /// Sets the value of a field.
    pub(super) fn set(field: RequestField, value: impl Into<Json>) -> Self {
        Change::default().and(field, value)
    }

    /// Sets the value of another field.
    pub(super) fn and(mut self, field: RequestField, value: impl Into<Json>) -> Self {
        self.members.push((field.slot(), Some(value.into())));
        self
    }

    /// Removes a field, and the fields in it.
    pub(super) fn remove(field: RequestField) -> Self {
        Change::remove_slot(field.slot())
    }

    /// Removes the field in this slot, and the fields in it.
    pub(super) fn remove_slot(slot: usize) -> Self {
        Change {
            members: [(slot, None)].into(),
            ..Change::default()
        }
    }

    /// Writes a field a second time, with this value.
    pub(super) fn repeat(field: RequestField, second: impl Into<Json>) -> Self {
        Change {
            repeated: Some((field, second.into())),
            ..Change::default()
        }
    }

    /// Adds a member that is not in the schema.
    pub(super) fn add_unknown(name: &'static str, value: impl Into<Json>) -> Self {
        Change {
            unknown: Some((name, value.into())),
            ..Change::default()
        }
    }

    /// Adds spaces after a body of less than this number of bytes.
    pub(super) fn extend_to(length: u64) -> Self {
        Change {
            length,
            ..Change::default()
        }
    }

    /// Returns the change with a number of bytes that are too many to write.
    pub(super) fn omitting(mut self, omitted: u64) -> Self {
        self.omitted = omitted;
        self
    }

    /// Returns the change with a time of the validation.
    pub(super) fn at(mut self, now: &'static str) -> Self {
        self.now = Some(now);
        self
    }

    /// Returns the length of the new values.
    pub(super) fn value_length(&self) -> u64 {
        let values = self.members.iter().filter_map(|(_, value)| value.as_ref());
        let written = values.map(|value| length_of(value));
        written.fold(self.omitted, u64::saturating_add)
    }

    /// Returns whether the change only removes members that the body does not have.
    pub(super) fn keeps(&self, base: &Draft) -> bool {
        let is_removed_already =
            |(slot, value): &(usize, Option<Json>)| value.is_none() && !base.has(*slot);
        self.members.iter().all(is_removed_already)
            && self.repeated.is_none()
            && self.unknown.is_none()
            && self.length == 0
    }

    /// Returns the changed body.
    pub(super) fn apply(&self, base: &Draft) -> Body {
        let mut draft = base.clone();
        for (slot, value) in &self.members {
            match value {
                Some(value) => draft.set(*slot, value.clone()),
                None => draft.remove(*slot),
            }
        }
        if let Some((field, second)) = &self.repeated {
            draft.repeat(*field, second.clone());
        }
        if let Some((name, value)) = &self.unknown {
            draft.set_unknown(name, value.clone());
        }
        let mut text = draft.text();
        let missing = self.length.saturating_sub(length_of(&text));
        let (spaces, omitted) = split(missing);
        text.extend((0..spaces).map(|_| ' '));
        Body {
            text,
            omitted: omitted.saturating_add(self.omitted),
        }
    }
}

/// Splits a length into the part that is written and the part that is omitted: a length over
/// [`LONGEST`] is omitted except for one unit.
pub(super) fn split(length: u64) -> (usize, u64) {
    match usize::try_from(length) {
        Ok(written) if length <= LONGEST => (written, 0),
        _ => (1, length.saturating_sub(1)),
    }
}

fn length_of(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

/// Returns a JSON string that begins with `beginning` and has `length` characters in all, and the
/// number of characters that are omitted from it.
pub(super) fn long_string(beginning: &str, length: u64) -> (Json, u64) {
    let (more, omitted) = split(length.saturating_sub(length_of(beginning)));
    let mut text = String::from("\"");
    text.push_str(beginning);
    text.extend((0..more).map(|_| 'a'));
    text.push('"');
    (Cow::Owned(text), omitted)
}
