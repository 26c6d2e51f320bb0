//! The values that several rules of a request depend on.

use crate::card::Scheme;
use crate::card::syntax::is_pan_syntax;
use crate::json::{Value, bit};
use crate::money::Currency;
use crate::schema::request::{PAY_IN_ONLY, RECIPIENT, RequestField};
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::validate::validator::Slots;

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
    pub(crate) fn new(slots: &Slots<'_>) -> Self {
        let host2host = slots.value(RequestField::HostToHost);
        RequestKind {
            variant: slots
                .value(RequestField::PaymentType)
                .parsed(PaymentType::from_name),
            mode: slots.value(RequestField::Mode).parsed(Mode::from_name),
            subtype: slots
                .value(RequestField::Subtype)
                .parsed(Subtype::from_name),
            host2host: matches!(host2host, Value::Bool(true)),
            currency: slots.value(RequestField::Cur).parsed(Currency::from_code),
            scheme: slots.value(RequestField::CardNumber).parsed(scheme),
        }
    }

    /// Returns the field whose absence is reported as a warning, because it identifies the
    /// recipient or the payer's card.
    #[inline]
    pub(crate) fn expected(&self) -> Option<RequestField> {
        let field = match (self.variant?, self.subtype?) {
            (PaymentType::PayOut, Subtype::BankCard) => RequestField::RecipientCardNumber,
            (PaymentType::PayOut, Subtype::Sbp) => RequestField::RecipientPhoneNumber,
            (PaymentType::PayIn, Subtype::BankCard) if self.host2host => RequestField::Card,
            (PaymentType::PayIn, _) => return None,
        };
        Some(field)
    }
}

/// Returns the scheme of a card, if its number is valid and the scheme is known.
fn scheme(number: &str) -> Option<Scheme> {
    is_pan_syntax(number.as_bytes())
        .then(|| Scheme::from_digits(number.as_bytes()))
        .flatten()
}

/// Returns the fields that the specification (§2.2) or the policy requires, without those that only
/// the other variant has.
#[inline]
pub(crate) fn required(by_policy: u64, variant: Option<PaymentType>, mode: Option<Mode>) -> u64 {
    let bit = |field: RequestField| bit(field.slot());
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
