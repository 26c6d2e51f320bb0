//! The context of `advance_payment`.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use super::transition::STATE;
use super::{AbsoluteUri, JsonObject};
use crate::error::{Error, ErrorCode};
use crate::input::{InputObject, URI};
use crate::json::{Field, JsonType, ObjectSchema, PathSegment, Value, items};
use crate::money::Amount;
use crate::types::state::State;
use crate::types::timestamp::Timestamp;
use crate::types::uri::is_absolute_uri;

const PAYMENT: usize = 0;
const TO: usize = 1;
const AT: usize = 2;
const PAID_AMOUNT: usize = 3;
const AMOUNT: usize = 4;
const FAIL_BY: usize = 5;
const FAIL_CODE: usize = 6;
const RECEIPTS: usize = 7;
const SLOTS: usize = 8;

/// An empty JSON array.
pub(crate) const NO_RECEIPTS: &str = "[]";

static ROOT: ObjectSchema = ObjectSchema::new(
    "",
    PAYMENT,
    &[
        Field::new("/payment", JsonType::Object),
        Field::string("/to"),
        Field::string("/at"),
        Field::string("/paid_amount"),
        Field::string("/amount"),
        Field::string("/fail_by"),
        Field::string("/fail_code"),
        Field::new("/receipts", JsonType::Array),
    ],
);

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
    pub fn from_json(json: &'a [u8]) -> Result<Self, Error> {
        let (mut context, receipts) = Self::without_receipts(json)?;
        let receipts = items(receipts).filter_map(Value::text);
        context.receipts = receipts.map(|text| AbsoluteUri::unchecked(text.to_cow())).collect();
        Ok(context)
    }

    /// Reads the context without its receipts, and returns these as a JSON array of valid addresses, because a list would
    /// allocate.
    pub(crate) fn without_receipts(json: &'a [u8]) -> Result<(Self, &'a str), Error> {
        let mut slots = [Value::Absent; SLOTS];
        let input = InputObject::read(json, &ROOT, &mut slots, ErrorCode::Context)?;
        let receipts = input.array(RECEIPTS)?.unwrap_or(NO_RECEIPTS);
        for (place, item) in items(receipts).enumerate() {
            if !item.text().is_some_and(|text| text.with_decoded(is_absolute_uri)) {
                return Err(input.error_below(RECEIPTS, &[PathSegment::Index(place)], URI));
            }
        }
        let context = AdvanceContext {
            payment: JsonObject::unchecked(input.require(PAYMENT, input.object(PAYMENT)?)?),
            to: input.require(TO, input.parsed(TO, STATE, State::from_name)?)?,
            at: input.require(AT, input.timestamp(AT)?)?,
            paid_amount: input.amount(PAID_AMOUNT)?,
            amount: input.amount(AMOUNT)?,
            fail_by: input.text(FAIL_BY)?,
            fail_code: input.text(FAIL_CODE)?,
            receipts: Vec::new(),
        };
        Ok((context, receipts))
    }
}

impl fmt::Debug for AdvanceContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdvanceContext").field("to", &self.to).field("at", &self.at).finish_non_exhaustive()
    }
}
