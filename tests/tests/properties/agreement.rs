//! All operations find the same card numbers in a text: `validate_request` in free texts,
//! `check_payment` and `create_payment` in info, `redact_text`, and the reason of a refusal. The
//! texts have the pieces of the fuzz target `card_data`, which compares `redact` with `redact_text`.

use super::config;
use payspec::Engine;
use payspec_tests::call::{self, Answer};
use payspec_tests::json::Json;
use payspec_tests::pieces::PIECES;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use std::cell::Cell;
use std::sync::LazyLock;

/// Texts are searched that a request must not contain otherwise.
const POLICY: &str = r#"{"severity":{"text_control_character":"off"},
    "limits":{"body_bytes":1000000,"text_chars":100000,"description_chars":100000}}"#;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| call::engine(Some(POLICY)).expect("the policy"));

const BODY: &str = r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"1.00","host2host":true,"merchant_id":"m"}"#;
const CONTEXT: &str = r#""uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","now":"2026-11-27T00:00:00Z","authorization":"checked_by_caller""#;
const PAYMENT: &str = r#""uid":"0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11","url":null,"merchant_id":"m","state":"completed","payment_type":"pay_in","subtype":"sbp","requested_amount":"100.00","requested_currency":"RUB","client_amount":"100.00","amount":"100.00","currency":"RUB","total":"100.00","net_processed":"100.00","fee":"0.00","commission":"0.00","gross_amount":"100.00","shared_commission":"0.00","paid_amount":"100.00","fail_by":null,"receipts":[],"created_date":"2025-12-30T10:00:00.000Z","paid_at":"2025-12-30T10:01:00.000Z""#;

/// The answer of an operation to an input with a text.
pub(super) struct Search {
    pub(super) operation: &'static str,
    pub(super) answer: Answer,
    pub(super) finds_number: bool,
}

/// Searches a text with the operations that report card numbers or refuse them.
pub(super) fn searches(text: &str) -> [Search; 3] {
    [in_request(text), in_payment(text), in_context(text)]
}

fn literal(text: &str) -> String {
    Json::String(text.to_owned()).compact()
}

fn parsed(answer: &Answer) -> Json {
    Json::parse(&answer.text).expect("an answer in JSON")
}

/// Returns the paths of the violations with a code.
fn paths(answer: &Answer, code: &str) -> Vec<String> {
    let violations = answer.violations().into_iter();
    let found = violations.filter(|(_, found)| found == code);
    found.map(|(path, _)| path).collect()
}

/// Searches free texts of a request: one line, and the description.
fn in_request(text: &str) -> Search {
    let text = literal(text);
    let body = format!(
        r#"{{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"1.00","user_name":{text},"description":{text}}}"#
    );
    let answer = call::answer(&ENGINE, "validate_request", &[Some(body.as_bytes()), None]);
    let found = paths(&answer, "card_number_in_text");
    assert!(
        found.is_empty() || found == ["/user_name", "/description"],
        "{found:?} in {body}"
    );
    Search {
        operation: "validate_request",
        finds_number: !found.is_empty(),
        answer,
    }
}

/// Searches the info of a payment.
fn in_payment(text: &str) -> Search {
    let payment = format!(r#"{{{PAYMENT},"info":{{"note":{}}}}}"#, literal(text));
    let answer = call::answer(&ENGINE, "check_payment", &[Some(payment.as_bytes()), None]);
    let found = paths(&answer, "unmasked_card_number");
    assert!(found.is_empty() || found == ["/info/note"], "{found:?}");
    Search {
        operation: "check_payment",
        finds_number: !found.is_empty(),
        answer,
    }
}

/// Searches the info of a context.
fn in_context(text: &str) -> Search {
    let answer = create_payment("info", &format!(r#"{{"note":{}}}"#, literal(text)));
    let path = parsed(&answer)
        .get("error")
        .and_then(|error| error.get("path"))
        .cloned();
    let expected = (answer.returns == -4).then(|| Json::String("/info/note".to_owned()));
    assert_eq!(path, expected, "{text:?}");
    assert!(matches!(answer.returns, -4 | 0), "{text:?}");
    Search {
        operation: "create_payment",
        finds_number: answer.returns == -4,
        answer,
    }
}

fn create_payment(member: &str, value: &str) -> Answer {
    let context = format!(r#"{{{CONTEXT},"{member}":{value}}}"#);
    let inputs = [Some(BODY.as_bytes()), Some(context.as_bytes())];
    call::answer(&ENGINE, "create_payment", &inputs)
}

/// Returns what the client receives of the reason of a refusal.
fn refusal(reason: &str) -> String {
    let answer = parsed(&create_payment("refusal", &literal(reason)));
    let detail = answer.get("body").and_then(|body| body.get("detail"));
    detail.and_then(Json::as_str).expect("a detail").to_owned()
}

#[test]
fn all_operations_find_the_same_card_numbers_in_a_text() {
    let counts = Cell::new((0, 0));
    let texts = vec(select(&PIECES[..]), 1..10).prop_map(|pieces| pieces.concat());
    let result = TestRunner::new(config(20_000)).run(&texts, |text| {
        let searches = searches(&text);
        let [first, ..] = &searches;
        for search in &searches {
            prop_assert_eq!(
                search.finds_number,
                first.finds_number,
                "{} with {:?}",
                search.operation,
                text
            );
        }
        let redacted = ENGINE.redact_text(&text);
        prop_assert!(!first.finds_number || redacted != text, "{:?} stays", text);
        prop_assert_eq!(refusal(&text), redacted, "the refusal {:?}", text);
        // A security code is hidden, and is not a card number.
        let (numbers, others) = counts.get();
        counts.set(match first.finds_number {
            true => (numbers + 1, others),
            false => (numbers, others + 1),
        });
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
    let (numbers, others) = counts.get();
    assert!(
        numbers > 4_000 && others > 4_000,
        "{numbers} texts with a card number, {others} without"
    );
}
