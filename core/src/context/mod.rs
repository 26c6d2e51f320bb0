//! The contexts that the caller supplies: a typed value for each operation, and its JSON form.

mod advance;
mod checked;
mod convert;
mod create;
pub(crate) mod idempotency;
mod read;
mod transition;
mod webhook;

pub use advance::AdvanceContext;
pub use checked::{AbsoluteUri, Balance, InfoDetails, JsonObject, StoredPayment};
pub use convert::ConvertContext;
pub use create::CreateContext;
pub use idempotency::{IdempotencyContext, IdempotencyLookup, IdempotencyRecord};
pub use read::{BalanceContext, ReadContext};
pub(crate) use transition::transition;
pub use webhook::{SignWebhookContext, VerifyWebhookContext};
pub(crate) use webhook::{WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP};

use crate::error::Error;
use crate::input::Input;
use crate::json::{PathSegment, Value};
use crate::money::{Amount, Quote};
use crate::types::authorization::Authorization;

const RATE: &str = "expected a rate greater than zero";

/// The text that replaces the object if the caller has checked the credential.
const CHECKED_BY_CALLER: &str = "checked_by_caller";

/// Reads the authorization. A forgotten member must not authorize the request, so each one is required.
fn authorization<'a>(
    authorization: Input<'a>,
    header: Input<'a>,
    accepted: Input<'a>,
) -> Result<Authorization<'a>, Error> {
    match authorization.value() {
        Value::Object(_) => {}
        Value::String(text) if text.is(CHECKED_BY_CALLER) => return Ok(Authorization::CheckedByCaller),
        _ => return Err(authorization.error("expected an object or \"checked_by_caller\"")),
    }
    header.require_or_null()?;
    let value = header.text()?;
    Ok(Authorization::Header { value, accepted: accepted.require(Input::bool)? })
}

/// Reads a stored payment.
fn stored_payment(payment: Input<'_>) -> Result<Option<StoredPayment<'_>>, Error> {
    let Some(object) = payment.object()? else { return Ok(None) };
    let stored = StoredPayment::checked(JsonObject::unchecked(object));
    stored.map(Some).map_err(|message| payment.error_below(&[PathSegment::named(checked::UID)], message))
}

/// Reads the quote. `as_of` is required if the context has the current time.
fn quote(
    quote: Input<'_>,
    currency: Input<'_>,
    rate: Input<'_>,
    as_of: Input<'_>,
    has_clock: bool,
) -> Result<Option<Quote>, Error> {
    let Some(_) = quote.object()? else { return Ok(None) };
    let currency = currency.require(Input::currency)?;
    let price = rate.require(Input::amount)?;
    let time = if has_clock { Some(as_of.require(Input::timestamp)?) } else { as_of.timestamp()? };
    Quote::new(currency, price, time).map(Some).map_err(|_| rate.error(RATE))
}

/// Reads an optional amount; the default is zero.
fn charge(charge: Input<'_>) -> Result<Amount, Error> {
    Ok(charge.amount()?.unwrap_or(Amount::ZERO))
}
