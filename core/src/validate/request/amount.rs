//! Rules of `cur` and `amount`.

use super::validator::RequestValidator;
use crate::money::{Amount, Currency};
use crate::report::code::Code;
use crate::report::{Allowed, Params};
use crate::schema::request::RequestField;
use crate::validate::amount::validate_amount;

pub(super) fn currency(validator: &mut RequestValidator<'_, '_>) -> Option<()> {
    validator.v.string(RequestField::Cur)?;
    let currency = validator.currency;
    validator.v.check(currency.is_some(), Code::CurrencyUnknown, RequestField::Cur, Params::None)?;
    if let Some(allowed) = &validator.v.ruleset.policy().currencies {
        let is_allowed = currency.is_some_and(|currency| allowed.contains(&currency));
        let params = Params::Allowed(Allowed::Currencies(allowed));
        validator.v.check(is_allowed, Code::CurrencyNotAllowed, RequestField::Cur, params)?;
    }
    validator.v.check(currency.is_none_or(Currency::is_fiat), Code::CurrencyNotFiat, RequestField::Cur, Params::None)
}

pub(super) fn amount(validator: &mut RequestValidator<'_, '_>) {
    if let Some(text) = validator.v.string(RequestField::Amount) {
        text.with_decoded(|text| validate(validator, text));
    }
}

fn validate(validator: &mut RequestValidator<'_, '_>, text: &str) {
    let minor_unit = validator.currency.and_then(Currency::minor_unit);
    let Some(digits) = validate_amount(&mut validator.v, RequestField::Amount, text, false, minor_unit) else { return };
    let Some(currency) = validator.currency else { return };
    // The rule reports one violation only: for the number of digits, or for the value.
    if !digits.fits_body() {
        return;
    }
    let Some(bounds) = validator.v.ruleset.policy().limits.amount.get(&currency) else { return };
    // The amount may have up to 36 digits, which a bound cannot have; the comparison is exact nevertheless.
    let value = digits.exact();
    let exact = |bound: Option<Amount>| bound.map(Amount::exact);
    let below = exact(bounds.min).zip(value).is_some_and(|(min, value)| value < min);
    let above = exact(bounds.max).is_some_and(|max| value.is_none_or(|value| value > max));
    if below || above {
        validator.v.report(
            Code::AmountOutOfBounds,
            RequestField::Amount,
            Params::Amounts { min: bounds.min, max: bounds.max },
        );
    }
}
