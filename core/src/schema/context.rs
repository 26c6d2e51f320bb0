//! The members of the contexts, as data. Their types are those of the functions that read the
//! values, so all are `Any`.

use crate::json::object_schema;

object_schema! {
    /// The members of the context of `create_payment`.
    pub(crate) enum CreateField;
    CREATE "" {
        Uid "uid" Any, Now "now" Any, Url "url" Any, Form "form" Any, MerchantId "merchant_id" Any,
        Authorization "authorization" Any (CREATE_AUTHORIZATION),
        Idempotency "idempotency" Any (IDEMPOTENCY_LOOKUP), Quote "quote" Any (CREATE_QUOTE),
        Charges "charges" Any (CHARGES), Info "info" Any, Refusal "refusal" Any,
        AllowedMerchantIds "allowed_merchant_ids" Any,
    }
    CREATE_AUTHORIZATION "/authorization" { Header "header" Any, Accepted "accepted" Any }
    IDEMPOTENCY_LOOKUP "/idempotency" { Key "key" Any, Existing "existing" Any (LOOKUP_RECORD) }
    LOOKUP_RECORD "/idempotency/existing" {
        CreatedAt "created_at" Any, Fingerprint "fingerprint" Any, Payment "payment" Any,
    }
    CREATE_QUOTE "/quote" { Currency "currency" Any, Rate "rate" Any, AsOf "as_of" Any }
    CHARGES "/charges" {
        Fee "fee" Any, Commission "commission" Any, SharedCommission "shared_commission" Any,
    }
}

object_schema! {
    /// The members of the context of `read_payment`.
    pub(crate) enum ReadField;
    READ "" { Uid "uid" Any, Payment "payment" Any, Authorization "authorization" Any (READ_AUTHORIZATION) }
    READ_AUTHORIZATION "/authorization" { Header "header" Any, Accepted "accepted" Any }
}

object_schema! {
    /// The members of the context of `read_balance`.
    pub(crate) enum BalanceField;
    BALANCE "" { Balance "balance" Any, Authorization "authorization" Any (BALANCE_AUTHORIZATION) }
    BALANCE_AUTHORIZATION "/authorization" { Header "header" Any, Accepted "accepted" Any }
}

object_schema! {
    /// The members of the context of `convert`.
    pub(crate) enum ConvertField;
    CONVERT "" {
        Amount "amount" Any, AmountCurrency "currency" Any, Quote "quote" Any (CONVERT_QUOTE),
        Now "now" Any,
    }
    CONVERT_QUOTE "/quote" { Currency "currency" Any, Rate "rate" Any, AsOf "as_of" Any }
}

object_schema! {
    /// The members of the context of `advance_payment`.
    pub(crate) enum AdvanceField;
    ADVANCE "" {
        Payment "payment" Any, To "to" Any, At "at" Any, PaidAmount "paid_amount" Any,
        Amount "amount" Any, FailBy "fail_by" Any, FailCode "fail_code" Any, Receipts "receipts" Any,
    }
}

object_schema! {
    /// The members of the context of `check_idempotency`.
    pub(crate) enum IdempotencyField;
    IDEMPOTENCY "" {
        Now "now" Any, Key "key" Any, RequestFingerprint "fingerprint" Any,
        Existing "existing" Any (RECORD),
    }
    RECORD "/existing" { CreatedAt "created_at" Any, Fingerprint "fingerprint" Any, Payment "payment" Any }
}

object_schema! {
    /// The members of the context of `check_transition`.
    pub(crate) enum TransitionField;
    TRANSITION "" { From "from" Any, To "to" Any }
}

object_schema! {
    /// The members of the context of `sign_webhook`.
    pub(crate) enum SignWebhookField;
    SIGN_WEBHOOK "" { Id "id" Any, Timestamp "timestamp" Any, Secrets "secrets" Any }
}

object_schema! {
    /// The members of the context of `verify_webhook`.
    pub(crate) enum VerifyWebhookField;
    VERIFY_WEBHOOK "" { Headers "headers" Any, Secrets "secrets" Any, Now "now" Any, Tolerance "tolerance_s" Any }
}

/// The number of slots of a context. The context of `create_payment` has most members.
pub(crate) const CONTEXT_SLOTS: usize = CreateField::COUNT;
