//! field_currencies: which amount of a payment is in which currency (§1.4).

use alloc::string::String;
use alloc::vec::Vec;

use super::members::{Member, PAYMENT, PROCESSED, REQUESTED, SLOTS};
use crate::engine::{Engine, bit};
use crate::judge::{Judge, Place, read_body};
use crate::money::{Currency, USDT};
use crate::read::{Text, Value};
use crate::report::{Params, Report};
use crate::rules::Code;
use crate::write::Writer;

/// The currency of each amount of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldCurrencies {
    /// Whether the payment is in USDT.
    pub crypto: bool,
    /// The currency of the processed amounts.
    pub processed: String,
    /// The currency of `requested_amount` and `client_amount`.
    pub requested: String,
}

impl FieldCurrencies {
    /// The names of the amounts and their currencies, the eight processed ones first.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let processed = PROCESSED.iter().map(|member| (member.name(), self.processed.as_str()));
        processed.chain(REQUESTED.iter().map(|member| (member.name(), self.requested.as_str())))
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

/// The currencies, or the report that says what keeps them from being told.
pub(crate) fn field_currencies<'a>(engine: &'a Engine, bytes: &'a [u8]) -> Result<FieldCurrencies, Report<'a>> {
    let mut slots = [Value::Absent; SLOTS];
    let extras = read_body(engine, bytes, &PAYMENT, &mut slots)?;
    let report = Report::new(engine.violation_limit());
    let required = bit(Member::Currency.slot());
    let mut judge = Judge { engine, slots: &slots, extras: &extras, required, report };
    let currency = judge.enter_text(Member::Currency).map(Text::decode);
    let requested = judge.enter_text(Member::RequestedCurrency).map(Text::decode);
    let fiat = |code: &str| Currency::from_code(code).is_some_and(|currency| currency.is_fiat());
    let crypto = currency.as_deref() == Some(USDT);
    if crypto && !requested.as_deref().is_some_and(fiat) {
        judge.tell(Code::FieldCurrency, Member::RequestedCurrency, Params::None);
    }
    if !crypto && currency.as_deref().is_some_and(|code| !fiat(code)) {
        judge.tell(Code::CurrencyUnknown, Member::Currency, Params::None);
    }
    match (currency, judge.report.violations.is_empty()) {
        (Some(currency), true) => Ok(FieldCurrencies {
            crypto,
            processed: String::from(&*currency),
            requested: requested.as_deref().unwrap_or(&currency).into(),
        }),
        _ => Err(judge.report),
    }
}
