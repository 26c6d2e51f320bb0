//! The validator that all rules of a request share, and the steps before the rules of a field.

use alloc::borrow::Cow;

use super::kind::RequestKind;
use crate::json::{FieldId, Integer, JsonType, Value};
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::request::RequestField;
use crate::types::month::Month;
use crate::types::timestamp::Timestamp;
use crate::validate::validator::{Flow, Presence, Validator};

/// Values supplied by the caller that the rules depend on.
#[derive(Clone, Copy, Default)]
pub(crate) struct RuleInputs<'c> {
    /// The current month in the last time zone; without it, `card_expired` is not checked.
    pub(crate) month: Option<Month>,
    /// The merchants for which the credential may act; without them, `merchant_not_allowed` is not
    /// checked.
    pub(crate) merchants: Option<&'c [Cow<'c, str>]>,
}

impl RuleInputs<'_> {
    /// Returns the inputs of a request that is validated at a time.
    pub(crate) fn at(now: Option<Timestamp>) -> Self {
        RuleInputs {
            month: now.map(|now| now.month_everywhere()),
            merchants: None,
        }
    }
}

/// The validator of a request.
pub(super) struct RequestValidator<'a, 'b, 'c> {
    pub(super) v: Validator<'a, 'b>,
    pub(super) kind: RequestKind,
    pub(super) inputs: RuleInputs<'c>,
}

impl RequestValidator<'_, '_, '_> {
    /// Runs the rules of a field.
    #[inline(always)]
    pub(super) fn field(&mut self, field: RequestField, rules: fn(&mut Self, &str) -> Flow) {
        // Most members are strings without escapes, named once. Their rules are compiled in place.
        let plain = match self.v.value(field) {
            Value::String(text) if !self.v.slots.is_duplicate(field) => text.plain(),
            _ => None,
        };
        match plain {
            Some(text) if field.json_type() == JsonType::String => _ = rules(self, text),
            _ => self.unusual_field(field, rules),
        }
    }

    /// Runs the rules of any field.
    #[inline(never)]
    fn unusual_field(&mut self, field: RequestField, rules: fn(&mut Self, &str) -> Flow) {
        if field.json_type() == JsonType::Any && matches!(self.v.value(field), Value::Null) {
            // A null counts as a value if the type does not matter.
            if self.v.unique(field).is_continue() {
                _ = rules(self, "");
            }
            return;
        }
        let value = match self.v.present(field) {
            Presence::Value(value) => value,
            Presence::Absent => return self.expect(field),
            Presence::Stop => return,
        };
        match (field.json_type(), value) {
            (JsonType::String, Value::String(text)) => {
                text.with_decoded(|text| _ = rules(self, text));
            }
            (JsonType::Integer, Value::Number(digits)) if Integer::parse(digits).is_some() => {
                _ = rules(self, digits);
            }
            (JsonType::Object, Value::Object(_))
            | (JsonType::Boolean, Value::Bool(_))
            | (JsonType::Any, _) => _ = rules(self, ""),
            _ => self.v.wrong_type(field, value),
        }
    }

    /// Reports the absence of a field that identifies the recipient or the payer's card.
    pub(super) fn expect(&mut self, field: RequestField) {
        if self.kind.expected() == Some(field) {
            let code = match field {
                RequestField::Card => Code::HostToHostWithoutCard,
                _ => Code::RecipientIncomplete,
            };
            _ = self.report(code, field, Params::None);
        }
    }

    pub(super) fn report(&mut self, code: Code, field: RequestField, params: Params) -> Flow {
        self.v.report(code, field, params)
    }

    pub(super) fn check(&mut self, holds: bool, code: Code, field: RequestField) -> Flow {
        self.v.check(holds, code, field)
    }
}
