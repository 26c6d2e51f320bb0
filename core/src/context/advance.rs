//! What advance_payment needs.

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

/// The JSON array of none.
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

/// A payment and what happened to it.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct AdvanceContext<'a> {
    /// The stored payment.
    pub payment: JsonObject<'a>,
    /// The state that it goes to.
    pub to: State,
    /// When that happened.
    pub at: Timestamp,
    /// What was paid; with `not_fully`, `completed` and `correction`.
    pub paid_amount: Option<Amount>,
    /// The new amount; with `correction`.
    pub amount: Option<Amount>,
    /// Who is responsible for a failure; with `fail`.
    pub fail_by: Option<Cow<'a, str>>,
    /// Why it failed; with `fail`.
    pub fail_code: Option<Cow<'a, str>>,
    /// Addresses of receipts, added to those that the payment has.
    pub receipts: Vec<AbsoluteUri<'a>>,
}

impl<'a> AdvanceContext<'a> {
    /// A context of what must be there. The rest is set member by member.
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
    /// A context error with the JSON Pointer of the member at fault.
    pub fn from_json(json: &'a [u8]) -> Result<Self, Error> {
        let (mut context, receipts) = Self::without_receipts(json)?;
        let receipts = items(receipts).filter_map(Value::text);
        context.receipts = receipts.map(|text| AbsoluteUri::unchecked(text.to_cow())).collect();
        Ok(context)
    }

    /// The context without its receipts, and these as a JSON array, all of them addresses: a list would allocate.
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
