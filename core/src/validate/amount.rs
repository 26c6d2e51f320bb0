//! The rules of an amount, the same in requests and payments.

use core::ops::ControlFlow;

use super::validator::{Flow, Validator};
use crate::json::FieldId;
use crate::money::{DecimalText, MAX_WIRE_DIGITS};
use crate::report::Params;
use crate::report::code::Code;

impl Validator<'_, '_> {
    /// Validates the digits of an amount, whose currency has `minor_unit` fraction digits.
    pub(crate) fn amount(
        &mut self,
        field: impl FieldId,
        text: &str,
        may_be_zero: bool,
        minor_unit: Option<u32>,
    ) -> Flow {
        let Some(digits) = DecimalText::parse(text) else {
            // Without digits, there is nothing to check.
            let _ = self.report(Code::AmountSyntax, field, Params::None);
            return ControlFlow::Break(());
        };
        if !digits.fits_body() {
            self.report(Code::AmountOutOfBounds, field, MOST_DIGITS)?;
        }
        let is_positive = may_be_zero || !digits.is_zero();
        self.check(is_positive, Code::AmountNotPositive, field)?;
        match minor_unit {
            Some(unit) if !digits.fits_minor_unit(unit) => {
                self.report(Code::AmountScale, field, Params::MinorUnit(unit))
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

/// The largest numbers of digits of an amount in a body.
#[expect(clippy::as_conversions, reason = "evaluated by the compiler")]
const MOST_DIGITS: Params = Params::Digits {
    integer: MAX_WIRE_DIGITS as u64,
    fraction: MAX_WIRE_DIGITS as u64,
};
