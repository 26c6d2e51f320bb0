//! The rules of amounts and currencies.

use crate::money::{Amount, Currency, DecimalText};
use crate::report::code::Code;
use crate::report::{Allowed, Params};
use crate::schema::request::RequestField;
use crate::validate::request::validator::RequestValidator;
use crate::validate::validator::Flow;

impl RequestValidator<'_, '_, '_> {
    /// Checks a currency (`currency_unknown`, `currency_not_allowed`, `currency_not_fiat`).
    pub(super) fn currency(&mut self, field: RequestField, _: &str) -> Flow {
        let currency = self.kind.currency;
        self.check(currency.is_some(), Code::CurrencyUnknown, field)?;
        if let Some(allowed) = &self.v.ruleset.currencies
            && !currency.is_some_and(|currency| allowed.contains(&currency))
        {
            let params = Params::Allowed(Allowed::Currencies(allowed.clone()));
            self.report(Code::CurrencyNotAllowed, field, params)?;
        }
        let is_fiat = currency.is_none_or(Currency::is_fiat);
        self.check(is_fiat, Code::CurrencyNotFiat, field)
    }

    /// Checks the digits of an amount (`amount_syntax`, `amount_out_of_bounds`,
    /// `amount_not_positive`, `amount_scale`).
    pub(super) fn amount(&mut self, field: RequestField, text: &str) -> Flow {
        let minor_unit = self.kind.currency.and_then(Currency::minor_unit);
        self.v.amount(field, text, false, minor_unit)
    }

    /// Checks the policy's bounds for the currency (`amount_out_of_bounds`).
    pub(super) fn amount_bounds(&mut self, field: RequestField, text: &str) -> Flow {
        let limits = &self.v.ruleset.policy.limits.amount;
        let Some(bounds) = self
            .kind
            .currency
            .and_then(|currency| limits.get(&currency))
        else {
            return Flow::Continue(());
        };
        // Too many digits are reported already.
        let digits = DecimalText::parse(text).filter(|digits| digits.fits_body());
        let Some(amount) = digits.and_then(Amount::wide_from_text) else {
            return Flow::Continue(());
        };
        let (min, max) = (bounds.min, bounds.max);
        let is_inside = min.is_none_or(|min| amount >= min) && max.is_none_or(|max| amount <= max);
        if is_inside {
            return Flow::Continue(());
        }
        self.report(Code::AmountOutOfBounds, field, Params::Amounts { min, max })
    }
}

#[cfg(test)]
mod tests {
    use crate::validate::request::testing::{check, check_under};

    #[test]
    fn amounts_have_digits_within_the_limits() {
        check(&[
            (r#""amount":"0.01""#, &[]),
            (r#""amount":"1,00""#, &["/amount amount_syntax"]),
            (r#""amount":"01.00""#, &["/amount amount_syntax"]),
            (r#""amount":"0.00""#, &["/amount amount_not_positive"]),
            (r#""amount":"1.001""#, &["/amount amount_scale"]),
            (r#""amount":"1.000""#, &[]),
            (r#""amount":"1.5","cur":"JPY""#, &["/amount amount_scale"]),
            (r#""amount":"999999999999999999.00""#, &[]),
            (
                r#""amount":"1000000000000000000""#,
                &["/amount amount_out_of_bounds"],
            ),
            (
                r#""amount":"0.0000000000000000000""#,
                &["/amount amount_out_of_bounds"],
            ),
        ]);
    }

    #[test]
    fn bounds_include_both_ends() {
        let policy = r#"{"limits":{"amount":{"RUB":{"min":"10","max":"20.50"}}}}"#;
        let outside: &[&str] = &["/amount amount_out_of_bounds"];
        check_under(
            policy,
            &[
                (r#""amount":"9.99""#, outside),
                (r#""amount":"10.00""#, &[]),
                (r#""amount":"20.50""#, &[]),
                (r#""amount":"20.51""#, outside),
                (r#""amount":"9.99","cur":"EUR""#, &[]),
                (r#""amount":"1000000000000000000""#, outside),
            ],
        );
    }

    #[test]
    fn currencies_are_known_allowed_and_money() {
        check(&[
            (r#""cur":"EUR""#, &[]),
            (r#""cur":"eur""#, &["/cur currency_unknown"]),
            (r#""cur":"USDT""#, &["/cur currency_unknown"]),
            (r#""cur":"XAU""#, &["/cur currency_not_fiat"]),
        ]);
        let policy = r#"{"currencies":["EUR"]}"#;
        check_under(
            policy,
            &[(r#""cur":"RUB""#, &["/cur currency_not_allowed"])],
        );
    }
}
