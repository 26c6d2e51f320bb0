//! The contexts that the caller supplies: a typed value for each operation, and its JSON form.
//!
//! A context without an invariant of its own has public fields, and `new` takes the required ones.
//! A context with an invariant has private fields, a fallible `new`, getters, and a setter for each
//! optional value. The JSON form reads the members of an object as a struct with their names.

mod advance;
mod checked;
mod compare;
mod convert;
mod create;
pub(crate) mod idempotency;
mod read;
mod webhook;

pub use advance::AdvanceContext;
pub(crate) use advance::INVALID_PAYMENT;
pub use checked::{AbsoluteUri, Balance, InfoDetails, JsonObject, StoredPayment};
pub use compare::ComparePoliciesContext;
pub use convert::ConvertContext;
pub use create::CreateContext;
pub use idempotency::{IdempotencyContext, IdempotencyLookup, IdempotencyRecord};
pub use read::{BalanceContext, ReadContext};
pub use webhook::{SignWebhookContext, VerifyWebhookContext};
pub(crate) use webhook::{WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP};

use alloc::borrow::Cow;

use crate::error::Error;
use crate::input::InputValue;
use crate::json::Value;
use crate::money::Quote;
use crate::types::authorization::Authorization;

/// The member `authorization` of a context, and its members.
struct AuthorizationMembers<'a> {
    authorization: InputValue<'a>,
    header: InputValue<'a>,
    accepted: InputValue<'a>,
}

impl<'a> AuthorizationMembers<'a> {
    /// Reads the authorization. A forgotten member must not authorize the request, so each one is
    /// required.
    fn read(&self) -> Result<Authorization<'a>, Error> {
        match self.authorization.value {
            Value::Object(_) => {}
            Value::String(text) if text.is("checked_by_caller") => {
                return Ok(Authorization::CheckedByCaller);
            }
            _ => {
                let expected = "expected an object or \"checked_by_caller\"";
                return Err(self.authorization.error(expected));
            }
        }
        self.header.require_or_null()?;
        Ok(Authorization::Header {
            value: self.header.text()?.map(into_bytes),
            accepted: self.accepted.require(InputValue::bool)?,
        })
    }
}

fn into_bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => text.as_bytes().into(),
        Cow::Owned(text) => text.into_bytes().into(),
    }
}

/// The member `quote` of a context, and its members.
struct QuoteMembers<'a> {
    quote: InputValue<'a>,
    currency: InputValue<'a>,
    rate: InputValue<'a>,
    as_of: InputValue<'a>,
}

impl QuoteMembers<'_> {
    /// Reads the quote. `as_of` is required if the context has the current time.
    fn read(&self, has_clock: bool) -> Result<Option<Quote>, Error> {
        if self.quote.object()?.is_none() {
            return Ok(None);
        }
        let currency = self.currency.require(InputValue::currency)?;
        let rate = self.rate.require(InputValue::amount)?;
        let as_of = if has_clock {
            Some(self.as_of.require(InputValue::timestamp)?)
        } else {
            self.as_of.timestamp()?
        };
        Quote::new(currency, rate, as_of)
            .map(Some)
            .map_err(|_| self.rate.error("expected a rate greater than zero"))
    }
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
        .map_err(|error| error.with_base(&object.pointer()))
}
