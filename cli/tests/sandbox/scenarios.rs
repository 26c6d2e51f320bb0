//! Scenarios, the clock, and the idempotency window.

use serde_json::{Value, json};

use crate::http;
use crate::process::{Merchant, Sandbox, body, run};

fn merged(trigger: &Value) -> Value {
    let mut body = body();
    body.as_object_mut()
        .unwrap()
        .extend(trigger.as_object().unwrap().clone());
    body
}

#[test]
fn each_scenario_has_its_states_and_nothing_moves_by_itself() {
    let merchant = Sandbox::shared().merchant();
    merchant.post("/sandbox/clock", &json!({"advance_ms": 0}));
    let scenarios = merchant.get("/sandbox/scenarios").json();
    assert_eq!(scenarios.as_array().unwrap().len(), 48);
    let table = String::from_utf8(run(&["sandbox", "--scenarios"]).stdout).unwrap();
    let created: Vec<_> = scenarios
        .as_array()
        .unwrap()
        .iter()
        .map(|scenario| (scenario, merchant.create(&merged(&scenario["trigger"]))))
        .collect();
    assert!(created.iter().all(|(_, uid)| merchant.state(uid) == "idle"));
    merchant.advance(1000);
    assert_eq!(merchant.state(&created[0].1), "routed");
    merchant.advance(46 * 24 * 60 * 60 * 1000);
    for (scenario, uid) in created {
        assert_eq!(
            json!(merchant.timeline(&uid)),
            scenario["states"],
            "{}",
            scenario["name"]
        );
        let payment = merchant.payment(&uid);
        let name = scenario["name"].as_str().unwrap();
        if let Some(code) = name.strip_prefix("fail_") {
            let code = code
                .trim_end_matches("_by_card")
                .trim_end_matches("_by_phone");
            assert_eq!(payment["fail_code"], code);
            let columns = format!("{}{code}", payment["fail_by"].as_str().unwrap());
            let row = table
                .lines()
                .find(|line| line.starts_with(&format!("fail_{code} ")))
                .expect("a row");
            assert!(row.replace(' ', "").ends_with(&columns), "{row}");
        }
        let timeline = merchant.get(&format!("/sandbox/payments/{uid}")).json()["timeline"].clone();
        let timeline = timeline.as_array().unwrap();
        let at = |moment: &Value| -> payspec::Timestamp {
            moment["at"].as_str().unwrap().parse().unwrap()
        };
        let nanos = at(&timeline[timeline.len() - 1]).nanos_since(&at(&timeline[0]));
        assert_eq!(
            json!(u64::try_from(nanos / 1_000_000).unwrap()),
            scenario["duration_ms"],
            "{name}"
        );
        if name.starts_with("not_fully") {
            assert_ne!(payment["paid_amount"], payment["amount"]);
        }
    }
}

#[test]
fn payments_move_by_themselves_while_the_clock_runs() {
    let sandbox = Sandbox::start(&["--step-ms", "1"]);
    let merchant = sandbox.merchant();
    let uid = merchant.create(&body());
    let start = std::time::Instant::now();
    while merchant.state(&uid) != "completed" {
        assert!(start.elapsed().as_secs() < 20, "the payment does not move");
    }
    assert!(sandbox.terminate(), "SIGTERM ends it well");
}

#[test]
fn the_clock_is_set_stopped_and_started() {
    let merchant = Sandbox::shared().merchant();
    let set = |body: Value| merchant.post("/sandbox/clock", &body).member("now");
    assert_eq!(
        set(json!({"now": "2030-05-01T12:00:00Z"})),
        "2030-05-01T12:00:00.000Z"
    );
    assert_eq!(set(json!({"advance_ms": 1500})), "2030-05-01T12:00:01.500Z");
    assert_eq!(
        merchant.get("/sandbox/clock").text,
        r#"{"now":"2030-05-01T12:00:01.500Z"}"#
    );
    assert_eq!(
        set(json!({"now": "2020-01-01T03:00:00+03:00"})),
        "2020-01-01T00:00:00.000Z",
        "a clock is set back"
    );
    let uid = merchant.create(&body());
    assert_eq!(
        merchant.payment(&uid)["created_date"],
        "2020-01-01T00:00:00.000Z"
    );
    set(json!({"now": "2020-01-01T00:00:02Z"}));
    assert_eq!(
        merchant.payment(&uid)["paid_at"],
        "2020-01-01T00:00:02.000Z",
        "at the time at which it is due"
    );
    let later = set(json!({"running": true}));
    let start = std::time::Instant::now();
    // The clock shows whole milliseconds.
    while merchant.get("/sandbox/clock").member("now") <= later {
        assert!(start.elapsed().as_secs() < 20, "the clock does not run");
    }
}

#[test]
fn the_idempotency_window_needs_no_pause() {
    let merchant = Sandbox::shared().merchant();
    merchant.advance(0);
    let key = [("idempotency-key", "order-1007")];
    let first = merchant.create_with(&key, &body());
    merchant.advance(1000);
    let replay = merchant.create_with(&key, &body());
    assert_eq!((replay.status, &replay.text), (201, &first.text));
    assert_eq!(replay.header("idempotent-replayed"), Some("true"));
    merchant.advance(1);
    let conflict = merchant.create_with(&key, &body());
    assert_eq!(
        (conflict.status, conflict.member("code").as_str()),
        (409, "idempotency_conflict")
    );
}

#[test]
fn time_to_complete_payment_cancels_any_payment() {
    let merchant = Sandbox::shared().merchant();
    merchant.advance(0);
    let mut body = body();
    body["time_to_complete_payment"] = json!(30);
    let slow = merchant
        .create_with(&[("sandbox-scenario", "slow")], &body)
        .member("uid");
    let usual = merchant.create(&body);
    merchant.advance(29_999);
    assert_eq!(merchant.state(&slow), "routed");
    merchant.advance(1);
    assert_eq!(
        (merchant.state(&slow), merchant.state(&usual)),
        ("cancel".to_owned(), "completed".to_owned())
    );
}

#[test]
fn a_scenario_is_selected_by_header_and_for_the_next_payments() {
    let merchant = Sandbox::shared().merchant();
    merchant.advance(0);
    let by_header = merchant
        .create_with(&[("sandbox-scenario", "fail_expired_card")], &body())
        .member("uid");
    assert_eq!(
        merchant
            .post(
                "/sandbox/scenarios",
                &json!({"name": "not_fully", "count": 2})
            )
            .status,
        200
    );
    let next: Vec<_> = (0..3).map(|_| merchant.create(&body())).collect();
    merchant.advance(10_000);
    assert_eq!(merchant.state(&by_header), "fail");
    let states: Vec<_> = next.iter().map(|uid| merchant.state(uid)).collect();
    assert_eq!(states, ["not_fully", "not_fully", "completed"]);
}

#[test]
fn an_operator_takes_over() {
    let merchant = Sandbox::shared().merchant();
    merchant.advance(0);
    let uid = merchant.create(&body());
    let advance = |body: Value| merchant.post(&format!("/sandbox/payments/{uid}/advance"), &body);
    assert_eq!(
        advance(json!({"to": "fail", "fail_by": "bank", "fail_code": "lost_card"})).status,
        200
    );
    merchant.advance(60_000);
    assert_eq!(
        merchant.timeline(&uid),
        ["idle", "fail"],
        "the scenario is over"
    );
    let refused = advance(json!({"to": "completed"}));
    assert_eq!(
        (refused.status, refused.member("code").as_str()),
        (409, "transition_refused")
    );
    let transitions =
        merchant.get(&format!("/sandbox/payments/{uid}")).json()["transitions"].clone();
    assert!(
        transitions
            .as_array()
            .unwrap()
            .iter()
            .all(|one| one["to"] != "completed" && one["to"] != "idle")
    );
    assert_eq!(advance(json!({"to": "correction"})).status, 200);
}

#[test]
fn the_balance_follows_the_payments() {
    let merchant = Sandbox::shared().merchant();
    merchant.advance(0);
    let charged_back = merged(&json!({"amount": "7010.00"}));
    merchant.create(&charged_back);
    merchant.create(&body());
    merchant.advance(2000);
    assert_eq!(
        merchant.get("/v1/partner/balance").member("amount"),
        "7110.00"
    );
    merchant.advance(5000);
    assert_eq!(
        merchant.get("/v1/partner/balance").member("amount"),
        "100.00"
    );
}

#[test]
fn help_and_readme_show_the_table() {
    let text = |arguments: &[&str]| String::from_utf8(run(arguments).stdout).unwrap();
    let table = text(&["sandbox", "--scenarios"]);
    let help = text(&["sandbox", "--help"]);
    for line in table.lines() {
        // The card and phone numbers are in the wide table only.
        let (start, end) = (&line[..42], &line[74..]);
        assert!(help.contains(&format!("{start}{end}\n")), "{line}");
    }
    assert!(table.lines().count() == 17 && table.contains("fail_insufficient_funds"));
}

/// Returns a payment in the scenario `challenge` that is routed, and the path of its page.
pub(crate) fn challenged(merchant: &Merchant<'_>) -> (String, String) {
    merchant.advance(0);
    let mut request = body();
    request["amount"] = json!("7016.00");
    let uid = merchant.create(&request);
    let page = format!("/sandbox/challenge/{uid}");
    let early = merchant.post(&page, &json!({"result": "passed"}));
    assert_eq!((early.status, merchant.state(&uid).as_str()), (409, "idle"));
    merchant.advance(1000);
    let shown = merchant.get(&format!("/sandbox/payments/{uid}"));
    assert!(shown.member("challenge").ends_with(&page));
    (uid, page)
}

#[test]
fn the_payer_passes_or_fails_a_challenge() {
    let merchant = Sandbox::shared().merchant();
    for (result, state) in [("passed", "completed"), ("failed", "fail")] {
        let (uid, page) = challenged(&merchant);
        let wrong = merchant.post(&page, &json!({"result": "4111111111111111"}));
        assert_eq!(wrong.status, 422);
        assert_eq!(
            wrong.member("detail"),
            "result: expected one of passed, failed"
        );
        let answered = merchant.post(&page, &json!({"result": result}));
        assert_eq!(
            (answered.status, answered.member("state").as_str()),
            (200, state)
        );
        let again = merchant.post(&page, &json!({"result": "passed"}));
        assert_eq!(again.status, 409, "an answer is final");
        merchant.advance(1_000_000);
        assert_eq!(merchant.timeline(&uid), ["idle", "routed", state]);
        let shown = merchant.get(&format!("/sandbox/payments/{uid}")).json();
        assert_eq!(shown["timeline"][2]["by"], "payer");
        assert!(shown.get("challenge").is_none());
    }
    let failed = merchant.get("/sandbox/payments").json()["payments"][0]["uid"].clone();
    let failed = merchant.payment(failed.as_str().unwrap());
    assert_eq!(failed["fail_code"], "authentication_failed");
}

#[test]
fn an_abandoned_challenge_is_canceled_and_a_late_answer_changes_nothing() {
    let merchant = Sandbox::shared().merchant();
    let (uid, page) = challenged(&merchant);
    merchant.advance(898_999);
    assert_eq!(merchant.state(&uid), "routed");
    merchant.advance(1);
    assert_eq!(merchant.state(&uid), "cancel");
    let late = merchant.post(&page, &json!({"result": "passed"}));
    assert_eq!(
        (late.status, merchant.state(&uid).as_str()),
        (409, "cancel")
    );
}

#[test]
fn the_page_of_a_challenge_has_a_form_for_the_payer() {
    let sandbox = Sandbox::shared();
    let merchant = sandbox.merchant();
    let (uid, page) = challenged(&merchant);
    // The payer has no token.
    let shown = http::call(&sandbox.address, "GET", &page, &[], None).unwrap();
    assert_eq!(shown.status, 200);
    assert!(shown.text.contains("7016.00 RUB") && shown.text.contains(r#"value="passed""#));
    assert!(
        shown
            .header("content-security-policy")
            .unwrap()
            .contains("form-action 'self'")
    );
    // The client of the tests sends JSON.
    let mut stream = std::net::TcpStream::connect(&sandbox.address).unwrap();
    let form = "result=passed";
    let request = format!(
        "POST {page} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
        sandbox.address,
        form.len()
    );
    std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
    let mut answer = String::new();
    std::io::Read::read_to_string(&mut stream, &mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 303 ") && answer.contains(&format!("location: {uid}")));
    let after = http::call(&sandbox.address, "GET", &page, &[], None).unwrap();
    assert!(after.text.contains("<code>completed</code>") && !after.text.contains("<form"));
    let unknown = http::call(&sandbox.address, "GET", "/sandbox/challenge/x", &[], None).unwrap();
    assert_eq!(unknown.status, 404);
}
