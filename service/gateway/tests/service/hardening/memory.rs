//! Card data in the memory of a gateway.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::Command;

use crate::card_numbers::card_number;
use crate::database::Database;
use crate::gateway::{self, Gateway, PROGRAM};
use crate::process_memory::{find_cards, regions};

const CREATE: &str = "/v1/payments/new";

/// A kind of request, which leaves its body in other buffers of the gateway.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Accepted,
    Invalid,
    NotJson,
    TooLarge,
    OfThePage,
    /// A second body for one key.
    OtherBody,
    /// A body whose type is not accepted.
    PlainText,
    InChunks,
    /// The client closes the connection before the last byte, and waits for no answer.
    Unfinished,
    /// The last byte does not arrive in time.
    Late,
}

/// The kinds of requests in turn, with their statuses.
const KINDS: [(Kind, Option<u16>); 10] = [
    (Kind::Accepted, Some(201)),
    (Kind::Invalid, Some(422)),
    (Kind::NotJson, Some(400)),
    (Kind::TooLarge, Some(413)),
    (Kind::OfThePage, Some(201)),
    (Kind::OtherBody, Some(409)),
    (Kind::PlainText, Some(415)),
    (Kind::InChunks, Some(201)),
    (Kind::Unfinished, None),
    (Kind::Late, Some(408)),
];

/// Returns another card number for each number.
fn card(number: usize) -> String {
    card_number(number as u64 * 7_919_317 % 1_000_000_000)
}

/// Returns another security code for each number up to 60.
fn code(number: usize) -> String {
    format!("{}", 100 + number * 13)
}

fn body(number: usize) -> String {
    let body = json!({
        "payment_type": "pay_in", "mode": "ACQUIRING", "subtype": "bank_card", "cur": "RUB", "amount": "1500.00",
        "host2host": true,
        "pay_in_details": {"card": {
            "card_holder": "ANNA PETROVA", "card_number": card(number), "expiry_year": 2099, "expiry_month": 12,
            "security_code": code(number),
        }},
    });
    body.to_string()
}

/// Returns the security codes that the writable memory of a process contains in JSON.
fn find_codes(pid: u32) -> BTreeSet<String> {
    const MEMBER: &[u8] = br#""security_code":""#;
    let code_of = |window: &[u8]| {
        let code = window.strip_prefix(MEMBER)?;
        let is_code = code.iter().all(u8::is_ascii_digit);
        is_code.then(|| String::from_utf8_lossy(code).into_owned())
    };
    regions(pid)
        .iter()
        .flat_map(|region| region.windows(MEMBER.len() + 3).filter_map(code_of))
        .collect()
}

async fn connections(gateway: &Gateway) -> u64 {
    let metrics = gateway.get("/metrics", None).await.text;
    let line = metrics
        .lines()
        .find_map(|line| line.strip_prefix("gateway_connections "));
    line.unwrap().parse().unwrap()
}

/// Opens a connection, and sends the head of a request, until the gateway wants its body.
async fn open(gateway: &Gateway, token: &str, headers: &str) -> TcpStream {
    let address = gateway.base.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST {CREATE} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         authorization: Bearer {token}\r\nexpect: 100-continue\r\n{headers}\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    gateway::continued(&mut stream).await;
    stream
}

/// Sends a body in two chunks, and returns the status.
async fn send_chunks(gateway: &Gateway, token: &str, body: &str) -> u16 {
    let mut stream = open(gateway, token, "transfer-encoding: chunked\r\n").await;
    let (first, rest) = body.split_at(20);
    for chunk in [first, rest, ""] {
        let chunk = format!("{:x}\r\n{chunk}\r\n", chunk.len());
        stream.write_all(chunk.as_bytes()).await.unwrap();
    }
    status(stream).await
}

/// Returns the status of the answer, after which the gateway closes the connection.
async fn status(mut stream: TcpStream) -> u16 {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer[9..12].parse().unwrap()
}

/// Sends a body except for its last byte.
async fn send_part(gateway: &Gateway, token: &str, body: &str) -> TcpStream {
    let length = format!("content-length: {}\r\n", body.len());
    let mut stream = open(gateway, token, &length).await;
    let part = &body.as_bytes()[..body.len() - 1];
    stream.write_all(part).await.unwrap();
    stream
}

/// Closes the connection before the last byte of the body, and waits until the gateway has noticed.
async fn go_away(gateway: &Gateway, token: &str, body: &str) {
    let before = connections(gateway).await;
    drop(send_part(gateway, token, body).await);
    let start = Instant::now();
    while connections(gateway).await > before {
        assert!(start.elapsed() < Duration::from_secs(30));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Sends a request of a kind, and returns the status.
async fn send(gateway: &Gateway, token: &str, kind: Kind, number: usize) -> Option<u16> {
    let mut text = body(number);
    let mut request = gateway.request(Method::POST, CREATE, Some(token));
    match kind {
        Kind::Accepted => {}
        Kind::Invalid => text = text.replace("1500.00", "-1"),
        Kind::NotJson => text.truncate(text.len() - 1),
        Kind::TooLarge => text.push_str(&" ".repeat(70_000)),
        Kind::OfThePage => {
            let made = gateway.request(Method::POST, "/checkout/api/sessions", None);
            let session: Value = made.send().await.unwrap().json().await.unwrap();
            request = gateway
                .request(Method::POST, "/checkout/api/payments", None)
                .header("checkout-session", session["id"].as_str().unwrap());
        }
        Kind::OtherBody => {
            let key = format!("order-{number}");
            let first = text.replace("1500.00", "1600.00");
            let first = gateway.create(token, Some(&key), &first).await;
            assert_eq!(first.status, 201, "{}", first.text);
            request = request.header("idempotency-key", key);
        }
        Kind::PlainText => {
            let url = format!("{}{CREATE}", gateway.base);
            let plain = gateway.client.post(url).bearer_auth(token);
            request = plain.header("content-type", "text/plain");
        }
        Kind::InChunks => return Some(send_chunks(gateway, token, &text).await),
        Kind::Unfinished => {
            go_away(gateway, token, &text).await;
            return None;
        }
        Kind::Late => return Some(status(send_part(gateway, token, &text).await).await),
    }
    // The gateway ends a connection whose body it has not read, and the client some others.
    if number.is_multiple_of(7) {
        request = request.header("connection", "close");
    }
    let answer = request.body(text).send().await.unwrap();
    Some(answer.status().as_u16())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memory_contains_no_card_data_after_requests() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let mut command = Command::new(PROGRAM);
    command
        .env("PAYSPEC_TEST_READABLE_MEMORY", "1")
        .env("GATEWAY_PAGE_MERCHANT", "shop-42")
        // A body has half of this time.
        .env("GATEWAY_TIMEOUT", "4");
    let gateway = Gateway::start_with(command, &database.url, &[], Stdio::null()).await;
    let pid = gateway.child.id().unwrap();
    // The document of the API has an example.
    let of_examples = find_codes(pid);
    let (cards, codes): (Vec<_>, BTreeSet<_>) =
        (1..=60).map(|number| (card(number), code(number))).unzip();
    assert!(codes.len() == 60 && codes.is_disjoint(&of_examples));
    for (number, (kind, expected)) in (1..=60).zip(KINDS.into_iter().cycle()) {
        let status = send(&gateway, &token, kind, number).await;
        assert_eq!(status, expected, "request {number}");
    }
    // The gateway waits for the next request of its connections.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let (cards_left, has_mask) = find_cards(pid, &cards);
    let codes = find_codes(pid);
    let codes_left: Vec<_> = codes.difference(&of_examples).collect();
    assert!(
        cards_left.is_empty() && codes_left.is_empty(),
        "{cards_left:?}, {codes_left:?}"
    );
    assert!(has_mask, "payments with masked numbers are in the memory");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memory_of_a_gateway_is_protected() {
    let gateway = Gateway::start(&Database::sqlite(), &[]).await;
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", gateway.child.id().unwrap()));
    let limits = limits.unwrap();
    let core = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"))
        .unwrap();
    let values: Vec<_> = core.split_whitespace().collect();
    assert_eq!(values[4..6], ["0", "0"], "{core}");
}
