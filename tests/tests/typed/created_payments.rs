//! Payments of `create_payment` are valid for `check_payment` and can be advanced by
//! `advance_payment`, under any policy and without any optional member of the request.

use super::vectors;
use payspec::{
    AdvanceContext, Code, CreateContext, Engine, Severity, State, StoredPayment, Violation,
};

#[test]
fn returns_payments_that_are_valid_and_can_be_advanced() {
    let mut number = 0;
    for (vector, engine) in vectors("create_payment") {
        let inputs = vector.arguments("create_payment");
        let (Some(body), Some(Ok(context))) = (inputs[0], inputs[1].map(CreateContext::from_json))
        else {
            continue;
        };
        let outcome = engine.create_payment(body, &context);
        let Some(payment) = outcome.payment().map(|payment| payment.to_json()) else {
            continue;
        };
        number += 1;

        let report = engine.check_payment(payment.as_bytes(), None);
        let faults: Vec<&Violation> = report
            .violations()
            .iter()
            .filter(|found| is_fault(found))
            .collect();
        assert!(faults.is_empty(), "{}: {faults:?}", vector.name);

        let routed = advanced(&vector.name, &engine, &payment, State::Routed, context.now);
        let completed = advanced(
            &vector.name,
            &engine,
            &routed,
            State::Completed,
            context.now,
        );
        let report = engine.check_payment(completed.as_bytes(), None);
        assert!(
            !report.violations().iter().any(is_fault),
            "{}: {report:?}",
            vector.name
        );
    }
    assert!(number > 100, "only {number} payments were created");
}

/// Returns whether a violation is an error. A payment without a merchant has no `merchant_id`,
/// which is permitted here.
fn is_fault(found: &Violation) -> bool {
    found.severity() == Severity::Error
        && (found.code(), found.path()) != (Code::Missing, "/merchant_id")
}

fn advanced(
    name: &str,
    engine: &Engine,
    payment: &str,
    to: State,
    at: payspec::Timestamp,
) -> String {
    let context = AdvanceContext::new(StoredPayment::try_from(payment).unwrap(), to, at);
    let outcome = engine
        .advance_payment(&context)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(outcome.status(), 200, "{name}: {}", outcome.body_json());
    outcome.body_json()
}

/// Values that the policy accepted at creation do not prevent a transition, nor do values that only
/// the caller supplies.
#[test]
fn keeps_advancing_payments_with_values_that_the_policy_accepted() {
    let body = |cur: &str, amount: &str| {
        format!(
            r#"{{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"{cur}","amount":"{amount}"}}"#
        )
    };
    let fine = r#","charges":{"fee":"0.0000000000000000000001"}"#;
    let over_http = r#","url":"http://10.0.0.1/7","merchant_id":"""#;
    for (policy, body, more) in [
        ("{}", body("RUB", "100.00"), fine),
        (
            r#"{"urls":{"schemes":["https"]},"limits":{"uri_bytes":9}}"#,
            body("RUB", "100.00"),
            over_http,
        ),
        (
            r#"{"severity":{"amount_scale":"off"}}"#,
            body("JPY", "100.50"),
            "",
        ),
        (
            r#"{"severity":{"amount_out_of_bounds":"off"}}"#,
            body("RUB", &"9".repeat(28)),
            "",
        ),
        (
            r#"{"severity":{"missing":"off"}}"#,
            body("RUB", "100.00").replace(r#""mode":"P2P","#, ""),
            "",
        ),
    ] {
        let engine = Engine::from_json(policy).unwrap();
        let context = format!(
            r#"{{"uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2026-11-20T10:15:30Z","authorization":"checked_by_caller"{more}}}"#
        );
        let context = CreateContext::from_json(context.as_bytes()).unwrap();
        let outcome = engine.create_payment(body.as_bytes(), &context);
        assert_eq!(
            outcome.status(),
            201,
            "{policy} {body}: {}",
            outcome.body_json()
        );
        let routed = advanced(
            policy,
            &engine,
            &outcome.body_json(),
            State::Routed,
            context.now,
        );
        advanced(policy, &engine, &routed, State::Completed, context.now);
    }
}
