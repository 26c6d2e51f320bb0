//! The context of `advance_payment`.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use super::{AbsoluteUri, JsonObject};
use crate::error::{Error, ErrorKind};
use crate::input::{Input, InputObject, URI};
use crate::json::{Value, object_schema};
use crate::money::Amount;
use crate::types::state::State;
use crate::types::timestamp::Timestamp;

object_schema! {
    /// Members of the context of `advance_payment`.
    enum AdvanceField;
    ROOT "" {
        Payment "payment" Object, To "to" String, At "at" String, PaidAmount "paid_amount" String, Amount "amount" String,
        FailBy "fail_by" String, FailCode "fail_code" String, Receipts "receipts" Array,
    }
}

/// A payment and the transition to apply to it.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct AdvanceContext<'a> {
    /// The stored payment.
    pub payment: JsonObject<'a>,
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
    pub fn new(payment: JsonObject<'a>, to: State, at: Timestamp) -> Self {
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
        let mut slots = [Value::Absent; AdvanceField::COUNT];
        let input = InputObject::read(json.as_ref(), &ROOT, &mut slots, ErrorKind::Context)?;
        let get = |field| input.get(field);
        let receipts = get(AdvanceField::Receipts).list(URI, |text| AbsoluteUri::checked(text.to_cow()))?;
        Ok(AdvanceContext {
            payment: JsonObject::unchecked(get(AdvanceField::Payment).require(Input::object)?),
            to: get(AdvanceField::To).require(Input::state)?,
            at: get(AdvanceField::At).require(Input::timestamp)?,
            paid_amount: get(AdvanceField::PaidAmount).amount()?,
            amount: get(AdvanceField::Amount).amount()?,
            fail_by: get(AdvanceField::FailBy).text()?,
            fail_code: get(AdvanceField::FailCode).text()?,
            receipts: receipts.unwrap_or_default(),
        })
    }
}

impl fmt::Debug for AdvanceContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdvanceContext").field("to", &self.to).field("at", &self.at).finish_non_exhaustive()
    }
}
