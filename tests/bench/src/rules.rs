//! serde_json into typed values with rules of garde, as a program would do without payspec. The
//! rules are those of schema.json, without currency table, Luhn, scales, and duplicates.

use garde::Validate;
use serde::Deserialize;

/// Returns true if a body can be read and its values are valid.
pub fn accepts(body: &[u8]) -> bool {
    serde_json::from_slice::<Request>(body)
        .is_ok_and(|request| request.validate().is_ok() && request.is_complete())
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
enum PaymentType {
    PayIn,
    PayOut,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "UPPERCASE")]
enum Mode {
    P2p,
    Acquiring,
    Crypto,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Subtype {
    BankCard,
    Sbp,
}

#[derive(Deserialize, Validate)]
#[garde(transparent)]
struct Name(
    #[garde(
        length(chars, min = 1, max = 255),
        pattern(r"^[^\x00-\x1f\x7f-\x9f]*$")
    )]
    String,
);

#[derive(Deserialize, Validate)]
#[garde(transparent)]
struct Address(
    #[garde(length(bytes, max = 2048), pattern("^https?://"), url)]
    String,
);

#[derive(Deserialize, Validate)]
#[garde(transparent)]
struct CardNumber(#[garde(pattern("^[0-9]{12,19}$"))] String);

#[derive(Deserialize, Validate)]
#[garde(allow_unvalidated)]
struct Request {
    payment_type: PaymentType,
    mode: Option<Mode>,
    #[garde(pattern("^[A-Z]{3}$"))]
    cur: String,
    #[garde(pattern(r"^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$"))]
    amount: String,
    subtype: Option<Subtype>,
    #[garde(dive)]
    merchant_id: Option<Name>,
    #[garde(dive)]
    user_id: Option<Name>,
    #[garde(dive)]
    user_name: Option<Name>,
    #[garde(dive)]
    callback: Option<Address>,
    #[garde(dive)]
    redirect_url: Option<Address>,
    #[garde(dive)]
    bank_name: Option<Name>,
    #[serde(rename = "host2host")]
    _host2host: Option<bool>,
    #[garde(length(chars, min = 1, max = 1024))]
    description: Option<String>,
    #[garde(range(min = 1, max = 9_007_199_254_740_991))]
    time_to_complete_payment: Option<u64>,
    #[garde(dive)]
    pay_out_details: Option<PayOutDetails>,
    #[garde(dive)]
    pay_in_details: Option<PayInDetails>,
}

impl Request {
    /// Checks the rules between members, which garde does not have.
    fn is_complete(&self) -> bool {
        match self.payment_type {
            PaymentType::PayOut => self.mode.is_some() && self.subtype.is_some(),
            PaymentType::PayIn => self.mode == Some(Mode::Crypto) || self.subtype.is_some(),
        }
    }
}

#[derive(Deserialize, Validate)]
struct PayOutDetails {
    #[garde(dive)]
    bank_name: Option<Name>,
    #[garde(dive)]
    full_name: Option<Name>,
    #[garde(dive)]
    card_number: Option<CardNumber>,
    #[garde(pattern(r"^\+?[0-9]{7,15}$"))]
    phone_number: Option<String>,
}

#[derive(Deserialize, Validate)]
struct PayInDetails {
    #[garde(dive)]
    card: Option<Card>,
    #[garde(dive)]
    bank_name: Option<Name>,
}

#[derive(Deserialize, Validate)]
struct Card {
    #[garde(dive)]
    card_holder: Option<Name>,
    #[garde(dive)]
    card_number: Option<CardNumber>,
    #[garde(range(max = 2099))]
    expiry_year: Option<u16>,
    #[garde(range(min = 1, max = 12))]
    expiry_month: Option<u8>,
    #[garde(pattern("^[0-9]{3,4}$"))]
    security_code: Option<String>,
}
