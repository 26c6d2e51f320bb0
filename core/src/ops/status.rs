//! `read_payment` and `read_balance`: return what the caller has stored (§4.2, §4.3).

use crate::context::{BalanceContext, ReadContext};
use crate::model::outcome::{Outcome, OutcomeBody};
use crate::model::problem::ProblemCode;
use crate::types::uuid::parse_uuid;

/// Returns the stored payment unchanged. A uid that is not a UUID came from a path, so it is not
/// found.
pub(crate) fn read_payment(context: &ReadContext<'_>) -> Outcome {
    if let Err(why) = context.authorization().check() {
        return why.into();
    }
    let is_uuid = parse_uuid(context.uid()).is_some();
    match context.payment().filter(|_| is_uuid) {
        Some(payment) => Outcome::success(200, OutcomeBody::Json(payment.as_str().into())),
        None => ProblemCode::PaymentNotFound.into(),
    }
}

/// Returns the stored balance unchanged.
pub(crate) fn read_balance(context: &BalanceContext<'_>) -> Outcome {
    match context.authorization.check() {
        Err(why) => why.into(),
        Ok(()) => Outcome::success(200, OutcomeBody::Json(context.balance.as_str().into())),
    }
}
