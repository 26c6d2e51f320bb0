//! The context of `advance_payment`.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::{AbsoluteUri, StoredPayment, json_object};
use crate::error::Error;
use crate::input::{ContextMembers, InputValue, URI};
use crate::money::Amount;
use crate::schema::context::AdvanceField;
use crate::types::state::State;
use crate::types::timestamp::Timestamp;
use crate::util::debug::impl_debug_of_fields;

/// The message for a stored payment from which no transition can be computed.
pub(crate) const INVALID_PAYMENT: &str = "invalid payment: check_payment reports the reason";

/// A payment and the transition to apply to it.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct AdvanceContext<'a> {
    /// The stored payment.
    pub payment: StoredPayment<'a>,
    /// The new state.
    pub to: State,
    /// The time of the transition.
    pub at: Timestamp,
    /// The paid amount; used with `not_fully`, `completed`, and `correction`.
    pub paid_amount: Option<Amount>,
    /// The new amount; used with `correction`.
    pub amount: Option<Amount>,
    /// The party responsible for a failure; used with `fail`.
    pub fail_by: Option<Cow<'a, str>>,
    /// The reason for a failure; used with `fail`.
    pub fail_code: Option<Cow<'a, str>>,
    /// Addresses of receipts, added to the receipts of the payment.
    pub receipts: Vec<AbsoluteUri<'a>>,
}

impl<'a> AdvanceContext<'a> {
    /// Creates a context with the required members. The other members are set as fields.
    pub fn new(payment: StoredPayment<'a>, to: State, at: Timestamp) -> Self {
        AdvanceContext {
            payment,
            to,
            at,
            paid_amount: None,
            amount: None,
            fail_by: None,
            fail_code: None,
            receipts: Vec::new(),
        }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &'a T) -> Result<Self, Error> {
        let members = ContextMembers::<AdvanceField>::read(json)?;
        let get = |field| members.get(field);
        let receipts = get(AdvanceField::Receipts)
            .list(URI, |text| AbsoluteUri::try_from(text.to_cow()).ok())?;
        let payment = get(AdvanceField::Payment);
        let object = payment.require(json_object)?;
        let to = get(AdvanceField::To).require(InputValue::state)?;
        let at = get(AdvanceField::At).require(InputValue::timestamp)?;
        let paid_amount = get(AdvanceField::PaidAmount).amount()?;
        let amount = get(AdvanceField::Amount).amount()?;
        let fail_by = get(AdvanceField::FailBy).text()?;
        let fail_code = get(AdvanceField::FailCode).text()?;
        // The members of the payment follow those of the context. Their errors have one message.
        let payment = StoredPayment::try_from(object).map_err(|error| {
            let path = [&payment.pointer(), error.path()].concat();
            Error::context(path, INVALID_PAYMENT)
        })?;
        Ok(AdvanceContext {
            payment,
            to,
            at,
            paid_amount,
            amount,
            fail_by,
            fail_code,
            receipts: receipts.unwrap_or_default(),
        })
    }
}

impl_debug_of_fields! { AdvanceContext<'_> { to, at } }
