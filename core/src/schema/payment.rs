//! The fields of a payment (§2.1), shared by writer, rules, transitions, and OpenAPI.

use crate::json::{FieldId, object_schema};

object_schema! {
    /// Fields of the payment (§2.1), in the order of the specification.
    pub(crate) enum PaymentField;
    PAYMENT "" {
        Uid "uid": String,
        Url "url": String,
        MerchantId "merchant_id": String,
        State "state": String,
        PaymentType "payment_type": String,
        Subtype "subtype": String,
        RequestedAmount "requested_amount": String,
        RequestedCurrency "requested_currency": String,
        ClientAmount "client_amount": String,
        Amount "amount": String,
        Currency "currency": String,
        Total "total": String,
        NetProcessed "net_processed": String,
        Fee "fee": String,
        Commission "commission": String,
        GrossAmount "gross_amount": String,
        SharedCommission "shared_commission": String,
        PaidAmount "paid_amount": String,
        FailBy "fail_by": String,
        FailCode "fail_code": String,
        Receipts "receipts": Array,
        CreatedDate "created_date": String,
        PaidAt "paid_at": String,
        RedirectUrl "redirect_url": String,
        Form "form": String,
        Info "info": Object,
    }
}

/// Lists fields of the payment.
macro_rules! fields {
    ($($field:ident)*) => { [$(PaymentField::$field),*] };
}

/// The amounts that are in USDT in mode CRYPTO, in the order of §1.4.
pub(crate) const PROCESSED: [PaymentField; 8] =
    fields! { Amount Total NetProcessed Fee Commission GrossAmount SharedCommission PaidAmount };

/// The amounts that stay in the client's currency (§1.4).
pub(crate) const REQUESTED: [PaymentField; 2] = fields! { RequestedAmount ClientAmount };

/// The members that every creation response has (§2.1).
pub(crate) const ALWAYS: [PaymentField; 11] = fields! {
    Uid Url Info State Amount FailBy PaidAt Currency MerchantId CreatedDate ClientAmount
};

/// The further members of a creation response in mode CRYPTO.
pub(crate) const IN_CRYPTO: [PaymentField; 2] = fields! { RequestedAmount RequestedCurrency };

/// The members that may be null (§2.1). Such a member is always present.
pub(crate) const NULLABLE: [PaymentField; 5] = fields! { Url ClientAmount FailBy PaidAt Info };

/// Returns whether the member in the slot may be null.
pub(crate) fn is_nullable(slot: usize) -> bool {
    NULLABLE.iter().any(|member| member.slot() == slot)
}

impl PaymentField {
    pub(crate) fn name(self) -> &'static str {
        self.entry().name
    }
}
