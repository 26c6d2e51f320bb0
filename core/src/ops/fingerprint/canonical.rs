//! The canonical form of a body.

use hmac::digest::Update;

use super::{scalar, write_number, write_quoted, write_text};
use crate::card::text::TextMask;
use crate::card::text::names::{CardName, PairMember};
use crate::json::{JsonStr, Node, ObjectSchema, Tape, Value};
use crate::schema::request::{REQUEST, is_default, is_quantity};
use crate::util::bug::report_bug;
use crate::util::inline_vec::InlineVec;

/// Writes the canonical form without recursion. An ordinary request needs no heap memory.
pub(super) struct Canonical<'t, 'a> {
    tape: &'t Tape<'a>,
    /// The mask of texts, if there is no key.
    mask: Option<TextMask<'t>>,
    out: &'t mut dyn Update,
    /// The indices of the items and member names still to be written in all open objects and
    /// arrays, the next one last.
    pending: InlineVec<usize, 64>,
    open: InlineVec<Frame, 16>,
}

/// An object or array that is not written completely.
#[derive(Clone, Copy)]
struct Frame {
    /// The number of entries in `pending` that belong to the enclosing objects and arrays.
    base: usize,
    object: bool,
    /// What the member `value` of the object is, by its member `name`.
    pair: Option<CardName>,
    /// The fields of an object of §2.2.
    schema: Option<&'static ObjectSchema>,
}

impl<'t, 'a> Canonical<'t, 'a> {
    pub(super) fn new(
        tape: &'t Tape<'a>,
        mask: Option<TextMask<'t>>,
        out: &'t mut dyn Update,
    ) -> Self {
        Canonical {
            tape,
            mask,
            out,
            pending: InlineVec::new(),
            open: InlineVec::new(),
        }
    }

    pub(super) fn write(mut self) {
        if self.tape.node(0).is_none() {
            // The body could not be read, so it is hashed like null.
            report_bug();
        }
        self.value(0, self.mask, Some(&REQUEST));
        let mut first = true;
        while let Some(Frame { base, object, .. }) = self.open.last().copied() {
            let next = if self.pending.len() > base {
                self.pending.pop()
            } else {
                None
            };
            let Some(index) = next else {
                self.open.pop();
                self.out.update(if object { b"}" } else { b"]" });
                first = false;
                continue;
            };
            if !first {
                self.out.update(b",");
            }
            let depth = self.open.len();
            match self.tape.node(index).and_then(Node::name) {
                Some(name) => self.member(name, index.saturating_add(1)),
                None => self.value(index, self.mask, None),
            }
            // No comma follows an opening bracket.
            first = self.open.len() > depth;
        }
    }

    /// Writes a member whose value is at `index`.
    fn member(&mut self, name: JsonStr<'a>, index: usize) {
        let mask = self.mask;
        name.with_decoded(|name| write_text(name, mask, self.out));
        self.out.update(b":");
        let value = self.tape.value(index);
        let pair = self.open.last().and_then(|frame| frame.pair);
        let replacement = mask
            .and(card_name(name, pair))
            .and_then(|name| name.mask_json(value));
        if let Some(replacement) = replacement {
            write_quoted(replacement.as_str(), self.out);
        } else {
            let schema = self.open.last().and_then(|frame| frame.schema);
            let field = schema.and_then(|schema| schema.find(name));
            // At the root, a position is a slot.
            let is_quantity = |(position, field)| is_quantity(position, field, value);
            let is_plain = self.open.len() == 1 && field.is_some_and(is_quantity);
            let schema = field.and_then(|(_, field)| field.schema);
            self.value(index, mask.filter(|_| !is_plain), schema);
        }
    }

    /// Writes a value. If it is an object of §2.2, `schema` contains its fields.
    fn value(
        &mut self,
        index: usize,
        mask: Option<TextMask<'_>>,
        schema: Option<&'static ObjectSchema>,
    ) {
        match self.tape.value(index) {
            Value::Object(_) => self.begin_object(index, schema),
            Value::Array(_) => self.begin_array(index),
            Value::String(text) => text.with_decoded(|text| write_text(text, mask, self.out)),
            Value::Number(digits) => write_number(digits, mask, self.out),
            value => self.out.update(scalar(value).as_bytes()),
        }
    }

    /// Opens an object. Its members become pending, sorted, without security codes and without
    /// members that mean the same as absent ones.
    fn begin_object(&mut self, index: usize, schema: Option<&'static ObjectSchema>) {
        let tape = self.tape;
        let member = |index: usize| {
            let name = tape.node(index).and_then(Node::name);
            if name.is_none() {
                // A member without a name is a bug. It is omitted.
                report_bug();
            }
            Some((name?, index))
        };
        let mut members: InlineVec<(JsonStr<'a>, usize), 64> =
            tape.within(index).filter_map(member).collect();
        let pair = pair_name(tape, &members);
        members.retain(|(name, index)| {
            let value = || tape.value(index.saturating_add(1));
            match card_name(*name, pair) {
                Some(CardName::SecurityCode) => false,
                Some(CardName::PossibleCode) => CardName::PossibleCode.mask_json(value()).is_none(),
                _ => true,
            }
        });
        // Duplicate members keep their order, and both values affect the fingerprint.
        members.sort_unstable_by(|(one, at), (other, next)| one.compare(*other).then(at.cmp(next)));
        let stated = |at: &usize| !is_like_absent(tape, schema, &members, *at);
        let indices = (0..members.len()).rev().filter(stated);
        let indices = indices.filter_map(|at| members.get(at).map(|(_, index)| *index));
        self.begin(true, indices, schema, pair);
    }

    /// Opens an array. Its items become pending.
    fn begin_array(&mut self, index: usize) {
        let items: InlineVec<usize, 64> = self.tape.within(index).collect();
        self.begin(false, items.into_iter().rev(), None, None);
    }

    /// Opens an object or array with these members or items, the last one first.
    fn begin(
        &mut self,
        object: bool,
        indices: impl Iterator<Item = usize>,
        schema: Option<&'static ObjectSchema>,
        pair: Option<CardName>,
    ) {
        self.out.update(if object { b"{" } else { b"[" });
        let base = self.pending.len();
        self.pending.extend(indices);
        self.open.push(Frame {
            base,
            object,
            pair,
            schema,
        });
    }
}

/// Returns what the member `name` of an object calls the member `value`.
fn pair_name(tape: &Tape<'_>, members: &[(JsonStr<'_>, usize)]) -> Option<CardName> {
    members.iter().find_map(|(name, index)| {
        let value = tape.value(index.saturating_add(1));
        match (pair_member(*name)?, value) {
            (PairMember::Name, Value::String(text)) => CardName::from_member(text),
            _ => None,
        }
    })
}

/// Returns what the name of a member stands for, in an object with a pair or not.
fn card_name(name: JsonStr<'_>, pair: Option<CardName>) -> Option<CardName> {
    let is_value = || pair_member(name) == Some(PairMember::Value);
    CardName::from_member(name).or_else(|| pair.filter(|_| is_value()))
}

/// Returns the part of a pair that a member is.
fn pair_member(name: JsonStr<'_>) -> Option<PairMember> {
    name.plain()
        .and_then(|name| PairMember::from_name(name.as_bytes()))
}

/// Returns whether the member at a position means the same as an absent one.
///
/// The members are sorted by name. Of a repeated member, the first value counts, so none of its
/// values is like an absent one.
fn is_like_absent(
    tape: &Tape<'_>,
    schema: Option<&'static ObjectSchema>,
    members: &[(JsonStr<'_>, usize)],
    at: usize,
) -> bool {
    let (Some(schema), Some((name, index))) = (schema, members.get(at)) else {
        return false;
    };
    let value = tape.value(index.saturating_add(1));
    let is_same = |(other, _): &(JsonStr<'_>, usize)| other.compare(*name).is_eq();
    let before = at.checked_sub(1).and_then(|before| members.get(before));
    let after = members.get(at.saturating_add(1));
    let is_default = |(_, field)| is_default(field, value);
    schema.find(*name).is_some_and(is_default)
        && !before.is_some_and(is_same)
        && !after.is_some_and(is_same)
}
