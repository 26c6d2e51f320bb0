//! The rules of card data.

use core::ops::RangeInclusive;

use crate::card::luhn::has_check_digit;
use crate::card::scheme::Issuer;
use crate::card::syntax::is_pan_syntax;
use crate::json::integer_value;
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::request::RequestField;
use crate::types::month::Month;
use crate::util::bytes::all_digits;
use crate::validate::request::validator::RequestValidator;
use crate::validate::validator::Flow;

/// The years of expiry that a card may have.
const YEARS: RangeInclusive<u64> = 2000..=2099;

impl RequestValidator<'_, '_, '_> {
    /// Reports card data outside of host-to-host mode (`card_without_host2host`).
    pub(super) fn for_host_to_host(&mut self, field: RequestField, _: &str) -> Flow {
        let is_used = self.kind.host2host || self.kind.variant.is_none();
        self.check(is_used, Code::CardWithoutHostToHost, field)
    }

    /// Reports a card without a number (`host2host_without_card`).
    pub(super) fn with_number(&mut self, field: RequestField, _: &str) -> Flow {
        if !self.v.value(RequestField::CardNumber).is_present() {
            self.expect(field);
        }
        Flow::Continue(())
    }

    /// Checks a card number (`card_number_syntax`, `card_number_checksum`,
    /// `card_number_no_check_digit`).
    pub(super) fn card_number(&mut self, field: RequestField, text: &str) -> Flow {
        let is_number = is_pan_syntax(text.as_bytes());
        self.check(is_number, Code::CardNumberSyntax, field)?;
        if !is_number || has_check_digit(text.as_bytes()) {
            return Flow::Continue(());
        }
        let issuer = Issuer::from_digits(text.as_bytes());
        let code = if issuer.is_some_and(|issuer| issuer.may_lack_check_digit(text.len())) {
            Code::CardNumberNoCheckDigit
        } else {
            Code::CardNumberChecksum
        };
        self.report(code, field, Params::None)
    }

    /// Checks a year of expiry (`expiry_year_range`, `card_expired`, `expiry_year_two_digits`).
    pub(super) fn expiry_year(&mut self, field: RequestField, digits: &str) -> Flow {
        let written = integer_value(digits);
        let has_two_digits = written.is_some_and(|year| year < 100);
        let year = match written {
            Some(year) if has_two_digits => year.checked_add(*YEARS.start()),
            year => year,
        };
        let Some(year) = year.filter(|year| YEARS.contains(year)) else {
            let (min, max) = (*YEARS.start(), *YEARS.end());
            // Without a year, there is nothing to check.
            _ = self.report(Code::ExpiryYearRange, field, Params::Range { min, max });
            return Flow::Break(());
        };
        let month = self.v.value(RequestField::ExpiryMonth).as_u64();
        let expiry = month.and_then(|month| Month::new(year, month));
        let is_expired = expiry
            .zip(self.inputs.month)
            .is_some_and(|(expiry, now)| now > expiry);
        self.check(!is_expired, Code::CardExpired, field)?;
        self.check(!has_two_digits, Code::ExpiryYearTwoDigits, field)
    }

    /// Checks a month of expiry (`expiry_month_range`).
    pub(super) fn expiry_month(&mut self, field: RequestField, digits: &str) -> Flow {
        if integer_value(digits).is_some_and(|month| (1..=12).contains(&month)) {
            return Flow::Continue(());
        }
        let (min, max) = (1, 12);
        self.report(Code::ExpiryMonthRange, field, Params::Range { min, max })
    }

    /// Checks a security code (`security_code_syntax`). The scheme of the card determines its
    /// length.
    pub(super) fn security_code(&mut self, field: RequestField, text: &str) -> Flow {
        let (min, max) = match self.kind.scheme {
            Some(scheme) => (scheme.security_code_length(), scheme.security_code_length()),
            None => (3, 4),
        };
        let length = usize::from(min)..=usize::from(max);
        if length.contains(&text.len()) && all_digits(text.as_bytes()) {
            return Flow::Continue(());
        }
        let (min, max) = (min.into(), max.into());
        self.report(Code::SecurityCodeSyntax, field, Params::Range { min, max })
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use crate::validate::request::testing::violations_under;

    /// Checks the violations of the payer's card, each as name and code.
    #[track_caller]
    fn check(rows: &[(&str, &[&str])]) {
        for (members, expected) in rows {
            let body = format!(
                r#"{{"payment_type":"pay_in","mode":"ACQUIRING","subtype":"bank_card","cur":"RUB","amount":"1","host2host":true,"pay_in_details":{{"card":{{{members}}}}}}}"#
            );
            let expected: alloc::vec::Vec<_> = expected
                .iter()
                .map(|violation| format!("/pay_in_details/card{violation}"))
                .collect();
            assert_eq!(violations_under("{}", &body), expected, "{members}");
        }
    }

    #[test]
    fn card_numbers_have_digits_and_a_check_digit() {
        check(&[
            (r#""card_number":"4111111111111111""#, &[]),
            (
                r#""card_number":"4111111111111112""#,
                &["/card_number card_number_checksum"],
            ),
            (
                r#""card_number":"4111 1111 1111 1111""#,
                &["/card_number card_number_syntax"],
            ),
            (
                r#""card_number":"41111111111""#,
                &["/card_number card_number_syntax"],
            ),
            (r#""card_holder":"A""#, &[" host2host_without_card"]),
        ]);
    }

    #[test]
    fn card_numbers_of_unionpay_may_lack_a_check_digit() {
        let warning: &[&str] = &["/card_number card_number_no_check_digit"];
        let wrong: &[&str] = &["/card_number card_number_checksum"];
        for (number, expected) in [
            ("6200000000000005", &[][..]),
            ("6200000000000000", warning),
            ("62000000000001", warning),
            ("8100000000000000001", warning),
            // UnionPay has no numbers of 13 digits.
            ("6200000000001", wrong),
            // The prefix of RuPay.
            ("8172000000000000", wrong),
            ("0000000000000000", wrong),
            ("000000000000", wrong),
        ] {
            check(&[(&format!(r#""card_number":"{number}""#), expected)]);
        }
    }

    #[test]
    fn cards_expire_after_their_month() {
        let number = r#""card_number":"4111111111111111""#;
        let row = |date: &str| format!("{number},{date}");
        for (date, expected) in [
            (r#""expiry_year":2026,"expiry_month":11"#, ""),
            (
                r#""expiry_year":2026,"expiry_month":10"#,
                "/expiry_year card_expired",
            ),
            (
                r#""expiry_year":26,"expiry_month":12"#,
                "/expiry_year expiry_year_two_digits",
            ),
            (
                r#""expiry_year":2100,"expiry_month":1"#,
                "/expiry_year expiry_year_range",
            ),
            (
                r#""expiry_year":2027,"expiry_month":13"#,
                "/expiry_month expiry_month_range",
            ),
            (
                r#""expiry_year":2027,"expiry_month":0"#,
                "/expiry_month expiry_month_range",
            ),
        ] {
            let expected: &[&str] = if expected.is_empty() {
                &[]
            } else {
                &[expected]
            };
            check(&[(&row(date), expected)]);
        }
    }

    #[test]
    fn the_scheme_determines_the_length_of_the_security_code() {
        let wrong: &[&str] = &["/security_code security_code_syntax"];
        check(&[
            (
                r#""card_number":"4111111111111111","security_code":"123""#,
                &[],
            ),
            (
                r#""card_number":"4111111111111111","security_code":"1234""#,
                wrong,
            ),
            (
                r#""card_number":"371449635398431","security_code":"1234""#,
                &[],
            ),
            (
                r#""card_number":"371449635398431","security_code":"123""#,
                wrong,
            ),
            (
                r#""card_number":"4111111111111111","security_code":"12a""#,
                wrong,
            ),
        ]);
    }
}
