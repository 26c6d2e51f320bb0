//! What the host brings to a call: one typed context for each operation, and its JSON form.
//!
//! The parts that several contexts share take the first slots in each of them.

mod advance;
mod checked;
mod convert;
mod create;
mod idempotency;
mod read;
mod transition;

pub use advance::AdvanceContext;
pub(crate) use advance::NO_RECEIPTS;
pub use checked::{AbsoluteUri, JsonObject};
pub use convert::ConvertContext;
pub use create::CreateContext;
pub use idempotency::IdempotencyContext;
pub use read::{BalanceContext, ReadContext};
pub(crate) use transition::transition;

use crate::authorization::Authorization;
use crate::error::Error;
use crate::host::Given;
use crate::money::{Amount, Quote};
use crate::read::{Field, Scope, Shape, Value};

const HEADER: usize = 0;
const ACCEPTED: usize = 1;
const QUOTE_CURRENCY: usize = 2;
const QUOTE_RATE: usize = 3;
const QUOTE_AS_OF: usize = 4;
/// The first slot of a context's own members.
const OWN: usize = 5;

static AUTHORIZATION: Scope = Scope::new(
    "/authorization",
    HEADER,
    &[Field::text("/authorization/header"), Field::new("/authorization/accepted", Shape::Boolean)],
);

static QUOTE: Scope = Scope::new(
    "/quote",
    QUOTE_CURRENCY,
    &[Field::text("/quote/currency"), Field::text("/quote/rate"), Field::text("/quote/as_of")],
);

const RATE: &str = "expected a rate above zero";

/// The authorization, where the host leaves it to the library. A null would be a credential that got lost on its way,
/// and must not open the door.
fn authorization<'a>(given: &Given<'a, '_>, slot: usize) -> Result<Option<Authorization<'a>>, Error> {
    if matches!(given.value(slot), Value::Null) {
        return Err(given.wrong(slot, "expected an object; leave it out where the host has checked"));
    }
    let Some(_) = given.object(slot)? else { return Ok(None) };
    let header = given.text(HEADER)?;
    let accepted = given.bool(ACCEPTED)?.unwrap_or(false);
    Ok(Some(Authorization { header, accepted }))
}

/// The quote. `as_of` must be there where there is a clock to hold it against.
fn quote(given: &Given<'_, '_>, slot: usize, has_clock: bool) -> Result<Option<Quote>, Error> {
    let Some(_) = given.object(slot)? else { return Ok(None) };
    let currency = given.need(QUOTE_CURRENCY, given.currency(QUOTE_CURRENCY)?)?;
    let rate = given.need(QUOTE_RATE, given.amount(QUOTE_RATE)?)?;
    let as_of = given.instant(QUOTE_AS_OF)?;
    if has_clock {
        given.need(QUOTE_AS_OF, as_of)?;
    }
    Quote::new(currency, rate, as_of).map(Some).ok_or_else(|| given.wrong(QUOTE_RATE, RATE))
}

/// An amount of the host's own that may be left out: then it is zero.
fn charge(given: &Given<'_, '_>, slot: usize) -> Result<Amount, Error> {
    Ok(given.amount(slot)?.unwrap_or(Amount::ZERO))
}
