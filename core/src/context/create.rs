//! The context of `create_payment`.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use uuid::Uuid;

use super::idempotency::{IdempotencyLookup, IdempotencyRecord};
use super::{AbsoluteUri, InfoDetails, JsonObject, authorization, charge, quote};
use crate::error::{Error, ErrorKind};
use crate::input::{Input, InputObject, TEXT, URI};
use crate::json::{JsonStr, Value, object_schema};
use crate::money::{Charges, Quote};
use crate::types::authorization::Authorization;
use crate::types::timestamp::Timestamp;

object_schema! {
    /// Members of the context of `create_payment`.
    enum CreateField;
    ROOT "" {
        Uid "uid" String, Now "now" String, Url "url" String, Form "form" String, MerchantId "merchant_id" String,
        Authorization "authorization" Object(AUTHORIZATION), Idempotency "idempotency" Object(IDEMPOTENCY),
        Quote "quote" Object(QUOTE), Charges "charges" Object(CHARGES), Info "info" Object, Refusal "refusal" String,
        AllowedMerchantIds "allowed_merchant_ids" Array,
    }
    AUTHORIZATION "/authorization" { Header "header" String, Accepted "accepted" Boolean }
    IDEMPOTENCY "/idempotency" { Key "key" String, Record "existing" Object(RECORD) }
    RECORD "/idempotency/existing" {
        RecordCreatedAt "created_at" String, RecordFingerprint "fingerprint" String, RecordPayment "payment" Object,
    }
    QUOTE "/quote" { QuoteCurrency "currency" String, QuoteRate "rate" String, QuoteAsOf "as_of" String }
    CHARGES "/charges" {
        Fee "fee" String, Commission "commission" String, SharedCommission "shared_commission" String,
    }
}

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
    pub fn from_json<T: AsRef<[u8]> + ?Sized>(json: &'a T) -> Result<Self, Error> {
        let mut slots = [Value::Absent; CreateField::COUNT];
        let input = InputObject::read(json.as_ref(), &ROOT, &mut slots, ErrorKind::Context)?;
        let get = |field| input.get(field);
        let uid = get(CreateField::Uid).require(Input::uuid)?;
        let now = get(CreateField::Now).require(Input::timestamp)?;
        let url = get(CreateField::Url);
        let absolute = |text| AbsoluteUri::checked(text).ok_or_else(|| url.error(URI));
        let url = url.text()?.map(absolute).transpose()?;
        let form = get(CreateField::Form).text()?;
        let merchant_id = get(CreateField::MerchantId).text()?;
        let [header, accepted] = [CreateField::Header, CreateField::Accepted].map(get);
        let [currency, rate, as_of] =
            [CreateField::QuoteCurrency, CreateField::QuoteRate, CreateField::QuoteAsOf].map(get);
        let allowed = get(CreateField::AllowedMerchantIds);
        Ok(CreateContext {
            uid,
            now,
            url,
            form,
            merchant_id,
            authorization: authorization(get(CreateField::Authorization), header, accepted)?,
            idempotency: idempotency(&input)?,
            quote: quote(get(CreateField::Quote), currency, rate, as_of, true)?,
            charges: charges(&input)?,
            info: info(get(CreateField::Info))?,
            refusal: get(CreateField::Refusal).text()?,
            allowed_merchant_ids: allowed.list(TEXT, |text| Some(JsonStr::to_cow(text)))?,
        })
    }
}

fn idempotency<'a>(input: &InputObject<'a, '_, CreateField>) -> Result<Option<IdempotencyLookup<'a>>, Error> {
    let get = |field| input.get(field);
    let Some(_) = get(CreateField::Idempotency).object()? else { return Ok(None) };
    let key = get(CreateField::Key).require(Input::text)?;
    // If the caller forgets the record, a second payment must not be created.
    let record = get(CreateField::Record);
    record.require_or_null()?;
    let [created_at, fingerprint, payment] =
        [CreateField::RecordCreatedAt, CreateField::RecordFingerprint, CreateField::RecordPayment].map(get);
    Ok(Some(IdempotencyLookup { key, record: IdempotencyRecord::read(record, created_at, fingerprint, payment)? }))
}

fn info(info: Input<'_>) -> Result<Option<InfoDetails<'_>>, Error> {
    let Some(object) = info.object()? else { return Ok(None) };
    let details = InfoDetails::checked(JsonObject::unchecked(object));
    details.map(Some).map_err(|(path, message)| Error::context(["/info", &path].concat(), message))
}

fn charges(input: &InputObject<'_, '_, CreateField>) -> Result<Charges, Error> {
    input.get(CreateField::Charges).object()?;
    let [fee, commission] = [CreateField::Fee, CreateField::Commission].map(|field| charge(input.get(field)));
    let shared = input.get(CreateField::SharedCommission);
    let message = "greater than the commission";
    Charges::new(fee?, commission?, charge(shared)?).map_err(|_| shared.error(message))
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
