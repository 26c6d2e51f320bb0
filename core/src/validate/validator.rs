//! Checks that the rules of all bodies share: a member must be present and named once.

use crate::json::{FieldId, FieldPresence, Member, Members, Value, bit};
use crate::policy::PolicyView;
use crate::report::code::Code;
use crate::report::record::{Record, Sink};
use crate::schema::MOST_SLOTS;
use crate::util::bug::or_bug;

/// The members of a body, read by a schema.
pub(crate) struct Slots<'a> {
    /// The values. The array has one size for all bodies, so that the compiler can drop the bounds
    /// check in every rule.
    pub(crate) values: [Value<'a>; MOST_SLOTS],
    pub(crate) presence: FieldPresence<'a>,
}

impl<'a> Slots<'a> {
    /// Returns the slots of a body that has no members.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Slots {
            values: [Value::Absent; MOST_SLOTS],
            presence: FieldPresence::default(),
        }
    }

    /// Returns the value of a field.
    #[inline]
    pub(crate) fn value(&self, field: impl FieldId) -> Value<'a> {
        self.member(field.slot())
    }
}

impl<'a> Members for &Slots<'a> {
    type Value = Value<'a>;

    #[inline]
    fn member(self, slot: usize) -> Value<'a> {
        or_bug(self.values.get(slot).copied(), Value::Absent)
    }

    fn given(self) -> u64 {
        self.presence.given
    }

    #[inline]
    fn is_duplicate(self, slot: usize) -> bool {
        self.presence.is_duplicate(slot)
    }
}

/// The policy for members of a kind.
pub(crate) type Policy<'b, L> = PolicyView<'b, <<L as Members>::Value as Member>::Other<'b>>;

/// The members of a body under validation, and the sink of its violations.
pub(crate) struct Validator<'b, L: Members, S> {
    pub(crate) policy: Policy<'b, L>,
    pub(crate) slots: L,
    /// One bit for each required slot.
    required: u64,
    pub(crate) sink: S,
}

impl<'b, L: Members, S: Sink> Validator<'b, L, S> {
    /// Creates a validator of a body that was read into `slots`, of which `required` must be
    /// present.
    pub(crate) fn new(policy: Policy<'b, L>, slots: L, required: u64, sink: S) -> Self {
        Validator {
            policy,
            slots,
            required,
            sink,
        }
    }

    #[inline]
    pub(crate) fn value(&self, field: impl FieldId) -> L::Value {
        self.slots.member(field.slot())
    }

    /// Reports a violation, unless the policy disables the rule. Returns whether it ends the rules
    /// of the member.
    #[inline]
    pub(crate) fn push(&mut self, code: Code, slot: usize, x: usize, y: usize) -> bool {
        self.sink.push(Record { code, slot, x, y })
    }

    /// Reports a violation unless `holds`. Returns `None` if it ends the rules of the member. The
    /// sink adds parameters that follow from the code and the policy.
    #[inline]
    pub(crate) fn check(&mut self, holds: bool, code: Code, field: impl FieldId) -> Option<()> {
        (holds || !self.push(code, field.slot(), 0, 0)).then_some(())
    }

    /// Returns the member's value, if it is present. Reports a duplicate member and a missing
    /// required member, and returns `None` if that ends the rules of the member.
    #[inline]
    pub(crate) fn present(&mut self, field: impl FieldId) -> Option<Option<L::Value>> {
        let (slot, value) = (field.slot(), self.value(field));
        let is_usual = value.is_present() && !self.slots.is_duplicate(slot);
        if !is_usual && self.stops_early(slot, value.is_present()) {
            return None;
        }
        Some(value.is_present().then_some(value))
    }

    /// Handles the rare cases of `present`: a member that is duplicate, null, or missing.
    #[inline(never)]
    fn stops_early(&mut self, slot: usize, is_present: bool) -> bool {
        let is_missing = !is_present && self.required & bit(slot) != 0;
        self.stops_as_duplicate(slot) || is_missing && self.push(Code::Missing, slot, 0, 0)
    }

    /// Reports a duplicate member. Returns whether that ends its rules; otherwise they validate the
    /// first value.
    pub(crate) fn stops_as_duplicate(&mut self, slot: usize) -> bool {
        self.slots.is_duplicate(slot) && self.push(Code::DuplicateMember, slot, 0, 0)
    }

    /// Reports a value of the wrong type; the field determines the expected type.
    pub(crate) fn wrong_type(&mut self, field: impl FieldId, value: L::Value) {
        self.push(Code::Type, field.slot(), value.kind().index(), 0);
    }
}
