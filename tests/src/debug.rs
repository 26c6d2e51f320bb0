//! Debug output of the typed values of an operation, which a caller might print.

use payspec::{
    AdvanceContext, BalanceContext, ConvertContext, CreateContext, Engine, IdempotencyContext,
    PaymentType, ReadContext, SignWebhookContext, VerifyWebhookContext,
};
use std::fmt::Debug;

/// Returns the Debug output of all inputs and results of one call.
pub fn debug_texts(engine: &Engine, operation: &str, inputs: &[Option<&[u8]>]) -> Vec<String> {
    let input = |index: usize| inputs.get(index).copied().flatten().unwrap_or_default();
    let first = input(0);
    match operation {
        "validate_request" => {
            vec![
                debug(engine.validate_request(first, None)),
                debug(engine.parse_request(first, None)),
            ]
        }
        "create_payment" => {
            let context = CreateContext::from_json(input(1));
            let outcome = context
                .as_ref()
                .ok()
                .map(|context| engine.create_payment(first, context));
            let payment = outcome
                .as_ref()
                .and_then(|outcome| outcome.payment().map(debug));
            vec![debug(&context), debug(outcome), debug(payment)]
        }
        "read_payment" => {
            let context = ReadContext::from_json(first);
            vec![
                debug(&context),
                debug(context.map(|context| engine.read_payment(&context))),
            ]
        }
        "read_balance" => {
            let context = BalanceContext::from_json(first);
            vec![
                debug(&context),
                debug(context.map(|context| engine.read_balance(&context))),
            ]
        }
        "check_payment" => vec![debug(
            engine.check_payment(first, inputs.get(1).copied().flatten()),
        )],
        "field_currencies" => vec![debug(engine.field_currencies(first))],
        "convert" => {
            let context = ConvertContext::from_json(first);
            vec![
                debug(&context),
                debug(context.map(|context| engine.convert(&context))),
            ]
        }
        "advance_payment" => {
            let context = AdvanceContext::from_json(first);
            vec![
                debug(&context),
                debug(context.map(|context| engine.advance_payment(&context))),
            ]
        }
        "check_idempotency" => {
            let context = IdempotencyContext::from_json(first);
            vec![
                debug(&context),
                debug(context.map(|context| engine.check_idempotency(&context))),
            ]
        }
        "idempotency_key" => vec![debug(engine.idempotency_key(first))],
        "sign_webhook" => {
            let context = SignWebhookContext::from_json(input(1));
            vec![
                debug(&context),
                debug(context.map(|context| context.secrets().to_vec())),
            ]
        }
        "verify_webhook" => {
            let context = VerifyWebhookContext::from_json(input(1));
            let verified = context
                .as_ref()
                .ok()
                .map(|context| engine.verify_webhook(first, context));
            vec![
                debug(&context),
                debug(verified),
                debug(context.map(|context| context.secrets().to_vec())),
            ]
        }
        "fingerprint_request" => vec![debug(engine.fingerprint_request(first))],
        "upgrade_request" => vec![debug(engine.upgrade_request(PaymentType::PayIn, input(1)))],
        "downgrade_request" => vec![debug(engine.downgrade_request(first))],
        "upgrade_balance" => vec![debug(engine.upgrade_balance(first))],
        "downgrade_balance" => vec![debug(engine.downgrade_balance(first))],
        "upgrade_payment" => vec![debug(engine.upgrade_payment(first))],
        "downgrade_payment" => vec![debug(engine.downgrade_payment(first))],
        _ => Vec::new(),
    }
}

fn debug(value: impl Debug) -> String {
    format!("{value:?}")
}
