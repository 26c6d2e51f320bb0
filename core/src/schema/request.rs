//! The fields of a creation request (§2.2), shared by reader, rules, policy, and OpenAPI.

use crate::json::{Field, FieldId, JsonType, Value, bit, object_schema};
use crate::types::payment_type::PaymentType;

object_schema! {
    /// Fields of the creation request (§2.2), in the order of the specification.
    pub(crate) enum RequestField;
    REQUEST "" {
        PaymentType "payment_type": String,
        Mode "mode": String,
        Cur "cur": String,
        Amount "amount": String,
        Subtype "subtype": String,
        MerchantId "merchant_id": String,
        UserId "user_id": String,
        UserName "user_name": String,
        Callback "callback": String,
        RedirectUrl "redirect_url": String,
        BankName "bank_name": String,
        HostToHost "host2host": Boolean,
        Description "description": String,
        TimeToComplete "time_to_complete_payment": Integer,
        PayOutDetails "pay_out_details": Object(PAY_OUT_DETAILS),
        PayInDetails "pay_in_details": Object(PAY_IN_DETAILS),
        // Reported as a legacy member with any value (D4).
        System "system",
    }
    PAY_OUT_DETAILS "/pay_out_details" {
        RecipientBankName "bank_name": String,
        RecipientFullName "full_name": String,
        RecipientCardNumber "card_number": String,
        RecipientPhoneNumber "phone_number": String,
    }
    PAY_IN_DETAILS "/pay_in_details" {
        Card "card": Object(CARD),
        PayerBankName "bank_name": String,
    }
    CARD "/pay_in_details/card" {
        CardHolder "card_holder": String,
        CardNumber "card_number": String,
        ExpiryYear "expiry_year": Integer,
        ExpiryMonth "expiry_month": Integer,
        SecurityCode "security_code": String,
    }
}

/// The fields of the payer's card and bank.
pub(crate) const PAYER: u64 =
    PAY_IN_DETAILS.slots | CARD.slots | bit(RequestField::PayInDetails.slot());

/// The fields of the recipient.
pub(crate) const RECIPIENT: u64 = PAY_OUT_DETAILS.slots | bit(RequestField::PayOutDetails.slot());

/// The fields that only a pay-in has.
pub(crate) const PAY_IN_ONLY: u64 = PAYER | bit(RequestField::UserName.slot());

/// The fields of card numbers.
pub(crate) const CARD_NUMBERS: [RequestField; 2] =
    [RequestField::CardNumber, RequestField::RecipientCardNumber];

/// Returns whether a value is an amount or a duration and has its type. Its digits are not a card
/// number.
pub(crate) fn is_quantity(slot: usize, field: &Field, value: Value<'_>) -> bool {
    let counts = slot == RequestField::Amount.slot() || slot == RequestField::TimeToComplete.slot();
    counts
        && match value {
            Value::String(_) => field.json_type == JsonType::String,
            Value::Number(_) => field.json_type == JsonType::Integer,
            _ => false,
        }
}

/// Returns whether a value of a field has the meaning of an absent member: a null, or `"host2host":false`.
pub(crate) fn is_default(field: &Field, value: Value<'_>) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(false) => field.pointer == RequestField::HostToHost.entry().pointer,
        _ => false,
    }
}

/// Returns the slot of the field with this JSON Pointer.
pub(crate) fn slot_at(pointer: &str) -> Option<usize> {
    RequestField::FIELDS
        .iter()
        .position(|field| field.pointer == pointer)
}

/// Returns the only variant that has the field, if the other one does not have it.
pub(crate) fn variant_of(slot: usize) -> Option<PaymentType> {
    match bit(slot) {
        field if PAY_IN_ONLY & field != 0 => Some(PaymentType::PayIn),
        field if RECIPIENT & field != 0 => Some(PaymentType::PayOut),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::text::names::{CardName, PairMember};

    #[test]
    fn names_of_card_data_are_listed() {
        for (slot, field) in RequestField::FIELDS.iter().enumerate() {
            let name = field.name.as_bytes();
            let expected = if slot == RequestField::SecurityCode.slot() {
                Some(CardName::SecurityCode)
            } else if CARD_NUMBERS.iter().any(|number| number.slot() == slot) {
                Some(CardName::CardNumber)
            } else {
                None
            };
            assert_eq!(CardName::from_name(name), expected, "{}", field.pointer);
            assert_eq!(PairMember::from_name(name), None, "{}", field.pointer);
        }
    }
}
