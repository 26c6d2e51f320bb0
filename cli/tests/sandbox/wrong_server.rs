//! A server that conforms, except for one fault: each makes it wrong in a way that `payspec
//! conform` must name.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use payspec::{CreateContext, Engine, Timestamp};
use serde_json::{Value, json};

/// The token of the server.
pub(crate) const TOKEN: &str = "token-of-the-wrong-server";

/// Each fault, and the check that finds it.
pub(crate) const FAULTS: &[(&str, &str)] = &[
    ("answers with text/html", "json_content_type"),
    ("a url in host-to-host mode", "h2h_url"),
    ("no info in host-to-host mode", "h2h_info"),
    ("fiat as the currency of mode CRYPTO", "crypto_currency"),
    ("amounts of mode CRYPTO are not converted", "crypto_amounts"),
    ("an amount of mode CRYPTO has cents", "crypto_scale"),
    (
        "requested_amount of mode CRYPTO is in USDT",
        "crypto_requested",
    ),
    ("another currency than that of the request", "fiat_currency"),
    ("no created_date", "creation_members"),
    ("no requested_currency in mode CRYPTO", "crypto_members"),
    ("amounts are numbers", "types"),
    ("all payments have one uid", "uid"),
    ("another subtype than that of the request", "echo"),
    ("info without host-to-host mode", "info_without_h2h"),
    ("no card_number in info", "masked_card"),
    ("the full card number", "no_card_data"),
    ("the security code", "no_card_data"),
    ("the status lacks members", "same_members"),
    ("the status has another created_date", "stable_members"),
    ("a total without the charges", "amount_identities"),
    ("a mask that shows the last four digits only", "mask"),
    ("fail_code is null", "nullable_members"),
    ("subtype is optional", "required_subtype"),
    ("mode is optional", "required_mode"),
    ("any payment_type", "payment_type_values"),
    ("any mode", "mode_values"),
    (
        "amount, cur, and payment_type are optional",
        "required_members",
    ),
    ("any amount", "amount_formats"),
    ("any currency", "currencies"),
    ("unknown members are refused", "unknown_members"),
    ("a new payment is routed", "idle"),
    ("a new payment has paid_at", "not_paid"),
    ("a state that does not exist", "states"),
    ("completed without paid_at", "consistent_state"),
    ("a creation is answered with 200", "creates"),
    ("mode P2P is not implemented", "creates"),
    ("the status is answered with 202", "reads"),
    ("the status of another payment", "reads"),
    ("an unknown payment is answered with 200", "unknown_payment"),
    ("a text that is not a uid is answered with 400", "no_uid"),
    ("no balance", "balance"),
    ("a balance without cur", "balance_currency"),
    ("a balance with currency", "balance_legacy"),
    ("no credential is needed", "missing_credential"),
    ("any scheme is accepted", "other_scheme"),
    ("any token is accepted", "unknown_token"),
    ("the status needs no valid token", "unknown_token"),
    ("a 401 without a challenge", "challenge"),
    ("invalid bodies are answered with 500", "client_errors"),
    ("problems without a code", "problems"),
    ("problems without retryable", "retryable"),
    ("invalid bodies are retryable", "retryable"),
    (
        "invalid bodies are answered with 409",
        "invalid_request_status",
    ),
    ("no list of violations", "invalid_request_status"),
    ("malformed JSON is answered with 422", "malformed_json"),
    (
        "another body under a used key makes a payment",
        "key_reused",
    ),
    ("a conflict at once", "window_inside"),
    ("a second payment within the window", "window_inside"),
    ("no conflict after the window", "window_outside"),
    ("a conflict deletes the payment", "window_keeps_payment"),
    ("a conflict without uid", "conflict_uid"),
    ("a conflict has another uid", "conflict_uid"),
    (
        "a conflict has the uid for any body",
        "conflict_without_uid",
    ),
    ("two keys are one", "other_key"),
    ("requests without a key are one payment", "without_key"),
    ("a repetition has another body", "replay"),
    ("a key in quotes is another key", "quoted_key"),
    ("any key", "invalid_key"),
    ("any size", "body_size"),
    ("the legacy endpoints are there", "removed_endpoints"),
    ("members of the legacy API", "legacy_members"),
    ("info is a string", "info_object"),
];

/// Returns the base address of a server with a fault; without one it conforms. It ends with the
/// tests.
pub(crate) fn start(fault: Option<&'static str>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = Arc::new(Server {
        fault,
        ..Server::default()
    });
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let server = Arc::clone(&server);
            std::thread::spawn(move || server.serve(stream.unwrap()));
        }
    });
    url
}

#[derive(Default)]
struct Server {
    fault: Option<&'static str>,
    engine: Engine,
    records: Mutex<Records>,
}

#[derive(Default)]
struct Records {
    number: u64,
    payments: HashMap<String, Value>,
    keys: HashMap<String, Value>,
}

struct Request {
    method: String,
    path: String,
    headers: HashMap<String, String>,
    body: Vec<u8>,
}

struct Reply {
    status: u16,
    body: Value,
    /// Exact bytes instead of the body.
    text: Option<String>,
}

impl Reply {
    fn new(status: u16, body: Value) -> Self {
        Self {
            status,
            body,
            text: None,
        }
    }

    fn problem(status: u16, code: &str) -> Self {
        Self::new(
            status,
            json!({
                "type": "about:blank", "title": "Error", "status": status, "code": code, "retryable": false,
            }),
        )
    }
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Timestamp::from_unix(
        i64::try_from(since.as_secs()).unwrap(),
        since.subsec_nanos(),
    )
    .unwrap()
}

/// Returns the uid of the payment of a record.
fn uid_of(existing: Option<&Value>) -> Value {
    existing.map_or(Value::Null, |record| record["payment"]["uid"].clone())
}

impl Server {
    fn has(&self, fault: &str) -> bool {
        debug_assert!(FAULTS.iter().any(|(known, _)| *known == fault), "{fault}");
        self.fault == Some(fault)
    }

    fn serve(&self, mut stream: TcpStream) {
        let Some(request) = read(&stream) else { return };
        let mut reply = self.reply(&request);
        for (fault, member) in [
            ("problems without a code", "code"),
            ("problems without retryable", "retryable"),
            ("a conflict without uid", "uid"),
        ] {
            if reply.status >= 400 && self.has(fault) {
                reply
                    .body
                    .as_object_mut()
                    .map(|problem| problem.remove(member));
                reply.text = None;
            }
        }
        let text = reply.text.unwrap_or_else(|| reply.body.to_string());
        let kind = if self.has("answers with text/html") {
            "text/html"
        } else {
            "application/json"
        };
        let mut head = format!(
            "HTTP/1.1 {} X\r\ncontent-type: {kind}\r\nconnection: close\r\n",
            reply.status
        );
        if reply.status == 401 && !self.has("a 401 without a challenge") {
            head.push_str("www-authenticate: Bearer\r\n");
        }
        // Without the header Idempotent-Replayed, which nothing requires.
        let _ = write!(stream, "{head}content-length: {}\r\n\r\n{text}", text.len());
    }

    fn reply(&self, request: &Request) -> Reply {
        if request.path.contains("/pay_in") || request.path.contains("/pay_out") {
            return match self.has("the legacy endpoints are there") {
                true => Reply::new(201, json!({"payment_id": "1"})),
                false => Reply::problem(404, "not_found"),
            };
        }
        let uid = request
            .path
            .strip_prefix("/v1/payments/")
            .and_then(|rest| rest.strip_suffix("/status"));
        if !self.is_authorized(request, uid.is_some()) {
            return Reply::problem(401, "unauthorized");
        }
        match (request.method.as_str(), request.path.as_str(), uid) {
            ("POST", "/v1/payments/new", _) => self.create(request),
            ("GET", "/v1/partner/balance", _) => self.balance(),
            ("GET", _, Some(uid)) => self.status(uid),
            _ => Reply::problem(404, "not_found"),
        }
    }

    fn is_authorized(&self, request: &Request, is_status: bool) -> bool {
        match request
            .headers
            .get("authorization")
            .map(|value| value.split_once(' ').unwrap_or((value, "")))
        {
            None => self.has("no credential is needed"),
            Some(("Bearer", token)) => {
                let any = self.has("any token is accepted")
                    || self.has("the status needs no valid token") && is_status;
                any || token == TOKEN
            }
            Some(_) => self.has("any scheme is accepted"),
        }
    }

    fn balance(&self) -> Reply {
        if self.has("no balance") {
            return Reply::problem(404, "not_found");
        }
        let mut body = json!({"cur": "RUB", "amount": "0.00"});
        if self.has("a balance without cur") {
            body = json!({"amount": "0.00"});
        }
        if self.has("a balance with currency") {
            body["currency"] = json!("RUB");
        }
        Reply::new(200, body)
    }

    fn status(&self, uid: &str) -> Reply {
        let records = self.records.lock().unwrap();
        let Some(payment) = records.payments.get(uid) else {
            if self.has("an unknown payment is answered with 200") && uid.len() == 36 {
                return Reply::new(200, json!({"uid": uid}));
            }
            let status =
                if uid.len() != 36 && self.has("a text that is not a uid is answered with 400") {
                    400
                } else {
                    404
                };
            return Reply::problem(status, "payment_not_found");
        };
        let mut payment = payment.clone();
        if self.has("the status of another payment") {
            payment["uid"] = json!("11111111-1111-4111-8111-111111111111");
        }
        if self.has("the status lacks members") {
            payment.as_object_mut().unwrap().remove("total");
        }
        if self.has("the status has another created_date") {
            payment["created_date"] = json!("2001-01-01T00:00:00.000Z");
        }
        if self.has("a state that does not exist") {
            payment["state"] = json!("pending");
        }
        if self.has("completed without paid_at") {
            payment["state"] = json!("completed");
        }
        Reply::new(
            if self.has("the status is answered with 202") {
                202
            } else {
                200
            },
            payment,
        )
    }

    fn create(&self, request: &Request) -> Reply {
        let mut records = self.records.lock().unwrap();
        let key = request.headers.get("idempotency-key").cloned();
        let mut key = match key
            .as_ref()
            .map(|key| self.engine.idempotency_key(key.as_bytes()))
        {
            None => None,
            Some(Ok(_)) if self.has("a key in quotes is another key") => {
                key.map(|key| key.replace('"', "'"))
            }
            Some(Ok(key)) => Some(key.as_str().to_owned()),
            Some(Err(_)) if self.has("any key") => Some("any".to_owned()),
            Some(Err(_)) => return Reply::problem(400, "invalid_idempotency_key"),
        };
        if self.has("two keys are one") {
            key = key.map(|key| key.replace("-other", "-window"));
        }
        if self.has("requests without a key are one payment") && key.is_none() {
            key = Some("none".to_owned());
        }
        let uid = match self.has("all payments have one uid") {
            true => "22222222-2222-4222-8222-222222222222".to_owned(),
            false => {
                records.number += 1;
                format!("33333333-3333-4333-8333-{:012}", records.number)
            }
        };
        let body = self.accepted(&request.body);
        let existing = key
            .as_ref()
            .and_then(|key| records.keys.get(key))
            .cloned()
            .filter(|_| !self.forgets(&request.body));
        let mut context = json!({
            "uid": uid, "now": now().to_string(), "authorization": "checked_by_caller", "merchant_id": "shop-42",
            "url": "https://pay.example/checkout", "quote": {"currency": "RUB", "rate": "92.45", "as_of": now().to_string()},
            "charges": {"fee": "1.00", "commission": "2.00", "shared_commission": "0.50"},
        });
        if let Some(key) = &key {
            context["idempotency"] = json!({"key": key, "existing": existing});
        }
        let context = context.to_string();
        let context = CreateContext::from_json(&context).unwrap();
        let outcome = self.engine.create_payment(&body, &context);
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        if outcome.status() != 201 {
            return self.refusal(
                outcome.status(),
                serde_json::from_str(&outcome.body_json()).unwrap(),
                &mut records,
                existing,
            );
        }
        if outcome.replayed() == Some(true) {
            return self.repetition(&outcome.body_json());
        }
        if body["mode"] == "P2P" && self.has("mode P2P is not implemented") {
            return Reply::problem(501, "not_implemented");
        }
        if body.get("payspec_conform").is_some() && self.has("unknown members are refused") {
            return Reply::problem(422, "invalid_request");
        }
        let mut payment: Value = serde_json::from_str(&outcome.body_json()).unwrap();
        self.spoil(&body, &mut payment);
        if let (Some(key), Some(fingerprint)) = (key, outcome.fingerprint()) {
            let record = json!({"created_at": now().to_string(), "fingerprint": fingerprint, "payment": payment});
            records.keys.insert(key, record);
        }
        records
            .payments
            .insert(payment["uid"].as_str().unwrap().to_owned(), payment.clone());
        Reply::new(
            if self.has("a creation is answered with 200") {
                200
            } else {
                201
            },
            payment,
        )
    }

    /// Returns whether a fault makes the server forget the record of a key.
    fn forgets(&self, body: &[u8]) -> bool {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        self.has("no conflict after the window")
            || self.has("a second payment within the window")
            || self.has("another body under a used key makes a payment")
                && body["amount"] == "101.00"
    }

    fn repetition(&self, first: &str) -> Reply {
        if self.has("a conflict at once") {
            return Reply::problem(409, "idempotency_conflict");
        }
        let mut reply = Reply {
            text: Some(first.to_owned()),
            ..Reply::new(201, Value::Null)
        };
        if self.has("a repetition has another body") {
            reply.text = Some(first.replacen("{", "{ ", 1));
        }
        reply
    }

    fn refusal(
        &self,
        status: u16,
        mut problem: Value,
        records: &mut Records,
        existing: Option<Value>,
    ) -> Reply {
        if status == 409 && self.has("a conflict deletes the payment") {
            let uid = uid_of(existing.as_ref());
            records.payments.remove(uid.as_str().unwrap_or_default());
        }
        if problem["code"] == "idempotency_conflict" && self.has("a conflict has another uid") {
            problem["uid"] = json!("44444444-4444-4444-8444-444444444444");
        }
        if problem["code"] == "idempotency_conflict"
            && self.has("a conflict has the uid for any body")
        {
            problem["uid"] = uid_of(existing.as_ref());
        }
        let (mut status, is_invalid) = (status, status == 422);
        if is_invalid && self.has("invalid bodies are retryable") {
            problem["retryable"] = json!(true);
        }
        if is_invalid && self.has("invalid bodies are answered with 500") {
            status = 500;
        }
        if is_invalid && self.has("invalid bodies are answered with 409") {
            status = 409;
        }
        if status == 400 && self.has("malformed JSON is answered with 422") {
            status = 422;
        }
        if self.has("no list of violations") {
            problem.as_object_mut().unwrap().remove("violations");
        }
        problem["status"] = json!(status);
        Reply::new(status, problem)
    }

    /// Returns the body, or a valid one instead of a body that a fault lets pass.
    fn accepted(&self, bytes: &[u8]) -> Vec<u8> {
        let body: Value = serde_json::from_slice(bytes).unwrap_or_default();
        let lacks =
            |names: &[&str]| body.is_object() && names.iter().any(|name| body.get(*name).is_none());
        let passes =
            self.has("subtype is optional") && lacks(&["subtype"]) && body["mode"] != "CRYPTO"
                || self.has("mode is optional") && lacks(&["mode"])
                || self.has("any payment_type") && body["payment_type"] == "transfer"
                || self.has("any mode") && body["mode"] == "BARTER"
                || self.has("amount, cur, and payment_type are optional")
                    && lacks(&["amount", "cur", "payment_type"])
                || self.has("any amount") && !lacks(&["amount"]) && !self.is_amount(&body)
                || self.has("any currency") && body["cur"] == "ZZZ"
                || self.has("any size") && bytes.len() > 65_536;
        match passes {
            true => crate::process::body().to_string().into_bytes(),
            false => bytes.to_vec(),
        }
    }

    fn is_amount(&self, body: &Value) -> bool {
        let mut request = crate::process::body();
        request["amount"] = body["amount"].clone();
        self.engine
            .is_valid_request(request.to_string().as_bytes(), None)
    }

    /// Makes a new payment wrong.
    fn spoil(&self, request: &Value, payment: &mut Value) {
        let (is_crypto, is_h2h) = (request["mode"] == "CRYPTO", request["host2host"] == true);
        let mut set = |fault: &str, selected: bool, member: &str, value: Value| {
            if selected && self.has(fault) {
                payment[member] = value;
            }
        };
        set(
            "a url in host-to-host mode",
            is_h2h,
            "url",
            json!("https://pay.example/1"),
        );
        set("no info in host-to-host mode", is_h2h, "info", Value::Null);
        set(
            "no card_number in info",
            is_h2h,
            "info",
            json!({"type": "card"}),
        );
        set(
            "a mask that shows the last four digits only",
            is_h2h,
            "info",
            json!({"type": "card", "card_number": "************1111"}),
        );
        set(
            "the full card number",
            is_h2h,
            "info",
            json!({"type": "card", "card_number": "411111******1111", "pan": "4111111111111111"}),
        );
        set(
            "the security code",
            is_h2h,
            "info",
            json!({"type": "card", "card_number": "411111******1111", "security_code": "739"}),
        );
        set(
            "fiat as the currency of mode CRYPTO",
            is_crypto,
            "currency",
            json!("RUB"),
        );
        for member in ["amount", "gross_amount"] {
            set(
                "amounts of mode CRYPTO are not converted",
                is_crypto,
                member,
                request["amount"].clone(),
            );
        }
        set(
            "requested_amount of mode CRYPTO is in USDT",
            is_crypto,
            "requested_amount",
            json!("54.08"),
        );
        set(
            "another currency than that of the request",
            !is_crypto,
            "currency",
            json!("USD"),
        );
        set(
            "an amount of mode CRYPTO has cents",
            is_crypto,
            "amount",
            json!("54.08"),
        );
        set("amounts are numbers", true, "amount", json!(100));
        let is_card = request["subtype"] == "bank_card";
        set(
            "another subtype than that of the request",
            is_card,
            "subtype",
            json!("sbp"),
        );
        set(
            "info without host-to-host mode",
            !is_h2h,
            "info",
            json!({"bank": "Sberbank"}),
        );
        set("info is a string", !is_h2h, "info", json!("card"));
        set(
            "a total without the charges",
            !is_crypto,
            "total",
            request["amount"].clone(),
        );
        set("fail_code is null", true, "fail_code", Value::Null);
        set("a new payment is routed", true, "state", json!("routed"));
        set(
            "a new payment has paid_at",
            true,
            "paid_at",
            json!("2001-01-01T00:00:00.000Z"),
        );
        set(
            "members of the legacy API",
            true,
            "payed_amount",
            json!("0.00"),
        );
        let members = payment.as_object_mut().unwrap();
        if self.has("no created_date") {
            members.remove("created_date");
        }
        if is_crypto && self.has("no requested_currency in mode CRYPTO") {
            members.remove("requested_currency");
        }
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(": ") else {
            break;
        };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let length = headers
        .get("content-length")
        .map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request {
        method,
        path,
        headers,
        body,
    })
}
