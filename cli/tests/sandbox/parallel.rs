//! Test runs at the same time, each with a merchant of its own.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;

use crate::process::{Sandbox, body};

const RUNS: usize = 1000;
const THREADS: usize = 64;

/// Each run stops and moves its clock, plans a fault, has the same keys and amounts as all others,
/// and resets.
#[test]
fn a_thousand_runs_do_not_influence_each_other() {
    let sandbox = Sandbox::start(&["--seed", "11"]);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= RUNS {
                        break;
                    }
                    run(&sandbox, number);
                }
            });
        }
    });
    let merchants = sandbox.named("default").get("/sandbox/merchants").json();
    assert_eq!(merchants.as_array().unwrap().len(), RUNS + 1);
    let status = std::fs::read_to_string(format!("/proc/{}/status", sandbox.id())).unwrap();
    let peak = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    println!("{RUNS} runs: {peak}");
}

fn run(sandbox: &Sandbox, number: usize) {
    let merchant = sandbox.named(&format!("run-{number}"));
    let key = [("idempotency-key", "the-same-key")];
    let step = u64::try_from(number % 7).unwrap();
    merchant.post(
        "/sandbox/faults",
        &json!({"count": 1, "status": 500 + number % 50}),
    );
    assert_eq!(
        usize::from(merchant.create_with(&key, &body()).status),
        500 + number % 50
    );
    let first = merchant.create_with(&key, &body());
    assert_eq!(
        (first.status, first.header("idempotent-replayed")),
        (201, None),
        "the key of another run"
    );
    let uid = first.member("uid");
    merchant.advance(1001 + step);
    assert_eq!(merchant.state(&uid), "routed");
    let again = merchant.create_with(&key, &body());
    assert_eq!(again.status, 409);
    let now = merchant.advance(1000);
    assert_eq!(merchant.state(&uid), "completed");
    assert_eq!(now, format!("2026-01-01T00:00:02.{:03}Z", step + 1));
    assert_eq!(
        merchant.get("/v1/partner/balance").member("amount"),
        "100.00"
    );
    assert_eq!(merchant.get("/sandbox/payments").json()["total"], 1);
    if number.is_multiple_of(2) {
        merchant
            .try_call("POST", "/sandbox/reset", &[], None)
            .unwrap();
        assert_eq!(
            merchant.get(&format!("/v1/payments/{uid}/status")).status,
            404
        );
    }
}
