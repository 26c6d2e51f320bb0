//! Attacks that found nothing, so that they go on finding nothing: card numbers in every place of a
//! request, and requests inside of requests.

use std::time::Duration;

use reqwest::Method;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::card_numbers::card_number;
use crate::database::Database;
use crate::gateway::{self, Gateway};

const CREATE: &str = "/v1/payments/new";
const SESSIONS: &str = "/checkout/sessions";
const CONVERT: &str = "/checkout/api/convert";
const REPORTS: &str = "/checkout/api/reports";

/// The security code of the bodies, as they write it: four digits alone are part of some identifiers.
const CODES: [&str; 3] = [r#""security_code":"7391""#, r#""cvv":"7391""#, "cvv=7391"];

/// Bodies by path. `#` is a card number, another one in each body.
const BODIES: [(&str, &str); 47] = [
    // Where a card number belongs, and in wrong forms there.
    (
        CREATE,
        r##"{C"card":{"card_number":"#","card_holder":"A B","expiry_month":"12","expiry_year":"2039","security_code":"739"}}}"##,
    ),
    (
        CREATE,
        r##"{C"card":{"card_number":#,"card_holder":"A B"}}}"##,
    ),
    (CREATE, r##"{C"card":{"card_number":["#"]}}}"##),
    (CREATE, r##"{C"card":{"card_number":" # "}}}"##),
    (CREATE, r##"{C"card":{"card_number":"x#"}}}"##),
    (
        CREATE,
        r##"{C"card":{"card_number":"#","card_number":"#"}}}"##,
    ),
    // In other members of a card.
    (CREATE, r##"{C"card":{"card_holder":"#"}}}"##),
    (CREATE, r##"{C"card":{"security_code":"#"}}}"##),
    (CREATE, r##"{C"card":{"security_code":"7391","x":"#"}}}"##),
    (CREATE, r##"{C"card":{"expiry_month":"#"}}}"##),
    (CREATE, r##"{C"card":{"expiry_year":"#"}}}"##),
    (CREATE, r##"{C"card":{"cvv":"7391","pan":"#"}}}"##),
    (CREATE, r##"{C"card":"#"}}"##),
    (CREATE, r##"{C"#":1}}"##),
    // In members of the request.
    (CREATE, r##"{"payment_type":"#"}"##),
    (CREATE, r##"{B,"mode":"#"}"##),
    (CREATE, r##"{B,"subtype":"#"}"##),
    (CREATE, r##"{B,"cur":"#"}"##),
    (CREATE, r##"{B,"bank_name":"#"}"##),
    (CREATE, r##"{B,"bank_name":"bank # of cards"}"##),
    (CREATE, r##"{B,"description":"paid with #"}"##),
    (CREATE, r##"{B,"description":["#"]}"##),
    (CREATE, r##"{B,"user_id":"#"}"##),
    (CREATE, r##"{B,"system":"#"}"##),
    (CREATE, r##"{B,"merchant_id":"#"}"##),
    (CREATE, r##"{B,"host2host":"#"}"##),
    (CREATE, r##"{B,"time_to_complete_payment":"#"}"##),
    (CREATE, r##"{B,"pay_in_details":"#"}"##),
    (
        CREATE,
        r##"{B,"pay_out_details":{"card_number":"#","phone_number":"#"}}"##,
    ),
    (CREATE, r##"{B,"callback":{"url":"#"}}"##),
    // In unknown members, their names, and deep inside.
    (CREATE, r##"{B,"card_number":"#"}"##),
    (CREATE, r##"{B,"#":"x"}"##),
    (CREATE, r##"{B,"x":{"y":[{"z":"#"}]}}"##),
    (CREATE, r##"{B,"x":"{\"card_number\":\"#\"}"}"##),
    // In bodies that are not JSON objects.
    (CREATE, r##"{B,"description":"#""##),
    (CREATE, r##"{"description":"#",}"##),
    (CREATE, r##"["#"]"##),
    (CREATE, r##""#""##),
    (CREATE, "#"),
    (CREATE, "card_number=#&cvv=7391"),
    // In bodies of the other paths. The order of a session is kept as it is written.
    (
        SESSIONS,
        r##"{"amount":"x#","currency":"RUB","order":"1"}"##,
    ),
    (
        SESSIONS,
        r##"{"amount":"1.00","currency":"#","order":"2"}"##,
    ),
    (
        SESSIONS,
        r##"{"amount":"1.00","currency":"RUB","order":"3","redirect_url":"https://shop.example/#"}"##,
    ),
    (
        SESSIONS,
        r##"{"amount":"1.00","currency":"RUB","order":"4","x":"#"}"##,
    ),
    (CONVERT, r##"{"amount":"1.00","currency":"#"}"##),
    (
        REPORTS,
        r##"[{"url":"https://shop.example/#","body":{"effectiveDirective":"#","sample":"#"}}]"##,
    ),
    (REPORTS, r##"{"csp-report":{"effective-directive":"#"}}"##),
];

/// The beginning of bodies with a card, and of others.
const CARD: &str = r#""payment_type":"pay_in","mode":"P2P","subtype":"bank_card","cur":"RUB","amount":"990.50","host2host":true,"pay_in_details":{"#;
const BASE: &str =
    r#""payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50""#;

/// Headers with a card number. The idempotency key is kept as it is written.
const HEADERS: [&str; 9] = [
    "user-agent",
    "referer",
    "cookie",
    "x-forwarded-for",
    "x-request-id",
    "origin",
    "checkout-session",
    "checkout-view",
    "accept-language",
];

/// Returns all rows of all tables, and of a file also its free pages and its journal.
async fn contents(database: &Database) -> String {
    if let Some(file) = database.url.strip_prefix("sqlite:") {
        let files = ["", "-wal", "-shm"].map(|end| std::fs::read(format!("{file}{end}")));
        let bytes: Vec<u8> = files.into_iter().filter_map(Result::ok).flatten().collect();
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let rows = "SELECT query_to_xml(format('SELECT * FROM %I', tablename), true, true, '')::text \
                FROM pg_tables WHERE schemaname = 'public'";
    database.texts(rows).await.concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_number_in_any_place_of_a_request_is_kept_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    for database in Database::both().await {
        let token = gateway::token(&database, "shop-42");
        let operator = gateway::operator(&database, "anna");
        let page = folder.path().to_str().unwrap();
        let gateway = Gateway::start(
            &database,
            &["--page", page, "--log", "trace", "--address-rate", "0"],
        )
        .await;
        let mut numbers = (1..).map(card_number);
        let mut planted = Vec::new();
        let mut answers = String::new();
        let mut send = async |request: reqwest::RequestBuilder, about: &str, number: &str| {
            planted.push((about.to_owned(), number.to_owned()));
            // Some are not valid HTTP, so they have no answer.
            if let Ok(answer) = request.send().await {
                answers += &format!("{:?}", answer.headers());
                answers += &answer.text().await.unwrap_or_default();
            }
        };
        for (path, body) in BODIES {
            let number = numbers.next().unwrap();
            let text = body
                .replacen("{C", &format!("{{{CARD}"), 1)
                .replacen("{B", &format!("{{{BASE}"), 1)
                .replace('#', &number);
            let kind = match path {
                REPORTS if body.starts_with('[') => "application/reports+json",
                REPORTS => "application/csp-report",
                _ => "application/json",
            };
            let mut request = gateway
                .client
                .post(format!("{}{path}", gateway.base))
                .header("content-type", kind)
                .body(text);
            if path == CREATE || path == SESSIONS {
                request = request.bearer_auth(&token);
            }
            send(request, body, &number).await;
        }
        for header in HEADERS {
            let number = numbers.next().unwrap();
            let request = gateway
                .request(Method::POST, CREATE, Some(&token))
                .header(header, &number)
                .body(gateway::BODY);
            send(request, header, &number).await;
        }
        for (method, path, token) in [
            ("GET", "/v1/payments/#/status", Some(&token)),
            ("GET", "/v1/partner/balance?card=#", Some(&token)),
            ("GET", "/#", None),
            ("GET", "/checkout/sessions/#", Some(&token)),
            ("GET", "/checkout/api/sessions/#", None),
            ("GET", "/checkout/api/payments/#", None),
            ("GET", "/checkout/#?session=#", None),
            ("POST", "/operator/payments/#/advance", Some(&operator)),
            ("X#", "/v1/payments/new", None),
        ] {
            let number = numbers.next().unwrap();
            let [method, path] = [method, path].map(|text| text.replace('#', &number));
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let token = token.map(String::as_str);
            send(gateway.request(method, &path, token), &path, &number).await;
        }
        for credential in ["Bearer #", "Basic #", "#"] {
            let number = numbers.next().unwrap();
            let request = gateway
                .request(Method::GET, "/v1/partner/balance", None)
                .header("authorization", credential.replace('#', &number));
            send(request, credential, &number).await;
        }
        let last = gateway.create(&token, Some("last"), gateway::BODY).await;
        assert_eq!(last.status, 201, "{}", last.text);
        let metrics = gateway.get("/metrics", None).await.text;
        let audit = gateway.get("/operator/audit", Some(&operator)).await.text;
        let log = gateway.log_with(r#""route":"/operator/audit""#).await;
        let stored = contents(&database).await;
        assert!(stored.contains(&last.uid()) && log.contains("a creation request"));
        assert!(planted.len() > 60, "{}", planted.len());
        for (place, text) in [
            ("the database", &stored),
            ("the log", &log),
            ("the metrics", &metrics),
            ("the audit", &audit),
            ("an answer", &answers),
        ] {
            for (about, number) in &planted {
                assert!(!text.contains(number), "{about}: {number} is in {place}");
            }
            // A log escapes the quotes of a body.
            let plain = text.replace('\\', "");
            for code in CODES {
                assert!(!plain.contains(code), "a security code is in {place}");
            }
            assert!(!text.contains(&token), "a token is in {place}");
        }
    }
}

/// A request inside of another one would be answered with 404.
const INNER: &str = "GET /inner HTTP/1.1\r\nhost: x\r\n\r\n";

/// Each request has one answer at most, with one of the statuses. Without a status, the connection is
/// closed without an answer.
#[tokio::test(flavor = "multi_thread")]
async fn no_body_is_taken_for_a_request() {
    let database = Database::sqlite();
    let gateway = Gateway::start(&database, &[]).await;
    let address = gateway.base.trim_start_matches("http://").to_owned();
    let length = INNER.len();
    let chunk = format!("{length:x}\r\n{INNER}\r\n0\r\n\r\n");
    let post = "POST /v1/payments/new HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    let with = |headers: &str, body: &str| format!("{post}{headers}\r\n{body}");
    let chunked = "transfer-encoding: chunked\r\n";
    for (name, request, statuses) in [
        (
            "a length",
            with(&format!("content-length: {length}\r\n"), INNER),
            &[401][..],
        ),
        ("chunks", with(chunked, &chunk), &[401]),
        (
            "a length and chunks",
            with(&format!("content-length: 4\r\n{chunked}"), &chunk),
            &[400, 401],
        ),
        (
            "chunks and a length",
            with(&format!("{chunked}content-length: 4\r\n"), &chunk),
            &[400, 401],
        ),
        (
            "two hosts",
            "GET /healthz HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n".to_owned(),
            &[400],
        ),
        (
            "a list of hosts",
            "GET /healthz HTTP/1.1\r\nhost: x, y\r\n\r\n".to_owned(),
            &[400],
        ),
        (
            "no host",
            "GET /healthz HTTP/1.1\r\n\r\n".to_owned(),
            &[400],
        ),
        (
            "no host in HTTP/1.0",
            "GET /healthz HTTP/1.0\r\n\r\n".to_owned(),
            &[200],
        ),
        (
            "two lengths",
            with(
                &format!("content-length: 0\r\ncontent-length: {length}\r\n"),
                INNER,
            ),
            &[400],
        ),
        (
            "a list of lengths",
            with(&format!("content-length: 0, {length}\r\n"), INNER),
            &[400],
        ),
        (
            "a length with a sign",
            with("content-length: +0\r\n", INNER),
            &[400],
        ),
        (
            "a negative length",
            with("content-length: -1\r\n", INNER),
            &[400],
        ),
        (
            "a hexadecimal length",
            with("content-length: 0x0\r\n", INNER),
            &[400],
        ),
        (
            "a length that overflows",
            with("content-length: 18446744073709551616\r\n", INNER),
            &[400],
        ),
        (
            "another last encoding",
            with("transfer-encoding: chunked, identity\r\n", &chunk),
            &[400],
        ),
        (
            "an unknown encoding",
            with("transfer-encoding: xchunked\r\n", &chunk),
            &[400],
        ),
        (
            "a space before the colon",
            with("transfer-encoding : chunked\r\n", &chunk),
            &[400],
        ),
        (
            "a folded line",
            with("transfer-encoding:\r\n chunked\r\n", &chunk),
            &[400],
        ),
        (
            "a wrong size of a chunk",
            with(chunked, &format!("z\r\n{INNER}")),
            &[401],
        ),
        (
            "a size that overflows",
            with(chunked, &format!("fffffffffffffffff\r\n{INNER}")),
            &[401],
        ),
        (
            "a chunk without its end",
            with(chunked, &format!("1\r\nab\r\n{INNER}")),
            &[401],
        ),
        ("a NUL in a header", with("x: \0\r\n", INNER), &[400]),
        ("a CR in a header", with("x: a\rb\r\n", INNER), &[400]),
        (
            "HTTP/1.0 with chunks",
            with(chunked, &chunk).replacen("1.1", "1.0", 1),
            &[400, 401],
        ),
        (
            "HTTP/2",
            format!("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n{INNER}"),
            &[],
        ),
        (
            "a head of 20 KB",
            with(&format!("x: {}\r\n", "x".repeat(20_000)), INNER),
            &[400, 431],
        ),
        (
            "150 headers",
            with(&"x: y\r\n".repeat(150), INNER),
            &[400, 431],
        ),
    ] {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        // The gateway may refuse the head before the rest is written.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut bytes = Vec::new();
        let _ = timeout(Duration::from_millis(700), stream.read_to_end(&mut bytes)).await;
        let text = String::from_utf8_lossy(&bytes);
        let found: Vec<u16> = text
            .match_indices("HTTP/1.")
            .map(|(start, _)| text[start + 9..start + 12].parse().unwrap())
            .collect();
        let is_expected = match found[..] {
            [] => statuses.is_empty(),
            [status] => statuses.contains(&status),
            _ => false,
        };
        assert!(is_expected, "{name}: {text}");
    }
    assert_eq!(gateway.get("/healthz", None).await.status, 200);
}
