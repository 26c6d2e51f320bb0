//! Checks that the rules of all bodies share: a member must be present, named once, and of the type
//! of its field.

use core::ops::ControlFlow;

use crate::json::{FieldId, FieldPresence, JsonStr, Value, bit};
use crate::policy::Ruleset;
use crate::report::code::{Code, Severity};
use crate::report::{Allowed, Params, Pointer, ReportBuilder};
use crate::schema::MOST_SLOTS;
use crate::util::bug::or_bug;

/// Whether the rules of a member continue. An error ends them, a warning does not.
pub(crate) type Flow = ControlFlow<()>;

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

    /// Returns the value of a field. Of a repeated member, the first value counts.
    #[inline]
    pub(crate) fn value(&self, field: impl FieldId) -> Value<'a> {
        *or_bug(self.values.get(field.slot()), &Value::Absent)
    }

    /// Returns whether a member is repeated.
    #[inline]
    pub(crate) fn is_duplicate(&self, field: impl FieldId) -> bool {
        self.presence.is_duplicate(field.slot())
    }
}

/// A member as the rules of its field find it.
pub(crate) enum Presence<V> {
    /// The rules of the member end: it is repeated, or it is missing although it is required.
    Stop,
    /// The member is absent or null.
    Absent,
    Value(V),
}

/// The members of a body under validation, and the report on it.
pub(crate) struct Validator<'a, 'b> {
    pub(crate) ruleset: &'b Ruleset,
    pub(crate) slots: &'b Slots<'a>,
    /// One bit for each required slot.
    required: u64,
    pub(crate) report: &'b mut ReportBuilder<'a>,
}

impl<'a, 'b> Validator<'a, 'b> {
    /// Creates a validator of a body that was read into `slots`, of which `required` must be
    /// present.
    pub(crate) fn new(
        ruleset: &'b Ruleset,
        slots: &'b Slots<'a>,
        required: u64,
        report: &'b mut ReportBuilder<'a>,
    ) -> Self {
        Validator {
            ruleset,
            slots,
            required,
            report,
        }
    }

    #[inline]
    pub(crate) fn value(&self, field: impl FieldId) -> Value<'a> {
        self.slots.value(field)
    }

    /// Returns whether a violation of the rule changes the verdict or the list.
    #[inline]
    pub(crate) fn is_observable(&self, code: Code) -> bool {
        self.report.is_observable(self.ruleset.severity(code))
    }

    /// Reports a violation of the field, unless the policy disables the rule.
    pub(crate) fn report(&mut self, code: Code, field: impl FieldId, params: Params) -> Flow {
        self.report_at(code, Pointer::field(field.entry()), params)
    }

    /// Reports a violation at `path`, unless the policy disables the rule.
    #[cold]
    #[inline(never)]
    pub(crate) fn report_at(&mut self, code: Code, path: Pointer<'a>, params: Params) -> Flow {
        let severity = self.ruleset.severity(code);
        if severity != Severity::Off {
            self.report.push(severity, code, path, params);
        }
        if severity.stops() {
            Flow::Break(())
        } else {
            Flow::Continue(())
        }
    }

    /// Reports a violation of a rule without parameters unless `holds`.
    #[inline]
    pub(crate) fn check(&mut self, holds: bool, code: Code, field: impl FieldId) -> Flow {
        if holds {
            Flow::Continue(())
        } else {
            self.report(code, field, Params::None)
        }
    }

    /// Returns the member's value, if it is present. Reports a repeated member and a missing
    /// required member.
    #[inline]
    pub(crate) fn present(&mut self, field: impl FieldId) -> Presence<Value<'a>> {
        let value = self.value(field);
        if value.is_present() && !self.slots.is_duplicate(field) {
            return Presence::Value(value);
        }
        self.unusual_presence(field, value)
    }

    /// Handles the rare cases of `present`: a member that is repeated, null, or missing.
    #[inline(never)]
    fn unusual_presence(&mut self, field: impl FieldId, value: Value<'a>) -> Presence<Value<'a>> {
        let is_missing = !value.is_present() && self.required & bit(field.slot()) != 0;
        if self.unique(field).is_break() || self.check(!is_missing, Code::Missing, field).is_break()
        {
            return Presence::Stop;
        }
        if value.is_present() {
            Presence::Value(value)
        } else {
            Presence::Absent
        }
    }

    /// Reports a repeated member. If the policy lowers the rule to a warning, the first value is
    /// validated.
    pub(crate) fn unique(&mut self, field: impl FieldId) -> Flow {
        self.check(
            !self.slots.is_duplicate(field),
            Code::DuplicateMember,
            field,
        )
    }

    /// Returns whether a repetition, reported before, has ended the rules of the member.
    pub(crate) fn has_duplicate_error(&self, field: impl FieldId) -> bool {
        self.slots.is_duplicate(field)
            && self.ruleset.severity(Code::DuplicateMember) == Severity::Error
    }

    /// Returns the member's value, if it is present and its rules continue.
    pub(crate) fn field(&mut self, field: impl FieldId) -> Option<Value<'a>> {
        match self.present(field) {
            Presence::Value(value) => Some(value),
            Presence::Absent | Presence::Stop => None,
        }
    }

    /// Reports a value of the wrong type. The field determines the expected type.
    pub(crate) fn wrong_type(&mut self, field: impl FieldId, value: Value<'_>) {
        self.wrong_format(field, field.json_type().name(), value);
    }

    /// Reports a value of the wrong format within its type.
    pub(crate) fn wrong_format(
        &mut self,
        field: impl FieldId,
        expected: &'static str,
        value: Value<'_>,
    ) {
        let found = value.kind().name();
        // The rules of the member have ended in any case.
        let _ = self.report(Code::Type, field, Params::Types { expected, found });
    }

    /// Returns the member's string, and reports any other type.
    pub(crate) fn string(&mut self, field: impl FieldId) -> Option<JsonStr<'a>> {
        match self.field(field)? {
            Value::String(text) => Some(text),
            other => {
                self.wrong_type(field, other);
                None
            }
        }
    }

    /// Returns the member's string, unless `unsupported_value` has ended its rules.
    pub(crate) fn one_of(
        &mut self,
        field: impl FieldId,
        names: &'static [&'static str],
    ) -> Option<JsonStr<'a>> {
        let text = self.string(field)?;
        let is_listed = names.iter().any(|name| text.is(name));
        let flow = if is_listed {
            Flow::Continue(())
        } else {
            let allowed = Params::Allowed(Allowed::Names(names));
            self.report(Code::UnsupportedValue, field, allowed)
        };
        flow.is_continue().then_some(text)
    }
}
