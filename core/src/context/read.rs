//! The contexts of `read_payment` and `read_balance`.

use alloc::borrow::Cow;
use core::fmt;

use super::{Balance, JsonObject, StoredPayment, authorization, checked, stored_payment};
use crate::error::{Error, ErrorKind};
use crate::input::{Input, InputObject, parse_uuid};
use crate::json::{PathSegment, Value, object_schema};
use crate::types::authorization::Authorization;

object_schema! {
    /// Members of the context of `read_payment`.
    enum ReadField;
    READ "" { Authorization "authorization" Object(READ_AUTHORIZATION), Uid "uid" String, Payment "payment" Object }
    READ_AUTHORIZATION "/authorization" { Header "header" String, Accepted "accepted" Boolean }
}

object_schema! {
    /// Members of the context of `read_balance`.
    enum BalanceField;
    BALANCE "" { Authorization "authorization" Object(BALANCE_AUTHORIZATION), Balance "balance" Object }
    BALANCE_AUTHORIZATION "/authorization" { Header "header" String, Accepted "accepted" Boolean }
}

/// The context of `GET /v1/payments/{uid}/status`.
#[derive(Clone, PartialEq)]
pub struct ReadContext<'a> {
    uid: Cow<'a, str>,
    payment: Option<StoredPayment<'a>>,
    authorization: Authorization<'a>,
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

    /// Returns the authorization of the request.
    pub fn authorization(&self) -> &Authorization<'a> {
        &self.authorization
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &'a T) -> Result<Self, Error> {
        let mut slots = [Value::Absent; ReadField::COUNT];
        let input = InputObject::read(json.as_ref(), &READ, &mut slots, ErrorKind::Context)?;
        let get = |field| input.get(field);
        get(ReadField::Payment).require_or_null()?;
        let uid = get(ReadField::Uid).require(Input::text)?;
        let payment = stored_payment(get(ReadField::Payment))?;
        let [header, accepted] = [ReadField::Header, ReadField::Accepted].map(get);
        ReadContext::new(uid, payment, authorization(get(ReadField::Authorization), header, accepted)?)
    }
}

/// The context of `GET /v1/partner/balance`.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct BalanceContext<'a> {
    /// The balance.
    pub balance: Balance<'a>,
    /// The authorization of the request.
    pub authorization: Authorization<'a>,
}

impl<'a> BalanceContext<'a> {
    /// Creates a context from the balance.
    pub fn new(balance: Balance<'a>, authorization: Authorization<'a>) -> Self {
        BalanceContext { balance, authorization }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &'a T) -> Result<Self, Error> {
        let mut slots = [Value::Absent; BalanceField::COUNT];
        let input = InputObject::read(json.as_ref(), &BALANCE, &mut slots, ErrorKind::Context)?;
        let get = |field| input.get(field);
        let balance = get(BalanceField::Balance);
        let object = JsonObject::unchecked(balance.require(Input::object)?);
        let checked = Balance::checked(object)
            .map_err(|message| balance.error_below(&[PathSegment::named(checked::CUR)], message))?;
        let [header, accepted] = [BalanceField::Header, BalanceField::Accepted].map(get);
        let authorization = authorization(get(BalanceField::Authorization), header, accepted)?;
        Ok(BalanceContext::new(checked, authorization))
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
