//! The members of the contexts, as data. Their types are those of the functions that read the
//! values, so no row has one.

use crate::json::object_schema;

object_schema! {
    /// The members of the context of `create_payment`.
    pub(crate) enum CreateField;
    CREATE "" {
        Uid "uid", Now "now", Url "url", Form "form", MerchantId "merchant_id",
        Authorization "authorization": Any(CREATE_AUTHORIZATION),
        Idempotency "idempotency": Any(IDEMPOTENCY_LOOKUP), Quote "quote": Any(CREATE_QUOTE),
        Charges "charges": Any(CHARGES), Info "info", Refusal "refusal",
        AllowedMerchantIds "allowed_merchant_ids",
    }
    CREATE_AUTHORIZATION "/authorization" { Header "header", Accepted "accepted" }
    IDEMPOTENCY_LOOKUP "/idempotency" { Key "key", Existing "existing": Any(LOOKUP_RECORD) }
    LOOKUP_RECORD "/idempotency/existing" {
        CreatedAt "created_at", Fingerprint "fingerprint", Payment "payment",
    }
    CREATE_QUOTE "/quote" { Currency "currency", Rate "rate", AsOf "as_of" }
    CHARGES "/charges" {
        Fee "fee", Commission "commission", SharedCommission "shared_commission",
    }
}

object_schema! {
    /// The members of the context of `read_payment`.
    pub(crate) enum ReadField;
    READ "" { Uid "uid", Payment "payment", Authorization "authorization": Any(READ_AUTHORIZATION) }
    READ_AUTHORIZATION "/authorization" { Header "header", Accepted "accepted" }
}

object_schema! {
    /// The members of the context of `read_balance`.
    pub(crate) enum BalanceField;
    BALANCE "" { Balance "balance", Authorization "authorization": Any(BALANCE_AUTHORIZATION) }
    BALANCE_AUTHORIZATION "/authorization" { Header "header", Accepted "accepted" }
}

object_schema! {
    /// The members of the context of `convert`.
    pub(crate) enum ConvertField;
    CONVERT "" {
        Amount "amount", AmountCurrency "currency", Quote "quote": Any(CONVERT_QUOTE),
        Now "now",
    }
    CONVERT_QUOTE "/quote" { Currency "currency", Rate "rate", AsOf "as_of" }
}

object_schema! {
    /// The members of the context of `advance_payment`.
    pub(crate) enum AdvanceField;
    ADVANCE "" {
        Payment "payment", To "to", At "at", PaidAmount "paid_amount",
        Amount "amount", FailBy "fail_by", FailCode "fail_code", Receipts "receipts",
    }
}

object_schema! {
    /// The members of the context of `check_idempotency`.
    pub(crate) enum IdempotencyField;
    IDEMPOTENCY "" {
        Now "now", Key "key", RequestFingerprint "fingerprint",
        Existing "existing": Any(RECORD),
    }
    RECORD "/existing" { CreatedAt "created_at", Fingerprint "fingerprint", Payment "payment" }
}

object_schema! {
    /// The members of the context of `check_transition`.
    pub(crate) enum TransitionField;
    TRANSITION "" { From "from", To "to" }
}

object_schema! {
    /// The members of the context of `sign_webhook`.
    pub(crate) enum SignWebhookField;
    SIGN_WEBHOOK "" { Id "id", Timestamp "timestamp", Secrets "secrets" }
}

object_schema! {
    /// The members of the context of `verify_webhook`.
    pub(crate) enum VerifyWebhookField;
    VERIFY_WEBHOOK "" { Headers "headers", Secrets "secrets", Now "now", Tolerance "tolerance_s" }
}

/// The number of slots of a context. The context of `create_payment` has most members.
pub(crate) const CONTEXT_SLOTS: usize = CreateField::COUNT;
