//! The rules of members that depend on the state (§3, §7).

use super::validator::PaymentValidator;
use crate::json::Value;
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::payment::PaymentField;
use crate::types::state::State;

impl PaymentValidator<'_, '_> {
    pub(super) fn fail_by(&mut self) {
        let given = self.v.string(PaymentField::FailBy).is_some();
        if given && self.state == Some(State::Idle) {
            self.inconsistent(PaymentField::FailBy);
        }
        if matches!(self.v.value(PaymentField::FailBy), Value::Null)
            && !self.v.has_duplicate_error(PaymentField::FailBy)
        {
            self.unexplained(PaymentField::FailBy);
        }
    }

    /// Validates `fail_code`. A failure without explanation is reported once, at the first missing
    /// member of the two.
    pub(super) fn fail_code(&mut self) {
        self.v.string(PaymentField::FailCode);
        let reported_as_missing = matches!(self.v.value(PaymentField::FailBy), Value::Null);
        if !self.v.value(PaymentField::FailCode).is_present()
            && !reported_as_missing
            && !self.v.has_duplicate_error(PaymentField::FailCode)
        {
            self.unexplained(PaymentField::FailCode);
        }
    }

    fn unexplained(&mut self, field: PaymentField) {
        if self.state == Some(State::Fail) {
            _ = self.v.report(Code::FailureUnexplained, field, Params::None);
        }
    }

    fn inconsistent(&mut self, field: PaymentField) {
        _ = self.v.report(Code::StateInconsistent, field, Params::None);
    }

    pub(super) fn paid_at(&mut self) {
        let given = self.v.value(PaymentField::PaidAt).is_present();
        if self.date(PaymentField::PaidAt).is_none() && given {
            return;
        }
        let inconsistent = match self.state {
            Some(State::Idle | State::Routed) => given,
            Some(State::Completed) => matches!(self.v.value(PaymentField::PaidAt), Value::Null),
            _ => false,
        };
        if inconsistent && !self.v.has_duplicate_error(PaymentField::PaidAt) {
            self.inconsistent(PaymentField::PaidAt);
        }
    }
}
