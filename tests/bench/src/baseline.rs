//! The baseline: serde_json into a typed struct that borrows from the body, with every member of
//! §2.2 and without rules.

use serde::Deserialize;
use std::borrow::Cow;

/// A wrapper, since serde borrows a `Cow` only if it is not inside an `Option`.
#[derive(Deserialize)]
pub struct Text<'a>(#[serde(borrow)] pub Cow<'a, str>);

/// The body of a creation request.
#[derive(Deserialize)]
#[expect(missing_docs, reason = "the members of §2.2 by their names")]
pub struct Request<'a> {
    #[serde(borrow)]
    pub payment_type: Text<'a>,
    pub mode: Option<Text<'a>>,
    pub cur: Text<'a>,
    pub amount: Text<'a>,
    pub subtype: Option<Text<'a>>,
    pub merchant_id: Option<Text<'a>>,
    pub user_id: Option<Text<'a>>,
    pub user_name: Option<Text<'a>>,
    pub callback: Option<Text<'a>>,
    pub redirect_url: Option<Text<'a>>,
    pub bank_name: Option<Text<'a>>,
    pub host2host: Option<bool>,
    pub description: Option<Text<'a>>,
    pub time_to_complete_payment: Option<u64>,
    pub pay_out_details: Option<PayOutDetails<'a>>,
    pub pay_in_details: Option<PayInDetails<'a>>,
}

/// Pay-out recipient data.
#[derive(Deserialize)]
#[expect(missing_docs, reason = "the members of §2.2 by their names")]
pub struct PayOutDetails<'a> {
    #[serde(borrow)]
    pub bank_name: Option<Text<'a>>,
    pub full_name: Option<Text<'a>>,
    pub card_number: Option<Text<'a>>,
    pub phone_number: Option<Text<'a>>,
}

/// Pay-in data.
#[derive(Deserialize)]
#[expect(missing_docs, reason = "the members of §2.2 by their names")]
pub struct PayInDetails<'a> {
    #[serde(borrow)]
    pub card: Option<Card<'a>>,
    pub bank_name: Option<Text<'a>>,
}

/// A card.
#[derive(Deserialize)]
#[expect(missing_docs, reason = "the members of §2.2 by their names")]
pub struct Card<'a> {
    #[serde(borrow)]
    pub card_holder: Option<Text<'a>>,
    pub card_number: Option<Text<'a>>,
    pub expiry_year: Option<u64>,
    pub expiry_month: Option<u64>,
    pub security_code: Option<Text<'a>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    #[test]
    fn reads_every_valid_body_and_borrows_texts_without_escapes() {
        for body in corpus::VALID {
            let request: Request<'_> = serde_json::from_slice(body.bytes).expect(body.name);
            assert!(
                matches!(request.amount.0, Cow::Borrowed(_)),
                "{}",
                body.name
            );
        }
    }
}
