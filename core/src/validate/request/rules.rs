//! The rules of a request as data: for each field, everything that is checked of it.
//! `crate::report::code` has the codes, and the order in which the rules of one member run.

mod amount;
mod card;
mod listed;
mod text;
mod uri;

use self::text::TextKind;
use super::kind::{RequestKind, required};
use super::validator::{RequestValidator, RuleInputs};
use crate::json::{Value, bit};
use crate::policy::Ruleset;
use crate::report::ReportBuilder;
use crate::schema::request::{CARD, PAY_IN_DETAILS, PAY_OUT_DETAILS, RequestField};
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::validate::uri::Hosts;
use crate::validate::validator::{Flow, Slots, Validator};

/// Declares the rules of each field, and the function that runs them. Each rule is a method that
/// takes the field, the characters of its value, and the arguments in the table.
///
/// The compiler sees which rules belong to a field. A loop over a table of functions would take
/// three times as many instructions for a verdict.
macro_rules! field_rules {
    ($($(#[$doc:meta])* $field:ident: [$($rule:ident $(<$type:ty>)? $(($argument:expr))?),+];)+) => {
        impl RequestValidator<'_, '_, '_> {
            /// Runs the rules of the fields in `relevant`, in the order of §2.2.
            fn fields(&mut self, relevant: u64) {
                $(if relevant & bit(RequestField::$field.slot()) != 0 {
                    self.field(RequestField::$field, |request, text| {
                        $(request.$rule$(::<$type>)?(RequestField::$field, text $(, $argument)?)?;)+
                        Flow::Continue(())
                    });
                })+
            }
        }
    };
}

field_rules! {
    PaymentType: [listed<PaymentType>];
    Mode: [listed<Mode>];
    Cur: [currency];
    Amount: [amount, amount_bounds];
    Subtype: [listed<Subtype>];
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

/// Runs every rule, in the order of the fields of §2.2, except those of unknown members.
pub(super) fn run<'a>(
    ruleset: &Ruleset,
    slots: &Slots<'a>,
    kind: RequestKind,
    inputs: RuleInputs<'_>,
    report: &mut ReportBuilder<'a>,
) {
    let by_policy = ruleset.required & !of_absent_objects(slots);
    let required = required(by_policy, kind.variant, kind.mode);
    let expected = kind.expected().map_or(0, |field| bit(field.slot()));
    let relevant = slots.presence.given | required | expected;
    let v = Validator::new(ruleset, slots, required, report);
    RequestValidator { v, kind, inputs }.fields(relevant);
}

/// Returns the fields of nested objects that the body does not have. A policy that requires a member
/// of an object does not require the object: card members do not reject a body for SBP.
fn of_absent_objects(slots: &Slots<'_>) -> u64 {
    let objects = [
        (RequestField::PayOutDetails, &PAY_OUT_DETAILS),
        (RequestField::PayInDetails, &PAY_IN_DETAILS),
        (RequestField::Card, &CARD),
    ];
    let absent = objects
        .iter()
        .filter(|(field, _)| !matches!(slots.value(*field), Value::Object(_)));
    absent.fold(0, |fields, (_, schema)| fields | schema.slots)
}

#[cfg(test)]
mod tests {
    use crate::validate::request::testing::violations_under;

    #[test]
    fn members_of_nested_objects_are_required_in_their_object_only() {
        let card =
            r#"{"required":["/pay_in_details/card/security_code","/pay_in_details/bank_name"]}"#;
        let body = |details: &str| {
            alloc::format!(
                r#"{{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"1"{details}}}"#
            )
        };
        let bank = "/pay_in_details/bank_name missing";
        let code = "/pay_in_details/card/security_code missing";
        for (details, expected) in [
            ("", &[][..]),
            (r#","pay_in_details":null"#, &[]),
            (r#","pay_in_details":{}"#, &[bank]),
            (r#","pay_in_details":{"card":null}"#, &[bank]),
            (
                r#","host2host":true,"pay_in_details":{"card":{}}"#,
                &[code, bank],
            ),
        ] {
            assert_eq!(
                violations_under(card, &body(details)),
                expected,
                "{details}"
            );
        }
        let object = r#"{"required":["/pay_in_details","/pay_in_details/card/security_code"]}"#;
        assert_eq!(
            violations_under(object, &body("")),
            ["/pay_in_details missing"]
        );
    }
}
