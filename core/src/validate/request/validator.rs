//! The values that several rules of a request depend on.

use alloc::borrow::Cow;

use crate::card::scheme::{Scheme, is_number};
use crate::json::{Member, Members, bit};
use crate::money::Currency;
use crate::schema::request::{PAY_IN_ONLY, RECIPIENT, RequestField};
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::util::text::Text;
use crate::validate::validator::Validator;

/// Values supplied by the caller that the rules depend on.
#[derive(Clone, Copy, Default)]
pub(crate) struct RuleInputs<'c> {
    /// The current month in the last time zone, as a number, or 0: then no card has expired.
    pub(crate) month: u64,
    /// The merchants for which the credential may act; without them, `merchant_not_allowed` is not
    /// checked.
    pub(crate) merchants: Option<&'c [Cow<'c, str>]>,
}

impl From<Option<crate::types::timestamp::Timestamp>> for RuleInputs<'_> {
    fn from(now: Option<crate::types::timestamp::Timestamp>) -> Self {
        RuleInputs {
            month: now.map_or(0, |now| now.month_everywhere()),
            merchants: None,
        }
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
    /// The scheme of the payer's card, if its number is valid.
    pub(crate) scheme: Option<Scheme>,
}

impl RequestKind {
    #[inline]
    pub(crate) fn of(slots: impl Members) -> Self {
        let value = |field: RequestField| slots.member(field.slot());
        RequestKind {
            variant: value(RequestField::PaymentType).string(|text| PaymentType::from_text(text)),
            mode: value(RequestField::Mode).string(|text| Mode::from_text(text)),
            subtype: value(RequestField::Subtype).string(|text| Subtype::from_text(text)),
            host2host: value(RequestField::HostToHost).is_true(),
            currency: value(RequestField::Cur).string(|text| Currency::from_text(text)),
            scheme: value(RequestField::CardNumber).string(|text| scheme(text)),
        }
    }

    /// Returns the fields whose absence is reported as a warning: they identify the recipient or
    /// the payer's card.
    pub(super) fn expected(&self) -> u64 {
        bit(match (self.variant, self.subtype) {
            (Some(PaymentType::PayOut), Some(Subtype::BankCard)) => {
                RequestField::RecipientCardNumber.slot()
            }
            (Some(PaymentType::PayOut), Some(Subtype::Sbp)) => {
                RequestField::RecipientPhoneNumber.slot()
            }
            (Some(PaymentType::PayIn), Some(Subtype::BankCard)) if self.host2host => {
                RequestField::Card.slot()
            }
            _ => return 0,
        })
    }
}

/// Returns the scheme of a card, if its number is valid and the scheme is known.
fn scheme(number: impl Text) -> Option<Scheme> {
    if is_number(number) {
        Scheme::of_number(number)
    } else {
        None
    }
}

/// Returns the fields that the specification (§2.2) or the policy requires, without those that only
/// the other variant has.
#[inline]
pub(crate) fn required(by_policy: u64, variant: Option<PaymentType>, mode: Option<Mode>) -> u64 {
    let bit = |member: RequestField| bit(member.slot());
    let always =
        bit(RequestField::PaymentType) | bit(RequestField::Amount) | bit(RequestField::Cur);
    let (by_variant, others) = match variant {
        Some(PaymentType::PayOut) => (
            bit(RequestField::Mode) | bit(RequestField::Subtype),
            PAY_IN_ONLY,
        ),
        Some(PaymentType::PayIn) if mode == Some(Mode::Crypto) => (0, RECIPIENT),
        Some(PaymentType::PayIn) => (bit(RequestField::Subtype), RECIPIENT),
        None => (0, PAY_IN_ONLY | RECIPIENT),
    };
    always | by_variant | by_policy & !others
}

/// The validator of a request.
pub(super) struct RequestValidator<'b, 'c, L: Members, S> {
    pub(super) v: Validator<'b, L, S>,
    pub(super) kind: RequestKind,
    pub(super) inputs: RuleInputs<'c>,
}
