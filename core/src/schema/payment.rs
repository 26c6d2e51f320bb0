//! The members of a payment (§2.1): the table that writing, checking, advancing and OpenAPI share.

use crate::json::FieldId;
use crate::json::{Field, JsonType, ObjectSchema};

/// A member, by its slot, in the order of §2.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum PaymentField {
    Uid,
    Url,
    MerchantId,
    State,
    PaymentType,
    Subtype,
    RequestedAmount,
    RequestedCurrency,
    ClientAmount,
    Amount,
    Currency,
    Total,
    NetProcessed,
    Fee,
    Commission,
    GrossAmount,
    SharedCommission,
    PaidAmount,
    FailBy,
    FailCode,
    Receipts,
    CreatedDate,
    PaidAt,
    RedirectUrl,
    Form,
    Info,
}

/// How many slots a payment takes.
pub(crate) const SLOTS: usize = 26;
const _: () = assert!(SLOTS <= crate::json::MOST_SLOTS, "judge::MOST_SLOTS is that of the largest table");

pub(crate) static PAYMENT: ObjectSchema = ObjectSchema::new(
    "",
    0,
    &[
        Field::string("/uid"),
        Field::string("/url"),
        Field::string("/merchant_id"),
        Field::string("/state"),
        Field::string("/payment_type"),
        Field::string("/subtype"),
        Field::string("/requested_amount"),
        Field::string("/requested_currency"),
        Field::string("/client_amount"),
        Field::string("/amount"),
        Field::string("/currency"),
        Field::string("/total"),
        Field::string("/net_processed"),
        Field::string("/fee"),
        Field::string("/commission"),
        Field::string("/gross_amount"),
        Field::string("/shared_commission"),
        Field::string("/paid_amount"),
        Field::string("/fail_by"),
        Field::string("/fail_code"),
        Field::new("/receipts", JsonType::Array),
        Field::string("/created_date"),
        Field::string("/paid_at"),
        Field::string("/redirect_url"),
        Field::string("/form"),
        Field::new("/info", JsonType::Object),
    ],
);

/// The amounts that are in USDT in mode CRYPTO (§1.4), in its order.
pub(crate) const PROCESSED: [PaymentField; 8] = [
    PaymentField::Amount,
    PaymentField::Total,
    PaymentField::NetProcessed,
    PaymentField::Fee,
    PaymentField::Commission,
    PaymentField::GrossAmount,
    PaymentField::SharedCommission,
    PaymentField::PaidAmount,
];

/// The amounts that stay in the client's currency (§1.4).
pub(crate) const REQUESTED: [PaymentField; 2] = [PaymentField::RequestedAmount, PaymentField::ClientAmount];

/// What a creation response carries at least (§2.1).
pub(crate) const ALWAYS: [PaymentField; 11] = [
    PaymentField::Uid,
    PaymentField::Url,
    PaymentField::Info,
    PaymentField::State,
    PaymentField::Amount,
    PaymentField::FailBy,
    PaymentField::PaidAt,
    PaymentField::Currency,
    PaymentField::MerchantId,
    PaymentField::CreatedDate,
    PaymentField::ClientAmount,
];

/// What it carries in mode CRYPTO besides.
pub(crate) const IN_CRYPTO: [PaymentField; 2] = [PaymentField::RequestedAmount, PaymentField::RequestedCurrency];

/// What may be null (§2.1).
const NULLABLE: [PaymentField; 5] =
    [PaymentField::Url, PaymentField::ClientAmount, PaymentField::FailBy, PaymentField::PaidAt, PaymentField::Info];

impl PaymentField {
    /// Whether §2.1 says that it may be null: then it is always there.
    pub(crate) fn is_nullable(self) -> bool {
        NULLABLE.contains(&self)
    }

    pub(crate) fn is_nullable_slot(slot: usize) -> bool {
        NULLABLE.iter().any(|member| member.slot() == slot)
    }

    pub(crate) fn name(self) -> &'static str {
        self.entry().name
    }
}

static FALLBACK: Field = Field::new("", JsonType::Any);

impl FieldId for PaymentField {
    #[expect(clippy::as_conversions, reason = "the discriminants are the slots, by construction")]
    fn slot(self) -> usize {
        self as usize
    }

    fn entry(self) -> &'static Field {
        PAYMENT.fields.get(self.slot()).unwrap_or(&FALLBACK)
    }
}
