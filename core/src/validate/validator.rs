//! Checks that the rules of all bodies share: a member must be present, named once, and of its type.

use crate::json::{FieldId, FieldPresence, JsonStr, Value, bit};
use crate::policy::Ruleset;
use crate::report::code::{Code, Severity};
use crate::report::{Params, Pointer, ReportBuilder};
use crate::schema::MOST_SLOTS;
use crate::util::bug::or_bug;

/// The members of a body, read by a schema.
pub(crate) struct Slots<'a> {
    /// The values. The array has one size for all bodies, so that the compiler can drop the bounds check in every rule.
    pub(crate) values: [Value<'a>; MOST_SLOTS],
    pub(crate) presence: FieldPresence<'a>,
}

impl<'a> Slots<'a> {
    /// Returns the slots of a body that has no members.
    #[inline]
    pub(crate) fn new() -> Self {
        Slots { values: [Value::Absent; MOST_SLOTS], presence: FieldPresence::default() }
    }

    /// Returns the value of a field.
    #[inline]
    pub(crate) fn value(&self, field: impl FieldId) -> Value<'a> {
        or_bug(self.values.get(field.slot()).copied(), Value::Absent)
    }
}

/// The result of reporting a violation: its severity under the policy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reported {
    Error,
    Warning,
    Off,
}

impl Reported {
    /// Returns whether the remaining rules of the member are skipped. A warning stops nothing.
    #[inline]
    pub(crate) fn stops(self) -> bool {
        self == Reported::Error
    }
}

/// The members of a body under validation, and its report.
pub(crate) struct Validator<'a, 'b> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) slots: &'b Slots<'a>,
    /// One bit for each required slot.
    required: u64,
    /// One bit for each slot that is named in the body or required.
    relevant: u64,
    /// One bit for each slot whose member is named exactly once.
    named_once: u64,
    builder: &'b mut ReportBuilder<'a>,
}

impl<'a, 'b> Validator<'a, 'b> {
    /// Creates a validator of a body that was read into `slots`, of which `required` must be present.
    pub(crate) fn new(
        ruleset: &'a Ruleset,
        slots: &'b Slots<'a>,
        required: u64,
        report: &'b mut ReportBuilder<'a>,
    ) -> Self {
        let (relevant, named_once) = (slots.presence.given() | required, slots.presence.named_once());
        Validator { ruleset, slots, required, relevant, named_once, builder: report }
    }

    /// Returns whether one of these slots is named in the body or required.
    #[inline]
    pub(crate) fn is_relevant(&self, slots: u64) -> bool {
        self.relevant & slots != 0
    }

    #[inline]
    pub(crate) fn value(&self, field: impl FieldId) -> Value<'a> {
        self.slots.value(field)
    }

    /// Reports a violation of the field, unless the policy disables the rule.
    pub(crate) fn report(&mut self, code: Code, field: impl FieldId, params: Params<'a>) -> Reported {
        self.report_at(code, Pointer::field(field.entry()), params)
    }

    /// Reports a violation at `path`, unless the policy disables the rule.
    pub(crate) fn report_at(&mut self, code: Code, path: Pointer<'a>, params: Params<'a>) -> Reported {
        let severity = self.ruleset.severity(code);
        let reported = match severity {
            Severity::Off => return Reported::Off,
            Severity::Warning => Reported::Warning,
            Severity::Error => Reported::Error,
        };
        self.builder.push(severity, code, path, params);
        reported
    }

    /// Reports a violation unless `holds`. Returns `None` if it ends the rules of the member.
    #[inline]
    pub(crate) fn check(&mut self, holds: bool, code: Code, field: impl FieldId, params: Params<'a>) -> Option<()> {
        self.check_at(holds, code, Pointer::field(field.entry()), params)
    }

    /// Like [`Validator::check`], at any path.
    #[inline]
    pub(crate) fn check_at(&mut self, holds: bool, code: Code, path: Pointer<'a>, params: Params<'a>) -> Option<()> {
        (holds || !self.report_at(code, path, params).stops()).then_some(())
    }

    fn is_error(&self, code: Code) -> bool {
        self.ruleset.severity(code) == Severity::Error
    }

    /// Returns whether a violation of one of these rules changes the verdict or the list.
    pub(crate) fn is_observable(&self, codes: &[Code]) -> bool {
        codes.iter().any(|code| self.builder.is_observable(self.ruleset.severity(*code)))
    }

    /// Reports a duplicate member. Returns whether that ends its rules; otherwise they validate the first value.
    #[inline]
    pub(crate) fn stops_as_duplicate(&mut self, field: impl FieldId) -> bool {
        self.slots.presence.is_duplicate(field.slot())
            && self.report(Code::DuplicateMember, field, Params::None).stops()
    }

    /// Returns whether a duplicate, reported before, has ended the rules of the member.
    pub(crate) fn duplicate_reported(&self, field: impl FieldId) -> bool {
        self.slots.presence.is_duplicate(field.slot()) && self.is_error(Code::DuplicateMember)
    }

    fn must_be_present(&self, field: impl FieldId) -> bool {
        self.required & bit(field.slot()) != 0
    }

    /// Returns the member's value, if it is present. Reports a duplicate member and a missing required member.
    #[inline]
    pub(crate) fn field(&mut self, field: impl FieldId) -> Option<Value<'a>> {
        let bit = bit(field.slot());
        if self.named_once & bit != 0 {
            let value = self.value(field);
            if value.is_present() {
                return Some(value);
            }
        } else if !self.is_relevant(bit) {
            return None;
        }
        self.field_slow(field)
    }

    /// Handles the rare cases of `field`: a member that is duplicate, null, or missing.
    #[inline(never)]
    fn field_slow(&mut self, field: impl FieldId) -> Option<Value<'a>> {
        if self.stops_as_duplicate(field) {
            return None;
        }
        let value = self.value(field);
        if value.is_present() {
            return Some(value);
        }
        if self.must_be_present(field) {
            self.report(Code::Missing, field, Params::None);
        }
        None
    }

    /// Returns whether the rules of the member, which is absent or null, have ended: as a duplicate or as missing.
    pub(crate) fn absence_reported(&self, field: impl FieldId) -> bool {
        self.duplicate_reported(field) || self.must_be_present(field) && self.is_error(Code::Missing)
    }

    /// Reports a value of the wrong type; the field determines the expected type.
    pub(crate) fn wrong_type(&mut self, field: impl FieldId, value: Value<'a>) {
        self.wrong_format(field, field.entry().json_type.name(), value);
    }

    /// Reports a value of the wrong format within its type.
    pub(crate) fn wrong_format(&mut self, field: impl FieldId, expected: &'static str, value: Value<'a>) {
        self.report(Code::Type, field, Params::Types { expected, found: value.type_name() });
    }

    /// Returns the member's string, and reports any other type.
    #[inline]
    pub(crate) fn string(&mut self, field: impl FieldId) -> Option<JsonStr<'a>> {
        if self.named_once & bit(field.slot()) != 0
            && let Value::String(text) = self.value(field)
        {
            return Some(text);
        }
        self.string_slow(field)
    }

    /// Handles the rare cases of `string`: a member that is not a string, or not named exactly once.
    #[inline(never)]
    fn string_slow(&mut self, field: impl FieldId) -> Option<JsonStr<'a>> {
        match self.field(field)? {
            Value::String(text) => Some(text),
            other => {
                self.wrong_type(field, other);
                None
            }
        }
    }

    /// Returns the member's integer as written, and reports any other value.
    #[inline]
    pub(crate) fn integer(&mut self, field: impl FieldId) -> Option<&'a str> {
        match self.field(field)? {
            Value::Number(digits) if digits.bytes().all(|byte| !matches!(byte, b'.' | b'e' | b'E')) => Some(digits),
            other => {
                self.wrong_type(field, other);
                None
            }
        }
    }

    /// Reports a member whose value is not in `names`; `known` is the result of that lookup.
    #[inline]
    pub(crate) fn expect_known(&mut self, field: impl FieldId, known: bool, names: &'static [&'static str]) {
        if !known || self.slots.presence.is_duplicate(field.slot()) {
            self.expect_known_slow(field, known, names);
        }
    }

    fn expect_known_slow(&mut self, field: impl FieldId, known: bool, names: &'static [&'static str]) {
        if self.string(field).is_some() && !known {
            self.report_unsupported(field, names);
        }
    }

    /// Returns the member's string, unless `unsupported_value` has ended its rules.
    pub(crate) fn one_of<T>(
        &mut self,
        field: impl FieldId,
        from_name: fn(&str) -> Option<T>,
        names: &'static [&'static str],
    ) -> Option<JsonStr<'a>> {
        let text = self.string(field)?;
        let unknown = text.with_decoded(|text| from_name(text).is_none());
        if unknown && self.report_unsupported(field, names).stops() {
            return None;
        }
        Some(text)
    }

    fn report_unsupported(&mut self, field: impl FieldId, names: &'static [&'static str]) -> Reported {
        self.report(Code::UnsupportedValue, field, Params::Allowed(crate::report::Allowed::Names(names)))
    }
}
