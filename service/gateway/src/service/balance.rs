//! The balance of a merchant (§4.3), computed from its payments.
//!
//! The state of a payment decides what it adds:
//!
//! | state | pay-in | pay-out |
//! |---|---|---|
//! | completed, not_fully | + `paid_amount` − `fee` − `commission`, at least 0 | − (`paid_amount` + `fee` + `commission`) |
//! | correction of a payment that was paid | the same with `amount`, the corrected one | the same with `amount` |
//! | idle, routed, fail, cancel, chargeback, correction of another payment | 0 | 0 |
//!
//! A change of state adds the difference, so a chargeback takes back what the completion added. The
//! difference is stored with the change, in one transaction.

use bigdecimal::BigDecimal;
use payspec::{BalanceContext, Currency, PaymentType, State};
use serde::Deserialize;
use serde_json::json;

use super::{Caller, Reply, Service};
use crate::storage::{Balance, Booking, StorageError};

const BROKEN: StorageError = StorageError::Row("a payment whose amounts cannot be read");

/// The members of a Payment that the balance depends on.
#[derive(Deserialize)]
struct Amounts {
    payment_type: String,
    state: String,
    currency: String,
    amount: String,
    #[serde(default)]
    paid_amount: Option<String>,
    #[serde(default)]
    fee: Option<String>,
    #[serde(default)]
    commission: Option<String>,
}

/// Returns what a payment adds to the balance in its current state.
pub(super) fn booking(payment: &str) -> Result<Booking, StorageError> {
    let payment: Amounts = serde_json::from_str(payment).map_err(|_| BROKEN)?;
    let decimal = |text: Option<&str>| {
        text.unwrap_or("0")
            .parse::<BigDecimal>()
            .map_err(|_| BROKEN)
    };
    let paid = decimal(payment.paid_amount.as_deref())?;
    let zero = BigDecimal::default();
    let counted = match payment.state.parse().map_err(|_| BROKEN)? {
        State::Completed | State::NotFully => paid,
        State::Correction if paid > zero => decimal(Some(&payment.amount))?,
        _ => zero.clone(),
    };
    let amount = if counted == zero {
        zero
    } else {
        let charges = decimal(payment.fee.as_deref())? + decimal(payment.commission.as_deref())?;
        match payment.payment_type.parse().map_err(|_| BROKEN)? {
            PaymentType::PayIn => (counted - charges).max(zero),
            _ => -(counted + charges),
        }
    };
    Ok(Booking {
        currency: payment.currency,
        amount,
    })
}

/// Writes an amount with at least the minor units of its currency.
fn text(balance: &Balance) -> String {
    let digits = balance
        .currency
        .parse()
        .ok()
        .and_then(Currency::minor_unit)
        .map_or(0, i64::from);
    let amount = balance.amount.normalized();
    let digits = digits.max(amount.fractional_digit_count());
    amount.with_scale(digits).to_plain_string()
}

impl Service {
    /// `GET /v1/partner/balance`: the balance of the configured currency, and of every other that
    /// the merchant has.
    ///
    /// # Errors
    /// Returns an error if the storage cannot be used.
    pub async fn balance(&self, caller: &Caller<'_>) -> Result<Reply, StorageError> {
        let mut balances = Vec::new();
        if let Some(merchant) = caller.merchant() {
            balances = self.storage.balances(merchant).await?;
        }
        let currency = self.balance_currency.code();
        if !balances.iter().any(|balance| balance.currency == currency) {
            balances.push(Balance {
                currency: currency.to_owned(),
                amount: BigDecimal::default(),
            });
        }
        let own = balances
            .iter()
            .find(|balance| balance.currency == currency)
            .map(text);
        let all: Vec<_> = balances
            .iter()
            .map(|balance| json!({"cur": balance.currency, "amount": text(balance)}))
            .collect();
        let balance = json!({"cur": currency, "amount": own, "balances": all}).to_string();
        let context = payspec::Balance::try_from(balance.as_str())
            .map(|balance| BalanceContext::new(balance, caller.authorization()))
            .map_err(|_| StorageError::Row("a balance"))?;
        Ok(Reply::of(&self.engine.read_balance(&context)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn booked(payment_type: &str, state: &str, paid: &str, charges: bool) -> String {
        let mut payment = json!({
            "payment_type": payment_type, "state": state, "currency": "RUB", "amount": "100.00", "paid_amount": paid,
        });
        if charges {
            payment["fee"] = json!("1.50");
            payment["commission"] = json!("0.25");
        }
        booking(&payment.to_string())
            .unwrap()
            .amount
            .to_plain_string()
    }

    #[test]
    fn states_decide() {
        for (state, paid, pay_in, pay_out) in [
            ("idle", "0.00", "0", "0"),
            ("routed", "0.00", "0", "0"),
            ("completed", "100.00", "98.25", "-101.75"),
            ("not_fully", "40.00", "38.25", "-41.75"),
            // The charges of a pay-in are never more than what came in.
            ("not_fully", "1.00", "0", "-2.75"),
            ("fail", "0.00", "0", "0"),
            ("cancel", "100.00", "0", "0"),
            ("chargeback", "100.00", "0", "0"),
            ("correction", "70.00", "98.25", "-101.75"),
            ("correction", "0.00", "0", "0"),
        ] {
            assert_eq!(booked("pay_in", state, paid, true), pay_in, "{state}");
            assert_eq!(booked("pay_out", state, paid, true), pay_out, "{state}");
        }
        assert_eq!(booked("pay_in", "completed", "100.00", false), "100.00");
        assert!(
            booking(r#"{"payment_type":"pay_in","state":"new","currency":"RUB","amount":"1"}"#)
                .is_err()
        );
        assert!(booking("[]").is_err());
    }

    #[test]
    fn amounts_have_the_digits_of_their_currency() {
        let text = |currency: &str, amount: &str| {
            text(&Balance {
                currency: currency.to_owned(),
                amount: amount.parse().unwrap(),
            })
        };
        assert_eq!(text("RUB", "0"), "0.00");
        assert_eq!(text("RUB", "-1.5"), "-1.50");
        assert_eq!(text("RUB", "100.1250"), "100.125");
        assert_eq!(text("JPY", "1000"), "1000");
        assert_eq!(
            text("USDT", "99999999999999999999999999999999.000001"),
            "99999999999999999999999999999999.000001"
        );
    }
}
