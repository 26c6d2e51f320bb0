//! The creation request as a typed value (§2.2).

use alloc::borrow::Cow;
use core::fmt;

use crate::card::pan::{MaskedPan, Pan, SecurityCode};
use crate::card::scheme::is_number;
use crate::json::{JsonStr, Value};
use crate::money::{Amount, Currency, scan};
use crate::schema::request::RequestField;
use crate::types::payment_type::{Mode, PaymentType, Subtype};
use crate::validate::request::RequestBody;

/// A body that was found valid, its text borrowed. Of what it holds, Debug output shows listed words,
/// flags, the currency, an amount of less than twelve digits and the mask of the card number.
#[derive(Clone, Debug, PartialEq)]
pub enum CreateRequest<'a> {
    /// A deposit (PaymentCreatePayInSchema).
    PayIn(PayIn<'a>),
    /// A transfer out (PaymentCreatePayOutSchema).
    PayOut(PayOut<'a>),
}

/// A pay-in request.
#[derive(Clone, PartialEq)]
pub struct PayIn<'a> {
    /// What both variants have.
    pub common: CommonFields<'a>,
    /// Name of the user.
    pub user_name: Option<Cow<'a, str>>,
    /// Data for host-to-host mode.
    pub pay_in_details: Option<PayInDetails<'a>>,
}

/// A pay-out request.
#[derive(Clone, Debug, PartialEq)]
pub struct PayOut<'a> {
    /// What both variants have.
    pub common: CommonFields<'a>,
    /// To whom the money goes.
    pub pay_out_details: Option<PayOutDetails<'a>>,
}

/// The members that both variants have.
#[derive(Clone, PartialEq)]
pub struct CommonFields<'a> {
    /// The processing mode; always there in a pay-out.
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
    /// Where notifications go.
    pub callback: Option<Cow<'a, str>>,
    /// Where the payer's browser goes afterwards.
    pub redirect_url: Option<Cow<'a, str>>,
    /// The bank's name.
    pub bank_name: Option<Cow<'a, str>>,
    /// Whether host-to-host mode is switched on.
    pub host2host: bool,
    /// Free text.
    pub description: Option<Cow<'a, str>>,
    /// Time to complete the payment; the unit is not shown (D15).
    pub time_to_complete_payment: Option<u64>,
}

/// Pay-in data for host-to-host mode.
#[derive(Clone, PartialEq)]
pub struct PayInDetails<'a> {
    /// The payer's card.
    pub card: Option<Card<'a>>,
    /// The payer's bank.
    pub bank_name: Option<Cow<'a, str>>,
}

/// A payer's card. Its number and code are overwritten in memory when it is dropped.
#[derive(Clone, PartialEq)]
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

/// To whom a pay-out goes.
#[derive(Clone, PartialEq)]
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

/// Why no payment can be made of a body that the policy let pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuildError {
    /// A member that decides the payment cannot be read.
    Unreadable(KeyField),
    /// The amount has more digits than can be computed with.
    TooLarge,
}

/// A member that no payment can be made without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyField {
    PaymentType,
    Mode,
    Amount,
    Cur,
}

impl KeyField {
    /// What the answer says where it cannot be read. Each as a whole: putting it together would allocate.
    pub(crate) fn detail(self) -> &'static str {
        match self {
            KeyField::PaymentType => "No payment can be made without a readable /payment_type.",
            KeyField::Mode => "No payment can be made without a readable /mode.",
            KeyField::Amount => "No payment can be made without a readable /amount.",
            KeyField::Cur => "No payment can be made without a readable /cur.",
        }
    }
}

/// What a payment is made of: the members of a request that its answer depends on.
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
    /// Those of a body that was found valid. An error where a policy let pass what no payment can be made of.
    pub(crate) fn of(body: &RequestBody<'a>) -> Result<Self, BuildError> {
        let unreadable = |member| move || BuildError::Unreadable(member);
        let payment_type = word(body, RequestField::PaymentType, PaymentType::from_name);
        let payment_type = payment_type.ok_or_else(unreadable(KeyField::PaymentType))?;
        let mode = word(body, RequestField::Mode, Mode::from_name);
        // The mode decides the currency of all amounts: one that cannot be read must not pass for none.
        if mode.is_none() && body.value(RequestField::Mode).is_present() {
            return Err(BuildError::Unreadable(KeyField::Mode));
        }
        let amount_text = text(body, RequestField::Amount).filter(|text| scan(text).is_some());
        let amount_text = amount_text.ok_or_else(unreadable(KeyField::Amount))?;
        Ok(PaymentInputs {
            payment_type,
            mode,
            cur: word(body, RequestField::Cur, Currency::from_code).ok_or_else(unreadable(KeyField::Cur))?,
            amount: Amount::parse_value(&amount_text).ok_or(BuildError::TooLarge)?,
            amount_text,
            subtype: word(body, RequestField::Subtype, Subtype::from_name),
            host2host: matches!(body.value(RequestField::HostToHost), Value::Bool(true)),
        })
    }

    /// The payer's or the recipient's card number under its mask, whichever the variant has. Never the number as a value,
    /// which would leave copies on its way.
    pub(crate) fn masked_card_number(&self, body: &RequestBody<'_>) -> Option<MaskedPan> {
        let member = match self.payment_type {
            PaymentType::PayIn => RequestField::CardNumber,
            PaymentType::PayOut => RequestField::RecipientCardNumber,
        };
        word(body, member, |digits| is_number(digits.as_bytes()).then(|| MaskedPan::of(digits)))
    }
}

impl<'a> CreateRequest<'a> {
    /// The typed value of a body. An error where a policy let pass what no payment can be made of.
    pub(crate) fn of(body: &RequestBody<'a>) -> Result<Self, BuildError> {
        let PaymentInputs { payment_type, mode, cur, amount, amount_text, subtype, host2host } =
            PaymentInputs::of(body)?;
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
            time_to_complete_payment: number(body, RequestField::TimeToComplete),
        };
        Ok(match payment_type {
            PaymentType::PayIn => CreateRequest::PayIn(PayIn {
                common,
                user_name: free_text(body, RequestField::UserName),
                pay_in_details: body.value(RequestField::PayInDetails).is_present().then(|| PayInDetails {
                    card: body.value(RequestField::Card).is_present().then(|| Card::of(body)),
                    bank_name: free_text(body, RequestField::PayerBankName),
                }),
            }),
            PaymentType::PayOut => CreateRequest::PayOut(PayOut {
                common,
                pay_out_details: body.value(RequestField::PayOutDetails).is_present().then(|| PayOutDetails {
                    bank_name: free_text(body, RequestField::RecipientBankName),
                    full_name: free_text(body, RequestField::RecipientFullName),
                    card_number: word(body, RequestField::RecipientCardNumber, Pan::parse),
                    phone_number: text(body, RequestField::RecipientPhoneNumber),
                }),
            }),
        })
    }

    /// The members that both variants have.
    pub fn common(&self) -> &CommonFields<'a> {
        match self {
            CreateRequest::PayIn(request) => &request.common,
            CreateRequest::PayOut(request) => &request.common,
        }
    }

    /// Which variant it is.
    pub fn payment_type(&self) -> PaymentType {
        match self {
            CreateRequest::PayIn(_) => PaymentType::PayIn,
            CreateRequest::PayOut(_) => PaymentType::PayOut,
        }
    }

    /// The payer's or the recipient's card number, whichever the variant has.
    pub fn card_number(&self) -> Option<&Pan> {
        match self {
            CreateRequest::PayIn(request) => request.pay_in_details.as_ref()?.card.as_ref()?.card_number.as_ref(),
            CreateRequest::PayOut(request) => request.pay_out_details.as_ref()?.card_number.as_ref(),
        }
    }
}

impl<'a> Card<'a> {
    fn of(body: &RequestBody<'a>) -> Self {
        let year = number(body, RequestField::ExpiryYear)
            .map(|year| if year < 100 { year.saturating_add(2000) } else { year });
        Card {
            card_holder: free_text(body, RequestField::CardHolder),
            card_number: word(body, RequestField::CardNumber, Pan::parse),
            expiry_year: year.and_then(|year| u16::try_from(year).ok()),
            expiry_month: number(body, RequestField::ExpiryMonth).and_then(|month| u8::try_from(month).ok()),
            security_code: word(body, RequestField::SecurityCode, SecurityCode::parse),
        }
    }
}

/// The decoded text of a free-text member. An empty text counts as absent.
pub(crate) fn free_text<'a>(body: &RequestBody<'a>, member: RequestField) -> Option<Cow<'a, str>> {
    text(body, member).filter(|text| !text.is_empty())
}

/// A member's text, decoded.
pub(crate) fn text<'a>(body: &RequestBody<'a>, member: RequestField) -> Option<Cow<'a, str>> {
    body.value(member).text().map(JsonStr::to_cow)
}

fn word<T>(body: &RequestBody<'_>, member: RequestField, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
    body.value(member).text()?.with_decoded(parse)
}

fn number(body: &RequestBody<'_>, member: RequestField) -> Option<u64> {
    body.value(member).as_u64()
}

// Names, ids and texts are the payer's own, and a text may hold a card number: Debug tells what is there, not what it is.
impl fmt::Debug for CommonFields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Common")
            .field("mode", &self.mode)
            .field("cur", &self.cur)
            .field("amount", &self.amount)
            .field("subtype", &self.subtype)
            .field("host2host", &self.host2host)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for PayIn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("PayIn");
        shown.field("common", &self.common).field("pay_in_details", &self.pay_in_details).finish_non_exhaustive()
    }
}

impl fmt::Debug for PayInDetails<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PayInDetails").field("card", &self.card).finish_non_exhaustive()
    }
}

impl fmt::Debug for Card<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Card").field("card_number", &self.card_number).finish_non_exhaustive()
    }
}

impl fmt::Debug for PayOutDetails<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PayOutDetails").field("card_number", &self.card_number).finish_non_exhaustive()
    }
}
