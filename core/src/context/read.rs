//! What read_payment and read_balance need.

use alloc::borrow::Cow;
use core::fmt;

use super::{AUTHORIZATION, JsonObject, OWN, authorization};
use crate::authorization::Authorization;
use crate::error::{Error, ErrorCode};
use crate::host::{Given, REQUIRED, TEXT};
use crate::read::{Field, Scope, Shape, Value, members};

const AUTH: usize = OWN;
const UID: usize = OWN + 1;
const PAYMENT: usize = OWN + 2;
const BALANCE: usize = OWN + 1;
const SLOTS: usize = OWN + 3;

/// What a balance has at least.
const CUR: &str = "/balance/cur";

static PAYMENT_ROOT: Scope = Scope::new(
    "",
    OWN,
    &[Field::object("/authorization", &AUTHORIZATION), Field::text("/uid"), Field::new("/payment", Shape::Object)],
);

static BALANCE_ROOT: Scope =
    Scope::new("", OWN, &[Field::object("/authorization", &AUTHORIZATION), Field::new("/balance", Shape::Object)]);

/// What the host brings to `GET /v1/payments/{uid}/status`.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct ReadContext<'a> {
    /// The identifier from the path, whatever it is.
    pub uid: Cow<'a, str>,
    /// The stored payment; `None` where there is none.
    pub payment: Option<JsonObject<'a>>,
    /// The credential. `None` where the host has checked it.
    pub authorization: Option<Authorization<'a>>,
}

impl<'a> ReadContext<'a> {
    /// The identifier from the path and the stored payment; the credential is set where the host has not checked it.
    pub fn new(uid: impl Into<Cow<'a, str>>, payment: Option<JsonObject<'a>>) -> Self {
        ReadContext { uid: uid.into(), payment, authorization: None }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// A context error with the JSON Pointer of the member at fault.
    pub fn from_json(json: &'a [u8]) -> Result<Self, Error> {
        let mut slots = [Value::Absent; SLOTS];
        let given = Given::read(json, &PAYMENT_ROOT, &mut slots, ErrorCode::Context)?;
        if matches!(given.value(PAYMENT), Value::Absent) {
            return Err(given.wrong(PAYMENT, "required: the stored payment, or null"));
        }
        Ok(ReadContext {
            uid: given.need(UID, given.text(UID)?)?,
            payment: given.object(PAYMENT)?.map(JsonObject::unchecked),
            authorization: authorization(&given, AUTH)?,
        })
    }
}

/// What the host brings to `GET /v1/partner/balance`.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct BalanceContext<'a> {
    balance: JsonObject<'a>,
    /// The credential. `None` where the host has checked it.
    pub authorization: Option<Authorization<'a>>,
}

impl<'a> BalanceContext<'a> {
    /// The balance: an object with at least `cur` (§2.3). The credential is set where the host has not checked it.
    ///
    /// # Errors
    /// A context error where `cur` is missing or no text.
    pub fn new(balance: JsonObject<'a>) -> Result<Self, Error> {
        match members(balance.as_str()).find(|(name, _)| name.is("cur")) {
            Some((_, Value::String(_))) => Ok(BalanceContext { balance, authorization: None }),
            Some(_) => Err(Error::context(CUR, TEXT)),
            None => Err(Error::context(CUR, REQUIRED)),
        }
    }

    /// The balance.
    pub fn balance(&self) -> JsonObject<'a> {
        self.balance
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// A context error with the JSON Pointer of the member at fault.
    pub fn from_json(json: &'a [u8]) -> Result<Self, Error> {
        let mut slots = [Value::Absent; SLOTS];
        let given = Given::read(json, &BALANCE_ROOT, &mut slots, ErrorCode::Context)?;
        let balance = given.need(BALANCE, given.object(BALANCE)?)?;
        let context = BalanceContext::new(JsonObject::unchecked(balance))?;
        Ok(BalanceContext { authorization: authorization(&given, AUTH)?, ..context })
    }
}

// What is stored is the host's.
impl fmt::Debug for ReadContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadContext").field("authorization", &self.authorization).finish_non_exhaustive()
    }
}

impl fmt::Debug for BalanceContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BalanceContext").field("authorization", &self.authorization).finish_non_exhaustive()
    }
}
