//! `payspec conform` against the sandbox, the gateway, and a server with planted faults.

use std::collections::BTreeSet;
use std::process::Output;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use payspec_gateway::http::{App, ConnectionLimits, Quotas, ServeConfig, document, router, serve};
use payspec_gateway::rates::DemoRates;
use payspec_gateway::secret_keys::SecretKeys;
use payspec_gateway::service::Service;
use payspec_gateway::storage::{self, Actor, Audit, StorageConfig, TokenKind, TokenOwner};
use serde_json::Value;
use tokio::sync::watch;

use crate::postgres;
use crate::process::{Sandbox, run};
use crate::wrong_server::{self, FAULTS, TOKEN};

fn conform(url: &str, token: &str, arguments: &[&str]) -> Output {
    run(&[&["conform", "--url", url, "--token", token], arguments].concat())
}

fn report(url: &str, token: &str, profile: &str) -> (Option<i32>, Value) {
    let output = conform(url, token, &["--profile", profile, "--format", "json"]);
    let error = String::from_utf8_lossy(&output.stderr);
    (
        output.status.code(),
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no report: {error}")),
    )
}

fn with_result<'a>(report: &'a Value, result: &str) -> BTreeSet<&'a str> {
    let checks = report["checks"].as_array().unwrap().iter();
    checks
        .filter(|check| check["result"] == result)
        .map(|check| check["name"].as_str().unwrap())
        .collect()
}

#[test]
fn the_sandbox_conforms() {
    let merchant = Sandbox::shared().merchant();
    for profile in ["specification", "payspec"] {
        let (status, report) = report(&Sandbox::shared().url(), &merchant.token(), profile);
        assert_eq!(
            (status, with_result(&report, "failed")),
            (Some(0), BTreeSet::new()),
            "{profile}"
        );
        assert_eq!(report["skipped"], 0, "{report}");
    }
}

/// The clock of a seeded sandbox is stopped, so the window passes by its interface.
#[test]
fn a_sandbox_with_a_stopped_clock_conforms() {
    let sandbox = Sandbox::start(&["--seed", "1"]);
    let (status, report) = report(&sandbox.url(), &sandbox.named("default").token(), "payspec");
    assert_eq!(
        (status, with_result(&report, "failed")),
        (Some(0), BTreeSet::new())
    );
}

/// Each fault is found by the check that names it, and each check finds a fault.
#[test]
fn each_planted_fault_is_found_by_name() {
    let (status, correct) = report(&wrong_server::start(None), TOKEN, "payspec");
    assert_eq!(
        (status, with_result(&correct, "failed")),
        (Some(0), BTreeSet::new()),
        "without a fault"
    );
    assert_eq!(
        (&correct["skipped"], &correct["conforms"]),
        (&Value::from(0), &Value::from(true))
    );
    let (next, problems) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        // They mostly wait for the window to pass.
        for _ in 0..16 {
            scope.spawn(|| {
                while let Some((fault, check)) = FAULTS.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (status, report) =
                        report(&wrong_server::start(Some(fault)), TOKEN, "payspec");
                    let failed = with_result(&report, "failed");
                    if status != Some(1) || !failed.contains(check) {
                        problems
                            .lock()
                            .unwrap()
                            .push(format!("{fault}: {check} is not in {failed:?}"));
                    }
                }
            });
        }
    });
    let problems = problems.into_inner().unwrap();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let named: BTreeSet<&str> = FAULTS.iter().map(|(_, check)| *check).collect();
    assert_eq!(
        with_result(&correct, "passed"),
        named,
        "a check without a fault could be one that never fails"
    );
}

/// A rule that only a decision requires is not a fault by the specification alone.
#[test]
fn a_profile_selects_decisions() {
    let url = wrong_server::start(Some("a mask that shows the last four digits only"));
    let (status, by_specification) = report(&url, TOKEN, "specification");
    assert_eq!(
        (status, &by_specification["conforms"]),
        (Some(0), &Value::from(true))
    );
    assert!(with_result(&by_specification, "not_selected").contains("mask"));
    let folder = tempfile::tempdir().unwrap();
    let profile = folder.path().join("profile.json");
    std::fs::write(&profile, r#"{"name":"ours","decisions":["D22"]}"#).unwrap();
    let (status, by_file) = report(&url, TOKEN, profile.to_str().unwrap());
    assert_eq!(
        (status, with_result(&by_file, "failed")),
        (Some(1), BTreeSet::from(["mask"]))
    );
    assert_eq!(by_file["profile"], "ours");
    std::fs::write(&profile, r#"{"decisions":["D99"]}"#).unwrap();
    let output = conform(&url, TOKEN, &["--profile", profile.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
}

/// A policy that is not the default is examined, also without a decision.
#[test]
fn a_policy_is_examined() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let policy = r#"{"severity":{"unknown_member":"error","card_number_checksum":"off"},"required":["/user_id"],
        "invalid_request_status":400,"limits":{"body_bytes":5000,"amount":{"EUR":{"min":"150"}}},"crypto":{"scale":2}}"#;
    let profile = file(
        "profile",
        &format!(r#"{{"decisions":[],"policy":{policy}}}"#),
    );
    let sandbox = Sandbox::start(&["--seed", "1", "--policy", &file("policy", policy)]);
    let token = sandbox.named("default").token();
    let (status, met) = report(&sandbox.url(), &token, &profile);
    assert_eq!(
        (status, with_result(&met, "failed")),
        (Some(0), BTreeSet::new())
    );
    let checks = [
        "body_size",
        "crypto_scale",
        "invalid_request_status",
        "policy",
    ];
    let passed = with_result(&met, "passed");
    assert!(checks.iter().all(|check| passed.contains(check)), "{met}");
    // The default policy of the other server has none of them.
    let (status, report) = report(&wrong_server::start(None), TOKEN, &profile);
    let failed = with_result(&report, "failed");
    assert_eq!(status, Some(1));
    for check in checks {
        assert!(failed.contains(check), "{check} is not in {failed:?}");
    }
    let policy = report["checks"].as_array().unwrap().iter();
    let policy = policy.filter(|check| check["name"] == "policy");
    let found: Vec<_> = policy.map(|check| check["detail"].to_string()).collect();
    for setting in [
        "/severity/unknown_member rejects: 201",
        "/severity/card_number_checksum accepts: 422",
        "/required rejects: 201",
        "/limits/amount/EUR/min rejects: 201",
    ] {
        assert!(found[0].contains(setting), "{found:?}");
    }
}

#[test]
fn reports_have_sections_and_no_token() {
    let url = wrong_server::start(Some("a conflict at once"));
    let folder = tempfile::tempdir().unwrap();
    for (format, parts) in [
        (
            "text",
            &[
                "§8  Limits and the idempotency window",
                "FAILED   window_inside",
                "└ 409",
                "does not conform",
            ][..],
        ),
        (
            "html",
            &[
                "<title>Conformance of http://127.0.0.1:",
                "Does not conform",
                "id=\"window_inside\"",
                "failed</span>",
            ],
        ),
        (
            "junit",
            &[
                "<testsuite name=\"§8 Limits",
                "<failure message=\"409\"/>",
                "failures=\"1\"",
            ],
        ),
        (
            "json",
            &["\"name\": \"window_inside\"", "\"result\": \"failed\""],
        ),
    ] {
        let file = folder.path().join(format);
        let output = conform(
            &url,
            TOKEN,
            &["--format", format, "--output", file.to_str().unwrap()],
        );
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        let text = std::fs::read_to_string(&file).unwrap();
        for part in parts {
            assert!(text.contains(part), "{format}: {part} is not in {text}");
        }
        assert!(
            !text.contains(TOKEN) && !text.contains('\u{1b}'),
            "{format}"
        );
    }
}

#[test]
fn a_wrong_token_or_address_is_reported_at_once() {
    let url = Sandbox::shared().url();
    for (url, token, part) in [
        (
            url.clone(),
            "wrong",
            "--token: every call to an endpoint was answered with 401",
        ),
        (
            format!("{url}/v1"),
            "sandbox_default",
            "--url: every call was answered with 404: expected the address before /v1",
        ),
    ] {
        let output = conform(&url, token, &["--format", "json"]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(2) && output.stdout.is_empty() && error.contains(part),
            "{error}"
        );
        assert!(!error.contains(token), "{error}");
    }
}

async fn gateway(address: &str) -> (String, watch::Sender<bool>) {
    let keys = SecretKeys::parse("test:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=").unwrap();
    let config = StorageConfig {
        address,
        keys: Some(keys.into()),
        connections: 4,
        min_free_bytes: 0,
    };
    let storage = storage::open(&config).await.unwrap();
    storage.migrate().await.unwrap();
    let owner = TokenOwner {
        id: "1".to_owned(),
        name: "shop".to_owned(),
    };
    let actor = Actor {
        operator: "test".to_owned(),
        origin: "test".to_owned(),
    };
    let audit = Audit {
        actor: &actor,
        action: "token new",
        subject: "1",
        before: None,
        after: None,
        result: "done",
    };
    let hash = payspec_gateway::token::hash(TOKEN);
    storage
        .add_token(TokenKind::Merchant, &owner, &hash, audit)
        .await
        .unwrap();
    let (engine, currency) = (payspec::Engine::default(), "RUB".parse().unwrap());
    let document = document(&engine, "http://gateway.test").unwrap();
    let service = Service::new(
        engine,
        std::sync::Arc::clone(&storage) as _,
        storage,
        std::sync::Arc::new(DemoRates::default()),
        currency,
        None,
    );
    let app = App {
        service: service.into(),
        page: None,
        docs: true,
        checkout: None,
        timeout: std::time::Duration::from_secs(30),
        log_peers: false,
        quotas: Quotas::default(),
        document,
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (stop, stopping) = watch::channel(false);
    let config = ServeConfig {
        client_timeout: std::time::Duration::from_secs(30),
        limits: ConnectionLimits {
            total: 64,
            per_address: 64,
        },
        trusted_proxies: Vec::new(),
    };
    tokio::spawn(serve(listener, router(app.into()), config, stopping));
    (url, stop)
}

fn gateway_conforms(address: &str) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let (url, _stop) = runtime.block_on(gateway(address));
    let (status, report) = report(&url, TOKEN, "payspec");
    assert_eq!(
        (status, with_result(&report, "failed")),
        (Some(0), BTreeSet::new()),
        "{report}"
    );
    assert_eq!(report["skipped"], 0, "{report}");
}

#[test]
fn the_gateway_conforms_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    gateway_conforms(&format!("sqlite:{}/gateway.db", folder.path().display()));
}

#[test]
fn the_gateway_conforms_on_postgres() {
    gateway_conforms(&format!("{}/postgres", postgres::address()));
}
