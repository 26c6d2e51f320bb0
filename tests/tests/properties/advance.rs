//! No sequence of transitions clears paid_at or paid_amount, under any policy.

use super::config;
use payspec::{AdvanceContext, Engine, State, StoredPayment, Timestamp};
use payspec_tests::json::Json;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

const CREATED: &str = r#"{"uid":"6fa459ea-ee8a-3ca4-894e-db77e160355e","url":null,"merchant_id":"m-1","state":"idle","payment_type":"pay_out","subtype":"sbp","requested_amount":"100.00","requested_currency":"RUB","client_amount":"100.00","amount":"100.00","currency":"RUB","total":"103.00","net_processed":"97.00","fee":"1.00","commission":"2.00","gross_amount":"100.00","shared_commission":"0.50","paid_amount":"0.00","fail_by":null,"receipts":[],"created_date":"2026-05-15T10:00:00.000Z","paid_at":null,"info":null}"#;
const AT: &str = "2026-05-15T10:05:00.250Z";

/// Returns a policy: one of the two names, or a list with about half of all pairs.
fn policy() -> impl Strategy<Value = String> {
    let pairs: Vec<String> = State::ALL
        .iter()
        .flat_map(|from| {
            State::ALL
                .iter()
                .map(move |to| format!(r#"["{}","{}"]"#, from.name(), to.name()))
        })
        .collect();
    let list = proptest::sample::subsequence(pairs, 8..64)
        .prop_map(|pairs| format!("[{}]", pairs.join(",")));
    let transitions = prop_oneof![
        Just(r#""open""#.to_owned()),
        Just(r#""conventional""#.to_owned()),
        list
    ];
    transitions.prop_map(|transitions| format!(r#"{{"transitions":{transitions}}}"#))
}

/// Returns a state, and the amount paid in cents, if any.
fn change() -> impl Strategy<Value = (State, Option<u32>)> {
    (select(State::ALL), proptest::option::of(1..20_000_u32))
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn never_clears_a_payment(policy in policy(), changes in vec(change(), 1..12)) {
        let engine = Engine::from_json(&policy).unwrap();
        let at: Timestamp = AT.parse().unwrap();
        let mut payment = CREATED.to_owned();
        for (to, paid) in changes {
            let mut context = AdvanceContext::new(StoredPayment::try_from(payment.as_str()).unwrap(), to, at);
            context.paid_amount = paid.map(|cents| format!("{}.{:02}", cents / 100, cents % 100).parse().unwrap());
            if to == State::Fail {
                context.fail_by = Some("bank".into());
                context.fail_code = Some("51".into());
            }
            // An amount that the new state does not accept, or a repeated failure, is a caller
            // error.
            let Ok(outcome) = engine.advance_payment(&context) else { continue };
            if outcome.status() != 200 {
                continue;
            }
            let next = outcome.body_json();
            let (before, after) = (paid_of(&payment), paid_of(&next));
            prop_assert!(before.0.is_none() || after.0.is_some(), "{payment} to {}: {next}", to.name());
            prop_assert!(before.1 == "0.00" || after.1 != "0.00", "{payment} to {}: {next}", to.name());
            payment = next;
        }
    }
}

/// Returns paid_at and paid_amount.
fn paid_of(payment: &str) -> (Option<String>, String) {
    let payment = Json::parse(payment.as_bytes()).unwrap();
    let text = |name: &str| {
        payment
            .get(name)
            .and_then(Json::as_str)
            .map(ToOwned::to_owned)
    };
    (text("paid_at"), text("paid_amount").unwrap())
}
