//! `payspec mcp`: no sequence of calls pays an order twice, no answer contains card data, and other
//! hosts and pages are refused. The official client runs every tool in `cli/tests/mcp`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use payspec_tests::planted_secrets::CARDS;
use serde_json::{Value, json};

use crate::http;
use crate::process::PROGRAM;

/// A client over pipes, whose server is killed with it.
struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// All that the server has written.
    written: String,
    id: u64,
}

impl Client {
    fn start() -> Self {
        let mut child = Command::new(PROGRAM)
            .args(["mcp", "--seed", "7"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut client = Self {
            child,
            input,
            output,
            written: String::new(),
            id: 0,
        };
        client.send("initialize", initialize());
        client.receive();
        client.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn write(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.id += 1;
        let id = self.id;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    fn receive(&mut self) -> Value {
        let start = self.written.len();
        self.output.read_line(&mut self.written).unwrap();
        serde_json::from_str(&self.written[start..]).expect("a message")
    }

    fn begin(&mut self, tool: &str, arguments: Value) -> u64 {
        self.send("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Returns the text of the next result, as an error if the tool failed.
    fn result(&mut self) -> Result<Value, String> {
        let message = self.receive();
        let result = &message["result"];
        let text = result["content"][0]["text"].as_str().expect("a text");
        match &result["isError"] {
            Value::Bool(true) => Err(text.to_owned()),
            _ => Ok(result["structuredContent"].clone()),
        }
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.begin(tool, arguments);
        self.result()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn initialize() -> Value {
    json!({
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    })
}

/// Returns the request for an order; the fraction of its amount is what an agent changes by mistake.
fn request(order: usize, fraction: u32) -> Value {
    json!({
        "payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": "RUB",
        "amount": format!("{}.{fraction:02}", order + 100),
    })
}

/// Returns a random fault of creations: before or after the payment is stored.
fn fault(random: &mut fastrand::Rng) -> Value {
    let when = random.choice(["before", "after"]).unwrap();
    let count = random.u32(1..4);
    match random.u32(0..4) {
        0 => {
            json!({"status": random.u32(400..600), "when": when, "count": count, "endpoint": "create"})
        }
        1 => json!({"delay_ms": 1, "when": when, "count": count}),
        _ => json!({"drop": true, "when": when, "count": count, "endpoint": "create"}),
    }
}

#[test]
fn no_sequence_of_retries_pays_an_order_twice() {
    const SEQUENCES: usize = 150;
    let mut random = fastrand::Rng::with_seed(20_261_128);
    let mut client = Client::start();
    let mut known: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let (mut lost, mut retried) = (0, 0);
    for sequence in 0..SEQUENCES {
        let orders = [sequence * 2, sequence * 2 + 1];
        for _ in 0..random.usize(2..12) {
            match random.u32(0..10) {
                0..3 => {
                    client.call("add_fault", fault(&mut random)).unwrap();
                }
                // Within the window of a key, and after it.
                3 => {
                    let seconds = *random.choice(&[0, 60, 40_000, 90_000]).unwrap();
                    client
                        .call("advance_clock", json!({"seconds": seconds}))
                        .unwrap();
                }
                _ => {
                    // Several calls at once, as a client sends them that does not wait.
                    let mut sent = BTreeMap::new();
                    for _ in 0..random.usize(1..4) {
                        let order = *random.choice(&orders).unwrap();
                        let fraction = u32::from(random.u32(0..8) == 0);
                        let arguments = json!({
                            "order": format!("order-{order}"), "request": request(order, fraction),
                        });
                        sent.insert(client.begin("create_payment", arguments), order);
                    }
                    while !sent.is_empty() {
                        let message = client.receive();
                        let order = sent.remove(&message["id"].as_u64().unwrap()).unwrap();
                        match message["result"]["structuredContent"]["uid"].as_str() {
                            Some(uid) => {
                                retried += usize::from(
                                    !known.entry(order).or_default().insert(uid.to_owned()),
                                );
                            }
                            None => lost += usize::from(message.to_string().contains("was lost")),
                        }
                    }
                }
            }
        }
        client.call("clear_faults", json!({})).unwrap();
    }
    for (order, uids) in &known {
        assert_eq!(uids.len(), 1, "order {order}: {uids:?}");
    }
    assert!(lost > 40 && retried > 40, "{lost} lost, {retried} retried");

    // Now each order is paid, also those whose answers were all lost: there are as many payments.
    for order in 0..SEQUENCES * 2 {
        for fraction in 0..2 {
            let arguments =
                json!({"order": format!("order-{order}"), "request": request(order, fraction)});
            // Refused if the first request was another one.
            let _ = client.call("create_payment", arguments);
        }
    }
    let overview = client.call("sandbox", json!({})).unwrap();
    assert_eq!(overview["total"], SEQUENCES * 2);
}

#[test]
fn no_message_contains_a_card_number() {
    let mut client = Client::start();
    for card in CARDS {
        let number: u64 = card.parse().unwrap_or(4_111_111_111_111_111);
        let details = json!({
            "card": {"card_number": card, "expiry_month": 12, "expiry_year": 2030, "security_code": "739"},
        });
        let mut body = request(1, 0);
        body["subtype"] = json!("bank_card");
        body["pay_in_details"] = details.clone();
        body["description"] = json!(format!("of {card}"));
        let invalid = json!({"amount": card, "cur": card, card: 1, "pay_in_details": details});
        let calls = [
            ("create_payment", json!({"order": card, "request": body})),
            (
                "create_payment",
                json!({"order": "invalid", "request": invalid}),
            ),
            ("create_payment", json!({"order": number, "request": card})),
            (
                "create_payment",
                json!({"order": "x", "request": {}, "scenario": card}),
            ),
            ("payment_status", json!({"uid": card})),
            ("deliveries", json!({"payment": card})),
            ("advance_clock", json!({"seconds": card})),
            ("add_fault", json!({"status": number, "endpoint": card})),
            ("add_fault", json!({"status": 503, "endpoint": card})),
            ("validate", json!({"body": invalid.to_string()})),
            (
                "validate",
                json!({"body": format!("{{\"amount\": {card} x")}),
            ),
            ("validate", json!({"body": card})),
            ("validate", json!({"request": invalid})),
            ("answer_challenge", json!({"uid": card, "result": card})),
            ("explain", json!({"name": card})),
            ("redact", json!({"text": card})),
            ("redact", json!({"text": invalid.to_string()})),
            ("conform", json!({"url": card, "token": card})),
            ("conform", json!({"profile": card})),
            ("sandbox", json!({card: card})),
            ("sandbox", json!({})),
            (card, json!({})),
        ];
        for (tool, arguments) in calls {
            client.begin(tool, arguments);
            client.receive();
        }
        for method in [card, "prompts/get", "tools/list", "completion/complete"] {
            client.send(method, json!({"name": card, "cursor": card, "uri": card}));
            client.receive();
        }
    }
    for card in CARDS {
        assert!(!client.written.contains(card), "a card number");
    }
    assert!(!client.written.contains("\"739\""), "a security code");
    assert!(client.written.contains("******"), "a masked number");
}

/// A server over HTTP, killed with its owner.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start() -> Self {
        let mut child = Command::new(PROGRAM)
            .args(["mcp", "--listen", "127.0.0.1:0", "--host", "tools"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let address = line
            .trim()
            .strip_prefix("mcp: http://")
            .expect("the address");
        let address = address.strip_suffix("/mcp").expect("the path").to_owned();
        Self { child, address }
    }

    fn post(&self, headers: &[(&str, &str)], body: &str) -> http::Answer {
        let accept = [("accept", "application/json, text/event-stream")];
        let headers = [&accept, headers].concat();
        http::call(&self.address, "POST", "/mcp", &headers, Some(body)).expect("an answer")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn other_hosts_and_pages_are_refused() {
    let server = Server::start();
    let message =
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize()});
    let status = |headers: &[(&str, &str)]| server.post(headers, &message.to_string()).status;
    let own = format!("http://{}", server.address);
    assert_eq!(status(&[]), 200);
    assert_eq!(status(&[("origin", &own)]), 200);
    assert_eq!(status(&[("origin", "http://evil.example")]), 403);
    assert_eq!(status(&[("origin", "null")]), 403);
    assert_eq!(status(&[("sec-fetch-site", "cross-site")]), 403);
    // A second host beside that of the client: one unknown host is enough.
    assert_ne!(status(&[("host", "evil.example")]), 200);
    let read = http::call(&server.address, "GET", "/sandbox/clock", &[], None).unwrap();
    assert_eq!(read.status, 200, "the sandbox is at the same address");
}

/// The codes of JSON-RPC distinguish an unknown method from wrong parameters.
#[test]
fn wrong_requests_have_the_code_of_their_mistake() {
    let mut client = Client::start();
    for (method, params, code) in [
        ("tools/call", json!({"name": 7}), -32602),
        (
            "tools/call",
            json!({"name": "sandbox", "arguments": "x"}),
            -32602,
        ),
        ("tools/listen", json!({}), -32601),
    ] {
        client.send(method, params);
        assert_eq!(client.receive()["error"]["code"], code, "{method}");
    }
}

#[test]
fn the_payer_answers_a_challenge() {
    let mut client = Client::start();
    for (result, state) in [("passed", "completed"), ("failed", "fail")] {
        let arguments = json!({"order": result, "request": request(1, 0), "scenario": "challenge"});
        let payment = client.call("create_payment", arguments).unwrap();
        let answer = json!({"uid": payment["uid"], "result": result});
        let early = client.call("answer_challenge", answer.clone()).unwrap_err();
        assert!(early.contains("does not wait for an answer"), "{early}");
        client.call("advance_clock", json!({"seconds": 2})).unwrap();
        let answered = client.call("answer_challenge", answer).unwrap();
        assert_eq!(answered["state"], state);
        let status = json!({"uid": payment["uid"]});
        let payment = client.call("payment_status", status).unwrap();
        assert_eq!(payment["state"], state);
    }
}

#[test]
fn a_request_is_validated_as_an_object_and_as_text() {
    let mut client = Client::start();
    let request = json!({"payment_type": "pay_in", "mode": "P2P", "subtype": "sbp", "cur": "RUB", "amount": "1.001"});
    let as_object = client.call("validate", json!({"request": request}));
    let as_text = client.call("validate", json!({"body": request.to_string()}));
    assert_eq!(as_object, as_text);
    let report = as_object.unwrap();
    let explanation = report["violations"][0]["explanation"].as_str().unwrap();
    assert!(explanation.starts_with("D6: "), "{explanation}");
    let both = json!({"request": request, "body": "{}"});
    assert_eq!(
        client.call("validate", both).unwrap_err(),
        "expected one of body, request"
    );
}

#[test]
fn wrong_messages_lead_to_answers_without_values() {
    let server = Server::start();
    let card = "4111111111111111";
    for body in [
        card.to_owned(),
        format!("\"{card}\""),
        format!("{{\"jsonrpc\": \"{card}\"}}"),
        format!("{{\"jsonrpc\": \"2.0\", \"id\": {{}}, \"method\": \"{card}\"}}"),
        format!(
            "{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": \"{card}\"}}"
        ),
        format!(
            "{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {{\"name\": {card}}}}}"
        ),
        format!(
            "{{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\", \"params\": {{\"protocolVersion\": \"{card}\"}}}}"
        ),
    ] {
        let answer = server.post(&[], &body);
        assert!(!answer.text.contains(card), "{}", answer.text);
    }
}
