//! The members of the contexts, as data.

use crate::json::object_schema;

object_schema! {
    /// The members of the context of `create_payment`.
    pub(crate) enum CreateField;
    CREATE "" {
        Uid "uid" String, Now "now" String, Url "url" String, Form "form" String, MerchantId "merchant_id" String,
        Authorization "authorization" Any (CREATE_AUTHORIZATION),
        Idempotency "idempotency" Object (IDEMPOTENCY_LOOKUP), Quote "quote" Object (CREATE_QUOTE),
        Charges "charges" Object (CHARGES), Info "info" Object, Refusal "refusal" String,
        AllowedMerchantIds "allowed_merchant_ids" Array,
    }
    CREATE_AUTHORIZATION "/authorization" { Header "header" String, Accepted "accepted" Boolean }
    IDEMPOTENCY_LOOKUP "/idempotency" { Key "key" String, Existing "existing" Object (LOOKUP_RECORD) }
    LOOKUP_RECORD "/idempotency/existing" {
        CreatedAt "created_at" String, Fingerprint "fingerprint" String, Payment "payment" Object,
    }
    CREATE_QUOTE "/quote" { Currency "currency" String, Rate "rate" String, AsOf "as_of" String }
    CHARGES "/charges" {
        Fee "fee" String, Commission "commission" String, SharedCommission "shared_commission" String,
    }
}

object_schema! {
    /// The members of the context of `read_payment`.
    pub(crate) enum ReadField;
    READ "" { Uid "uid" String, Payment "payment" Object, Authorization "authorization" Any (READ_AUTHORIZATION) }
    READ_AUTHORIZATION "/authorization" { Header "header" String, Accepted "accepted" Boolean }
}

object_schema! {
    /// The members of the context of `read_balance`.
    pub(crate) enum BalanceField;
    BALANCE "" { Balance "balance" Object, Authorization "authorization" Any (BALANCE_AUTHORIZATION) }
    BALANCE_AUTHORIZATION "/authorization" { Header "header" String, Accepted "accepted" Boolean }
}

object_schema! {
    /// The members of the context of `convert`.
    pub(crate) enum ConvertField;
    CONVERT "" {
        Amount "amount" String, AmountCurrency "currency" String, Quote "quote" Object (CONVERT_QUOTE),
        Now "now" String,
    }
    CONVERT_QUOTE "/quote" { Currency "currency" String, Rate "rate" String, AsOf "as_of" String }
}

object_schema! {
    /// The members of the context of `advance_payment`.
    pub(crate) enum AdvanceField;
    ADVANCE "" {
        Payment "payment" Object, To "to" String, At "at" String, PaidAmount "paid_amount" String,
        Amount "amount" String, FailBy "fail_by" String, FailCode "fail_code" String, Receipts "receipts" Array,
    }
}

object_schema! {
    /// The members of the context of `check_idempotency`.
    pub(crate) enum IdempotencyField;
    IDEMPOTENCY "" {
        Now "now" String, Key "key" String, RequestFingerprint "fingerprint" String,
        Existing "existing" Object (RECORD),
    }
    RECORD "/existing" { CreatedAt "created_at" String, Fingerprint "fingerprint" String, Payment "payment" Object }
}

object_schema! {
    /// The members of the context of `check_transition`.
    pub(crate) enum TransitionField;
    TRANSITION "" { From "from" String, To "to" String }
}

object_schema! {
    /// The members of the context of `sign_webhook`.
    pub(crate) enum SignWebhookField;
    SIGN_WEBHOOK "" { Id "id" String, Timestamp "timestamp" String, Secrets "secrets" Array }
}

object_schema! {
    /// The members of the context of `verify_webhook`.
    pub(crate) enum VerifyWebhookField;
    VERIFY_WEBHOOK "" { Headers "headers" Object, Secrets "secrets" Array, Now "now" String, Tolerance "tolerance_s" Integer }
}

/// The number of slots of a context. The context of `create_payment` has most members.
pub(crate) const CONTEXT_SLOTS: usize = CreateField::COUNT;
