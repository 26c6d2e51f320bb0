//! Bad input to the sandbox's own interface, and to the command line.

use serde_json::json;

use crate::http;
use crate::process::{Sandbox, body, run};

#[test]
fn problems_name_the_member() {
    let merchant = Sandbox::shared().merchant();
    for (path, body, status, member) in [
        ("/sandbox/clock", json!({"now": "yesterday"}), 422, "/now"),
        ("/sandbox/clock", json!({"now": 5}), 422, "/now"),
        (
            "/sandbox/clock",
            json!({"advance_ms": -1}),
            422,
            "/advance_ms",
        ),
        (
            "/sandbox/clock",
            json!({"advance_ms": 1.5}),
            422,
            "/advance_ms",
        ),
        (
            "/sandbox/clock",
            json!({"advance_ms": 1u64 << 60}),
            422,
            "/advance_ms",
        ),
        (
            "/sandbox/clock",
            json!({"now": "2026-01-01T00:00:00Z", "advance_ms": 1}),
            422,
            "/advance_ms",
        ),
        ("/sandbox/clock", json!({"running": "yes"}), 422, "/running"),
        ("/sandbox/clock", json!({}), 422, "/now"),
        ("/sandbox/clock", json!({"advance": 1}), 422, "/advance"),
        ("/sandbox/clock", json!([]), 400, ""),
        (
            "/sandbox/faults",
            json!({"count": 0, "status": 503}),
            422,
            "/count",
        ),
        ("/sandbox/faults", json!({"count": 1}), 422, "/status"),
        ("/sandbox/faults", json!({"status": 200}), 422, "/status"),
        (
            "/sandbox/faults",
            json!({"status": 503, "drop": true}),
            422,
            "/drop",
        ),
        ("/sandbox/faults", json!({"drop": 1}), 422, "/drop"),
        (
            "/sandbox/faults",
            json!({"drop": true, "endpoint": "refund"}),
            422,
            "/endpoint",
        ),
        (
            "/sandbox/faults",
            json!({"drop": true, "when": "later"}),
            422,
            "/when",
        ),
        ("/sandbox/scenarios", json!({"count": 1}), 422, "/name"),
        (
            "/sandbox/scenarios",
            json!({"name": "completed", "count": 0}),
            422,
            "/count",
        ),
        ("/sandbox/merchants", json!({"name": "a b"}), 422, "/name"),
        ("/sandbox/nothing", json!({}), 404, ""),
        ("/sandbox/reset/x", json!({}), 404, ""),
    ] {
        let answer = merchant.post(path, &body);
        assert_eq!(
            (answer.status, answer.member("path").as_str()),
            (status, member),
            "{path} {body}"
        );
        assert_eq!(answer.header("content-type"), Some("application/json"));
        let detail = answer.member("detail");
        assert!(
            detail.starts_with(member.trim_start_matches('/')) && answer.json()["status"] == status,
            "{detail}"
        );
        assert!(!answer.text.contains("yesterday"), "a value of the body");
    }
    assert_eq!(
        merchant
            .try_call("PUT", "/sandbox/clock", &[], None)
            .unwrap()
            .status,
        405
    );
    assert_eq!(
        merchant.get("/sandbox/deliveries?payment=x").member("path"),
        "payment"
    );
    assert_eq!(merchant.get("/sandbox/deliveries?uid=x").status, 422);
    let unknown = merchant.get("/sandbox/deliveries?payment=00000000-0000-4000-8000-000000000000");
    assert_eq!(
        (unknown.status, unknown.member("path").as_str()),
        (404, "payment")
    );
}

#[test]
fn an_unknown_scenario_lists_the_known_ones() {
    let merchant = Sandbox::shared().merchant();
    let by_header = merchant.create_with(&[("sandbox-scenario", "lucky")], &body());
    let by_member = merchant.post("/sandbox/scenarios", &json!({"name": "lucky"}));
    let by_path = merchant.get("/sandbox/scenarios/lucky");
    for (answer, path) in [
        (by_header, "sandbox-scenario"),
        (by_member, "/name"),
        (by_path, "name"),
    ] {
        assert_eq!((answer.status, answer.member("path").as_str()), (422, path));
        let known = answer.json()["known"].clone();
        assert_eq!(known.as_array().unwrap().len(), 16);
        assert!(
            answer.member("detail").contains("fail_insufficient_funds")
                && !answer.text.contains("lucky")
        );
    }
    assert_eq!(merchant.get("/sandbox/payments").json()["total"], 0);
}

#[test]
fn a_wrong_header_or_token_is_named() {
    let merchant = Sandbox::shared().merchant();
    let fault = merchant.create_with(&[("sandbox-fault", "status=ok")], &body());
    assert_eq!(
        (fault.status, fault.member("path").as_str()),
        (422, "sandbox-fault")
    );
    let address = &Sandbox::shared().address;
    let wrong = [("authorization", "Bearer secret-token")];
    let answer = http::call(address, "GET", "/sandbox/clock", &wrong, None).unwrap();
    assert_eq!(
        (answer.status, answer.member("path").as_str()),
        (401, "authorization")
    );
    assert!(!answer.text.contains("secret-token"));
    assert_eq!(
        http::call(address, "GET", "/v1/partner/balance", &wrong, None)
            .unwrap()
            .status,
        401
    );
    assert_eq!(
        http::call(address, "GET", "/v1/partner/balance", &[], None)
            .unwrap()
            .status,
        401
    );
}

#[test]
fn foreign_pages_are_refused() {
    let merchant = Sandbox::shared().merchant();
    let call = |headers: &[(&str, &str)]| {
        merchant
            .try_call("POST", "/sandbox/reset", headers, None)
            .unwrap()
            .status
    };
    assert_eq!(call(&[("origin", "https://evil.example")]), 403);
    assert_eq!(
        call(&[("origin", "null")]),
        403,
        "a page in a sandboxed frame"
    );
    assert_eq!(call(&[("sec-fetch-site", "cross-site")]), 403);
    assert_eq!(call(&[("origin", &Sandbox::shared().url())]), 204);
    // A page may send a text without a preflight request, and knows no token.
    let text = [("content-type", "text/plain"), ("origin", "null")];
    let address = &Sandbox::shared().address;
    let body = body().to_string();
    let created = http::call(address, "POST", "/v1/payments/new", &text, Some(&body)).unwrap();
    assert_eq!(created.status, 401);
}

#[test]
fn the_command_line_is_checked() {
    for (arguments, message) in [
        (&["sandbox", "--now", "today"][..], "--now"),
        (&["sandbox", "--step-ms", "0"], "--step-ms"),
        (&["sandbox", "--database", "mysql://x"], "--database"),
        (&["sandbox", "--listen", "nowhere"], "--listen"),
        (&["sandbox", "--policy", "/nonexistent"], "/nonexistent"),
        (&["conform", "--url", "ftp://x", "--token", "t"], "--url"),
        (
            &["conform", "--url", "http://127.0.0.1:1", "--token", "t"],
            "--url",
        ),
        (
            &[
                "conform",
                "--url",
                "http://127.0.0.1:1",
                "--token",
                "t",
                "--profile",
                "/nonexistent",
            ],
            "/nonexistent",
        ),
    ] {
        let output = run(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(2) && error.contains(message),
            "{arguments:?}: {error}"
        );
    }
}
