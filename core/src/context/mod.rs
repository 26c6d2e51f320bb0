//! The contexts that the caller supplies: a typed value for each operation, and its JSON form.

mod advance;
mod checked;
mod convert;
mod create;
pub(crate) mod idempotency;
mod read;
mod webhook;

pub use advance::AdvanceContext;
pub use checked::{AbsoluteUri, Balance, InfoDetails, JsonObject, StoredPayment};
pub use convert::ConvertContext;
pub use create::CreateContext;
pub use idempotency::{IdempotencyContext, IdempotencyLookup, IdempotencyRecord};
pub use read::{BalanceContext, ReadContext};
pub use webhook::{SignWebhookContext, VerifyWebhookContext};
pub(crate) use webhook::{WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP};

use crate::error::Error;
use crate::input::InputValue;
use crate::json::Value;
use crate::money::Quote;
use crate::types::authorization::Authorization;

/// Reads the authorization. A forgotten member must not authorize the request, so each one is
/// required.
fn authorization<'a>(
    authorization: &InputValue<'a>,
    [header, accepted]: &[InputValue<'a>; 2],
) -> Result<Authorization<'a>, Error> {
    match authorization.value {
        Value::Object(_) => {}
        Value::String(text) if text.is("checked_by_caller") => {
            return Ok(Authorization::CheckedByCaller);
        }
        _ => return Err(authorization.error("expected an object or \"checked_by_caller\"")),
    }
    header.require_or_null()?;
    Ok(Authorization::Header {
        value: header.text()?,
        accepted: accepted.require(InputValue::bool)?,
    })
}

fn json_object<'a>(object: &InputValue<'a>) -> Result<Option<JsonObject<'a>>, Error> {
    // A context is parsed as a whole, so its objects are valid.
    Ok(object.object()?.map(JsonObject))
}

/// Reads an object that has invariants of its own, such as a stored payment.
fn checked_object<'a, T: TryFrom<JsonObject<'a>, Error = Error>>(
    object: &InputValue<'a>,
) -> Result<Option<T>, Error> {
    json_object(object)?
        .map(T::try_from)
        .transpose()
        .map_err(|error| error.below(&object.pointer()))
}

/// Reads the quote. `as_of` is required if the context has the current time.
fn quote(
    quote: &InputValue<'_>,
    [currency, rate, as_of]: &[InputValue<'_>; 3],
    has_clock: bool,
) -> Result<Option<Quote>, Error> {
    if quote.object()?.is_none() {
        return Ok(None);
    }
    let currency = currency.require(InputValue::currency)?;
    let price = rate.require(InputValue::amount)?;
    let time = if has_clock {
        Some(as_of.require(InputValue::timestamp)?)
    } else {
        as_of.timestamp()?
    };
    Quote::new(currency, price, time)
        .map(Some)
        .map_err(|_| rate.error("expected a rate greater than zero"))
}
