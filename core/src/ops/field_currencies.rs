//! `field_currencies`: determines the currency of each amount of a payment (§1.4).

use alloc::vec::Vec;

use crate::json::writer::Writer;
use crate::json::{FieldId, JsonStr, bit};
use crate::money::{Currency, USDT, WithdrawnCurrency};
use crate::policy::Ruleset;
use crate::report::code::{Code, Severity};
use crate::report::{InvalidBody, Params, Pointer};
use crate::schema::payment::{PROCESSED, PaymentField, REQUESTED};
use crate::validate::payment::read_payment;
use crate::validate::validator::{Slots, Validator};

/// The currency of each amount of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldCurrencies {
    /// Whether the payment is in USDT.
    pub crypto: bool,
    /// The currency of the processed amounts.
    pub processed: &'static str,
    /// The currency of `requested_amount` and `client_amount`.
    pub requested: &'static str,
}

impl FieldCurrencies {
    /// Returns the names of the amounts and their currencies, the eight processed amounts first.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &'static str)> + Clone + use<> {
        let (processed, requested) = (self.processed, self.requested);
        let requested_currency = REQUESTED
            .iter()
            .map(move |member| (member.name(), requested));
        PROCESSED
            .iter()
            .map(move |member| (member.name(), processed))
            .chain(requested_currency)
    }

    /// Appends `{"crypto":…,"fields":{…}}`.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            w.name("crypto").bool(self.crypto);
            w.name("fields").object(|w| {
                for (name, currency) in self.fields() {
                    w.name(name).string(currency);
                }
            });
        });
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for FieldCurrencies {
    /// Writes the members of `write_json`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut currencies = serializer.serialize_struct("FieldCurrencies", 2)?;
        currencies.serialize_field("crypto", &self.crypto)?;
        currencies.serialize_field("fields", &crate::util::serialize::Members(self.fields()))?;
        currencies.end()
    }
}

/// Returns the currency of each amount.
///
/// # Errors
/// Returns a report if the currencies cannot be determined.
pub(crate) fn field_currencies(
    ruleset: &Ruleset,
    bytes: &[u8],
) -> Result<FieldCurrencies, InvalidBody> {
    let mut slots = Slots::new();
    let mut report = ruleset.report_builder();
    if let Err(error) = read_payment(ruleset, bytes, &mut slots) {
        error.report(&mut report);
        return Err(InvalidBody(report.into()));
    }
    let required = bit(PaymentField::Currency.slot());
    let mut validator = Validator::new(ruleset, &slots, required, &mut report);
    if let Some(currencies) = determine(&mut validator) {
        return Ok(currencies);
    }
    // An undetermined currency is an error, even if the policy has disabled the rules that report
    // it.
    if report.summary.valid {
        let path = Pointer::field(PaymentField::Currency.entry());
        report.push(Severity::Error, Code::FieldCurrency, path, Params::None);
    }
    Err(InvalidBody(report.into()))
}

/// Reports the members from which the currencies cannot be determined.
fn determine(validator: &mut Validator<'_, '_>) -> Option<FieldCurrencies> {
    let currency = validator.string(PaymentField::Currency);
    let requested = validator.string(PaymentField::RequestedCurrency);
    let has_requested = validator
        .value(PaymentField::RequestedCurrency)
        .is_present();
    let crypto = currency.is_some_and(|text| text.is(USDT));
    let processed = if crypto {
        Some(USDT)
    } else {
        currency.and_then(fiat)
    };
    // Except in mode CRYPTO, `requested_currency` may be missing: it equals the processed currency
    // (§2.1).
    let requested_currency = match requested {
        Some(text) => fiat(text),
        None if has_requested => None,
        None => processed.filter(|_| !crypto),
    };
    if processed.is_none() {
        report_code(validator, PaymentField::Currency, currency);
    }
    if requested_currency.is_none() {
        report_code(validator, PaymentField::RequestedCurrency, requested);
    }
    if crypto && !has_requested {
        _ = validator.report(Code::FieldCurrency, PaymentField::Currency, Params::None);
    }
    Some(FieldCurrencies {
        crypto,
        processed: processed?,
        requested: requested_currency?,
    })
}

/// Returns the code of a currency that is money, or was money until ISO 4217 withdrew it.
fn fiat(text: JsonStr<'_>) -> Option<&'static str> {
    text.with_decoded(|code| match Currency::from_code(code) {
        Some(currency) => currency.is_fiat().then(|| currency.code()),
        None => WithdrawnCurrency::from_code(code).map(WithdrawnCurrency::code),
    })
}

/// Reports a code that is not money. The currency cannot be determined in any case.
fn report_code(validator: &mut Validator<'_, '_>, field: PaymentField, text: Option<JsonStr<'_>>) {
    let Some(text) = text else { return };
    let is_known = text.with_decoded(|code| Currency::from_code(code).is_some());
    let code = if is_known {
        Code::CurrencyNotFiat
    } else {
        Code::CurrencyUnknown
    };
    _ = validator.report(code, field, Params::None);
}
