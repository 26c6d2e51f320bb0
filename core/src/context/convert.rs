//! The context of `convert`.

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
    /// The price of 1 USDT. If it is missing, the response is a problem.
    pub quote: Option<Quote>,
    /// The time against which the quote's age is measured. If it is missing, the age is not checked.
    pub now: Option<Timestamp>,
}

impl ConvertContext {
    /// Creates a context for an amount of this currency, converted at the price of `quote`.
    ///
    /// # Errors
    /// Returns a context error if `amount` is not a decimal of at most 28 digits, or if `currency` is not fiat.
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
    /// Returns a context error with the JSON Pointer of the invalid member.
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

    /// Returns the amount. The response repeats it as it was written, because an [`Amount`] keeps its digits.
    pub fn amount(&self) -> Amount {
        self.amount
    }

    /// Returns the currency.
    pub fn currency(&self) -> Currency {
        self.currency
    }
}
