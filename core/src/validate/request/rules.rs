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
use crate::json::bit;
use crate::policy::Ruleset;
use crate::report::ReportBuilder;
use crate::schema::request::RequestField;
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
    let required = required(ruleset.required, kind.variant, kind.mode);
    let expected = kind.expected().map_or(0, |field| bit(field.slot()));
    let relevant = slots.presence.given | required | expected;
    let v = Validator::new(ruleset, slots, required, report);
    RequestValidator { v, kind, inputs }.fields(relevant);
}
