//! A sandbox as a process, and the calls of a merchant.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

use serde_json::{Value, json};

use crate::http::{self, Answer};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_payspec");

/// Returns the simplest payment.
pub(crate) fn body() -> Value {
    json!({"payment_type": "pay_in", "mode": "P2P", "subtype": "bank_card", "cur": "RUB", "amount": "100.00"})
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &[&str]) -> Output {
    Command::new(PROGRAM)
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .expect("the program")
}

/// A process, killed with its owner.
pub(crate) struct Sandbox {
    child: Mutex<Child>,
    /// `HOST:PORT`.
    pub(crate) address: String,
    pub(crate) lines: Vec<(String, String)>,
}

impl Sandbox {
    /// Starts one and waits until it has printed its lines.
    pub(crate) fn start(arguments: &[&str]) -> Self {
        Self::start_with(Command::new(PROGRAM), arguments)
    }

    /// Starts one in the environment of a command.
    pub(crate) fn start_with(mut command: Command, arguments: &[&str]) -> Self {
        // A free port that is known even if another address is printed.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        drop(listener);
        command
            .args(["sandbox", "--listen", &address])
            .args(arguments)
            .stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program");
        let lines = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map(Result::unwrap);
        let split = |line: String| {
            line.split_once(": ")
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
        };
        let lines: Vec<_> = lines
            .map(|line| split(line).expect("name: value"))
            .take(5)
            .collect();
        Self {
            child: Mutex::new(child),
            address,
            lines,
        }
    }

    /// Returns one that all tests share. Each has merchants of its own.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: OnceLock<Sandbox> = OnceLock::new();
        SHARED.get_or_init(|| {
            let sandbox = Self::start(&[]);
            ended_with_the_tests(&sandbox);
            sandbox
        })
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.lock().unwrap().id()
    }

    /// Returns a merchant that no other test has.
    pub(crate) fn merchant(&self) -> Merchant<'_> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        self.named(&format!("test-{}", NUMBER.fetch_add(1, Ordering::Relaxed)))
    }

    pub(crate) fn named(&self, name: &str) -> Merchant<'_> {
        Merchant {
            sandbox: self,
            name: name.to_owned(),
        }
    }

    /// Stops it like a supervisor, and waits for its end.
    pub(crate) fn terminate(&self) -> bool {
        let id = self.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
        self.child.lock().unwrap().wait().unwrap().success()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let mut child = self.child.lock().unwrap();
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// A static value is never dropped, so another process ends the sandbox when its standard input
/// ends: that is, when the tests do.
fn ended_with_the_tests(sandbox: &Sandbox) {
    let script = format!("read -r _; kill {}", sandbox.id());
    let mut command = Command::new("sh");
    command
        .args(["-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    std::mem::forget(command.spawn().expect("sh"));
}

/// A merchant of a sandbox.
#[derive(Clone)]
pub(crate) struct Merchant<'a> {
    sandbox: &'a Sandbox,
    pub(crate) name: String,
}

impl Merchant<'_> {
    pub(crate) fn token(&self) -> String {
        format!("sandbox_{}", self.name)
    }

    /// Makes a call with the merchant's token and further headers.
    pub(crate) fn try_call(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Option<Answer> {
        let bearer = format!("Bearer {}", self.token());
        let headers = [&[("authorization", bearer.as_str())], headers].concat();
        http::call(&self.sandbox.address, method, path, &headers, body)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.try_call("GET", path, &[], None).expect("an answer")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.try_call("POST", path, &[], Some(&body.to_string()))
            .expect("an answer")
    }

    pub(crate) fn try_create(&self, headers: &[(&str, &str)], body: &Value) -> Option<Answer> {
        self.try_call("POST", "/v1/payments/new", headers, Some(&body.to_string()))
    }

    pub(crate) fn create_with(&self, headers: &[(&str, &str)], body: &Value) -> Answer {
        self.try_create(headers, body).expect("an answer")
    }

    /// Creates a payment and returns its uid.
    pub(crate) fn create(&self, body: &Value) -> String {
        let answer = self.create_with(&[], body);
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.member("uid")
    }

    pub(crate) fn payment(&self, uid: &str) -> Value {
        let answer = self.get(&format!("/v1/payments/{uid}/status"));
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.json()
    }

    pub(crate) fn state(&self, uid: &str) -> String {
        self.payment(uid)["state"].as_str().unwrap().to_owned()
    }

    /// Stops the clock and advances it; returns the time.
    pub(crate) fn advance(&self, millis: u64) -> String {
        let answer = self.post("/sandbox/clock", &json!({"advance_ms": millis}));
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.member("now")
    }

    pub(crate) fn deliveries(&self, uid: &str) -> Vec<Value> {
        self.get(&format!("/sandbox/deliveries?payment={uid}"))
            .json()
            .as_array()
            .unwrap()
            .clone()
    }

    /// Returns the states that the sandbox lists for a payment.
    pub(crate) fn timeline(&self, uid: &str) -> Vec<String> {
        let timeline = self.get(&format!("/sandbox/payments/{uid}")).json()["timeline"].clone();
        let state = |moment: &Value| moment["state"].as_str().unwrap().to_owned();
        timeline.as_array().unwrap().iter().map(state).collect()
    }
}
