//! What convert needs.

use alloc::borrow::Cow;

use super::{OWN, QUOTE, quote};
use crate::error::{Error, ErrorCode};
use crate::host::Given;
use crate::money::{Amount, Currency, Quote};
use crate::read::{Field, Scope, Value};
use crate::time::Timestamp;

const AMOUNT: usize = OWN;
const CURRENCY: usize = OWN + 1;
const PRICE: usize = OWN + 2;
const NOW: usize = OWN + 3;
const SLOTS: usize = OWN + 4;

static ROOT: Scope = Scope::new(
    "",
    OWN,
    &[Field::text("/amount"), Field::text("/currency"), Field::object("/quote", &QUOTE), Field::text("/now")],
);

/// A fiat amount to convert to USDT.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvertContext<'a> {
    /// The amount.
    pub amount: Amount,
    /// The amount as written.
    pub amount_text: Cow<'a, str>,
    /// Its currency.
    pub currency: Currency,
    /// The price of 1 USDT, and that price as written.
    pub quote: Option<(Quote, Cow<'a, str>)>,
    /// The time against which the quote's age is measured; without it nobody asks.
    pub now: Option<Timestamp>,
}

impl<'a> ConvertContext<'a> {
    /// Reads the JSON form.
    ///
    /// # Errors
    /// A context error with the JSON Pointer of the member at fault.
    pub fn from_json(json: &'a [u8]) -> Result<Self, Error> {
        let mut slots = [Value::Absent; SLOTS];
        let given = Given::read(json, &ROOT, &mut slots, ErrorCode::Context)?;
        let now = given.instant(NOW)?;
        Ok(ConvertContext {
            amount: given.need(AMOUNT, given.amount(AMOUNT)?)?,
            amount_text: given.text(AMOUNT)?.unwrap_or_default(),
            currency: given.need(CURRENCY, given.currency(CURRENCY)?)?,
            quote: quote(&given, PRICE, now.is_some())?,
            now,
        })
    }
}
