//! The rules of a request as data: for each field, everything that is checked of it.
//! `crate::report::code` has the codes, and the order in which the rules of one member run.

mod amount;
mod card;
mod listed;
mod text;
mod uri;

use alloc::borrow::Cow;

use self::text::TextKind;
use self::uri::Hosts;
use super::kind::{RequestKind, required};
use crate::json::{FieldId, JsonType, Value, bit};
use crate::policy::Ruleset;
use crate::report::code::Code;
use crate::report::{Params, ReportBuilder};
use crate::schema::request::RequestField;
use crate::types::month::Month;
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::types::timestamp::Timestamp;
use crate::validate::validator::{Flow, Presence, Slots, Validator};

/// Declares the rules of each field, and the function that runs them. Each rule is a method that
/// takes the field, the characters of its value, and the arguments in the table.
///
/// The compiler sees which rules belong to a field. A loop over a table of functions would take
/// three times as many instructions for a verdict (P1).
macro_rules! field_rules {
    ($($(#[$doc:meta])* $field:ident: [$($rule:ident $(($($argument:expr),+))?),+];)+) => {
        impl RequestValidator<'_, '_, '_> {
            /// Runs the rules of the fields in `relevant`, in the order of §2.2.
            fn fields(&mut self, relevant: u64) {
                $(if relevant & bit(RequestField::$field.slot()) != 0 {
                    self.field(RequestField::$field, |request, text| {
                        $(request.$rule(RequestField::$field, text $($(, $argument)+)?)?;)+
                        Flow::Continue(())
                    });
                })+
            }
        }
    };
}

field_rules! {
    PaymentType: [listed(PaymentType::is_name, PaymentType::NAMES)];
    Mode: [listed(Mode::is_name, Mode::NAMES)];
    Cur: [currency];
    Amount: [amount, amount_bounds];
    Subtype: [listed(Subtype::is_name, Subtype::NAMES)];
    MerchantId: [text(TextKind::Line), allowed_merchant, no_card_number];
    UserId: [text(TextKind::Line), no_card_number];
    UserName: [for_variant, text(TextKind::Line), no_card_number];
    // A payer's browser may be in a private network, but the server must not be directed to one.
    Callback: [uri(Hosts::Public)];
    RedirectUrl: [uri(Hosts::Any)];
    BankName: [text(TextKind::Line), no_card_number];
    HostToHost: [any];
    Description: [text(TextKind::Description), no_card_number];
    TimeToComplete: [duration];
    PayOutDetails: [for_variant];
    RecipientBankName: [text(TextKind::Line), no_card_number];
    RecipientFullName: [text(TextKind::Line), no_card_number];
    RecipientCardNumber: [card_number];
    RecipientPhoneNumber: [phone_number];
    PayInDetails: [for_variant];
    Card: [for_host_to_host, with_number];
    CardHolder: [text(TextKind::Line), no_card_number];
    CardNumber: [card_number];
    ExpiryYear: [expiry_year];
    ExpiryMonth: [expiry_month];
    SecurityCode: [security_code];
    PayerBankName: [text(TextKind::Line), no_card_number];
    System: [legacy];
}

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
struct RequestValidator<'a, 'b, 'c> {
    v: Validator<'a, 'b>,
    kind: RequestKind,
    inputs: RuleInputs<'c>,
}

/// Runs every rule, in the order of the fields of §2.2, except those of unknown members.
pub(super) fn run<'a>(
    ruleset: &Ruleset,
    slots: &Slots<'a>,
    kind: RequestKind,
    inputs: RuleInputs<'_>,
    report: &mut ReportBuilder<'a>,
) {
    let required = required(ruleset.required, kind.variant, kind.mode);
    let expected = kind.expected().map_or(0, |field| bit(field.slot()));
    let relevant = slots.presence.given | required | expected;
    let v = Validator::new(ruleset, slots, required, report);
    RequestValidator { v, kind, inputs }.fields(relevant);
}

impl RequestValidator<'_, '_, '_> {
    /// Runs the rules of a field.
    #[inline(always)]
    fn field(&mut self, field: RequestField, rules: fn(&mut Self, &str) -> Flow) {
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
            (JsonType::Integer, Value::Number(digits)) if is_integer(digits) => {
                _ = rules(self, digits);
            }
            (JsonType::Object, Value::Object(_))
            | (JsonType::Boolean, Value::Bool(_))
            | (JsonType::Any, _) => _ = rules(self, ""),
            _ => self.v.wrong_type(field, value),
        }
    }

    /// Reports the absence of a field that identifies the recipient or the payer's card.
    fn expect(&mut self, field: RequestField) {
        if self.kind.expected() == Some(field) {
            let code = match field {
                RequestField::Card => Code::HostToHostWithoutCard,
                _ => Code::RecipientIncomplete,
            };
            _ = self.report(code, field, Params::None);
        }
    }

    fn report(&mut self, code: Code, field: RequestField, params: Params) -> Flow {
        self.v.report(code, field, params)
    }

    fn check(&mut self, holds: bool, code: Code, field: RequestField) -> Flow {
        self.v.check(holds, code, field)
    }
}

/// Checks if a number has neither a fraction nor an exponent.
fn is_integer(number: &str) -> bool {
    !number.contains(['.', 'e', 'E'])
}
