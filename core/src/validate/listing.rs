//! The sink that lists violations in a report, and the checks of payments, which report paths and
//! parameters.

use super::validator::{Slots, Validator};
use crate::json::{Field, FieldId, JsonStr, Value, ValueKind};
use crate::money::MAX_WIRE_DIGITS;
use crate::policy::Ruleset;
use crate::report::code::{Code, Severity};
use crate::report::record::{Record, Sink};
use crate::report::{Allowed, Params, Pointer, ReportBuilder};
use crate::schema::legacy::{self, FieldChange};
use crate::schema::payment::PaymentField;
use crate::schema::request::RequestField;
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::types::uri::UriPart;
use crate::util::bug::or_bug;

/// Adds violations to a report.
pub(crate) struct Listing<'a, 'b> {
    pub(crate) ruleset: &'a Ruleset,
    pub(crate) builder: &'b mut ReportBuilder<'a>,
    /// The fields of the body.
    fields: &'static [&'static Field],
    /// The changes of the legacy members of the body.
    pub(super) changes: &'static [FieldChange],
}

impl<'a, 'b> Listing<'a, 'b> {
    pub(crate) fn of_request(ruleset: &'a Ruleset, builder: &'b mut ReportBuilder<'a>) -> Self {
        Listing {
            ruleset,
            builder,
            fields: RequestField::FIELDS,
            changes: legacy::REQUEST.changes,
        }
    }

    pub(crate) fn of_payment(ruleset: &'a Ruleset, builder: &'b mut ReportBuilder<'a>) -> Self {
        Listing {
            ruleset,
            builder,
            fields: PaymentField::FIELDS,
            changes: legacy::PAYMENT.changes,
        }
    }

    /// Returns the parameters of a violation.
    fn params(&self, Record { code, slot, x, y }: Record) -> Params<'a> {
        let policy = &self.ruleset.policy;
        let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
        match code {
            Code::JsonSyntax => Params::Position {
                line: number(x),
                column: number(y),
            },
            Code::BodyTooLarge | Code::TooDeep | Code::TextTooLong => Params::Limit(number(x)),
            Code::Type => Params::Types {
                expected: self
                    .fields
                    .get(slot)
                    .map_or("object", |field| field.json_type.name()),
                found: ValueKind::NAMES.get(x).copied().unwrap_or_default(),
            },
            Code::UnsupportedValue => {
                let listed = [
                    (RequestField::PaymentType, PaymentType::NAMES),
                    (RequestField::Mode, Mode::NAMES),
                    (RequestField::Subtype, Subtype::NAMES),
                ];
                let names = listed
                    .into_iter()
                    .find(|(field, _)| field.slot() == slot)
                    .map(|(_, names)| names);
                Params::Allowed(Allowed::Names(or_bug(names, &[])))
            }
            // `system`, the only legacy member that is a field, has no successor.
            Code::LegacyMember => Params::ReplacedBy(None),
            Code::AmountScale => Params::MinorUnit(u32::try_from(x).unwrap_or(0)),
            Code::AmountOutOfBounds => match policy.limits.amount.iter().nth(x.wrapping_sub(1)) {
                Some((_, bounds)) => Params::Amounts {
                    min: bounds.min,
                    max: bounds.max,
                },
                None => Params::Digits {
                    integer: MAX_WIRE_DIGITS.into(),
                    fraction: MAX_WIRE_DIGITS.into(),
                },
            },
            Code::CurrencyNotAllowed => Params::Allowed(Allowed::Currencies(
                policy.currencies.as_deref().unwrap_or_default(),
            )),
            Code::UriSyntax => UriPart::ALL
                .get(x)
                .map_or(Params::None, |part| Params::Reason(*part)),
            Code::UriScheme => Params::Allowed(Allowed::Texts(&policy.urls.schemes)),
            Code::ExpiryMonthRange | Code::ExpiryYearRange | Code::SecurityCodeSyntax => {
                Params::Range {
                    min: number(x),
                    max: number(y),
                }
            }
            Code::IntegerRange => {
                let range = policy.limits.time_to_complete_payment;
                Params::Range {
                    min: range.min,
                    max: range.max,
                }
            }
            _ => Params::None,
        }
    }
}

impl Sink for Listing<'_, '_> {
    #[inline]
    fn is_observable(&self, code: Code) -> bool {
        self.builder.is_observable(self.ruleset.severity(code))
    }

    #[cold]
    #[inline(never)]
    fn push(&mut self, record: Record) -> bool {
        let severity = self.ruleset.severity(record.code);
        if severity == Severity::Off {
            return false;
        }
        let path = self
            .fields
            .get(record.slot)
            .map_or(Pointer::ROOT, |field| Pointer::field(field));
        if record.slot == Record::BODY {
            self.builder.summary.fatal = Some(record.code);
        }
        self.builder
            .push(severity, record.code, path, self.params(record));
        severity.stops()
    }
}

impl<'a> Validator<'_, &Slots<'a>, Listing<'a, '_>> {
    /// Reports a violation of the field, unless the policy disables the rule. Returns whether it
    /// ends the rules of the member.
    pub(crate) fn report(&mut self, code: Code, field: impl FieldId, params: Params<'a>) -> bool {
        self.report_at(code, Pointer::field(field.entry()), params)
    }

    /// Reports a violation at `path`, unless the policy disables the rule.
    pub(crate) fn report_at(&mut self, code: Code, path: Pointer<'a>, params: Params<'a>) -> bool {
        let severity = self.sink.ruleset.severity(code);
        if severity != Severity::Off {
            self.sink.builder.push(severity, code, path, params);
        }
        severity.stops()
    }

    /// Returns whether a duplicate, reported before, has ended the rules of the member.
    pub(crate) fn duplicate_reported(&self, field: impl FieldId) -> bool {
        self.slots.presence.is_duplicate(field.slot())
            && self.sink.ruleset.severity(Code::DuplicateMember) == Severity::Error
    }

    /// Returns the member's value, if it is present. Reports a duplicate member and a missing
    /// required member.
    pub(crate) fn field(&mut self, field: impl FieldId) -> Option<Value<'a>> {
        self.present(field).flatten()
    }

    /// Reports a value of the wrong format within its type.
    pub(crate) fn wrong_format(
        &mut self,
        field: impl FieldId,
        expected: &'static str,
        value: Value<'a>,
    ) {
        self.report(
            Code::Type,
            field,
            Params::Types {
                expected,
                found: value.kind().name(),
            },
        );
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
    pub(crate) fn one_of<T>(
        &mut self,
        field: impl FieldId,
        from_name: fn(&str) -> Option<T>,
        names: &'static [&'static str],
    ) -> Option<JsonStr<'a>> {
        let text = self.string(field)?;
        let params = Params::Allowed(Allowed::Names(names));
        let unknown = text.with_decoded(|text| from_name(text).is_none());
        (!unknown || !self.report(Code::UnsupportedValue, field, params)).then_some(text)
    }
}
