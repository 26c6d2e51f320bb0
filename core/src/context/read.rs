//! The contexts of `read_payment` and `read_balance`.

use alloc::borrow::Cow;
use core::fmt;

use super::checked::string_member;
use super::{AUTHORIZATION, JsonObject, OWN, StoredPayment, authorization, stored_payment};
use crate::error::{Error, ErrorCode};
use crate::input::{InputObject, parse_uuid};
use crate::json::{Field, JsonType, ObjectSchema, Value};
use crate::types::authorization::Authorization;

const AUTH: usize = OWN;
const UID: usize = OWN + 1;
const PAYMENT: usize = OWN + 2;
const BALANCE: usize = OWN + 1;
const SLOTS: usize = OWN + 3;

static PAYMENT_ROOT: ObjectSchema = ObjectSchema::new(
    "",
    OWN,
    &[Field::object("/authorization", &AUTHORIZATION), Field::string("/uid"), Field::new("/payment", JsonType::Object)],
);

static BALANCE_ROOT: ObjectSchema = ObjectSchema::new(
    "",
    OWN,
    &[Field::object("/authorization", &AUTHORIZATION), Field::new("/balance", JsonType::Object)],
);

/// The context of `GET /v1/payments/{uid}/status`.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct ReadContext<'a> {
    uid: Cow<'a, str>,
    payment: Option<StoredPayment<'a>>,
    /// The authorization of the request.
    pub authorization: Authorization<'a>,
}

impl<'a> ReadContext<'a> {
    /// Creates a context from the identifier in the path, which may be any text, and the stored payment, if there is one.
    ///
    /// # Errors
    /// Returns a context error if `uid` is a UUID and the payment has another one.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Authorization, ReadContext, StoredPayment};
    ///
    /// let stored = StoredPayment::parse(r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","state":"idle"}"#)?;
    /// let read = |uid| ReadContext::new(uid, Some(stored), Authorization::CheckedByCaller);
    /// assert!(read("0B6EA6A6-4C5E-4B7E-9D0F-6A1F0C7B2E11").is_ok());
    /// assert_eq!(read("11111111-2222-3333-4444-555555555555").unwrap_err().path(), "/payment/uid");
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn new(
        uid: impl Into<Cow<'a, str>>,
        payment: Option<StoredPayment<'a>>,
        authorization: Authorization<'a>,
    ) -> Result<Self, Error> {
        let uid = uid.into();
        // If the uid is not a UUID, the response is a 404 with or without a payment.
        if payment.is_some_and(|payment| !payment.has_uid(&uid)) && parse_uuid(&uid).is_some() {
            return Err(Error::context("/payment/uid", "expected the requested uid"));
        }
        Ok(ReadContext { uid, payment, authorization })
    }

    /// Returns the identifier from the path.
    pub fn uid(&self) -> &str {
        &self.uid
    }

    /// Returns the stored payment.
    pub fn payment(&self) -> Option<StoredPayment<'a>> {
        self.payment
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json(json: &'a [u8]) -> Result<Self, Error> {
        let mut slots = [Value::Absent; SLOTS];
        let input = InputObject::read(json, &PAYMENT_ROOT, &mut slots, ErrorCode::Context)?;
        input.need_or_null(PAYMENT)?;
        let uid = input.require(UID, input.text(UID)?)?;
        let payment = stored_payment(&input, PAYMENT)?;
        ReadContext::new(uid, payment, authorization(&input, AUTH)?)
    }
}

/// The context of `GET /v1/partner/balance`.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct BalanceContext<'a> {
    balance: JsonObject<'a>,
    /// The authorization of the request.
    pub authorization: Authorization<'a>,
}

impl<'a> BalanceContext<'a> {
    /// Creates a context from the balance, an object with at least `cur` (§2.3).
    ///
    /// # Errors
    /// Returns a context error if `cur` is missing or not a string.
    pub fn new(balance: JsonObject<'a>, authorization: Authorization<'a>) -> Result<Self, Error> {
        string_member(balance, "cur").map_err(|message| Error::context("/balance/cur", message))?;
        Ok(BalanceContext { balance, authorization })
    }

    /// Returns the balance.
    pub fn balance(&self) -> JsonObject<'a> {
        self.balance
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json(json: &'a [u8]) -> Result<Self, Error> {
        let mut slots = [Value::Absent; SLOTS];
        let input = InputObject::read(json, &BALANCE_ROOT, &mut slots, ErrorCode::Context)?;
        let balance = input.require(BALANCE, input.object(BALANCE)?)?;
        BalanceContext::new(JsonObject::unchecked(balance), authorization(&input, AUTH)?)
    }
}

// Stored objects do not belong in a log.
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
