//! String enums of the specification: type, mode, and method of a payment.

use crate::util::string_enum::string_enum;

string_enum! {
    /// The direction of the payment (§2.2 `payment_type`). It selects the variant of the request's
    /// body.
    PaymentType {
        /// A deposit.
        PayIn = "pay_in",
        /// A transfer out.
        PayOut = "pay_out",
    }
}

string_enum! {
    /// The processing mode (§1.2).
    #[non_exhaustive]
    Mode {
        /// Person to person.
        P2p = "P2P",
        /// Card acquiring.
        Acquiring = "ACQUIRING",
        /// A fiat amount that is converted to USDT (§1.4).
        Crypto = "CRYPTO",
    }
}

string_enum! {
    /// The payment method (§2.2 `subtype`).
    #[non_exhaustive]
    Subtype {
        /// A bank card.
        BankCard = "bank_card",
        /// The faster payments system, by phone number.
        Sbp = "sbp",
    }
}
