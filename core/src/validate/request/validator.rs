//! The values that several rules of a request depend on.

use crate::card::scheme::{Scheme, is_number};
use crate::json::{Scratch, Value, bit};
use crate::money::Currency;
use crate::schema::request::{PAY_IN_ONLY, RECIPIENT, RequestField};
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::validate::validator::{Slots, Validator};

/// Values supplied by the caller that the rules depend on.
#[derive(Clone, Copy, Default)]
pub(crate) struct RuleInputs<'c> {
    /// The current month in the last time zone, as a number; without it, `card_expired` is not checked.
    pub(crate) month: Option<u64>,
    /// Returns whether the credential may act for a merchant; without it, `merchant_not_allowed` is not checked.
    pub(crate) allows_merchant: Option<&'c dyn Fn(&str) -> bool>,
}

#[cfg(feature = "alloc")]
impl From<Option<crate::types::timestamp::Timestamp>> for RuleInputs<'_> {
    fn from(now: Option<crate::types::timestamp::Timestamp>) -> Self {
        RuleInputs { month: now.map(|now| now.month_everywhere()), allows_merchant: None }
    }
}

/// The values that select the rules of a request, if they are known.
#[derive(Clone, Copy)]
pub(crate) struct RequestKind {
    pub(crate) variant: Option<PaymentType>,
    pub(crate) mode: Option<Mode>,
    pub(crate) subtype: Option<Subtype>,
    pub(crate) host2host: bool,
    pub(crate) currency: Option<Currency>,
    /// The length of the security code.
    pub(crate) code_length: Option<u8>,
}

impl RequestKind {
    #[inline]
    pub(crate) fn of(slots: &Slots<'_>, scratch: &mut impl Scratch) -> Self {
        RequestKind {
            variant: parsed(slots, scratch, RequestField::PaymentType, PaymentType::from_name),
            mode: parsed(slots, scratch, RequestField::Mode, Mode::from_name),
            subtype: parsed(slots, scratch, RequestField::Subtype, Subtype::from_name),
            host2host: matches!(slots.value(RequestField::HostToHost), Value::Bool(true)),
            currency: parsed(slots, scratch, RequestField::Cur, Currency::from_code),
            code_length: parsed(slots, scratch, RequestField::CardNumber, |number| {
                Scheme::of(number.as_bytes()).filter(|_| is_number(number.as_bytes()))
            })
            .map(Scheme::security_code_length),
        }
    }

    /// Returns the fields whose absence is reported as a warning: they identify the recipient or the payer's card.
    pub(super) fn expected(self) -> u64 {
        bit(match (self.variant, self.subtype) {
            (Some(PaymentType::PayOut), Some(Subtype::BankCard)) => RequestField::RecipientCardNumber.slot(),
            (Some(PaymentType::PayOut), Some(Subtype::Sbp)) => RequestField::RecipientPhoneNumber.slot(),
            (Some(PaymentType::PayIn), Some(Subtype::BankCard)) if self.host2host => RequestField::Card.slot(),
            _ => return 0,
        })
    }
}

/// Returns the value that a string denotes, if `parse` accepts it.
#[inline]
fn parsed<T>(
    slots: &Slots<'_>,
    scratch: &mut impl Scratch,
    field: RequestField,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Option<T> {
    scratch.decoded(slots.value(field).text()?, parse)
}

/// Returns the fields that the specification (§2.2) or the policy requires, without those that only the other variant
/// has.
#[inline]
pub(crate) fn required(by_policy: u64, variant: Option<PaymentType>, mode: Option<Mode>) -> u64 {
    let bit = |member: RequestField| bit(member.slot());
    let always = bit(RequestField::PaymentType) | bit(RequestField::Amount) | bit(RequestField::Cur);
    let (by_variant, others) = match variant {
        Some(PaymentType::PayOut) => (bit(RequestField::Mode) | bit(RequestField::Subtype), PAY_IN_ONLY),
        Some(PaymentType::PayIn) if mode == Some(Mode::Crypto) => (0, RECIPIENT),
        Some(PaymentType::PayIn) => (bit(RequestField::Subtype), RECIPIENT),
        None => (0, PAY_IN_ONLY | RECIPIENT),
    };
    always | by_variant | by_policy & !others
}

/// The validator of a request.
pub(super) struct RequestValidator<'a, 'b, 'c, S> {
    pub(super) v: Validator<'a, 'b, S>,
    pub(super) kind: RequestKind,
    pub(super) inputs: RuleInputs<'c>,
}
