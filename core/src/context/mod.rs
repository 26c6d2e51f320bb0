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

/// Reads the members of a context into variables of the same names.
macro_rules! read_context {
    ($json:ident: $($name:ident),+) => {
        let [$($name),+] = $crate::input::context_fields($json, [$(stringify!($name)),+])?;
    };
}

use read_context;

/// Reads the authorization. A forgotten member must not authorize the request, so each one is required.
fn authorization(authorization: InputValue<'_>) -> Result<Authorization<'_>, Error> {
    match authorization.value {
        Value::Object(_) => {}
        Value::String(text) if text.is("checked_by_caller") => return Ok(Authorization::CheckedByCaller),
        _ => return Err(authorization.error("expected an object or \"checked_by_caller\"")),
    }
    let [header, accepted] = authorization.require(|object| object.fields(["header", "accepted"]))?;
    header.require_or_null()?;
    Ok(Authorization::Header { value: header.text()?, accepted: accepted.require(InputValue::bool)? })
}

fn json_object(object: InputValue<'_>) -> Result<Option<JsonObject<'_>>, Error> {
    // A context is parsed as a whole, so its objects are valid.
    Ok(object.object()?.map(JsonObject))
}

/// Reads an object that has invariants of its own, such as a stored payment.
fn checked_object<'a, T: TryFrom<JsonObject<'a>, Error = Error>>(object: InputValue<'a>) -> Result<Option<T>, Error> {
    json_object(object)?.map(T::try_from).transpose().map_err(|error| error.below(&object.pointer()))
}

/// Reads the quote. `as_of` is required if the context has the current time.
fn quote(quote: InputValue<'_>, has_clock: bool) -> Result<Option<Quote>, Error> {
    let Some([currency, rate, as_of]) = quote.fields(["currency", "rate", "as_of"])? else { return Ok(None) };
    let currency = currency.require(InputValue::currency)?;
    let price = rate.require(InputValue::amount)?;
    let time = if has_clock { Some(as_of.require(InputValue::timestamp)?) } else { as_of.timestamp()? };
    Quote::new(currency, price, time).map(Some).map_err(|_| rate.error("expected a rate greater than zero"))
}
