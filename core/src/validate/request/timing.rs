//! Rules of `time_to_complete_payment`.

use super::validator::RequestValidator;
use crate::json::integer_value;
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::request::RequestField;

pub(super) fn time_to_complete(s: &mut RequestValidator<'_, '_>) {
    let Some(digits) = s.v.integer(RequestField::TimeToComplete) else { return };
    let bounds = s.v.ruleset.policy().limits.time_to_complete_payment;
    if !integer_value(digits).is_some_and(|number| (bounds.min..=bounds.max).contains(&number)) {
        s.v.report(
            Code::IntegerRange,
            RequestField::TimeToComplete,
            Params::Range { min: bounds.min, max: bounds.max },
        );
    }
}
