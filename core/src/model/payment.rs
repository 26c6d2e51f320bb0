//! A new payment and its JSON, members in the order of §2.1.

use alloc::string::String;
use alloc::vec::Vec;

use uuid::Uuid;

use crate::card::pan::MaskedPan;
use crate::json::members;
use crate::json::writer::{Writer, text_by};
use crate::money::{Amount, Breakdown, Currency, USDT};
use crate::schema::payment::PaymentField;
use crate::types::payment_type::{PaymentType, Subtype};
use crate::types::state::State;
use crate::types::timestamp::Timestamp;
use crate::util::debug::impl_debug_of_fields;
use crate::util::string_enum::string_enum;

/// A new payment: idle, neither paid nor failed.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Payment {
    /// The identifier.
    pub uid: Uuid,
    /// The address at which the payer completes or views the payment; `None` in host-to-host mode.
    pub url: Option<String>,
    /// The merchant.
    pub merchant_id: Option<String>,
    /// The direction of the payment.
    pub payment_type: PaymentType,
    /// The payment method.
    pub subtype: Option<Subtype>,
    /// The requested amount as the client wrote it, in the client's currency.
    pub requested_amount: String,
    /// The client's currency.
    pub requested_currency: Currency,
    /// The processed amounts: in USDT in mode CRYPTO, otherwise in the client's currency.
    pub amounts: Breakdown,
    /// Whether the processed amounts are in USDT.
    pub crypto: bool,
    /// The smallest number of fraction digits with which the processed amounts are written.
    pub scale: u32,
    /// The time of creation.
    pub created_date: Timestamp,
    /// The address to which the payer's browser is sent afterwards.
    pub redirect_url: Option<String>,
    /// The form type.
    pub form: Option<String>,
    /// The additional information of host-to-host mode.
    pub info: Option<Info>,
}

string_enum! {
    /// The subject of `info` (D2).
    #[non_exhaustive]
    InfoKind {
        /// A card.
        Card = "card",
        /// The faster payments system.
        Sbp = "sbp",
        /// A payment in USDT.
        Crypto = "crypto",
    }
}

/// The additional information of host-to-host mode. Debug output does not show the details.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// The subject.
    pub kind: InfoKind,
    /// The masked card number, if there is one.
    pub card_number: Option<MaskedPan>,
    /// The text of a JSON object with further members, supplied by the caller.
    pub details: Option<String>,
}

impl_debug_of_fields! { Info { kind, card_number } }

impl Payment {
    /// Returns the state of a new payment: idle.
    pub fn state(&self) -> State {
        State::Idle
    }

    /// Returns the currency of the processed amounts.
    pub fn currency(&self) -> &'static str {
        if self.crypto {
            USDT
        } else {
            self.requested_currency.code()
        }
    }

    /// Returns the payment's JSON.
    pub fn to_json(&self) -> String {
        text_by(|out| self.write_json(out))
    }

    /// Appends the payment's JSON, members in the order of §2.1.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            self.write_request(w);
            self.write_amounts(w);
            w.name(PaymentField::FailBy.name()).null();
            w.name(PaymentField::Receipts.name()).raw("[]");
            w.name(PaymentField::CreatedDate.name())
                .plain(|out| self.created_date.write_millis(out));
            w.name(PaymentField::PaidAt.name()).null();
            optional(w, PaymentField::RedirectUrl, self.redirect_url.as_deref());
            optional(w, PaymentField::Form, self.form.as_deref());
            w.name(PaymentField::Info.name());
            match &self.info {
                None => w.null(),
                Some(info) => info.write(w),
            }
        });
    }

    /// Writes the identifier, the state, and the members that repeat the request.
    fn write_request(&self, w: &mut Writer<'_>) {
        let mut buffer = Uuid::encode_buffer();
        let uid = self.uid.hyphenated().encode_lower(&mut buffer);
        word(w, PaymentField::Uid, uid);
        w.name(PaymentField::Url.name())
            .string_or_null(self.url.as_deref());
        optional(w, PaymentField::MerchantId, self.merchant_id.as_deref());
        word(w, PaymentField::State, self.state().name());
        word(w, PaymentField::PaymentType, self.payment_type.name());
        if let Some(subtype) = self.subtype {
            word(w, PaymentField::Subtype, subtype.name());
        }
        text(w, PaymentField::RequestedAmount, &self.requested_amount);
        let requested_currency = self.requested_currency.code();
        word(w, PaymentField::RequestedCurrency, requested_currency);
        text(w, PaymentField::ClientAmount, &self.requested_amount);
    }

    /// Writes the processed amounts and their currency.
    fn write_amounts(&self, w: &mut Writer<'_>) {
        let Breakdown {
            amount,
            total,
            net_processed,
            fee,
            commission,
            gross_amount,
            shared_commission,
        } = self.amounts;
        self.write_amount(w, PaymentField::Amount, amount);
        word(w, PaymentField::Currency, self.currency());
        self.write_amount(w, PaymentField::Total, total);
        self.write_amount(w, PaymentField::NetProcessed, net_processed);
        self.write_amount(w, PaymentField::Fee, fee);
        self.write_amount(w, PaymentField::Commission, commission);
        self.write_amount(w, PaymentField::GrossAmount, gross_amount);
        self.write_amount(w, PaymentField::SharedCommission, shared_commission);
        self.write_amount(w, PaymentField::PaidAmount, Amount::ZERO);
    }

    fn write_amount(&self, w: &mut Writer<'_>, field: PaymentField, amount: Amount) {
        w.name(field.name())
            .plain(|out| amount.write(self.scale, out));
    }
}

impl Info {
    fn write(&self, w: &mut Writer<'_>) {
        w.object(|w| {
            w.name("type").word(self.kind.name());
            if let Some(card_number) = &self.card_number {
                w.name("card_number").word(card_number.as_str());
            }
            if let Some(details) = &self.details {
                members(details).for_each(|(name, value)| w.member(name, value));
            }
        });
    }
}

/// Writes a member with a name from a table, or another text that needs no escapes.
fn word(w: &mut Writer<'_>, field: PaymentField, word: &str) {
    w.name(field.name()).word(word);
}

/// Writes a member with a text.
fn text(w: &mut Writer<'_>, field: PaymentField, text: &str) {
    w.name(field.name()).string(text);
}

/// Writes a member with a text, if there is one.
fn optional(w: &mut Writer<'_>, field: PaymentField, value: Option<&str>) {
    if let Some(value) = value {
        text(w, field, value);
    }
}

// Identifiers and addresses are client data and may contain sensitive values.
impl_debug_of_fields! { Payment { uid, payment_type, amounts, requested_currency, crypto, info } }

#[cfg(feature = "serde_json")]
impl serde::Serialize for Payment {
    /// Writes the JSON of `write_json`.
    ///
    /// The details of `info` are unchanged. This needs serde_json's `RawValue`, so it works with
    /// serde_json only.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        crate::util::serialize::raw(&text_by(|out| self.write_json(out)), serializer)
    }
}
