//! `read_payment` and `read_balance`: return what the caller has stored (§4.2, §4.3).

use crate::context::{BalanceContext, ReadContext};
use crate::model::outcome::{Outcome, OutcomeBody};
use crate::model::problem::ProblemCode;
use crate::types::uuid::parse_uuid;

/// Returns the stored payment unchanged. A uid that is not a UUID came from a path, so it is not
/// found.
pub(crate) fn read_payment<'a>(context: &ReadContext<'a>) -> Outcome {
    if let Err(why) = context.authorization().check() {
        return why.into();
    }
    match context
        .payment()
        .filter(|_| parse_uuid(context.uid()).is_some())
    {
        Some(payment) => Outcome::success(200, OutcomeBody::Json(payment.as_str().into())),
        None => ProblemCode::PaymentNotFound.into(),
    }
}

/// Returns the stored balance unchanged.
pub(crate) fn read_balance<'a>(context: &BalanceContext<'a>) -> Outcome {
    match context.authorization.check() {
        Err(why) => why.into(),
        Ok(()) => Outcome::success(200, OutcomeBody::Json(context.balance.as_str().into())),
    }
}
