//! The context of `convert`.

use super::QuoteMembers;
use crate::error::Error;
use crate::input::{ContextMembers, InputValue};
use crate::money::{Amount, Currency, Quote};
use crate::schema::context::ConvertField;
use crate::types::timestamp::Timestamp;

/// A fiat amount to convert to USDT.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConvertContext {
    /// The amount. The response repeats it as it was written, because an [`Amount`] keeps its
    /// digits.
    pub amount: Amount,
    /// The currency of the amount.
    pub currency: Currency,
    /// The price of 1 USDT. If it is missing, the response is a problem.
    pub quote: Option<Quote>,
    /// The time against which the quote's age is measured. If it is missing, the age is not
    /// checked.
    pub now: Option<Timestamp>,
}

impl ConvertContext {
    /// Creates a context for an amount of this currency, converted at the price of `quote`.
    ///
    /// # Examples
    /// ```
    /// use payspec::{ConvertContext, Currency, Engine, Quote};
    ///
    /// let rub: Currency = "RUB".parse()?;
    /// let context = ConvertContext::new("10000.00".parse()?, rub, Quote::new(rub, "92.45".parse()?, None).ok());
    /// let body = Engine::default().convert(&context).body_json();
    /// assert!(body.starts_with(r#"{"amount":"108.166577","currency":"USDT","requested_amount":"10000.00","#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(amount: Amount, currency: Currency, quote: Option<Quote>) -> Self {
        ConvertContext {
            amount,
            currency,
            quote,
            now: None,
        }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &T) -> Result<Self, Error> {
        let members = ContextMembers::<ConvertField>::read(json)?;
        let quote = QuoteMembers {
            quote: members.get(ConvertField::Quote),
            currency: members.get(ConvertField::Currency),
            rate: members.get(ConvertField::Rate),
            as_of: members.get(ConvertField::AsOf),
        };
        let now = members.get(ConvertField::Now).timestamp()?;
        Ok(ConvertContext {
            amount: members
                .get(ConvertField::Amount)
                .require(InputValue::amount)?,
            currency: members
                .get(ConvertField::AmountCurrency)
                .require(InputValue::currency)?,
            quote: quote.read(now.is_some())?,
            now,
        })
    }
}
