//! The requests to the program of every example, and the expected answers: those of the core for
//! the same context.

use super::exchange::{Answer, Request};
use payspec::{CreateContext, Engine};
use payspec_tests::json::{Json, quoted};
use payspec_tests::seeds;
use std::ffi::OsString;
#[cfg(unix)]
use std::os::unix::ffi::OsStringExt;

const TOKEN: &str = "token-that-must-stay-secret";
const UID: &str = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";
const NOW: &str = "2026-11-20T10:15:30.250Z";
const QUOTE: &str = r#"{"currency":"RUB","rate":"92.45","as_of":"2026-11-20T10:15:00Z"}"#;
/// Contains other scripts, quotes and a character outside the basic plane. The answer must repeat
/// them unchanged.
const FOREIGN: &str = r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50","merchant_id":"Магазин \"№ 1\" \\ 店 💳 <&>","colour":"blue"}"#;

/// Values of the header Authorization that are answered with 401.
const HOSTILE_HEADERS: &[&[u8]] = &[
    b"",
    b"Bearer",
    b"Bearer ",
    b"Bearer a b",
    b"Bearer a\xff",
    b"\xff",
    b"\xed\xa0\x80",
    "Bearer \u{202e}№".as_bytes(),
    b"Bearer a\r\nX: y",
    b"Bearer \"a\\",
    b"Basic dXNlcjpwYXNz",
    b"Bearer token-that-must-stay-secreX",
    b"Bearer token-that-must-stay-secretX",
];

/// Values of the header Idempotency-Key: the first ones are keys, the others are answered with 400.
const HOSTILE_KEYS: &[&[u8]] = &[
    b"\"a\\\\b\\\"c\"",
    b"{\"a\":[1,2]}",
    b"<&>'%s%n$(id)",
    &[b'k'; 255],
    b"",
    b"order 1007",
    b"a\xff",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    "ключ".as_bytes(),
    b"\"",
    b"\"a",
    b"\"a\"b",
    b"\"\"",
    b"a\x7f",
    b"a\nb",
    &[b'k'; 256],
];

/// Bodies that are answered with 400 or 422.
const HOSTILE_BODIES: &[&[u8]] = &[
    b"",
    b"\xff",
    b"\0",
    b"\xef\xbb\xbf{}",
    b"{\"amount\":\"\xff\"}",
    b"{\"amount\":\"1\0\"}",
    b"{\"amount\":\"\\ud800\"}",
    b"{\"amount\":1e999,\"cur\":-0}",
    b"{\"a\":1,\"a\":2}",
    b"{\"__proto__\":{},\"constructor\":1}",
    b"[1, 2, 3]",
    b"null",
    b"{} {}",
    b"{\"\\u0000\\\"]}\":\"}\",\"body\":{}}",
];

/// Returns bytes as an argument or a variable of a program.
#[cfg(unix)]
fn text_of(bytes: &[u8]) -> OsString {
    OsString::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn text_of(bytes: &[u8]) -> OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

/// The expected answer.
enum Expected {
    /// This HTTP answer, with exit code 0 if it is a success and 1 if it is a problem.
    Http { text: String, success: bool },
    /// No standard output, this text in standard error, and exit code 2.
    CallerError(&'static str),
    /// A new payment with a uid and a time that the program generates.
    New,
}

/// A request and its expected answer.
pub(crate) struct Case {
    pub(crate) name: String,
    request: Request,
    expected: Expected,
}

impl Case {
    /// Returns the differences between the program's answer and the expected one.
    pub(crate) fn problems(&self, run: impl Fn(&Request) -> Result<Answer, String>) -> Vec<String> {
        let answer = match run(&self.request) {
            Ok(answer) => answer,
            Err(error) => return vec![error],
        };
        let output = String::from_utf8_lossy(&answer.output).into_owned();
        let mut problems = Vec::new();
        let mut code = |expected: i32| {
            if answer.code != Some(expected) {
                problems.push(format!(
                    "the exit code is {:?}, not {expected}: {}",
                    answer.code,
                    answer.errors.trim_end()
                ));
            }
        };
        match &self.expected {
            Expected::Http { text, success } => {
                code(i32::from(!success));
                // Java decodes variables before a program sees them, so a byte that is not UTF-8 is
                // a token with U+FFFD.
                let is_equal = if self
                    .request
                    .variables
                    .iter()
                    .all(|(_, value)| value.to_str().is_some())
                {
                    answer.output == text.as_bytes()
                } else {
                    without_challenge(&output) == without_challenge(text)
                };
                if !is_equal {
                    problems.push(format!("the answer is\n{output}\n       not\n{text}"));
                }
            }
            Expected::CallerError(text) => {
                code(2);
                if answer.stored {
                    problems.push("a payment was stored".to_owned());
                }
                if !answer.errors.contains(text) || !output.is_empty() {
                    problems.push(format!(
                        "expected the error {text}, got {} {output}",
                        answer.errors.trim_end()
                    ));
                }
            }
            Expected::New => {
                code(0);
                let second = run(&self.request)
                    .map(|answer| String::from_utf8_lossy(&answer.output).into_owned());
                problems.extend(
                    second
                        .and_then(|second| new_payments(&output, &second))
                        .err(),
                );
            }
        }
        let printed = format!("{output}{}", answer.errors);
        if [TOKEN, "4111111111111111", "2200000000000004"]
            .iter()
            .any(|secret| printed.contains(secret))
        {
            problems.push("the output contains a secret".to_owned());
        }
        problems
    }
}

/// Returns an answer without the header with the reason.
fn without_challenge(answer: &str) -> Vec<&str> {
    answer
        .split("\r\n")
        .filter(|line| !line.starts_with("WWW-Authenticate: "))
        .collect()
}

/// Checks two answers to the same request: they must contain different payments.
fn new_payments(first: &str, second: &str) -> Result<(), String> {
    let uid = |text: &str| -> Result<String, String> {
        let (head, body) = text
            .split_once("\r\n\r\n")
            .ok_or("the output is not an HTTP answer")?;
        let payment = Json::parse(body.as_bytes())?;
        let member = |name| {
            payment
                .get(name)
                .and_then(Json::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        if !head.starts_with("HTTP/1.1 201 ")
            || !head.ends_with(&format!("Content-Length: {}", body.len()))
        {
            return Err(format!("the head of the answer is {head}"));
        }
        // Set by the machine's clock, which is later than this program.
        if member("created_date").as_str() < "2026" || member("created_date").len() != NOW.len() {
            return Err(format!("created_date is {}", member("created_date")));
        }
        // The library validates the uid; the program must generate a random one (version 4).
        match member("uid") {
            uid if uid.get(14..15) == Some("4")
                && uid.get(19..20).is_some_and(|c| "89ab".contains(c)) =>
            {
                Ok(uid)
            }
            uid => Err(format!("{uid} is not a random UUID")),
        }
    };
    if uid(first)? == uid(second)? {
        Err("two payments have the same uid".to_owned())
    } else {
        Ok(())
    }
}

/// A request with the most common parameters, to be changed by a case.
struct Draft {
    body: Vec<u8>,
    uid: &'static str,
    now: &'static str,
    url: Option<&'static str>,
    /// The bytes of the header Authorization.
    header: Option<&'static [u8]>,
    /// The bytes of the header Idempotency-Key.
    key: Option<&'static [u8]>,
    /// The record of the key in the context of the core; the program reads it from its file.
    stored: Option<String>,
    quote: bool,
    policy: Option<&'static str>,
    /// Keeps the record of a previous case; otherwise it is removed first.
    keeps_record: bool,
}

const AUTHORIZATION: &[u8] = b"Bearer token-that-must-stay-secret";

fn draft(body: &[u8]) -> Draft {
    Draft {
        body: body.to_vec(),
        uid: UID,
        now: NOW,
        url: Some("https://pay.example/p?a='1'&b=2"),
        header: Some(AUTHORIZATION),
        key: None,
        stored: None,
        quote: false,
        policy: None,
        keeps_record: false,
    }
}

impl Draft {
    /// Returns the case, and the record that the core stores under its key.
    fn case(&self, name: &str) -> (Case, String) {
        let (text, success, stored) = self.expected();
        (
            Case {
                name: name.to_owned(),
                request: self.request(),
                expected: Expected::Http { text, success },
            },
            stored,
        )
    }

    fn request(&self) -> Request {
        let mut request = Request {
            body: self.body.clone(),
            ..Request::default()
        };
        let mut option = |name: &str, value: Option<&[u8]>| {
            if let Some(value) = value {
                request
                    .arguments
                    .extend([format!("--{name}").into(), text_of(value)]);
            }
        };
        option("uid", Some(self.uid.as_bytes()));
        option("now", Some(self.now.as_bytes()));
        option("url", self.url.map(str::as_bytes));
        option("key", self.key);
        option("record", self.key.map(|_| &b"{files}/record.json"[..]));
        option("quote", self.quote.then_some(b"{files}/quote.json"));
        option("policy", self.policy.map(|_| &b"{files}/policy.json"[..]));
        request
            .files
            .push(("quote.json".to_owned(), Some(QUOTE.to_owned())));
        request.files.extend(
            self.policy
                .map(|policy| ("policy.json".to_owned(), Some(policy.to_owned()))),
        );
        if !self.keeps_record {
            request.files.push(("record.json".to_owned(), None));
        }
        request
            .variables
            .push(("PAYSPEC_TOKEN".to_owned(), TOKEN.into()));
        request.variables.extend(
            self.header
                .map(|header| ("PAYSPEC_AUTHORIZATION".to_owned(), text_of(header))),
        );
        request
    }

    /// Returns the core's answer as HTTP text, whether it is a success, and the record for the key.
    fn expected(&self) -> (String, bool, String) {
        let mut context = format!(r#"{{"uid":{},"now":{}"#, quoted(self.uid), quoted(self.now));
        // A character that is not UTF-8 is in no token, as U+FFFD is in none.
        let header = self.header.map_or_else(
            || "null".to_owned(),
            |bytes| quoted(&String::from_utf8_lossy(bytes)),
        );
        context += &format!(
            r#","authorization":{{"header":{header},"accepted":{}}}"#,
            self.header == Some(AUTHORIZATION)
        );
        context += &self
            .url
            .map(|url| format!(r#","url":{}"#, quoted(url)))
            .unwrap_or_default();
        context += &if self.quote {
            format!(r#","quote":{QUOTE}"#)
        } else {
            String::new()
        };
        // The key as the operation returns it; a header without a key stays as it is, and is
        // rejected.
        let parse = |bytes| {
            Engine::default()
                .idempotency_key(bytes)
                .map(|key| key.as_str().to_owned())
                .ok()
        };
        if let Some(bytes) = self.key {
            let existing = self.stored.as_deref().unwrap_or("null");
            let key = parse(bytes).unwrap_or_default();
            context += &format!(
                r#","idempotency":{{"key":{},"existing":{existing}}}"#,
                quoted(&key)
            );
        }
        context.push('}');
        let policy = self
            .policy
            .map_or_else(|| Ok(Engine::default()), Engine::from_json);
        let engine = policy.unwrap_or_else(|error| panic!("the policy of a case: {error}"));
        let context = CreateContext::from_json(context.as_bytes())
            .unwrap_or_else(|error| panic!("a case: {error}"));
        let outcome = engine.create_payment(&self.body, &context);
        let body = outcome.body_json();
        let title = outcome
            .problem()
            .map_or("Created", |problem| problem.code().title());
        let mut text = format!(
            "HTTP/1.1 {} {title}\r\nContent-Type: application/json\r\n",
            outcome.status()
        );
        text += &format!("Content-Length: {}\r\n", body.len());
        if let Some(challenge) = outcome.www_authenticate() {
            text += &format!("WWW-Authenticate: {challenge}\r\n");
        }
        let fingerprint = quoted(outcome.fingerprint().unwrap_or_default());
        let stored = format!(
            r#"{{"created_at":{},"fingerprint":{fingerprint},"payment":{body}}}"#,
            quoted(self.now)
        );
        (format!("{text}\r\n{body}"), outcome.is_success(), stored)
    }
}

/// Returns all cases in the order in which they must run: a repeated key needs the record of the
/// first request.
pub(crate) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: &str, draft: Draft| {
        let (case, stored) = draft.case(name);
        cases.push(case);
        stored
    };
    let bodies = seeds::example_bodies();
    let body = |name: &str| {
        bodies
            .iter()
            .find(|(known, _)| known == name)
            .map_or(&[][..], |(_, body)| body.as_slice())
    };
    let (card, sbp) = (body("p2p-card"), body("p2p-sbp"));
    for (name, body) in &bodies {
        add(&format!("{name}.json"), draft(body));
    }
    add(
        "a quote",
        Draft {
            quote: true,
            ..draft(body("crypto"))
        },
    );
    add(
        "no address",
        Draft {
            url: None,
            ..draft(card)
        },
    );
    add("other scripts, and a warning", draft(FOREIGN.as_bytes()));
    add(
        "no token",
        Draft {
            header: None,
            ..draft(card)
        },
    );
    for (index, header) in HOSTILE_HEADERS.iter().enumerate() {
        add(
            &format!("hostile header {index}"),
            Draft {
                header: Some(header),
                ..draft(card)
            },
        );
    }
    for (index, body) in HOSTILE_BODIES.iter().enumerate() {
        add(&format!("hostile body {index}"), draft(body));
    }
    add(
        "a body that is too deep",
        draft("[".repeat(60_000).as_bytes()),
    );
    add(
        "a long number",
        draft(format!(r#"{{"amount":{}}}"#, "7".repeat(6000)).as_bytes()),
    );
    add(
        "a body that is too large",
        draft(" ".repeat(200_000).as_bytes()),
    );
    // More than the programs read.
    let long = " ".repeat(1024 * 1024 + 1);
    add("a body that is far too large", draft(long.as_bytes()));
    add(
        "such a body, with another token",
        Draft {
            header: Some(b"Bearer another"),
            ..draft(long.as_bytes())
        },
    );
    add(
        "a policy",
        Draft {
            policy: Some(r#"{"currencies":["USD"],"invalid_request_status":400}"#),
            ..draft(card)
        },
    );

    let keyed = |body: &[u8], now| Draft {
        key: Some(b"order-1007"),
        now,
        ..draft(body)
    };
    let stored = Some(add("a key", keyed(card, NOW)));
    // From here on the record exists. The uid differs, so that a replay is recognizable.
    let again = |body: &[u8], now| Draft {
        stored: stored.clone(),
        keeps_record: true,
        uid: "6fa459ea-ee8a-3ca4-894e-db77e160355e",
        ..keyed(body, now)
    };
    add(
        "the key again, 0.4 s later",
        again(card, "2026-11-20T10:15:30.650Z"),
    );
    add(
        "the key again, quoted",
        Draft {
            key: Some(br#""order-1007""#),
            ..again(card, "2026-11-20T10:15:30.650Z")
        },
    );
    add(
        "the key again, for another body",
        again(sbp, "2026-11-20T10:15:30.650Z"),
    );
    add(
        "the key again, 1 s later",
        again(card, "2026-11-20T10:15:31.250Z"),
    );
    add(
        "the key again, later than 1 s",
        again(card, "2026-11-20T10:15:31.251Z"),
    );
    let foreign = Some(add("a key, other scripts", keyed(FOREIGN.as_bytes(), NOW)));
    add(
        "that key again",
        Draft {
            stored: foreign,
            ..again(FOREIGN.as_bytes(), "2026-11-20T10:15:31Z")
        },
    );
    for (index, key) in HOSTILE_KEYS.iter().enumerate() {
        add(
            &format!("hostile key {index}"),
            Draft {
                key: Some(key),
                ..draft(card)
            },
        );
    }
    // The credential is checked first.
    add(
        "a hostile key, with another token",
        Draft {
            key: Some(b"\xff"),
            header: Some(b"Bearer another"),
            ..draft(card)
        },
    );

    let caller_error = |name: &str, text, request: Request| Case {
        name: name.to_owned(),
        request,
        expected: Expected::CallerError(text),
    };
    let valid = draft(card).request();
    let with = |arguments: &[&str], files: &[(&str, &str)]| {
        let mut request = valid.clone();
        request.arguments = arguments.iter().map(OsString::from).collect();
        request.files.extend(
            files
                .iter()
                .map(|(name, text)| ((*name).to_owned(), Some((*text).to_owned()))),
        );
        request
    };
    cases.extend([
        Case {
            name: "a uid and a time of the program".to_owned(),
            request: with(&[], &[]),
            expected: Expected::New,
        },
        caller_error("an invalid uid", "/uid", with(&["--uid", "7"], &[])),
        caller_error("an invalid policy", "/colour", {
            with(
                &["--policy", "{files}/policy.json"],
                &[("policy.json", r#"{"colour":"blue"}"#)],
            )
        }),
        caller_error(
            "a missing quote file",
            "nowhere.json",
            with(&["--quote", "{files}/nowhere.json"], &[]),
        ),
        caller_error(
            "a missing policy file",
            "nowhere.json",
            with(&["--policy", "{files}/nowhere.json"], &[]),
        ),
        caller_error("an invalid quote", "quote/rate", {
            with(
                &["--quote", "{files}/bad.json"],
                &[("bad.json", &QUOTE.replace("92.45", "0"))],
            )
        }),
        caller_error("a body that would be truncated", "1 MiB", {
            let mut body = card.to_vec();
            body.resize(1024 * 1024, b' ');
            body.push(b'x');
            let policy = r#"{"limits":{"body_bytes":4194304}}"#;
            let options = &[
                "--policy",
                "{files}/policy.json",
                "--key",
                "k",
                "--record",
                "{files}/record.json",
            ];
            Request {
                body,
                ..with(options, &[("policy.json", policy)])
            }
        }),
        caller_error("an unknown option", "", with(&["--colour", "blue"], &[])),
        caller_error("an option without its value", "", with(&["--key"], &[])),
        caller_error("no accepted token", "PAYSPEC_TOKEN", {
            Request {
                variables: vec![("PAYSPEC_AUTHORIZATION".to_owned(), text_of(AUTHORIZATION))],
                ..valid.clone()
            }
        }),
    ]);
    cases
}
