//! The rules of amounts and currencies (§1.4, §2.1).

use super::validator::PaymentValidator;
use crate::money::{Amount, Currency, WithdrawnCurrency};
use crate::report::Params;
use crate::report::code::Code;
use crate::schema::payment::PaymentField;
use crate::schema::request::RequestField;
use crate::validate::validator::Flow;

impl PaymentValidator<'_, '_> {
    /// Returns the currency of a member, if its code is known.
    fn currency_of(&self, field: PaymentField) -> Option<Currency> {
        Currency::from_code(&self.v.value(field).text()?.decoded())
    }

    /// Returns the withdrawn currency of a member, if ISO 4217 has withdrawn its code.
    fn withdrawn(&self, field: PaymentField) -> Option<WithdrawnCurrency> {
        WithdrawnCurrency::from_code(&self.v.value(field).text()?.decoded())
    }

    /// Returns whether a member is money, now or when the payment was created.
    fn has_fiat(&self, field: PaymentField) -> bool {
        let currency = self.currency_of(field);
        currency.is_some_and(|currency| currency.is_fiat()) || self.withdrawn(field).is_some()
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
    pub(super) fn amount(&mut self, field: PaymentField, minor_unit: Option<u32>) -> bool {
        let text = self.v.string(field);
        text.is_some_and(|text| {
            let text = text.decoded();
            self.v.amount(field, &text, true, minor_unit).is_continue()
        })
    }

    /// Returns the wide amount of a member, if it can be read.
    fn amount_of(&self, field: PaymentField) -> Option<Amount> {
        Amount::parse_wide(&self.v.value(field).text()?.decoded())
    }

    /// Returns the sum of amounts, if all can be read.
    fn total(&self, fields: impl IntoIterator<Item = PaymentField>) -> Option<Amount> {
        let mut fields = fields.into_iter();
        fields.try_fold(Amount::ZERO, |sum, field| {
            sum.wide_sum(self.amount_of(field)?)
        })
    }

    /// Returns whether `field` is the sum of `added` minus the sum of `taken`, or true if an amount
    /// cannot be read.
    fn adds_up(&self, field: PaymentField, added: &[PaymentField], taken: &[PaymentField]) -> bool {
        let with_taken = self.total([field].into_iter().chain(taken.iter().copied()));
        let total = self.total(added.iter().copied());
        with_taken
            .zip(total)
            .is_none_or(|(one, other)| one == other)
    }

    /// Validates an amount that is the sum of `added` minus the sum of `taken`.
    pub(super) fn sum(
        &mut self,
        field: PaymentField,
        minor_unit: Option<u32>,
        added: &[PaymentField],
        taken: &[PaymentField],
    ) {
        if self.amount(field, minor_unit) && !self.adds_up(field, added, taken) {
            self.wrong_sum(field);
        }
    }

    pub(super) fn shared_commission(&mut self) {
        if !self.amount(PaymentField::SharedCommission, None) {
            return;
        }
        let shares = self
            .amount_of(PaymentField::SharedCommission)
            .zip(self.amount_of(PaymentField::Commission));
        if shares.is_some_and(|(shared, whole)| shared > whole) {
            self.wrong_sum(PaymentField::SharedCommission);
        }
    }

    pub(super) fn requested_amount(&mut self) {
        if !self.amount(PaymentField::RequestedAmount, self.requested_minor_unit()) {
            return;
        }
        let requested = self.request_value(RequestField::Amount);
        let requested = requested.and_then(|text| Amount::parse_wide(&text.decoded()));
        if requested.is_some_and(|requested| {
            self.amount_of(PaymentField::RequestedAmount) != Some(requested)
        }) {
            self.mismatch(PaymentField::RequestedAmount);
        }
    }

    /// Reports an amount that is not the sum it should be.
    fn wrong_sum(&mut self, field: PaymentField) {
        _ = self.v.report(Code::AmountIdentity, field, Params::None);
    }

    pub(super) fn requested_currency(&mut self) {
        let field = PaymentField::RequestedCurrency;
        let Some(text) = self.v.string(field) else {
            return;
        };
        if self.currency_code(field).is_continue() {
            self.must_equal_request(field, RequestField::Cur, text);
        }
    }

    /// Validates the code of a currency. A stored payment may have one that was withdrawn since.
    fn currency_code(&mut self, field: PaymentField) -> Flow {
        let code = match self.currency_of(field) {
            Some(currency) if currency.is_fiat() => return Flow::Continue(()),
            Some(_) => Code::CurrencyNotFiat,
            None => match self.withdrawn(field) {
                Some(currency) => {
                    let params = Params::Withdrawn(currency.withdrawn);
                    return self.v.report(Code::CurrencyWithdrawn, field, params);
                }
                None => Code::CurrencyUnknown,
            },
        };
        self.v.report(code, field, Params::None)
    }

    pub(super) fn currency(&mut self) {
        let field = PaymentField::Currency;
        if let Some(text) = self.v.string(field)
            && self.currency_rules(field).is_continue()
        {
            if self.request_is_crypto() {
                _ = self.v.check(self.crypto, Code::AnswerMismatch, field);
            } else {
                self.must_equal_request(field, RequestField::Cur, text);
            }
        }
    }

    fn currency_rules(&mut self, field: PaymentField) -> Flow {
        if !self.crypto {
            return self.currency_code(field);
        }
        let is_explained = self.v.value(PaymentField::RequestedAmount).is_present()
            && self.has_fiat(PaymentField::RequestedCurrency);
        self.v.check(is_explained, Code::FieldCurrency, field)
    }
}
