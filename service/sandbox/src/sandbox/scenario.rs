//! The scenarios: the states of a payment after its creation, and the members of a request that
//! select them.
//!
//! `--help`, `/sandbox`, `GET /sandbox/scenarios`, and the README show this table.

use payspec::{CreateRequest, State};
use serde_json::{Value, json};

use super::clock::Micros;

const SECOND: Micros = 1_000_000;
/// A day.
const DAY: Micros = 86_400 * SECOND;
/// The scenario in which the payer answers a challenge.
pub(crate) const CHALLENGE: &str = "challenge";
const MILLISECOND: Micros = 1000;

/// The time of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// This number of steps of `--step-ms` after the step before.
    Steps(u32),
    /// This number of days after the step before.
    Days(u32),
    /// The end of `time_to_complete_payment`.
    Deadline,
}

/// A change of state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    Routed,
    Completed,
    /// Half of the amount is paid.
    NotFully,
    /// The responsible party and the reason.
    Fail(&'static str, &'static str),
    Cancel,
    Chargeback,
    /// The amount becomes this fraction of it: numerator, denominator.
    Correction(u8, u8),
}

impl Move {
    pub(crate) fn state(self) -> State {
        match self {
            Move::Routed => State::Routed,
            Move::Completed => State::Completed,
            Move::NotFully => State::NotFully,
            Move::Fail(..) => State::Fail,
            Move::Cancel => State::Cancel,
            Move::Chargeback => State::Chargeback,
            Move::Correction(..) => State::Correction,
        }
    }
}

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) steps: &'static [(Due, Move)],
    /// Selects the scenario as the amount of a request, in any currency.
    amount: &'static str,
    /// Selects it as the card number of a pay-in or of a pay-out.
    card: &'static str,
    /// Selects it as the phone number of a pay-out by SBP.
    phone: &'static str,
}

const ROUTED: (Due, Move) = (Due::Steps(1), Move::Routed);
const COMPLETED: (Due, Move) = (Due::Steps(1), Move::Completed);

macro_rules! scenarios {
    ($($name:literal $about:literal [$($step:expr),*] $amount:literal $card:literal $phone:literal;)*) => {
        pub(crate) static SCENARIOS: &[Scenario] = &[$(Scenario {
            name: $name,
            about: $about,
            steps: &[$($step),*],
            amount: $amount,
            card: $card,
            phone: $phone,
        }),*];
    };
}

macro_rules! fail {
    ($by:literal, $code:literal) => {
        (Due::Steps(1), Move::Fail($by, $code))
    };
}

// The first one is that of every request that selects none.
scenarios! {
    "completed" "paid in full; so is every request that selects no other scenario" [ROUTED, COMPLETED] "7001" "4000000000000101" "+79000000001";
    "not_fully" "half of the amount is paid" [ROUTED, (Due::Steps(1), Move::NotFully)] "7002" "4000000000000200" "+79000000002";
    "fail_insufficient_funds" "the bank declines: not enough money" [ROUTED, fail!("bank", "insufficient_funds")] "7003" "4000000000000309" "+79000000003";
    "fail_do_not_honor" "the bank declines without a reason" [ROUTED, fail!("bank", "do_not_honor")] "7004" "4000000000000408" "+79000000004";
    "fail_expired_card" "the bank declines: the card has expired" [ROUTED, fail!("bank", "expired_card")] "7005" "4000000000000507" "+79000000005";
    "fail_limit_exceeded" "the bank declines: over the limit of the client" [ROUTED, fail!("bank", "limit_exceeded")] "7006" "4000000000000606" "+79000000006";
    "fail_suspected_fraud" "the service declines before the payment is routed" [fail!("service", "suspected_fraud")] "7007" "4000000000000705" "+79000000007";
    "fail_acquirer_error" "the acquirer has an error" [ROUTED, fail!("acquirer", "acquirer_error")] "7008" "4000000000000804" "+79000000008";
    "cancel" "the client does not pay; canceled after time_to_complete_payment, in seconds, or 900" [ROUTED, (Due::Deadline, Move::Cancel)] "7009" "4000000000000903" "+79000000009";
    "chargeback" "paid, then charged back" [ROUTED, COMPLETED, (Due::Steps(5), Move::Chargeback)] "7010" "4000000000001000" "+79000000010";
    "correction" "paid, then corrected to nine tenths" [ROUTED, COMPLETED, (Due::Steps(5), Move::Correction(9, 10))] "7011" "4000000000001109" "+79000000011";
    "slow" "paid after a minute of steps" [(Due::Steps(10), Move::Routed), (Due::Steps(50), Move::Completed)] "7012" "4000000000001208" "+79000000012";
    "pending" "stays idle until a test or the console advances it" [] "7013" "4000000000001307" "+79000000013";
    "chargeback_late" "paid, then charged back after 45 days" [ROUTED, COMPLETED, (Due::Days(45), Move::Chargeback)] "7014" "4000000000001406" "+79000000014";
    "partial_refund" "paid, then half is refunded: a correction of the amount" [ROUTED, COMPLETED, (Due::Steps(5), Move::Correction(1, 2))] "7015" "4000000000001505" "+79000000015";
    "challenge" "waits for the payer at the page of the challenge; canceled like `cancel` without an answer" [ROUTED, (Due::Deadline, Move::Cancel)] "7016" "4000000000001604" "+79000000016";
}

/// Reads and writes the scenario of a payment as its name.
pub(crate) mod by_name {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Scenario;

    pub(crate) fn serialize<S: Serializer>(
        scenario: &&'static Scenario,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(scenario.name)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<&'static Scenario, D::Error> {
        let name = String::deserialize(deserializer)?;
        super::find(&name).ok_or_else(|| D::Error::custom("no scenario has this name"))
    }
}

/// Seconds until a payment without time_to_complete_payment is canceled, in the scenario `cancel`.
pub(crate) const DEADLINE: u64 = 900;

impl Scenario {
    /// Returns the responsible party and the reason of a failure.
    fn failure(&self) -> Option<(&'static str, &'static str)> {
        self.steps.iter().find_map(|(_, step)| match step {
            Move::Fail(by, code) => Some((*by, *code)),
            _ => None,
        })
    }

    /// Returns the time from the creation to the last state, in microseconds, with steps of this time.
    pub(crate) fn duration(&self, step: Micros) -> Micros {
        let after = |sum: Micros, (due, _): &(Due, Move)| match due {
            Due::Steps(count) => sum.saturating_add(step.saturating_mul(i64::from(*count))),
            Due::Days(count) => sum.saturating_add(days(*count)),
            // From the creation, and not from the step before.
            Due::Deadline => i64::try_from(DEADLINE).unwrap_or(i64::MAX / SECOND) * SECOND,
        };
        self.steps.iter().fold(0, after)
    }

    /// Returns the states from the creation on.
    pub(crate) fn states(&self) -> Vec<&'static str> {
        let later = self.steps.iter().map(|(_, step)| step.state().name());
        std::iter::once(State::Idle.name()).chain(later).collect()
    }
}

/// Returns the time of this number of days.
pub(crate) fn days(count: u32) -> Micros {
    DAY.saturating_mul(i64::from(count))
}

/// The members that select a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Amount,
    Card,
    Phone,
}

const WAYS: [(Way, &str); 3] = [
    (Way::Amount, ""),
    (Way::Card, "_by_card"),
    (Way::Phone, "_by_phone"),
];

/// Returns the members of a request that select a scenario.
fn trigger(scenario: &Scenario, way: Way) -> Value {
    match way {
        Way::Amount => json!({"amount": format!("{}.00", scenario.amount)}),
        Way::Card => json!({
            "payment_type": "pay_in", "mode": "ACQUIRING", "subtype": "bank_card", "host2host": true,
            "pay_in_details": {"card": {
                "card_holder": "ANNA PETROVA", "card_number": scenario.card, "expiry_year": 2099, "expiry_month": 12,
                "security_code": "123",
            }},
        }),
        Way::Phone => json!({
            "payment_type": "pay_out", "mode": "P2P", "subtype": "sbp",
            "pay_out_details": {"full_name": "ANNA PETROVA", "phone_number": scenario.phone},
        }),
    }
}

/// Returns the list of `GET /sandbox/scenarios`: each scenario by amount, then by card, then by
/// phone number.
pub(crate) fn list(step: Micros) -> Value {
    WAYS.iter()
        .flat_map(|(way, end)| {
            SCENARIOS.iter().map(move |scenario| {
                json!({
                    "name": format!("{}{end}", scenario.name),
                    "trigger": trigger(scenario, *way),
                    "states": scenario.states(),
                    "duration_ms": scenario.duration(step) / MILLISECOND,
                })
            })
        })
        .collect()
}

/// Finds a scenario by a name of the list.
pub(crate) fn find(name: &str) -> Option<&'static Scenario> {
    SCENARIOS.iter().find(|scenario| {
        let end = name.strip_prefix(scenario.name);
        end.is_some_and(|end| WAYS.iter().any(|(_, known)| *known == end))
    })
}

/// Returns the names, for an error.
pub(crate) fn names() -> Vec<&'static str> {
    SCENARIOS.iter().map(|scenario| scenario.name).collect()
}

/// Returns the scenario that a request selects: a card number wins over a phone number, and that
/// over the amount.
pub(crate) fn of(request: &CreateRequest<'_>) -> &'static Scenario {
    let (card, phone) = match request {
        CreateRequest::PayIn(pay_in) => {
            let card = pay_in
                .pay_in_details
                .as_ref()
                .and_then(|details| details.card.as_ref()?.card_number.as_ref());
            (card, None)
        }
        CreateRequest::PayOut(pay_out) => {
            let details = pay_out.pay_out_details.as_ref();
            let phone = details.and_then(|details| details.phone_number.as_deref());
            (
                details.and_then(|details| details.card_number.as_ref()),
                phone,
            )
        }
    };
    let amount = whole(&request.common().amount_text);
    let by_card = |scenario: &&Scenario| card.is_some_and(|card| card.digits() == scenario.card);
    let by_phone = |scenario: &&Scenario| phone == Some(scenario.phone);
    let by_amount = |scenario: &&Scenario| amount == scenario.amount;
    let find = |test: &dyn Fn(&&Scenario) -> bool| SCENARIOS.iter().find(test);
    find(&by_card)
        .or_else(|| find(&by_phone))
        .or_else(|| find(&by_amount))
        .unwrap_or(&SCENARIOS[0])
}

/// Returns an amount without leading zeros, and without a fraction of zeros.
fn whole(amount: &str) -> &str {
    let amount = amount.trim_start_matches('0');
    match amount.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|digit| digit == b'0') => whole,
        _ => amount,
    }
}

/// Returns the table for a terminal, with or without card and phone numbers: a help text has at
/// most 100 columns. Only failures have something after their states, so longer states need no
/// wider column.
pub(crate) fn table(with_numbers: bool, step: Micros) -> String {
    let line = |[name, amount, seconds, card, phone, states, by, code]: [&str; 8]| {
        let numbers = if with_numbers {
            format!("{card:<16}  {phone:<12}  ")
        } else {
            String::new()
        };
        let line = format!(
            "{name:<23}  {amount:>6}  {seconds:>7}  {numbers}{states:<23}  {by:<8}  {code}"
        );
        line.trim_end().to_owned() + "\n"
    };
    let row = |scenario: &Scenario| {
        let Scenario {
            name,
            amount,
            card,
            phone,
            ..
        } = *scenario;
        let (by, code) = scenario.failure().unwrap_or_default();
        line([
            name,
            amount,
            &seconds(scenario.duration(step)),
            card,
            phone,
            &scenario.states().join(", "),
            by,
            code,
        ])
    };
    let head = line([
        "scenario",
        "amount",
        "seconds",
        "card",
        "phone",
        "states",
        "fail_by",
        "fail_code",
    ]);
    head + &SCENARIOS.iter().map(row).collect::<String>()
}

/// Returns a time in seconds, without zeros at the end of its fraction.
fn seconds(micros: Micros) -> String {
    let millis = micros / MILLISECOND;
    let text = format!("{}.{:03}", millis / 1000, millis % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the rows for the console.
pub(crate) fn rows() -> Value {
    let row = |scenario: &Scenario| {
        json!({
            "name": scenario.name, "about": scenario.about, "states": scenario.states(), "amount": scenario.amount,
            "card": scenario.card, "phone": scenario.phone,
        })
    };
    SCENARIOS.iter().map(row).collect()
}

/// Returns a fraction of an amount with as many digits as the amount has; the amount itself if the
/// result is zero.
pub(crate) fn fraction(amount: &str, numerator: u128, denominator: u128) -> String {
    let digits: String = amount.chars().filter(char::is_ascii_digit).collect();
    let scale = amount
        .split_once('.')
        .map_or(0, |(_, fraction)| fraction.len());
    // Amounts have at most 28 digits.
    let part = digits
        .parse::<u128>()
        .ok()
        .and_then(|digits| digits.checked_mul(numerator))
        .map(|all| all / denominator);
    let Some(part) = part.filter(|part| *part > 0) else {
        return amount.to_owned();
    };
    let text = format!("{part:0>width$}", width = scale + 1);
    let (whole, fraction) = text.split_at(text.len() - scale);
    if scale == 0 {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use payspec::Engine;

    use super::*;

    #[test]
    fn each_trigger_selects_its_scenario() {
        let engine = Engine::default();
        let list = list(SECOND);
        let entries = list.as_array().unwrap();
        assert_eq!(entries.len(), SCENARIOS.len() * WAYS.len());
        for entry in entries {
            let mut body = json!({
                "payment_type": "pay_in", "mode": "P2P", "subtype": "bank_card", "cur": "RUB", "amount": "100.00",
            });
            body.as_object_mut()
                .unwrap()
                .extend(entry["trigger"].as_object().unwrap().clone());
            let body = body.to_string();
            let (request, report) = engine
                .parse_request(body.as_bytes(), None)
                .expect("a valid request");
            assert!(
                report.is_valid() && report.violations().is_empty(),
                "{body}"
            );
            let name = entry["name"].as_str().unwrap();
            assert_eq!(of(&request).name, find(name).unwrap().name);
            assert_eq!(entry["states"], json!(of(&request).states()));
        }
        assert!(find("completed_by_mail").is_none() && find("unknown").is_none());
    }

    #[test]
    fn durations_count_steps_or_the_deadline() {
        let duration = |name: &str, step| seconds(find(name).unwrap().duration(step));
        for (name, at_default, at_quarter) in [
            ("completed", "2", "0.5"),
            ("fail_suspected_fraud", "1", "0.25"),
            ("cancel", "900", "900"),
            ("chargeback", "7", "1.75"),
            ("slow", "60", "15"),
            ("pending", "0", "0"),
            ("chargeback_late", "3888002", "3888000.5"),
        ] {
            assert_eq!(duration(name, SECOND), at_default, "{name}");
            assert_eq!(duration(name, SECOND / 4), at_quarter, "{name}");
        }
    }

    #[test]
    fn triggers_are_unique_and_cards_pass_luhn() {
        let mut seen = HashSet::new();
        for Scenario {
            name,
            amount,
            card,
            phone,
            ..
        } in SCENARIOS
        {
            assert!(
                [name, amount, card, phone]
                    .into_iter()
                    .all(|value| seen.insert(value)),
                "{name}"
            );
            let pan: payspec::card::Pan = card.parse().unwrap();
            assert!(pan.passes_luhn() && pan.scheme().is_some(), "{name}");
        }
    }

    #[test]
    fn amounts_are_compared_by_value() {
        for (amount, value) in [
            ("7001", "7001"),
            ("7001.00", "7001"),
            ("07001.0", "7001"),
            ("7001.01", "7001.01"),
            ("0.50", ".50"),
        ] {
            assert_eq!(whole(amount), value);
        }
    }

    #[test]
    fn fractions_are_exact() {
        for (amount, part) in [
            ("100.00", "50.00"),
            ("0.01", "0.01"),
            ("0.05", "0.02"),
            ("1", "1"),
            ("990.50", "495.25"),
            (
                "9999999999999999999999.999999",
                "4999999999999999999999.999999",
            ),
        ] {
            assert_eq!(fraction(amount, 1, 2), part);
        }
        assert_eq!(fraction("100", 9, 10), "90");
    }
}
