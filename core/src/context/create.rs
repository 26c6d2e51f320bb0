//! The context of `create_payment`.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use uuid::Uuid;

use super::idempotency::{IdempotencyLookup, LookupMembers, RecordMembers};
use super::{AbsoluteUri, AuthorizationMembers, InfoDetails, QuoteMembers, checked_object};
use crate::error::Error;
use crate::input::{ContextMembers, InputValue, TEXT, URI};
use crate::money::{Charges, Quote};
use crate::schema::context::CreateField;
use crate::types::authorization::Authorization;
use crate::types::timestamp::Timestamp;
use crate::util::debug::impl_debug_of_fields;

/// The context of a creation request. `uid`, `now`, and `authorization` are required.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct CreateContext<'a> {
    /// The new payment's identifier.
    pub uid: Uuid,
    /// The time of the request.
    pub now: Timestamp,
    /// The address at which the payer completes or views the payment.
    pub url: Option<AbsoluteUri<'a>>,
    /// The form type, such as `acquiring.card`.
    pub form: Option<Cow<'a, str>>,
    /// The merchant, if the body has no `merchant_id`.
    pub merchant_id: Option<Cow<'a, str>>,
    /// The authorization of the request.
    pub authorization: Authorization<'a>,
    /// The idempotency key and its record.
    pub idempotency: Option<IdempotencyLookup<'a>>,
    /// The rate, in mode CRYPTO.
    pub quote: Option<Quote>,
    /// Fee and commissions, in the currency of the request.
    pub charges: Charges,
    /// Further members of `info` in host-to-host mode, such as the bank, the recipient, or the text
    /// of a QR code.
    pub info: Option<InfoDetails<'a>>,
    /// If set, the payment is declined with 455 and this text as `detail`.
    pub refusal: Option<Cow<'a, str>>,
    /// The merchants that the credential may act for. If set, any other `merchant_id` in the body
    /// is reported as `merchant_not_allowed`.
    pub allowed_merchant_ids: Option<Vec<Cow<'a, str>>>,
}

impl<'a> CreateContext<'a> {
    /// Creates a context with the required members. The other members are set as fields.
    ///
    /// # Examples
    /// ```
    /// use payspec::{Authorization, CreateContext, Timestamp, Uuid};
    ///
    /// let now: Timestamp = "2026-11-20T10:15:30.250Z".parse()?;
    /// let authorization = Authorization::Header {
    ///     value: Some(b"Bearer mF_9.B5f-4.1JqM".into()),
    ///     accepted: true,
    /// };
    /// let mut context = CreateContext::new(Uuid::from_u128(7), now, authorization);
    /// context.url = Some("https://pay.example/7".try_into()?);
    /// context.merchant_id = Some("shop-42".into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    /// A context without an authorization does not compile:
    /// ```compile_fail,E0061
    /// use payspec::{CreateContext, Timestamp, Uuid};
    ///
    /// let now: Timestamp = "2026-11-20T10:15:30.250Z".parse().unwrap();
    /// let context = CreateContext::new(Uuid::from_u128(7), now);
    /// ```
    pub fn new(uid: Uuid, now: Timestamp, authorization: Authorization<'a>) -> Self {
        CreateContext {
            uid,
            now,
            url: None,
            form: None,
            merchant_id: None,
            authorization,
            idempotency: None,
            quote: None,
            charges: Charges::default(),
            info: None,
            refusal: None,
            allowed_merchant_ids: None,
        }
    }

    /// Reads the JSON form.
    ///
    /// # Errors
    /// Returns a context error with the JSON Pointer of the invalid member.
    ///
    /// # Examples
    /// ```
    /// use payspec::CreateContext;
    ///
    /// let context = CreateContext::from_json(
    ///     br#"{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2026-11-20T10:15:30.250Z",
    ///          "authorization":{"header":"Bearer mF_9.B5f-4.1JqM","accepted":true},"charges":{"fee":"1.50"}}"#,
    /// )?;
    /// assert_eq!(context.charges.fee().to_string(), "1.50");
    /// # Ok::<(), payspec::Error>(())
    /// ```
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &'a T) -> Result<Self, Error> {
        let members = ContextMembers::<CreateField>::read(json)?;
        let get = |field| members.get(field);
        let url = get(CreateField::Url);
        let authorization = AuthorizationMembers {
            authorization: get(CreateField::Authorization),
            header: get(CreateField::Header),
            accepted: get(CreateField::Accepted),
        };
        let lookup = LookupMembers {
            lookup: get(CreateField::Idempotency),
            key: get(CreateField::Key),
            record: RecordMembers {
                record: get(CreateField::Existing),
                created_at: get(CreateField::CreatedAt),
                fingerprint: get(CreateField::Fingerprint),
                payment: get(CreateField::Payment),
            },
        };
        let quote = QuoteMembers {
            quote: get(CreateField::Quote),
            currency: get(CreateField::Currency),
            rate: get(CreateField::Rate),
            as_of: get(CreateField::AsOf),
        };
        let charges = ChargesMembers {
            charges: get(CreateField::Charges),
            fee: get(CreateField::Fee),
            commission: get(CreateField::Commission),
            shared_commission: get(CreateField::SharedCommission),
        };
        Ok(CreateContext {
            uid: get(CreateField::Uid).require(InputValue::uuid)?,
            now: get(CreateField::Now).require(InputValue::timestamp)?,
            url: url
                .text()?
                .map(AbsoluteUri::try_from)
                .transpose()
                .map_err(|_| url.error(URI))?,
            form: get(CreateField::Form).text()?,
            merchant_id: get(CreateField::MerchantId).text()?,
            authorization: authorization.read()?,
            idempotency: lookup.read()?,
            quote: quote.read(true)?,
            charges: charges.read()?,
            info: checked_object(&get(CreateField::Info))?,
            refusal: get(CreateField::Refusal).text()?,
            allowed_merchant_ids: get(CreateField::AllowedMerchantIds)
                .list(TEXT, |text| Some(text.to_cow()))?,
        })
    }
}

/// The member `charges` of a context, and its members.
struct ChargesMembers<'a> {
    charges: InputValue<'a>,
    fee: InputValue<'a>,
    commission: InputValue<'a>,
    shared_commission: InputValue<'a>,
}

impl ChargesMembers<'_> {
    /// Reads the charges. Each one that is missing is zero.
    fn read(&self) -> Result<Charges, Error> {
        self.charges.object()?;
        let fee = self.fee.amount()?.unwrap_or_default();
        let commission = self.commission.amount()?.unwrap_or_default();
        let shared_commission = self.shared_commission.amount()?.unwrap_or_default();
        Charges::new(fee, commission, shared_commission)
            .map_err(|_| self.shared_commission.error("greater than the commission"))
    }
}

impl_debug_of_fields! { CreateContext<'_> { uid, now, quote } }
