//! The validator that all rules of a request share.

use alloc::borrow::Cow;

use crate::json::Value;
use crate::money::Currency;
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::request::{RequestField, variant_of};
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::types::timestamp::Timestamp;
use crate::validate::validator::Validator;

/// Values supplied by the caller that the rules depend on.
#[derive(Clone, Copy, Default)]
pub(crate) struct RuleInputs<'c> {
    /// The current time; without it, `card_expired` is not checked.
    pub(crate) now: Option<Timestamp>,
    /// The merchants that the credential may act for; without a list, `merchant_not_allowed` is not checked.
    pub(crate) allowed_merchant_ids: Option<&'c [Cow<'c, str>]>,
}

impl From<Option<Timestamp>> for RuleInputs<'_> {
    fn from(now: Option<Timestamp>) -> Self {
        RuleInputs { now, allowed_merchant_ids: None }
    }
}

/// The validator of a request, with the values that several rules depend on.
pub(crate) struct RequestValidator<'a, 'b> {
    pub(crate) v: Validator<'a, 'b>,
    pub(crate) inputs: RuleInputs<'b>,
    pub(crate) variant: Option<PaymentType>,
    pub(crate) mode: Option<Mode>,
    pub(crate) subtype: Option<Subtype>,
    pub(crate) host2host: bool,
    pub(crate) currency: Option<Currency>,
}

impl RequestValidator<'_, '_> {
    /// Validates that the details of a variant are an object, and that the request is of that variant.
    pub(crate) fn details(&mut self, member: RequestField) {
        match self.v.field(member) {
            Some(Value::Object(_)) => {
                self.stops_in_variant(member);
            }
            Some(other) => self.v.wrong_type(member, other),
            None => {}
        }
    }

    /// Reports a member, present and of its type, that only the other variant has. Returns whether that ends its rules.
    #[inline]
    pub(crate) fn stops_in_variant(&mut self, member: RequestField) -> bool {
        self.variant.is_some_and(|variant| variant_of(member.slot()) != Some(variant))
            && !self.v.slots.presence.is_duplicate(member.slot())
            && self.v.report(Code::VariantMismatch, member, Params::None).stops()
    }
}
