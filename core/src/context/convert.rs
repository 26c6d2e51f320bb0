//! What convert needs.

use super::{OWN, QUOTE, quote};
use crate::error::{Error, ErrorCode};
use crate::input::{CURRENCY as CURRENCY_EXPECTED, DECIMAL, InputObject};
use crate::json::{Field, ObjectSchema, Value};
use crate::money::{Amount, Currency, Quote};
use crate::types::timestamp::Timestamp;

const AMOUNT: usize = OWN;
const CURRENCY: usize = OWN + 1;
const PRICE: usize = OWN + 2;
const NOW: usize = OWN + 3;
const SLOTS: usize = OWN + 4;

static ROOT: ObjectSchema = ObjectSchema::new(
    "",
    OWN,
    &[Field::string("/amount"), Field::string("/currency"), Field::object("/quote", &QUOTE), Field::string("/now")],
);

/// A fiat amount to convert to USDT.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConvertContext {
    amount: Amount,
    currency: Currency,
    /// The price of 1 USDT; a problem answers where there is none.
    pub quote: Option<Quote>,
    /// The time against which the quote's age is measured; without it nobody asks.
    pub now: Option<Timestamp>,
}

impl ConvertContext {
    /// An amount of that currency, at the price of `quote`.
    ///
    /// # Errors
    /// A context error where the text is no decimal of at most 28 digits, or the currency no money.
    ///
    /// # Examples
    /// ```
    /// use payspec::{ConvertContext, Currency, Engine, Quote};
    ///
    /// let rub: Currency = "RUB".parse()?;
    /// let context = ConvertContext::new("10000.00", rub, Quote::new(rub, "92.45".parse()?, None))?;
    /// let answer = Engine::default().convert(&context).body_json();
    /// assert!(answer.starts_with(r#"{"amount":"108.166577","currency":"USDT","requested_amount":"10000.00","#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(amount: &str, currency: Currency, quote: Option<Quote>) -> Result<Self, Error> {
        let amount = Amount::parse(amount).map_err(|_| Error::context("/amount", DECIMAL))?;
        if !currency.is_fiat() {
            return Err(Error::context("/currency", CURRENCY_EXPECTED));
        }
        Ok(ConvertContext { amount, currency, quote, now: None })
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// A context error with the JSON Pointer of the member at fault.
    pub fn from_json(json: &[u8]) -> Result<Self, Error> {
        let mut slots = [Value::Absent; SLOTS];
        let input = InputObject::read(json, &ROOT, &mut slots, ErrorCode::Context)?;
        let now = input.timestamp(NOW)?;
        Ok(ConvertContext {
            amount: input.require(AMOUNT, input.amount(AMOUNT)?)?,
            currency: input.require(CURRENCY, input.currency(CURRENCY)?)?,
            quote: quote(&input, PRICE, now.is_some())?,
            now,
        })
    }

    /// The amount. It is answered as it was written: an [`Amount`] keeps its digits.
    pub fn amount(&self) -> Amount {
        self.amount
    }

    /// Its currency.
    pub fn currency(&self) -> Currency {
        self.currency
    }
}
