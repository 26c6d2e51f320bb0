//! The rules of an amount, the same in requests and payments.

use crate::money::DecimalText;
use crate::report::code::Code;
use crate::util::text::Text;

/// Validates the digits of an amount, whose currency has `minor_unit` fraction digits. Returns
/// them, unless an error has ended its rules.
pub(crate) fn validate_amount<T: Text>(
    text: T,
    may_be_zero: bool,
    minor_unit: Option<u32>,
    mut report: impl FnMut(Code) -> bool,
) -> Option<DecimalText<T>> {
    let Some(digits) = DecimalText::of(text) else {
        report(Code::AmountSyntax);
        return None;
    };
    let mut check = |holds: bool, code| (holds || !report(code)).then_some(());
    check(digits.fits_body(), Code::AmountOutOfBounds)?;
    check(may_be_zero || !digits.zero, Code::AmountNotPositive)?;
    let fits =
        |unit: u32| usize::try_from(unit).is_ok_and(|most| digits.significant_fraction <= most);
    check(minor_unit.is_none_or(fits), Code::AmountScale)?;
    Some(digits)
}
