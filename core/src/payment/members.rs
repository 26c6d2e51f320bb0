//! The members of a payment (§2.1): the table that writing, checking, advancing and OpenAPI share.

use crate::read::{Field, JsonType, ObjectSchema};
use crate::validator::FieldId;

/// A member, by its slot, in the order of §2.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Member {
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
const _: () = assert!(SLOTS <= crate::validator::MOST_SLOTS, "judge::MOST_SLOTS is that of the largest table");

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
pub(crate) const PROCESSED: [Member; 8] = [
    Member::Amount,
    Member::Total,
    Member::NetProcessed,
    Member::Fee,
    Member::Commission,
    Member::GrossAmount,
    Member::SharedCommission,
    Member::PaidAmount,
];

/// The amounts that stay in the client's currency (§1.4).
pub(crate) const REQUESTED: [Member; 2] = [Member::RequestedAmount, Member::ClientAmount];

/// What a creation response carries at least (§2.1).
pub(crate) const ALWAYS: [Member; 11] = [
    Member::Uid,
    Member::Url,
    Member::Info,
    Member::State,
    Member::Amount,
    Member::FailBy,
    Member::PaidAt,
    Member::Currency,
    Member::MerchantId,
    Member::CreatedDate,
    Member::ClientAmount,
];

/// What it carries in mode CRYPTO besides.
pub(crate) const IN_CRYPTO: [Member; 2] = [Member::RequestedAmount, Member::RequestedCurrency];

/// What may be null (§2.1).
const NULLABLE: [Member; 5] = [Member::Url, Member::ClientAmount, Member::FailBy, Member::PaidAt, Member::Info];

impl Member {
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

impl FieldId for Member {
    #[expect(clippy::as_conversions, reason = "the discriminants are the slots, by construction")]
    fn slot(self) -> usize {
        self as usize
    }

    fn entry(self) -> &'static Field {
        PAYMENT.fields.get(self.slot()).unwrap_or(&FALLBACK)
    }
}
