//! The creation request as a typed value (§2.2).

use alloc::borrow::Cow;

use crate::card::pan::{MaskedPan, Pan, SecurityCode};
use crate::card::syntax::is_pan_syntax;
use crate::json::{JsonStr, Value};
use crate::money::{Amount, Currency, DecimalText};
use crate::schema::request::RequestField;
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::util::debug::impl_debug_of_fields;
use crate::validate::request::RequestBody;

/// A valid body with borrowed texts. Debug output contains only listed values, flags, the currency,
/// amounts of fewer than twelve digits, and the masked PAN.
#[derive(Clone, Debug, PartialEq)]
pub enum CreateRequest<'a> {
    /// A deposit (PaymentCreatePayInSchema).
    PayIn(PayIn<'a>),
    /// A transfer out (PaymentCreatePayOutSchema).
    PayOut(PayOut<'a>),
}

/// A pay-in request.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct PayIn<'a> {
    /// The members that both variants have.
    pub common: CommonFields<'a>,
    /// The name of the user.
    pub user_name: Option<Cow<'a, str>>,
    /// Data for host-to-host mode.
    pub pay_in_details: Option<PayInDetails<'a>>,
}

/// A pay-out request.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PayOut<'a> {
    /// The members that both variants have.
    pub common: CommonFields<'a>,
    /// The recipient.
    pub pay_out_details: Option<PayOutDetails<'a>>,
}

/// The members that both variants have.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct CommonFields<'a> {
    /// The processing mode; always present in a pay-out.
    pub mode: Option<Mode>,
    /// The currency of the amount; fiat in CRYPTO mode too.
    pub cur: Currency,
    /// The amount in `cur`.
    pub amount: Amount,
    /// The amount as the client wrote it.
    pub amount_text: Cow<'a, str>,
    /// The payment method; absent only in a pay-in of mode CRYPTO (D17).
    pub subtype: Option<Subtype>,
    /// The merchant.
    pub merchant_id: Option<Cow<'a, str>>,
    /// The paying user.
    pub user_id: Option<Cow<'a, str>>,
    /// The address to which notifications are sent.
    pub callback: Option<Cow<'a, str>>,
    /// The address to which the payer's browser is sent afterwards.
    pub redirect_url: Option<Cow<'a, str>>,
    /// The bank's name.
    pub bank_name: Option<Cow<'a, str>>,
    /// Whether host-to-host mode is enabled.
    pub host2host: bool,
    /// Free text.
    pub description: Option<Cow<'a, str>>,
    /// The time to complete the payment; the specification does not define its unit (D15).
    pub time_to_complete_payment: Option<u64>,
}

/// Pay-in data for host-to-host mode.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct PayInDetails<'a> {
    /// The payer's card.
    pub card: Option<Card<'a>>,
    /// The payer's bank.
    pub bank_name: Option<Cow<'a, str>>,
}

/// A payer's card. Its number and code are overwritten in memory when it is dropped.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Card<'a> {
    /// The name on the card.
    pub card_holder: Option<Cow<'a, str>>,
    /// The card number.
    pub card_number: Option<Pan>,
    /// The year of expiry, four digits.
    pub expiry_year: Option<u16>,
    /// The month of expiry, 1 to 12.
    pub expiry_month: Option<u8>,
    /// The security code.
    pub security_code: Option<SecurityCode>,
}

/// The recipient of a pay-out.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct PayOutDetails<'a> {
    /// The recipient's bank.
    pub bank_name: Option<Cow<'a, str>>,
    /// The recipient's name.
    pub full_name: Option<Cow<'a, str>>,
    /// The recipient's card.
    pub card_number: Option<Pan>,
    /// The recipient's phone, with or without `+`.
    pub phone_number: Option<Cow<'a, str>>,
}

/// The reason why a payment cannot be built from a body that the policy accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuildError {
    /// A member that every payment depends on cannot be read.
    Unreadable(RequestField),
    /// The amount has too many digits for the calculation.
    TooLarge,
}

/// The members of a request from which its payment is built.
pub(crate) struct PaymentInputs<'a> {
    pub(crate) payment_type: PaymentType,
    pub(crate) mode: Option<Mode>,
    pub(crate) cur: Currency,
    pub(crate) amount: Amount,
    pub(crate) amount_text: Cow<'a, str>,
    pub(crate) subtype: Option<Subtype>,
    pub(crate) host2host: bool,
}

impl<'a> PaymentInputs<'a> {
    /// Reads the members of a valid body. Fails if the policy has accepted a body from which a
    /// payment cannot be built.
    pub(crate) fn new(body: &RequestBody<'a>) -> Result<Self, BuildError> {
        let unreadable = BuildError::Unreadable;
        let payment_type = body
            .value(RequestField::PaymentType)
            .parsed(PaymentType::from_name);
        let payment_type = payment_type.ok_or(unreadable(RequestField::PaymentType))?;
        let mode = body.value(RequestField::Mode).parsed(Mode::from_name);
        // The mode determines the currency of all amounts, so an unreadable mode must not count as
        // absent.
        if mode.is_none() && body.value(RequestField::Mode).is_present() {
            return Err(unreadable(RequestField::Mode));
        }
        let amount_text = text(body, RequestField::Amount)
            .filter(|text| DecimalText::parse(text).is_some())
            .ok_or(unreadable(RequestField::Amount))?;
        Ok(PaymentInputs {
            payment_type,
            mode,
            cur: body
                .value(RequestField::Cur)
                .parsed(Currency::from_code)
                .ok_or(unreadable(RequestField::Cur))?,
            amount: Amount::parse_value(&amount_text).ok_or(BuildError::TooLarge)?,
            amount_text,
            subtype: body.value(RequestField::Subtype).parsed(Subtype::from_name),
            host2host: matches!(body.value(RequestField::HostToHost), Value::Bool(true)),
        })
    }

    /// Returns the masked PAN of the payer or the recipient, depending on the variant. The full
    /// number is not stored in a value, because that would leave copies in memory.
    pub(crate) fn masked_card_number(&self, body: &RequestBody<'_>) -> Option<MaskedPan> {
        let member = match self.payment_type {
            PaymentType::PayIn => RequestField::CardNumber,
            PaymentType::PayOut => RequestField::RecipientCardNumber,
        };
        body.value(member).parsed(|digits| {
            is_pan_syntax(digits.as_bytes()).then(|| MaskedPan::from_digits(digits.as_bytes()))
        })
    }
}

impl<'a> CreateRequest<'a> {
    /// Returns the typed value of a valid body. Fails if the policy has accepted a body from which
    /// a payment cannot be built.
    pub(crate) fn new(body: &RequestBody<'a>) -> Result<Self, BuildError> {
        let PaymentInputs {
            payment_type,
            mode,
            cur,
            amount,
            amount_text,
            subtype,
            host2host,
        } = PaymentInputs::new(body)?;
        let common = CommonFields {
            mode,
            cur,
            amount,
            amount_text,
            subtype,
            merchant_id: free_text(body, RequestField::MerchantId),
            user_id: free_text(body, RequestField::UserId),
            callback: text(body, RequestField::Callback),
            redirect_url: text(body, RequestField::RedirectUrl),
            bank_name: free_text(body, RequestField::BankName),
            host2host,
            description: free_text(body, RequestField::Description),
            time_to_complete_payment: body.value(RequestField::TimeToComplete).as_u64(),
        };
        Ok(match payment_type {
            PaymentType::PayIn => CreateRequest::PayIn(PayIn {
                common,
                user_name: free_text(body, RequestField::UserName),
                pay_in_details: body
                    .value(RequestField::PayInDetails)
                    .is_present()
                    .then(|| PayInDetails {
                        card: body
                            .value(RequestField::Card)
                            .is_present()
                            .then(|| Card::new(body)),
                        bank_name: free_text(body, RequestField::PayerBankName),
                    }),
            }),
            PaymentType::PayOut => CreateRequest::PayOut(PayOut {
                common,
                pay_out_details: body
                    .value(RequestField::PayOutDetails)
                    .is_present()
                    .then(|| PayOutDetails {
                        bank_name: free_text(body, RequestField::RecipientBankName),
                        full_name: free_text(body, RequestField::RecipientFullName),
                        card_number: body
                            .value(RequestField::RecipientCardNumber)
                            .parsed(Pan::parse),
                        phone_number: text(body, RequestField::RecipientPhoneNumber),
                    }),
            }),
        })
    }

    /// Returns the members that both variants have.
    pub fn common(&self) -> &CommonFields<'a> {
        match self {
            CreateRequest::PayIn(request) => &request.common,
            CreateRequest::PayOut(request) => &request.common,
        }
    }

    /// Returns the variant.
    pub fn payment_type(&self) -> PaymentType {
        match self {
            CreateRequest::PayIn(_) => PaymentType::PayIn,
            CreateRequest::PayOut(_) => PaymentType::PayOut,
        }
    }

    /// Returns the card number of the payer or the recipient, depending on the variant.
    pub fn card_number(&self) -> Option<&Pan> {
        match self {
            CreateRequest::PayIn(request) => request
                .pay_in_details
                .as_ref()?
                .card
                .as_ref()?
                .card_number
                .as_ref(),
            CreateRequest::PayOut(request) => {
                request.pay_out_details.as_ref()?.card_number.as_ref()
            }
        }
    }
}

impl<'a> Card<'a> {
    fn new(body: &RequestBody<'a>) -> Self {
        let year = body.value(RequestField::ExpiryYear).as_u64();
        let year = year.map(|year| {
            if year < 100 {
                year.saturating_add(2000)
            } else {
                year
            }
        });
        Card {
            card_holder: free_text(body, RequestField::CardHolder),
            card_number: body.value(RequestField::CardNumber).parsed(Pan::parse),
            expiry_year: year.and_then(|year| u16::try_from(year).ok()),
            expiry_month: body
                .value(RequestField::ExpiryMonth)
                .as_u64()
                .and_then(|month| u8::try_from(month).ok()),
            security_code: body
                .value(RequestField::SecurityCode)
                .parsed(SecurityCode::parse),
        }
    }
}

/// Returns the decoded text of a free-text member. An empty text counts as absent.
pub(crate) fn free_text<'a>(body: &RequestBody<'a>, member: RequestField) -> Option<Cow<'a, str>> {
    text(body, member).filter(|text| !text.is_empty())
}

/// Returns the decoded text of a member.
pub(crate) fn text<'a>(body: &RequestBody<'a>, member: RequestField) -> Option<Cow<'a, str>> {
    body.value(member).text().map(JsonStr::to_cow)
}

// Names, identifiers, and texts are personal data, and a text may contain a card number.
impl_debug_of_fields! {
    CommonFields<'_> { mode, cur, amount, subtype, host2host }
    PayIn<'_> { common, pay_in_details }
    PayInDetails<'_> { card }
    Card<'_> { card_number }
    PayOutDetails<'_> { card_number }
}
