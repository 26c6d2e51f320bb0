//! Requests inside of requests: each way to state where a body ends.

mod cases;

use std::time::Duration;

use futures_util::future::join_all;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use cases::{CHUNKS, HEADS, LENGTHS, REQUESTS};

use crate::database::Database;
use crate::gateway::{self, BODY, Gateway};

/// Returns the bytes of a case.
fn fill(text: &str, authorization: &str, inner_authorization: &str) -> String {
    let head = |version: &str, authorization: &str| {
        format!(
            "POST /v1/payments/new HTTP/{version}\r\nhost: x\r\ncontent-type: application/json\r\n{authorization}"
        )
    };
    let size = BODY.len();
    let inner = head("1.1", inner_authorization);
    let inner = format!("{inner}content-length: {size}\r\n\r\n{BODY}");
    let length = inner.len();
    [
        ("<post>", head("1.1", authorization)),
        ("<old post>", head("1.0", authorization)),
        ("<token>", authorization.to_owned()),
        ("<inner token>", inner_authorization.to_owned()),
        ("<chunks>", format!("{length:x}\r\n{inner}\r\n0\r\n\r\n")),
        ("<payment>", format!("{size:x}\r\n{BODY}\r\n")),
        ("<body>", BODY.to_owned()),
        ("<size>", size.to_string()),
        ("<inner>", inner),
        ("<length>", length.to_string()),
        ("<hex>", format!("{length:x}")),
        ("<20 KB>", "x".repeat(20_000)),
        ("<150 headers>", "x: y\r\n".repeat(150)),
    ]
    .into_iter()
    .fold(text.to_owned(), |text, (mark, value)| {
        text.replace(mark, &value)
    })
}

/// Returns all that the gateway answers until it closes the connection, or is silent after a number of
/// answers.
async fn answers(address: &str, request: String, expected: usize) -> String {
    const PATIENCE: Duration = Duration::from_secs(60);
    const SILENCE: Duration = Duration::from_secs(2);
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The gateway may refuse the head before the rest is written.
    let _ = stream.write_all(request.as_bytes()).await;
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes);
        let limit = match statuses(&text).len() < expected {
            true => PATIENCE,
            false => SILENCE,
        };
        let Ok(Ok(1..)) = timeout(limit, stream.read_buf(&mut bytes)).await else {
            return String::from_utf8(bytes).unwrap();
        };
    }
}

fn statuses(text: &str) -> Vec<u16> {
    text.match_indices("HTTP/1.")
        .filter_map(|(start, _)| text.get(start + 9..start + 12)?.parse().ok())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_body_is_taken_for_a_request() {
    let database = Database::sqlite();
    let [token, inner] = ["shop-42", "shop-7"].map(|merchant| gateway::token(&database, merchant));
    let unlimited = ["--address-rate", "0", "--merchant-rate", "0"];
    let gateway = Gateway::start(&database, &unlimited).await;
    let address = gateway.base.trim_start_matches("http://");
    let cases = [REQUESTS, LENGTHS, CHUNKS, HEADS].concat();
    let (mut outer_payments, mut inner_payments) = (0, 0);
    for has_token in [false, true] {
        let header = |token: &str| format!("authorization: Bearer {token}\r\n");
        let authorization = match has_token {
            true => header(&token),
            false => String::new(),
        };
        let sent = cases.iter().map(|(_, text, without, with)| {
            let expected = if has_token { with } else { without };
            let request = fill(text, &authorization, &header(&inner));
            answers(address, request, expected.len())
        });
        let mut wrong = Vec::new();
        for (case, text) in cases.iter().zip(join_all(sent).await) {
            let (name, _, without, with) = case;
            let (expected, found) = (if has_token { with } else { without }, statuses(&text));
            if found != *expected {
                wrong.push(format!("{name}: {found:?} for {expected:?}"));
            }
            outer_payments += i64::from(expected.first() == Some(&201));
            inner_payments += i64::from(expected.get(1) == Some(&201));
            for secret in [&token, &inner] {
                assert!(!text.contains(secret.as_str()), "{name}: {text}");
            }
        }
        assert!(wrong.is_empty(), "with a token: {has_token}, {wrong:#?}");
        for (merchant, expected) in [("shop-42", outer_payments), ("shop-7", inner_payments)] {
            let query = format!("SELECT count(*) FROM payments WHERE merchant = '{merchant}'");
            assert_eq!(database.count(&query).await, expected, "of {merchant}");
        }
    }
    assert_eq!(gateway.get("/healthz", None).await.status, 200);
}
