//! The vectors that the pages of the operations show.

/// An example of an operation on its page.
pub(super) struct Example {
    pub(super) operation: &'static str,
    /// The name of the vector with an accepted call, after the name of the operation.
    pub(super) accepted: &'static str,
    /// The name of a vector with a rejected one; empty if no input is rejected.
    pub(super) rejected: &'static str,
}

macro_rules! examples {
    ($($operation:literal $accepted:literal $rejected:literal;)*) => {
        /// One example for each operation, in the order of the table of operations.
        pub(super) const EXAMPLES: &[Example] = &[
            $(Example { operation: $operation, accepted: $accepted, rejected: $rejected },)*
        ];
    };
}

examples! {
    "validate_request" "bodies/least pay-in" "amount/100.50 JPY";
    "create_payment" "fiat/100.50 RUB" "problems/one violation";
    "read_payment" "read_payment/stored payment" "read_payment/none stored";
    "read_balance" "read_balance/balance" "read_balance/no header";
    "check_payment" "valid/new P2P" "answer/requested_amount";
    "field_currencies" "fields/CRYPTO" "fields/requested_currency a number";
    "convert" "converted/100 RUB at 92.45" "rejected/quote absent";
    "advance_payment" "states/routed to completed" "states/completed to routed";
    "check_transition" "conventional/idle to routed" "open/completed to idle";
    "states" "states/the table of §3" "";
    "check_idempotency" "age/1000 ms exactly" "verdict/conflict precedes in progress";
    "idempotency_key" "accepted/quoted" "rejected/empty";
    "fingerprint_request" "canonical/P2P" "rejected/array";
    "authorize" "accepted/\"BEARER abc\"" "rejected/no header";
    "upgrade_request" "body/pay-in with everything" "rejected/array";
    "downgrade_request" "body/pay-in" "rejected/array";
    "upgrade_balance" "body/whitespace" "rejected/array";
    "downgrade_balance" "body/name" "rejected/array";
    "upgrade_payment" "body/everything" "rejected/array";
    "downgrade_payment" "body/names" "rejected/array";
    "redact" "members/card" "rejected/array";
    "redact_text" "names/query string" "";
    "sign_webhook" "signatures/published" "";
    "verify_webhook" "accepted/published" "timestamp/301 s later";
    "locate" "values/object in an array" "not_found/no such item";
    "card_info" "typing/Visa, 15 of 16" "";
    "compare_policies" "lists/currency added" "";
    "rules" "rules/catalogue" "";
    "decisions" "decisions/register" "";
    "openapi" "openapi/paths" "";
}
