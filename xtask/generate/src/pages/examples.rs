//! The vectors and the types that the pages of the operations show.

/// An example of an operation on its page.
pub(super) struct Example {
    pub(super) operation: &'static str,
    /// The name of the vector with an accepted call, after the name of the operation.
    pub(super) accepted: &'static str,
    /// The name of a vector with a rejected one; empty if no input is rejected.
    pub(super) rejected: &'static str,
    /// The main types of the npm package that describe inputs and answers, with that of the answer.
    pub(super) types: &'static [&'static str],
}

macro_rules! examples {
    ($($operation:literal $accepted:literal $rejected:literal [$($name:literal),*];)*) => {
        /// One example for each operation, in the order of the table of operations.
        pub(super) const EXAMPLES: &[Example] = &[
            $(Example { operation: $operation, accepted: $accepted, rejected: $rejected, types: &[$($name),*] },)*
        ];
    };
}

examples! {
    "validate_request" "bodies/least pay-in" "amount/100.50 JPY"
        ["CreateRequestInput", "ValidateOptions", "Report", "ValidReport", "InvalidReport", "ReportBase", "Violation", "ViolationOf", "ViolationBase"];
    "create_payment" "fiat/100.50 RUB" "problems/one violation"
        ["CreateRequestInput", "CreateContext", "Authorization", "AuthorizationHeader", "IdempotencyLookup", "IdempotencyRecord", "Quote", "Charges", "CreateOutcome", "Created", "Replayed", "CreatedBase", "ProblemOutcome", "ProblemOf", "ProblemBase"];
    "read_payment" "read_payment/stored payment" "read_payment/none stored"
        ["ReadContext", "ReadOutcome"];
    "read_balance" "read_balance/balance" "read_balance/no header"
        ["BalanceContext", "Balance", "BalanceOutcome"];
    "check_payment" "valid/new P2P" "answer/requested_amount"
        ["PaymentInput", "CheckOptions", "Report", "ValidReport", "InvalidReport", "ReportBase", "Violation", "ViolationOf", "ViolationBase"];
    "field_currencies" "fields/CRYPTO" "fields/requested_currency a number"
        ["FieldCurrencies", "CryptoCurrencies", "FiatCurrencies"];
    "convert" "converted/100 RUB at 92.45" "rejected/quote absent"
        ["ConvertContext", "UndatedConvertContext", "DatedConvertContext", "ConvertOutcome", "Conversion"];
    "advance_payment" "states/routed to completed" "states/completed to routed"
        ["AdvanceContext", "AdvanceOutcome"];
    "check_transition" "conventional/idle to routed" "open/completed to idle"
        ["TransitionContext", "Transition"];
    "states" "states/the table of §3" ""
        ["States"];
    "check_idempotency" "age/1000 ms exactly" "verdict/conflict precedes in progress"
        ["IdempotencyContext", "IdempotencyContextBase", "FreshIdempotencyContext", "RepeatedIdempotencyContext", "IdempotencyAnswer"];
    "idempotency_key" "accepted/quoted" "rejected/empty"
        ["IdempotencyKeyAnswer", "IdempotencyKey"];
    "fingerprint_request" "canonical/P2P" "rejected/array"
        ["Fingerprint"];
    "authorize" "accepted/\"BEARER abc\"" "rejected/no header"
        ["Bearer", "AuthorizeAnswer"];
    "upgrade_request" "body/pay-in with everything" "rejected/array"
        ["MigratedBody", "Change", "Unresolved"];
    "downgrade_request" "body/pay-in" "rejected/array"
        ["MigratedBody", "Change", "Unresolved"];
    "upgrade_balance" "body/whitespace" "rejected/array"
        ["MigratedBody", "Change", "Unresolved"];
    "downgrade_balance" "body/name" "rejected/array"
        ["MigratedBody", "Change", "Unresolved"];
    "upgrade_payment" "body/everything" "rejected/array"
        ["MigratedBody", "Change", "Unresolved"];
    "downgrade_payment" "body/names" "rejected/array"
        ["MigratedBody", "Change", "Unresolved"];
    "redact" "members/card" "rejected/array"
        ["Redacted"];
    "redact_text" "names/query string" ""
        [];
    "sign_webhook" "signatures/published" ""
        ["SignWebhookContext", "SignedWebhook"];
    "verify_webhook" "accepted/published" "timestamp/301 s later"
        ["VerifyWebhookContext", "WebhookVerification"];
    "locate" "values/object in an array" "not_found/no such item"
        ["FoundLocation", "Location"];
    "card_info" "typing/Visa, 15 of 16" ""
        ["CardInfo", "KnownCard", "UnknownCard", "CardInfoBase"];
    "compare_policies" "lists/currency added" ""
        ["ComparePoliciesContext", "Policy", "PolicyComparison", "PolicyRelation", "PolicyDifference", "PolicyWitness"];
    "rules" "rules/catalogue" ""
        ["Rules"];
    "decisions" "decisions/register" ""
        ["Decision", "Decisions"];
    "openapi" "openapi/paths" ""
        ["OpenApi"];
}
