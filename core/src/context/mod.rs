//! The contexts that the caller supplies: a typed value for each operation, and its JSON form.
//!
//! The parts that several contexts share take the first slots in each of them.

mod advance;
mod checked;
mod convert;
mod create;
pub(crate) mod idempotency;
mod read;
mod transition;
mod webhook;

pub use advance::AdvanceContext;
pub(crate) use advance::NO_RECEIPTS;
pub use checked::{AbsoluteUri, InfoDetails, JsonObject, StoredPayment};
pub use convert::ConvertContext;
pub use create::CreateContext;
pub use idempotency::{Existing, Idempotency, IdempotencyContext};
pub use read::{BalanceContext, ReadContext};
pub(crate) use transition::transition;
pub use webhook::{SignWebhookContext, VerifyWebhookContext};
pub(crate) use webhook::{WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP};

use crate::error::Error;
use crate::input::InputObject;
use crate::json::{Field, JsonType, ObjectSchema, PathSegment, Value};
use crate::money::{Amount, Quote};
use crate::types::authorization::Authorization;

const HEADER: usize = 0;
const ACCEPTED: usize = 1;
const QUOTE_CURRENCY: usize = 2;
const QUOTE_RATE: usize = 3;
const QUOTE_AS_OF: usize = 4;
/// The first slot of a context's own members.
const OWN: usize = 5;

static AUTHORIZATION: ObjectSchema = ObjectSchema::new(
    "/authorization",
    HEADER,
    &[Field::string("/authorization/header"), Field::new("/authorization/accepted", JsonType::Boolean)],
);

static QUOTE: ObjectSchema = ObjectSchema::new(
    "/quote",
    QUOTE_CURRENCY,
    &[Field::string("/quote/currency"), Field::string("/quote/rate"), Field::string("/quote/as_of")],
);

const RATE: &str = "expected a rate above zero";

/// The text that replaces the object if the caller has checked the credential.
const CHECKED_BY_CALLER: &str = "checked_by_caller";

/// Reads the authorization. A forgotten member must not authorize the request, so each one is required.
fn authorization<'a>(input: &InputObject<'a, '_>, slot: usize) -> Result<Authorization<'a>, Error> {
    match input.value(slot) {
        Value::Object(_) => {}
        Value::String(text) if text.is(CHECKED_BY_CALLER) => return Ok(Authorization::CheckedByCaller),
        _ => return Err(input.error_at(slot, "expected an object or \"checked_by_caller\"")),
    }
    input.need_or_null(HEADER)?;
    let value = input.text(HEADER)?;
    let accepted = input.require(ACCEPTED, input.bool(ACCEPTED)?)?;
    Ok(Authorization::Header { value, accepted })
}

/// Reads a stored payment.
fn stored_payment<'a>(input: &InputObject<'a, '_>, slot: usize) -> Result<Option<StoredPayment<'a>>, Error> {
    let Some(object) = input.object(slot)? else { return Ok(None) };
    let payment = StoredPayment::checked(JsonObject::unchecked(object));
    payment.map(Some).map_err(|message| input.error_below(slot, &[PathSegment::named(checked::UID)], message))
}

/// Reads the quote. `as_of` is required if the context has the current time.
fn quote(input: &InputObject<'_, '_>, slot: usize, has_clock: bool) -> Result<Option<Quote>, Error> {
    let Some(_) = input.object(slot)? else { return Ok(None) };
    let currency = input.require(QUOTE_CURRENCY, input.currency(QUOTE_CURRENCY)?)?;
    let rate = input.require(QUOTE_RATE, input.amount(QUOTE_RATE)?)?;
    let as_of = input.timestamp(QUOTE_AS_OF)?;
    if has_clock {
        input.require(QUOTE_AS_OF, as_of)?;
    }
    Quote::new(currency, rate, as_of).map(Some).ok_or_else(|| input.error_at(QUOTE_RATE, RATE))
}

/// Reads an optional amount; the default is zero.
fn charge(input: &InputObject<'_, '_>, slot: usize) -> Result<Amount, Error> {
    Ok(input.amount(slot)?.unwrap_or(Amount::ZERO))
}
