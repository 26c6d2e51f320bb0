//! The contexts of `read_payment` and `read_balance`.

use alloc::borrow::Cow;

use super::{AuthorizationMembers, Balance, StoredPayment, checked_object};
use crate::error::Error;
use crate::input::{ContextMembers, InputValue};
use crate::schema::context::{BalanceField, ReadField};
use crate::types::authorization::Authorization;
use crate::types::uuid::parse_uuid;
use crate::util::debug::impl_debug_of_fields;

/// The context of `GET /v1/payments/{uid}/status`.
#[derive(Clone, PartialEq)]
pub struct ReadContext<'a> {
    uid: Cow<'a, str>,
    payment: Option<StoredPayment<'a>>,
    authorization: Authorization<'a>,
}

impl<'a> ReadContext<'a> {
    /// Creates a context from the identifier in the path, which may be any text, and the stored
    /// payment, if there is one.
    ///
    /// # Errors
    /// Returns a context error if `uid` is a UUID and the payment has another one.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Authorization, ReadContext, StoredPayment};
    ///
    /// let stored = StoredPayment::try_from(r#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","state":"idle"}"#)?;
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
        Ok(ReadContext {
            uid,
            payment,
            authorization,
        })
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
        let members = ContextMembers::<ReadField>::read(json)?;
        let authorization = AuthorizationMembers {
            authorization: members.get(ReadField::Authorization),
            header: members.get(ReadField::Header),
            accepted: members.get(ReadField::Accepted),
        };
        let payment = members.get(ReadField::Payment);
        payment.require_or_null()?;
        ReadContext::new(
            members.get(ReadField::Uid).require(InputValue::text)?,
            checked_object(&payment)?,
            authorization.read()?,
        )
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
        BalanceContext {
            balance,
            authorization,
        }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &'a T) -> Result<Self, Error> {
        let members = ContextMembers::<BalanceField>::read(json)?;
        let authorization = AuthorizationMembers {
            authorization: members.get(BalanceField::Authorization),
            header: members.get(BalanceField::Header),
            accepted: members.get(BalanceField::Accepted),
        };
        Ok(BalanceContext {
            balance: members.get(BalanceField::Balance).require(checked_object)?,
            authorization: authorization.read()?,
        })
    }
}

impl_debug_of_fields! { ReadContext<'_> { authorization } }
impl_debug_of_fields! { BalanceContext<'_> { authorization } }
