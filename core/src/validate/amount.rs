//! The rules of an amount, the same in requests and payments.

use super::validator::Validator;
use crate::json::FieldId;
use crate::money::{DecimalText, MAX_WIRE_DIGITS};
use crate::report::Params;
use crate::report::code::Code;

/// Validates the digits of an amount, whose currency has `minor_unit` fraction digits. Returns them, unless an error has
/// ended its rules.
pub(crate) fn validate_amount<'t>(
    v: &mut Validator<'_, '_>,
    field: impl FieldId,
    text: &'t str,
    may_be_zero: bool,
    minor_unit: Option<u32>,
) -> Option<DecimalText<'t>> {
    let Some(digits) = DecimalText::parse(text) else {
        v.report(Code::AmountSyntax, field, Params::None);
        return None;
    };
    let limit = u64::from(MAX_WIRE_DIGITS);
    let params = Params::Digits { integer: limit, fraction: limit };
    v.check(digits.fits_body(), Code::AmountOutOfBounds, field, params)?;
    v.check(may_be_zero || !digits.zero, Code::AmountNotPositive, field, Params::None)?;
    if let Some(minor_unit) = minor_unit {
        let fits = usize::try_from(minor_unit).is_ok_and(|most| digits.significant_fraction <= most);
        v.check(fits, Code::AmountScale, field, Params::MinorUnit(minor_unit))?;
    }
    Some(digits)
}
