//! The canonical form of a body.

use hmac::digest::Update;

use crate::card::known::KnownPans;
use crate::card::masked::Masked;
use crate::card::scheme::MIN_PAN_DIGITS;
use crate::json::writer::escape_by;
use crate::json::{JsonStr, JsonType, Node, Tape, Value};
use crate::ops::redact::SensitiveField;
use crate::schema::request::is_quantity as is_request_quantity;
use crate::types::uuid::parse_uuid;
use crate::util::inline_vec::InlineVec;

/// Writes the canonical form without recursion. An ordinary request needs no heap memory.
pub(super) struct Canonical<'t, 'a> {
    tape: &'t Tape<'a>,
    /// The card numbers that the body declares, if card numbers are masked.
    masked: Option<&'t KnownPans>,
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
}

impl<'t, 'a> Canonical<'t, 'a> {
    pub(super) fn new(
        tape: &'t Tape<'a>,
        masked: Option<&'t KnownPans>,
        out: &'t mut dyn Update,
    ) -> Self {
        Canonical {
            tape,
            masked,
            out,
            pending: InlineVec::new(),
            open: InlineVec::new(),
        }
    }

    pub(super) fn write(mut self) {
        self.value(0, self.masked);
        let mut first = true;
        while let Some(Frame { base, object }) = self.open.last().copied() {
            if self.pending.len() <= base {
                self.open.pop();
                self.out.update(if object { b"}" } else { b"]" });
                first = false;
                continue;
            }
            let Some(index) = self.pending.pop() else {
                return;
            };
            if !first {
                self.out.update(b",");
            }
            let depth = self.open.len();
            match self.tape.node(index).and_then(Node::name) {
                Some(name) => self.member(name, index.saturating_add(1)),
                None => self.value(index, self.masked),
            }
            // No comma follows an opening bracket.
            first = self.open.len() > depth;
        }
    }

    /// Writes a member whose value is at `index`.
    fn member(&mut self, name: JsonStr<'a>, index: usize) {
        let masked = self.masked;
        name.with_decoded(|name| self.text(name, masked));
        self.out.update(b":");
        let value = self.tape.value(index);
        match masked
            .and(SensitiveField::named(name))
            .and_then(|field| field.replacement(value))
        {
            Some(replacement) => self.quoted(replacement.as_str()),
            None => self.value(
                index,
                masked.filter(|_| !(self.open.len() == 1 && is_quantity(name, value))),
            ),
        }
    }

    fn value(&mut self, index: usize, masked: Option<&KnownPans>) {
        match self.tape.value(index) {
            Value::Object(_) => self.begin(index, true),
            Value::Array(_) => self.begin(index, false),
            Value::String(text) => text.with_decoded(|text| self.text(text, masked)),
            Value::Number(digits) => {
                let hidden = masked.and_then(|known_pans| known_pans.mask_text(digits));
                self.out
                    .update(hidden.as_ref().map_or(digits, Masked::as_str).as_bytes());
            }
            Value::Bool(true) => self.out.update(b"true"),
            Value::Bool(false) => self.out.update(b"false"),
            Value::Null | Value::Absent => self.out.update(b"null"),
        }
    }

    /// Opens an object or array. Its content becomes pending, with members sorted and security
    /// codes omitted.
    fn begin(&mut self, index: usize, object: bool) {
        self.out.update(if object { b"{" } else { b"[" });
        let base = self.pending.len();
        let tape = self.tape;
        if object {
            let member = |index: usize| Some((tape.node(index)?.name()?, index));
            let mut members: InlineVec<(JsonStr<'a>, usize), 64> =
                tape.within(index).filter_map(member).collect();
            members.retain(|(name, _)| {
                SensitiveField::named(*name) != Some(SensitiveField::SecurityCode)
            });
            // Duplicate members keep their order, and both values affect the fingerprint.
            members.sort_unstable_by(|(one, at), (other, next)| {
                one.compare(*other).then(at.cmp(next))
            });
            self.pending
                .extend(members.iter().rev().map(|(_, index)| *index));
        } else {
            self.pending.extend(tape.within(index));
            self.pending.get_mut(base..).unwrap_or_default().reverse();
        }
        self.open.push(Frame { base, object });
    }

    fn text(&mut self, text: &str, masked: Option<&KnownPans>) {
        // A UUID is not a card number, even if its digits look like one.
        let hidden = masked
            .and_then(|known_pans| known_pans.mask_text(text))
            .filter(|_| parse_uuid(text).is_none());
        self.quoted(hidden.as_ref().map_or(text, Masked::as_str));
    }

    fn quoted(&mut self, content: &str) {
        self.out.update(b"\"");
        escape_by(content, |bytes| self.out.update(bytes));
        self.out.update(b"\"");
    }
}

/// Returns whether a member is a quantity of the request that could be mistaken for a card number.
///
/// It must have the type of the schema, and be at least as long as the shortest card number.
fn is_quantity(name: JsonStr<'_>, value: Value<'_>) -> bool {
    let (json_type, length) = match value {
        Value::String(text) => (JsonType::String, text.raw().len()),
        Value::Number(digits) => (JsonType::Integer, digits.len()),
        _ => return false,
    };
    length >= MIN_PAN_DIGITS && is_request_quantity(name, json_type)
}
