//! The context of `create_payment`.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use uuid::Uuid;

use super::idempotency::{Existing, Idempotency};
use super::{
    AUTHORIZATION, AbsoluteUri, InfoDetails, JsonObject, OWN, QUOTE, authorization, charge, quote, stored_payment,
};
use crate::error::{Error, ErrorCode};
use crate::input::{InputObject, TEXT, URI};
use crate::json::{Field, JsonStr, JsonType, ObjectSchema, PathSegment, Value, items};
use crate::money::{Charges, Quote};
use crate::types::authorization::Authorization;
use crate::types::timestamp::Timestamp;

const UID: usize = OWN;
const NOW: usize = OWN + 1;
const URL: usize = OWN + 2;
const FORM: usize = OWN + 3;
const MERCHANT_ID: usize = OWN + 4;
const AUTH: usize = OWN + 5;
const IDEMPOTENCY: usize = OWN + 6;
const PRICE: usize = OWN + 7;
const CHARGES: usize = OWN + 8;
const INFO: usize = OWN + 9;
const REFUSAL: usize = OWN + 10;
const ALLOWED_MERCHANT_IDS: usize = OWN + 11;
const KEY: usize = OWN + 12;
const EXISTING: usize = OWN + 13;
const CREATED_AT: usize = OWN + 14;
const FINGERPRINT: usize = OWN + 15;
const PAYMENT: usize = OWN + 16;
const FEE: usize = OWN + 17;
const COMMISSION: usize = OWN + 18;
const SHARED_COMMISSION: usize = OWN + 19;
const SLOTS: usize = OWN + 20;

static ROOT: ObjectSchema = ObjectSchema::new(
    "",
    OWN,
    &[
        Field::string("/uid"),
        Field::string("/now"),
        Field::string("/url"),
        Field::string("/form"),
        Field::string("/merchant_id"),
        Field::object("/authorization", &AUTHORIZATION),
        Field::object("/idempotency", &IDEMPOTENCY_FIELDS),
        Field::object("/quote", &QUOTE),
        Field::object("/charges", &CHARGE_FIELDS),
        Field::new("/info", JsonType::Object),
        Field::string("/refusal"),
        Field::new("/allowed_merchant_ids", JsonType::Array),
    ],
);

static IDEMPOTENCY_FIELDS: ObjectSchema = ObjectSchema::new(
    "/idempotency",
    KEY,
    &[Field::string("/idempotency/key"), Field::object("/idempotency/existing", &EXISTING_FIELDS)],
);

static EXISTING_FIELDS: ObjectSchema = ObjectSchema::new(
    "/idempotency/existing",
    CREATED_AT,
    &[
        Field::string("/idempotency/existing/created_at"),
        Field::string("/idempotency/existing/fingerprint"),
        Field::new("/idempotency/existing/payment", JsonType::Object),
    ],
);

static CHARGE_FIELDS: ObjectSchema = ObjectSchema::new(
    "/charges",
    FEE,
    &[Field::string("/charges/fee"), Field::string("/charges/commission"), Field::string("/charges/shared_commission")],
);

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
    pub idempotency: Option<Idempotency<'a>>,
    /// The rate, in mode CRYPTO.
    pub quote: Option<Quote>,
    /// Fee and commissions, in the currency of the request.
    pub charges: Charges,
    /// Further members of `info` in host-to-host mode, such as the bank, the recipient, or the text of a QR code.
    pub info: Option<InfoDetails<'a>>,
    /// If set, the payment is declined with 455 and this text as `detail`.
    pub refusal: Option<Cow<'a, str>>,
    /// The merchants that the credential may act for. If set, any other `merchant_id` in the body is reported as
    /// `merchant_not_allowed`.
    pub allowed_merchant_ids: Option<Vec<Cow<'a, str>>>,
}

impl<'a> CreateContext<'a> {
    /// Creates a context with the required members. The other members are set as fields.
    ///
    /// # Examples
    /// ```
    /// use payspec::{AbsoluteUri, Authorization, CreateContext, Timestamp, Uuid};
    ///
    /// let now: Timestamp = "2026-11-20T10:15:30.250Z".parse()?;
    /// let authorization = Authorization::header(Some("Bearer mF_9.B5f-4.1JqM"), true);
    /// let mut context = CreateContext::new(Uuid::from_u128(7), now, authorization);
    /// context.url = Some(AbsoluteUri::parse("https://pay.example/7")?);
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
    pub fn from_json(json: &'a [u8]) -> Result<Self, Error> {
        let mut slots = [Value::Absent; SLOTS];
        let input = InputObject::read(json, &ROOT, &mut slots, ErrorCode::Context)?;
        let uid = input.require(UID, input.uuid(UID)?)?;
        let now = input.require(NOW, input.timestamp(NOW)?)?;
        let absolute = |url| AbsoluteUri::checked(url).ok_or_else(|| input.error_at(URL, URI));
        let url = input.text(URL)?.map(absolute).transpose()?;
        Ok(CreateContext {
            uid,
            now,
            url,
            form: input.text(FORM)?,
            merchant_id: input.text(MERCHANT_ID)?,
            authorization: authorization(&input, AUTH)?,
            idempotency: idempotency(&input)?,
            quote: quote(&input, PRICE, true)?,
            charges: charges(&input)?,
            info: info(&input)?,
            refusal: input.text(REFUSAL)?,
            allowed_merchant_ids: merchant_ids(&input)?,
        })
    }
}

fn idempotency<'a>(input: &InputObject<'a, '_>) -> Result<Option<Idempotency<'a>>, Error> {
    let Some(_) = input.object(IDEMPOTENCY)? else { return Ok(None) };
    let key = input.require(KEY, input.text(KEY)?)?;
    // If the caller forgets the record, a second payment must not be created.
    input.need_or_null(EXISTING)?;
    let existing = match input.object(EXISTING)? {
        None => None,
        Some(_) => Some(Existing {
            created_at: input.require(CREATED_AT, input.timestamp(CREATED_AT)?)?,
            fingerprint: input.require(FINGERPRINT, input.text(FINGERPRINT)?)?,
            payment: stored_payment(input, PAYMENT)?,
        }),
    };
    Ok(Some(Idempotency { key, existing }))
}

fn info<'a>(input: &InputObject<'a, '_>) -> Result<Option<InfoDetails<'a>>, Error> {
    let Some(object) = input.object(INFO)? else { return Ok(None) };
    let details = InfoDetails::checked(JsonObject::unchecked(object));
    details.map(Some).map_err(|(path, message)| Error::context(["/info", &path].concat(), message))
}

fn merchant_ids<'a>(input: &InputObject<'a, '_>) -> Result<Option<Vec<Cow<'a, str>>>, Error> {
    let Some(array) = input.array(ALLOWED_MERCHANT_IDS)? else { return Ok(None) };
    let text = |(index, item): (usize, Value<'a>)| {
        let invalid = || input.error_below(ALLOWED_MERCHANT_IDS, &[PathSegment::Index(index)], TEXT);
        item.text().map(JsonStr::to_cow).ok_or_else(invalid)
    };
    items(array).enumerate().map(text).collect::<Result<_, _>>().map(Some)
}

fn charges(input: &InputObject<'_, '_>) -> Result<Charges, Error> {
    input.object(CHARGES)?;
    let (fee, commission) = (charge(input, FEE)?, charge(input, COMMISSION)?);
    let shared = "more than the commission that it is a part of";
    Charges::new(fee, commission, charge(input, SHARED_COMMISSION)?)
        .map_err(|_| input.error_at(SHARED_COMMISSION, shared))
}

// Keys, tokens, and refusals do not belong in a log.
impl fmt::Debug for CreateContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CreateContext")
            .field("uid", &self.uid)
            .field("now", &self.now)
            .field("quote", &self.quote)
            .finish_non_exhaustive()
    }
}
