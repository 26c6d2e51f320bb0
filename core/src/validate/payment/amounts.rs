//! The rules of amounts and currencies (§1.4, §2.1).

use super::validator::PaymentValidator;
use crate::money::{Currency, DecimalText, Exact, MAX_WIRE_DIGITS};
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::payment::PaymentField;
use crate::schema::request::RequestField;
use crate::validate::amount::validate_amount;

impl<'a> PaymentValidator<'a, '_> {
    /// Returns the currency of a member, if its code is known.
    fn currency_of(&self, member: PaymentField) -> Option<Currency> {
        Currency::from_code(&self.v.value(member).text()?.decoded())
    }

    fn has_fiat(&self, member: PaymentField) -> bool {
        self.currency_of(member)
            .is_some_and(|currency| currency.is_fiat())
    }

    /// Returns the number of fraction digits of the processed amounts, if their currency is fiat.
    pub(super) fn minor_unit(&self) -> Option<u32> {
        self.currency_of(PaymentField::Currency)?.minor_unit()
    }

    /// Returns the number of fraction digits of the requested amount.
    pub(super) fn requested_minor_unit(&self) -> Option<u32> {
        let requested = self
            .currency_of(PaymentField::RequestedCurrency)
            .or_else(|| self.currency_of(PaymentField::Currency));
        requested?.minor_unit()
    }

    /// Validates an amount, which may be zero. Returns whether other rules can use it.
    pub(super) fn amount(&mut self, member: PaymentField, minor_unit: Option<u32>) -> bool {
        let Some(text) = self.v.string(member) else {
            return false;
        };
        let report = |code| {
            let limit = MAX_WIRE_DIGITS.into();
            let params = match code {
                Code::AmountOutOfBounds => Params::Digits {
                    integer: limit,
                    fraction: limit,
                },
                Code::AmountScale => Params::MinorUnit(minor_unit.unwrap_or(0)),
                _ => Params::None,
            };
            self.v.report(code, member, params)
        };
        validate_amount(text.decoded().as_bytes(), true, minor_unit, report).is_some()
    }

    fn exact(&self, member: PaymentField) -> Option<Exact> {
        DecimalText::parse(&self.v.value(member).text()?.decoded())?.exact()
    }

    /// Returns whether `member` is the sum of `added` minus the sum of `taken`, or true if an
    /// amount cannot be read.
    fn adds_up(
        &self,
        member: PaymentField,
        added: &[PaymentField],
        taken: &[PaymentField],
    ) -> bool {
        let plus =
            |sum: Option<Exact>, member: &PaymentField| sum?.checked_add(self.exact(*member)?);
        let total = |members: &[PaymentField]| {
            let (first, rest) = members.split_first()?;
            rest.iter().fold(self.exact(*first), plus)
        };
        let left = taken.iter().fold(self.exact(member), plus);
        left.zip(total(added))
            .is_none_or(|(left, right)| left == right)
    }

    /// Validates an amount that is the sum of `added` minus the sum of `taken`.
    pub(super) fn sum(
        &mut self,
        member: PaymentField,
        minor_unit: Option<u32>,
        added: &[PaymentField],
        taken: &[PaymentField],
    ) {
        if self.amount(member, minor_unit) && !self.adds_up(member, added, taken) {
            self.v.report(Code::AmountIdentity, member, Params::None);
        }
    }

    pub(super) fn shared_commission(&mut self) {
        if !self.amount(PaymentField::SharedCommission, None) {
            return;
        }
        let shares = self
            .exact(PaymentField::SharedCommission)
            .zip(self.exact(PaymentField::Commission));
        if shares.is_some_and(|(shared, whole)| shared > whole) {
            self.v.report(
                Code::AmountIdentity,
                PaymentField::SharedCommission,
                Params::None,
            );
        }
    }

    pub(super) fn requested_amount(&mut self) {
        if !self.amount(PaymentField::RequestedAmount, self.requested_minor_unit()) {
            return;
        }
        let requested = self.request_value(RequestField::Amount);
        let requested =
            requested.and_then(|requested| DecimalText::parse(&requested.decoded())?.exact());
        if requested
            .is_some_and(|requested| self.exact(PaymentField::RequestedAmount) != Some(requested))
        {
            self.v.report(
                Code::AnswerMismatch,
                PaymentField::RequestedAmount,
                Params::None,
            );
        }
    }

    pub(super) fn requested_currency(&mut self) {
        let member = PaymentField::RequestedCurrency;
        let Some(text) = self.v.string(member) else {
            return;
        };
        let non_currency_code = self.non_currency_code(member);
        if self
            .v
            .check(self.has_fiat(member), non_currency_code, member)
            .is_some()
        {
            self.must_equal_request(member, RequestField::Cur, text);
        }
    }

    /// Returns the code for a value that is not a currency, depending on whether ISO 4217 contains
    /// it.
    fn non_currency_code(&self, member: PaymentField) -> Code {
        if self.currency_of(member).is_some() {
            Code::CurrencyNotFiat
        } else {
            Code::CurrencyUnknown
        }
    }

    pub(super) fn currency(&mut self) -> Option<()> {
        let member = PaymentField::Currency;
        let text = self.v.string(member)?;
        let is_currency = self.crypto || self.has_fiat(member);
        self.v
            .check(is_currency, self.non_currency_code(member), member)?;
        let explained = self.v.value(PaymentField::RequestedAmount).is_present()
            && self.has_fiat(PaymentField::RequestedCurrency);
        self.v
            .check(!self.crypto || explained, Code::FieldCurrency, member)?;
        if self.request_is_crypto() {
            self.v.check(self.crypto, Code::AnswerMismatch, member)?;
        } else {
            self.must_equal_request(member, RequestField::Cur, text);
        }
        Some(())
    }
}
