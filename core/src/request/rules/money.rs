//! cur and amount.

use crate::money::{Amount, Exact, scan};
use crate::report::{Allowed, Params};
use crate::request::check::Subject;
use crate::request::members::Member;
use crate::rules::Code;

/// The most digits on either side of the point.
const DIGITS: usize = 18;

pub(super) fn currency(s: &mut Subject<'_, '_>) {
    if s.enter_text(Member::Cur).is_none() {
        return;
    }
    let currency = s.currency;
    if currency.is_none() && s.tell(Code::CurrencyUnknown, Member::Cur, Params::None) {
        return;
    }
    if let Some(allowed) = &s.engine.policy().currencies
        && currency.is_none_or(|currency| !allowed.contains(&currency))
        && s.tell(Code::CurrencyNotAllowed, Member::Cur, Params::Allowed(Allowed::Currencies(allowed)))
    {
        return;
    }
    if currency.is_some_and(|currency| !currency.is_fiat()) {
        s.tell(Code::CurrencyNotFiat, Member::Cur, Params::None);
    }
}

pub(super) fn amount(s: &mut Subject<'_, '_>) {
    if let Some(text) = s.enter_text(Member::Amount) {
        text.with_decoded(|text| judge(s, text));
    }
}

fn judge(s: &mut Subject<'_, '_>, text: &str) {
    let Some(digits) = scan(text) else {
        s.tell(Code::AmountSyntax, Member::Amount, Params::None);
        return;
    };
    if digits.integer_digits > DIGITS || digits.fraction_digits > DIGITS {
        let params = Params::Digits { integer: 18, fraction: 18 };
        if s.tell(Code::AmountOutOfBounds, Member::Amount, params) {
            return;
        }
    }
    if digits.zero && s.tell(Code::AmountNotPositive, Member::Amount, Params::None) {
        return;
    }
    let Some(currency) = s.currency else { return };
    if let Some(minor_unit) = currency.minor_unit()
        && usize::try_from(minor_unit).is_ok_and(|most| digits.significant_fraction > most)
        && s.tell(Code::AmountScale, Member::Amount, Params::MinorUnit(minor_unit))
    {
        return;
    }
    let Some(bounds) = s.engine.policy().limits.amount.get(&currency) else { return };
    // Up to 36 digits, which a bound cannot have; held against it exactly all the same.
    let value = Exact::from_text(text);
    let exact = |bound: Option<Amount>| bound.and_then(Amount::exact);
    let below = exact(bounds.min).zip(value).is_some_and(|(min, value)| value < min);
    let above = exact(bounds.max).is_some_and(|max| value.is_none_or(|value| value > max));
    if below || above {
        s.tell(Code::AmountOutOfBounds, Member::Amount, Params::Amounts { min: bounds.min, max: bounds.max });
    }
}
