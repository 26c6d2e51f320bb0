//! `payspec observe` against sandboxes with random policies, and its proxy.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;

use fastrand::Rng;
use serde_json::{Value, json};

use crate::http::{self, Answer};
use crate::process::{PROGRAM, Sandbox, run};

const CREATE: &str = "/v1/payments/new";
const PAN: &str = "4111111111111111";
const CODE: &str = "739";
const KEY: &str = "key-canary";
/// The merchant whose clock is never advanced, so that no callback is sent.
const RULES: &str = "rules";
/// The merchant of all other calls.
const OTHERS: &str = "token-canary";

/// Warnings that a policy may turn into errors, with their decisions.
const STRICTER: &[(&str, &[&str])] = &[
    ("unknown_member", &["D6"]),
    ("legacy_member", &["D4", "D16"]),
    ("variant_mismatch", &["D6"]),
    ("uri_private_host", &["D11"]),
    ("text_empty", &["D31"]),
    ("expiry_year_two_digits", &["D23"]),
    ("host2host_without_card", &["D6"]),
    ("card_without_host2host", &["D6"]),
    ("recipient_incomplete", &["D6"]),
    ("card_number_in_text", &["D6"]),
];
/// Errors that a policy may turn off. Their bodies are accepted then.
const MILDER: &[&str] = &[
    "uri_credentials",
    "text_control_character",
    "card_number_checksum",
    "phone_number_syntax",
];
/// Members that a policy may require, with a value and the decision.
const OPTIONAL: &[(&str, &str, &str)] = &[
    ("user_id", "user-1", "D5"),
    ("description", "Order", "D5"),
    ("bank_name", "Bank", "D5"),
    ("merchant_id", RULES, "D28"),
    ("subtype", "sbp", "D17"),
];
/// The decisions that the traffic confirms under the default policy.
const CONFIRMED: &[&str] = &[
    "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "D14", "D15",
    "D16", "D17", "D18", "D19", "D20", "D21", "D22", "D23", "D26", "D28", "D29", "D30", "D31",
];

/// A policy, and the decisions that it contradicts.
struct Plan {
    policy: Value,
    contradicted: BTreeSet<&'static str>,
}

impl Plan {
    fn random(rng: &mut Rng) -> Self {
        let mut contradicted = BTreeSet::new();
        let mut policy = json!({"severity": {}, "required": []});
        for _ in 0..rng.usize(0..3) {
            let (rule, decisions) = STRICTER[rng.usize(..STRICTER.len())];
            policy["severity"][rule] = json!("error");
            contradicted.extend(decisions);
        }
        if rng.u8(..3) == 0 {
            let rule = MILDER[rng.usize(..MILDER.len())];
            policy["severity"][rule] = json!(rng.choice(["warning", "off"]));
            contradicted.insert("D6");
        }
        for (member, _, decision) in OPTIONAL {
            if rng.u8(..6) == 0 {
                let list = policy["required"].as_array_mut().unwrap();
                list.push(json!(format!("/{member}")));
                contradicted.insert(decision);
            }
        }
        if rng.u8(..3) == 0 {
            policy["invalid_request_status"] = json!(400);
            contradicted.insert("D12");
        }
        if rng.u8(..3) == 0 {
            policy["crypto"] = json!({"scale": rng.choice([2, 8])});
            contradicted.insert("D20");
        }
        if rng.u8(..3) == 0 {
            policy["idempotency"] = json!({"window_ms": rng.choice([300, 5000])});
            contradicted.insert("D18");
        }
        Plan {
            policy,
            contradicted,
        }
    }

    fn requires(&self, member: &str) -> bool {
        let required = self.policy["required"].as_array().unwrap();
        required.contains(&json!(format!("/{member}")))
    }

    /// Adds the required members to a body, as text since it may not be valid.
    fn complete(&self, body: &str, except: &str) -> String {
        let mut body = body.to_owned();
        for (member, value, _) in OPTIONAL {
            let is_given = body.contains(&format!("\"{member}\":"));
            if self.requires(member) && *member != except && !is_given && body.starts_with('{') {
                body.insert_str(1, &format!("\"{member}\":\"{value}\","));
            }
        }
        body
    }
}

/// A recording of calls to a sandbox whose clock is stopped.
struct Recorder<'s> {
    sandbox: &'s Sandbox,
    lines: Vec<String>,
    millis: u64,
}

impl Recorder<'_> {
    fn call(
        &mut self,
        merchant: Option<&str>,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Answer {
        let bearer = merchant.map(|name| format!("Bearer sandbox_{name}"));
        let mut headers = headers.to_vec();
        headers.extend(bearer.as_deref().map(|bearer| ("authorization", bearer)));
        let answer = http::call(&self.sandbox.address, method, path, &headers, body).unwrap();
        let named = |(name, value): &(&str, &str)| json!({"name": name, "value": value});
        let answered = |(name, value): &(String, String)| json!({"name": name, "value": value});
        let (minute, second, milli) = (
            self.millis / 60_000,
            self.millis / 1000 % 60,
            self.millis % 1000,
        );
        let line = json!({
            "startedDateTime": format!("2026-01-01T00:{minute:02}:{second:02}.{milli:03}Z"), "time": 0.0,
            "request": {
                "method": method, "url": format!("https://pay.example{path}"),
                "headers": headers.iter().map(named).collect::<Vec<_>>(),
                "postData": {"mimeType": "application/json", "text": body},
            },
            "response": {
                "status": answer.status, "headers": answer.headers.iter().map(answered).collect::<Vec<_>>(),
                "content": {"mimeType": "application/json", "text": answer.text},
            },
        });
        self.lines.push(line.to_string());
        answer
    }

    fn create(&mut self, merchant: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        self.call(Some(merchant), "POST", CREATE, headers, Some(body))
    }

    fn advance(&mut self, millis: u64) {
        self.sandbox.named(OTHERS).advance(millis);
        self.millis += millis;
    }
}

/// Records a body for each rule, and calls for each other decision.
fn record(sandbox: &Sandbox, plan: &Plan, seed: u64) -> Vec<String> {
    let mut recorder = Recorder {
        sandbox,
        lines: Vec::new(),
        millis: 0,
    };
    let generated = run(&["generate", "--all-rules", "--seed", &seed.to_string()]).stdout;
    let generated = String::from_utf8(generated).unwrap();
    for body in generated.lines().filter(|line| !line.contains("\"uid\"")) {
        let body = of_merchant(body, RULES);
        recorder.create(RULES, &[], &plan.complete(&body, ""));
    }
    let plain = json!({"payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": "RUB", "amount": "100.00"});
    let crypto =
        json!({"payment_type": "pay_in", "mode": "CRYPTO", "cur": "RUB", "amount": "5000.00"});
    for (member, _, _) in OPTIONAL {
        let body = if *member == "subtype" {
            &crypto
        } else {
            &plain
        };
        recorder.create(RULES, &[], &plan.complete(&body.to_string(), member));
    }
    for (name, value) in [
        ("system", json!("a")),
        ("widget", json!("a")),
        ("merchant_id", json!(RULES)),
        ("unknown", json!(1)),
    ] {
        let mut body = plain.clone();
        body[name] = value;
        recorder.create(RULES, &[], &plan.complete(&body.to_string(), ""));
    }
    let card =
        json!({"card_number": PAN, "expiry_year": 2099, "expiry_month": 12, "security_code": CODE});
    let mut h2h = json!({
        "payment_type": "pay_in", "mode": "ACQUIRING", "subtype": "bank_card", "cur": "RUB", "amount": "320.00",
        "host2host": true, "pay_in_details": {"card": card},
    });
    recorder.create(RULES, &[], &plan.complete(&h2h.to_string(), ""));
    h2h["pay_in_details"]["card"]["expiry_year"] = json!(99);
    recorder.create(RULES, &[], &plan.complete(&h2h.to_string(), ""));
    let pay_out = json!({
        "payment_type": "pay_out", "mode": "P2P", "subtype": "bank_card", "cur": "RUB", "amount": "700.00",
        "time_to_complete_payment": 600, "pay_out_details": {"card_number": PAN},
    });
    recorder.create(RULES, &[], &plan.complete(&pay_out.to_string(), ""));
    recorder.create(RULES, &[], &plan.complete(&crypto.to_string(), ""));
    let without_currency = plain.to_string().replace("\"cur\"", "\"currency\"");
    recorder.create(RULES, &[], &plan.complete(&without_currency, ""));
    recorder.create(RULES, &[], "{\"payment_type\":");
    recorder.create(
        RULES,
        &[],
        &plan
            .complete(&plain.to_string(), "")
            .replace('}', &" ".repeat(70_000)),
    );
    recorder.create(
        RULES,
        &[("idempotency-key", "not a key")],
        &plain.to_string(),
    );
    recorder.call(None, "GET", "/v1/partner/balance", &[], None);
    recorder.call(Some(RULES), "GET", "/v1/partner/balance", &[], None);
    let mut base = plain.clone();
    for (member, value, _) in OPTIONAL
        .iter()
        .filter(|(member, _, _)| plan.requires(member))
    {
        base[*member] = json!(if *member == "merchant_id" {
            OTHERS
        } else {
            value
        });
    }
    keys(&mut recorder, &base);
    states(&mut recorder, &base);
    recorder.lines
}

/// Replaces the merchant of a generated body.
fn of_merchant(body: &str, merchant: &str) -> String {
    let Some((before, rest)) = body.split_once("\"merchant_id\":\"shop-") else {
        return body.to_owned();
    };
    let (_, after) = rest.split_once('"').unwrap();
    format!("{before}\"merchant_id\":\"{merchant}\"{after}")
}

fn keys(recorder: &mut Recorder<'_>, base: &Value) {
    let mut other = base.clone();
    other["amount"] = json!("101.00");
    let (base, other) = (base.to_string(), other.to_string());
    let key = [("idempotency-key", KEY)];
    recorder.create(OTHERS, &key, &base);
    recorder.create(OTHERS, &key, &other);
    recorder.advance(500);
    recorder.create(OTHERS, &key, &base);
    recorder.advance(600);
    recorder.create(OTHERS, &key, &base);
    recorder.advance(5000);
    let quoted = format!("\"{KEY}\"");
    recorder.create(OTHERS, &[("idempotency-key", &quoted)], &base);
    recorder.create(OTHERS, &key, &other);
}

fn states(recorder: &mut Recorder<'_>, base: &Value) {
    let scenarios = ["completed", "not_fully", "fail_do_not_honor", "chargeback"];
    let uids: Vec<String> = scenarios
        .iter()
        .map(|scenario| {
            let answer =
                recorder.create(OTHERS, &[("sandbox-scenario", scenario)], &base.to_string());
            answer.member("uid")
        })
        .collect();
    for millis in [0, 1000, 1500, 10_000] {
        recorder.advance(millis);
        for uid in &uids {
            let path = format!("/v1/payments/{uid}/status");
            recorder.call(Some(OTHERS), "GET", &path, &[], None);
        }
    }
}

/// The counts of one round.
struct Round {
    expected: usize,
    found: usize,
}

/// Observes a sandbox with a random policy. Panics at a wrong entry of the profile.
fn round(seed: u64, folder: &Path) -> Round {
    let plan = Plan::random(&mut Rng::with_seed(seed));
    let file = |name: &str| folder.join(format!("{seed}-{name}")).display().to_string();
    let (policy, traffic, profile) = (file("policy"), file("traffic.jsonl"), file("profile"));
    fs::write(&policy, plan.policy.to_string()).unwrap();
    let sandbox = Sandbox::start(&["--seed", "1", "--policy", &policy]);
    fs::write(&traffic, record(&sandbox, &plan, seed).join("\n")).unwrap();
    drop(sandbox);
    let output = run(&["observe", &traffic, "--json", "--write-profile", &profile]);
    let text = String::from_utf8(output.stdout).unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.is_empty(), "{seed}: {error}");
    let written = fs::read_to_string(&profile).unwrap();
    assert_no_secret(&format!("{text}{written}"));
    let report: Value = serde_json::from_str(&text).unwrap();
    let profile_json: Value = serde_json::from_str(&written).unwrap();
    assert_right(seed, &plan, &profile_json);
    conforms(seed, &profile);
    let verdict = |id: &str| {
        let decisions = report["decisions"].as_array().unwrap();
        let decision = decisions.iter().find(|decision| decision["id"] == id);
        decision.unwrap()["verdict"].as_str().unwrap().to_owned()
    };
    let is_found = |id: &&&str| match plan.contradicted.contains(**id) {
        true => verdict(id) == "contradicted",
        false => verdict(id) == "confirmed",
    };
    let missed: Vec<_> = CONFIRMED.iter().filter(|id| !is_found(id)).collect();
    if !missed.is_empty() {
        println!("{seed}: {missed:?} under {}", plan.policy);
    }
    Round {
        expected: CONFIRMED.len(),
        found: CONFIRMED.len() - missed.len(),
    }
}

fn assert_no_secret(text: &str) {
    for secret in [PAN, KEY, &format!("sandbox_{OTHERS}")] {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
    assert!(
        !text.contains(&format!("security_code\\\":\\\"{CODE}")),
        "{text}"
    );
}

/// Each entry of the profile is one of the sandbox.
fn assert_right(seed: u64, plan: &Plan, profile: &Value) {
    for decision in profile["decisions"].as_array().unwrap() {
        let id = decision.as_str().unwrap();
        assert!(
            !plan.contradicted.contains(id),
            "{seed}: {id} is not confirmed"
        );
    }
    let (inferred, policy) = (&profile["policy"], &plan.policy);
    for (name, value) in inferred.as_object().unwrap() {
        match name.as_str() {
            "severity" => {
                for (rule, severity) in value.as_object().unwrap() {
                    let real = policy["severity"][rule].as_str();
                    let is_error = |severity: Option<&str>| severity == Some("error");
                    assert!(
                        real.is_some() && is_error(real) == is_error(severity.as_str()),
                        "{seed}: {rule} is {real:?}, not {severity}"
                    );
                }
            }
            "required" => {
                let required = policy["required"].as_array().unwrap();
                let is_real = |pointer: &Value| required.contains(pointer);
                assert!(
                    value.as_array().unwrap().iter().all(is_real),
                    "{seed}: {value}"
                );
            }
            name => assert_eq!(value, &policy[name], "{seed}: {name}"),
        }
    }
}

/// A sandbox with the profile meets the decisions of the profile.
fn conforms(seed: u64, profile: &str) {
    let sandbox = Sandbox::start(&["--seed", "1", "--profile", profile]);
    let output = run(&[
        "conform",
        "--url",
        &sandbox.url(),
        "--token",
        "sandbox_default",
        "--merchant-id",
        "default",
        "--profile",
        profile,
    ]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{seed}: {text}");
}

/// Runs rounds with several threads, which mostly wait for the windows of `conform`.
fn rounds(seeds: std::ops::Range<u64>) {
    let folder = tempfile::tempdir().unwrap();
    let (next, counts) = (AtomicU64::new(seeds.start), Mutex::new((0, 0)));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    let round = round(seed, folder.path());
                    let mut counts = counts.lock().unwrap();
                    *counts = (counts.0 + round.expected, counts.1 + round.found);
                }
            });
        }
    });
    let (expected, found) = counts.into_inner().unwrap();
    assert!(
        expected > 0 && found * 100 >= expected * 95,
        "{found} of {expected}"
    );
    println!("{found} of {expected} decisions are found");
}

#[test]
fn decisions_of_sandboxes_are_found() {
    rounds(0..12);
}

#[test]
#[ignore = "takes minutes; run it with --ignored after a change of observe"]
fn decisions_of_many_sandboxes_are_found() {
    rounds(100..300);
}

/// A running proxy.
struct Proxy {
    child: Child,
    stderr: BufReader<ChildStderr>,
    address: String,
}

impl Proxy {
    fn start(upstream: &str, option: &str, file: &Path) -> Self {
        let mut child = Command::new(PROGRAM)
            .args(["observe", "--json", "--upstream", upstream])
            .args(["--listen", "127.0.0.1:0", option])
            .arg(file)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        stderr.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("proxy: http://").expect(&line);
        Proxy {
            child,
            stderr,
            address: address.to_owned(),
        }
    }

    /// Interrupts the proxy, and returns its report.
    fn stop(self) -> String {
        let (_, report, _) = self.ended();
        report
    }

    /// Interrupts the proxy. Returns its exit status, its report, and its errors.
    fn ended(mut self) -> (Option<i32>, String, String) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-INT", &id]).status();
        assert!(status.unwrap().success());
        let mut errors = String::new();
        self.stderr.read_to_string(&mut errors).unwrap();
        let output = self.child.wait_with_output().unwrap();
        let report = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), report, errors)
    }
}

/// Answers one call with a body of this size. Returns the address, and the head of the call.
fn answer_once(size: usize) -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let served = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let head = lines.by_ref().map(Result::unwrap);
        let head: Vec<_> = head.take_while(|line| !line.is_empty()).collect();
        let answer = format!(
            "HTTP/1.1 200 OK\r\nconnection: x-link\r\nx-link: a\r\nx-end: a\r\ncontent-length: {size}\r\n\r\n"
        );
        stream.write_all(answer.as_bytes()).unwrap();
        stream.write_all(&vec![b'a'; size]).unwrap();
        head.join("\n").to_lowercase()
    });
    (url, served)
}

/// The service has executed the call, so the client receives a large answer as well.
#[test]
fn large_answers_pass_the_proxy() {
    let size = 9 << 20;
    let (url, served) = answer_once(size);
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("recording.jsonl");
    let proxy = Proxy::start(&url, "--record", &recording);
    let headers = [
        ("connection", "x-hop, X-Other"),
        ("x-hop", "a"),
        ("x-other", "a"),
        ("x-kept", "a"),
    ];
    let answer = http::call(&proxy.address, "GET", "/v1/partner/balance", &headers, None).unwrap();
    assert_eq!((answer.status, answer.text.len()), (200, size));
    // Headers that a connection names belong to it.
    assert_eq!(
        (answer.header("x-link"), answer.header("x-end")),
        (None, Some("a"))
    );
    let head = served.join().unwrap();
    assert!(head.contains("x-kept: a"), "{head}");
    assert!(
        !head.contains("x-hop") && !head.contains("x-other"),
        "{head}"
    );
    let (status, report, errors) = proxy.ended();
    assert_eq!((status, report.as_str()), (Some(2), ""), "{errors}");
    let counts = "none of 1 call through the proxy was observed, 1 had an answer over 8 MiB";
    assert!(errors.contains(counts), "{errors}");
    assert!(!recording.exists(), "nothing was recorded");
}

#[test]
fn a_proxy_overwrites_no_recording() {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("recording.jsonl");
    fs::write(&recording, "").unwrap();
    let recording = recording.display().to_string();
    let output = run(&[
        "observe",
        "--upstream",
        "http://127.0.0.1:1",
        "--listen",
        "127.0.0.1:0",
        "--record",
        &recording,
    ]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("--record: "), "{error}");
}

/// Without a call of the interface there is nothing to report, and no profile to write.
#[test]
fn a_proxy_without_exchanges_fails() {
    let folder = tempfile::tempdir().unwrap();
    for (calls, part) in [
        (
            0,
            "none of 0 calls through the proxy was observed: expected POST",
        ),
        (
            2,
            "none of 2 calls through the proxy was observed, 2 had no complete answer of --upstream",
        ),
    ] {
        for option in ["--write-profile", "--record"] {
            let file = folder.path().join(option);
            let proxy = Proxy::start("http://127.0.0.1:1", option, &file);
            for _ in 0..calls {
                let balance = "/v1/partner/balance";
                let answer = http::call(&proxy.address, "GET", balance, &[], None).unwrap();
                assert_eq!(answer.status, 502);
            }
            let (status, report, errors) = proxy.ended();
            assert_eq!((status, report.as_str()), (Some(2), ""), "{errors}");
            assert!(errors.contains(part), "{errors}");
            assert!(!file.exists(), "{option}");
        }
    }
}

#[test]
fn the_proxy_observes_and_redacts() {
    let sandbox = Sandbox::start(&["--seed", "1"]);
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("recording.jsonl");
    let proxy = Proxy::start(&sandbox.url(), "--record", &recording);
    let token = format!("Bearer sandbox_{OTHERS}");
    let headers = [("authorization", token.as_str()), ("idempotency-key", KEY)];
    let card =
        json!({"card_number": PAN, "expiry_year": 2099, "expiry_month": 12, "security_code": CODE});
    let body = json!({
        "payment_type": "pay_in", "mode": "ACQUIRING", "subtype": "bank_card", "cur": "RUB", "amount": "320.00",
        "host2host": true, "pay_in_details": {"card": card}, "description": KEY,
    });
    let call = || {
        http::call(
            &proxy.address,
            "POST",
            CREATE,
            &headers,
            Some(&body.to_string()),
        )
        .expect("an answer")
    };
    let (first, second) = (call(), call());
    assert_eq!((first.status, second.status), (201, 201), "{}", first.text);
    assert_eq!(first.member("uid"), second.member("uid"));
    let missing = http::call(&proxy.address, "GET", "/v1/partner/balance", &[], None).unwrap();
    assert_eq!(missing.status, 401);
    drop(sandbox);
    let failed = http::call(&proxy.address, "GET", "/v1/partner/balance", &[], None).unwrap();
    assert_eq!(failed.status, 502);
    let report = proxy.stop();
    let recorded = fs::read_to_string(&recording).unwrap();
    assert_no_secret(&format!("{report}{recorded}"));
    assert!(recorded.contains("411111******1111"), "{recorded}");
    // The recording shows what the proxy has seen.
    let again = run(&["observe", "--json", &recording.display().to_string()]);
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["failed"], 1, "{report}");
    for observed in [&report, &again] {
        let decisions = observed["decisions"].as_array().unwrap();
        let confirmed: BTreeSet<_> = decisions
            .iter()
            .filter(|decision| decision["verdict"] == "confirmed")
            .map(|decision| decision["id"].as_str().unwrap())
            .collect();
        for id in ["D1", "D2", "D8", "D10", "D22"] {
            assert!(confirmed.contains(id), "{id}: {observed}");
        }
        assert!(
            decisions
                .iter()
                .all(|decision| decision["contradicted"] == 0),
            "{observed}"
        );
    }
}
