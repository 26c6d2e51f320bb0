//! The members of a creation request (§2.2): the table that reading, rules, policy and OpenAPI share.

use crate::json::FieldId;
use crate::json::{Field, JsonStr, JsonType, ObjectSchema, bit};
use crate::types::payment_type::PaymentType;

/// A member, by its slot. The order is that of the table of §2.2, object by object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum RequestField {
    PaymentType,
    Mode,
    Cur,
    Amount,
    Subtype,
    MerchantId,
    UserId,
    UserName,
    Callback,
    RedirectUrl,
    BankName,
    HostToHost,
    Description,
    TimeToComplete,
    PayOutDetails,
    PayInDetails,
    System,
    RecipientBankName,
    RecipientFullName,
    RecipientCardNumber,
    RecipientPhoneNumber,
    Card,
    PayerBankName,
    CardHolder,
    CardNumber,
    ExpiryYear,
    ExpiryMonth,
    SecurityCode,
}

/// How many slots a request takes.
pub(crate) const SLOTS: usize = 28;
const _: () = assert!(SLOTS <= crate::json::MOST_SLOTS, "judge::MOST_SLOTS is that of the largest table");

pub(crate) static REQUEST: ObjectSchema = ObjectSchema::new(
    "",
    0,
    &[
        Field::string("/payment_type"),
        Field::string("/mode"),
        Field::string("/cur"),
        Field::string("/amount"),
        Field::string("/subtype"),
        Field::string("/merchant_id"),
        Field::string("/user_id"),
        Field::string("/user_name"),
        Field::string("/callback"),
        Field::string("/redirect_url"),
        Field::string("/bank_name"),
        Field::new("/host2host", JsonType::Boolean),
        Field::string("/description"),
        Field::new("/time_to_complete_payment", JsonType::Integer),
        Field::object("/pay_out_details", &PAY_OUT_DETAILS),
        Field::object("/pay_in_details", &PAY_IN_DETAILS),
        // D4: told as a member of the earlier interface, whatever it holds.
        Field::new("/system", JsonType::Any),
    ],
);

static PAY_OUT_DETAILS: ObjectSchema = ObjectSchema::new(
    "/pay_out_details",
    17,
    &[
        Field::string("/pay_out_details/bank_name"),
        Field::string("/pay_out_details/full_name"),
        Field::string("/pay_out_details/card_number"),
        Field::string("/pay_out_details/phone_number"),
    ],
);

static PAY_IN_DETAILS: ObjectSchema = ObjectSchema::new(
    "/pay_in_details",
    21,
    &[Field::object("/pay_in_details/card", &CARD), Field::string("/pay_in_details/bank_name")],
);

static CARD: ObjectSchema = ObjectSchema::new(
    "/pay_in_details/card",
    23,
    &[
        Field::string("/pay_in_details/card/card_holder"),
        Field::string("/pay_in_details/card/card_number"),
        Field::new("/pay_in_details/card/expiry_year", JsonType::Integer),
        Field::new("/pay_in_details/card/expiry_month", JsonType::Integer),
        Field::string("/pay_in_details/card/security_code"),
    ],
);

const SCOPES: [&ObjectSchema; 4] = [&REQUEST, &PAY_OUT_DETAILS, &PAY_IN_DETAILS, &CARD];

impl RequestField {
    #[expect(clippy::as_conversions, reason = "the discriminants are the slots, by construction")]
    pub(crate) const fn slot(self) -> usize {
        self as usize
    }
}

impl FieldId for RequestField {
    fn slot(self) -> usize {
        RequestField::slot(self)
    }

    fn entry(self) -> &'static Field {
        FIELDS.get(self.slot()).copied().unwrap_or(&FALLBACK)
    }
}

/// The lines of all tables by their slots.
#[expect(clippy::indexing_slicing, reason = "evaluated at compile time, where a slip is an error")]
static FIELDS: [&Field; SLOTS] = {
    let mut fields = [&FALLBACK; SLOTS];
    let mut schema = 0;
    while schema < SCOPES.len() {
        let mut place = 0;
        while place < SCOPES[schema].fields.len() {
            fields[SCOPES[schema].first + place] = &SCOPES[schema].fields[place];
            place += 1;
        }
        schema += 1;
    }
    fields
};

static FALLBACK: Field = Field::new("", JsonType::Any);

/// The members that are about the payer's card and bank, and those about the recipient: one bit for each slot.
pub(crate) const PAYER: u64 = bits(RequestField::Card, SLOTS) | bit(RequestField::PayInDetails.slot());
pub(crate) const RECIPIENT: u64 =
    bits(RequestField::RecipientBankName, RequestField::Card.slot()) | bit(RequestField::PayOutDetails.slot());

/// The bits of the slots from `first` up to `end`.
const fn bits(first: RequestField, end: usize) -> u64 {
    (bit(end).wrapping_sub(1)) & !(bit(first.slot()).wrapping_sub(1))
}

/// Whether the body's member of that name, and of that type, counts something: then it is no card number.
pub(crate) fn is_quantity(name: JsonStr<'_>, json_type: JsonType) -> bool {
    let counts = |slot| slot == RequestField::Amount.slot() || slot == RequestField::TimeToComplete.slot();
    REQUEST.find(name).is_some_and(|(slot, field)| counts(slot) && field.json_type == json_type)
}

/// The slot that a JSON Pointer names, for `policy.required`.
pub(crate) fn slot_at(pointer: &str) -> Option<usize> {
    FIELDS.iter().position(|field| field.pointer == pointer)
}

/// The variant that alone can hold the member of `slot`: its own, or that of the object round it.
pub(crate) fn variant_of(slot: usize) -> Option<PaymentType> {
    const USER_NAME: usize = RequestField::UserName.slot();
    const PAY_OUT: usize = RequestField::PayOutDetails.slot();
    const PAY_IN: usize = RequestField::PayInDetails.slot();
    match slot {
        USER_NAME | PAY_IN | 21..SLOTS => Some(PaymentType::PayIn),
        PAY_OUT | 17..21 => Some(PaymentType::PayOut),
        _ => None,
    }
}
