//! The headers of the checkout page, the reports of browsers about it, and the page of the API.

use std::collections::HashSet;

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use payspec_gateway::http::{HTML_HEADERS, PAGE_HEADERS};

use crate::database::Database;
use crate::gateway::{self, Answer, BODY, Gateway};

const REPORTS: &str = "/checkout/api/reports";
const REPORT: &str = "application/reports+json";
/// Texts that a report may contain and a log must not.
const PLANTED: [&str; 3] = ["4111111111111111", "planted.example", "planted-sample"];

/// The headers of the page, as literals: the table of the program could lose one.
const EXPECTED: [(&str, &str); 6] = [
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "accelerometer=(), autoplay=(), camera=(), display-capture=(), fullscreen=(), geolocation=(), \
         gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
    ),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
];

/// A folder with a page and a script.
fn page() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("index.html", "<!doctype html><title>page</title>"),
        ("page.js", "1"),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

async fn start(database: &Database, folder: &tempfile::TempDir, more: &[&str]) -> Gateway {
    let page = ["--page", folder.path().to_str().unwrap()];
    Gateway::start(database, &[&page, more].concat()).await
}

async fn headers(gateway: &Gateway, path: &str, token: Option<&str>) -> (u16, HeaderMap) {
    let request = gateway.request(Method::GET, path, token);
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.headers().clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_has_its_headers() {
    let folder = page();
    let database = Database::sqlite();
    let gateway = start(&database, &folder, &[]).await;
    for (path, is_html) in [
        ("/checkout/", true),
        ("/checkout/0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11", true),
        ("/checkout/page.js", false),
    ] {
        let (status, found) = headers(&gateway, path, None).await;
        assert_eq!(status, 200, "{path}");
        let of_html = HTML_HEADERS.into_iter().filter(|_| is_html);
        let headers = PAGE_HEADERS.into_iter().chain(of_html).chain(EXPECTED);
        for (name, value) in headers {
            let values: Vec<_> = found.get_all(name).iter().collect();
            assert_eq!(values, [value], "{path}: {name}");
        }
        let is_stored = found
            .get("cache-control")
            .is_none_or(|value| value != "no-store");
        assert_eq!(is_stored, !is_html, "{path}");
    }
    let policy = PAGE_HEADERS[0].1;
    for directive in [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
        "report-to page",
    ] {
        assert!(
            policy.split("; ").any(|part| part == directive),
            "{directive}"
        );
    }
    assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_the_api_is_not_beside_a_payment_page() {
    let folder = page();
    let database = Database::sqlite();
    let files = ["/docs", "/docs/docs.js", "/docs/openapi-explorer.js"];
    let page_merchant = Gateway::start(&database, &["--page-merchant", "shop-42"]).await;
    let with_page = start(&database, &folder, &[]).await;
    let chosen = start(&database, &folder, &["--docs"]).await;
    let without_page = Gateway::start(&database, &[]).await;
    let refused = Gateway::start(&database, &["--docs=false"]).await;
    for (name, gateway, expected) in [
        ("with a page", &with_page, 404),
        ("with a demonstration", &page_merchant, 404),
        ("switched off", &refused, 404),
        ("with a page, and --docs", &chosen, 200),
        ("without a page", &without_page, 200),
    ] {
        for file in files {
            let (status, found) = headers(gateway, file, None).await;
            assert_eq!(status, expected, "{name}: {file}");
            let opener = found.get("cross-origin-opener-policy");
            assert_eq!(opener.is_some(), status == 200, "{name}: {file}");
        }
        let (status, _) = headers(gateway, "/openapi.json", None).await;
        assert_eq!(status, 200, "{name}: the document is served everywhere");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_name_the_headers_that_they_depend_on() {
    let folder = page();
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let operator = gateway::operator(&database, "anna");
    let gateway = start(&database, &folder, &[]).await;
    let uid = gateway.create(&token, None, BODY).await.uid();
    const PAGE: &str = "checkout-session, checkout-view, origin, sec-fetch-site";
    for (path, token, status, vary) in [
        ("/v1/partner/balance", Some(&token), 200, "authorization"),
        (
            &format!("/v1/payments/{uid}/status"),
            None,
            401,
            "authorization",
        ),
        ("/checkout/sessions/x", Some(&token), 404, "authorization"),
        ("/operator/audit", Some(&operator), 200, "authorization"),
        (&format!("/checkout/api/payments/{uid}"), None, 404, PAGE),
        (
            &format!("/checkout/api/payments/{uid}/merchant"),
            None,
            404,
            PAGE,
        ),
        ("/openapi.json", None, 200, "accept-encoding"),
    ] {
        let (found, headers) = headers(&gateway, path, token.map(String::as_str)).await;
        assert_eq!(found, status, "{path}");
        assert_eq!(headers["vary"], vary, "{path}");
    }
}

async fn report(gateway: &Gateway, headers: &[(&str, &str)], body: String) -> Answer {
    let mut request = gateway
        .client
        .post(format!("{}{REPORTS}", gateway.base))
        .body(body);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    Answer::of(request.send().await.unwrap()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_of_browsers_are_logged_without_their_content() {
    let [card, host, sample] = PLANTED;
    let folder = page();
    let database = Database::sqlite();
    let gateway = start(&database, &folder, &[]).await;
    let modern = format!(
        r#"[{{"type":"csp-violation","url":"https://{host}/?{card}","body":{{"effectiveDirective":"script-src-elem",
            "blockedURL":"https://{host}/","sample":"{sample}"}}}},{{"body":{{"effectiveDirective":"{sample}"}}}}]"#
    );
    let legacy = format!(
        r#"{{"csp-report":{{"effective-directive":"img-src","blocked-uri":"https://{host}/{card}"}}}}"#
    );
    for (kind, body, status) in [
        (REPORT, modern.clone(), 204),
        ("application/csp-report", legacy, 204),
        ("application/json", modern.clone(), 415),
        ("text/plain", modern.clone(), 415),
        (REPORT, sample.to_owned(), 422),
    ] {
        let answer = report(&gateway, &[("content-type", kind)], body).await;
        assert_eq!(answer.status, status, "{kind}: {}", answer.text);
        assert!(!PLANTED.iter().any(|text| answer.text.contains(text)));
    }
    // Only the head, since a client that sends on may lose the answer.
    let host = gateway.base.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).await.unwrap();
    let head = format!(
        "POST {REPORTS} HTTP/1.1\r\nhost: {host}\r\ncontent-type: {REPORT}\r\ncontent-length: 70000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 413");
    let foreign = [("content-type", REPORT), ("origin", "https://evil.example")];
    assert_eq!(report(&gateway, &foreign, modern.clone()).await.status, 403);
    let log = gateway.log_with("img-src").await;
    let reported: HashSet<String> = log
        .lines()
        .filter_map(|line| {
            serde_json::from_str::<Value>(line).ok()?["directive"]
                .as_str()
                .map(str::to_owned)
        })
        .collect();
    assert_eq!(
        reported,
        HashSet::from(["script-src-elem", "other", "img-src"].map(str::to_owned))
    );
    for text in PLANTED {
        assert!(!log.contains(text), "{text} in {log}");
    }
    // The limit of one address: it is that of payments, but is counted apart from them.
    let mut limited = false;
    for _ in 0..100 {
        let answer = report(&gateway, &[("content-type", REPORT)], "[]".to_owned()).await;
        limited |= answer.status == 429;
    }
    assert!(limited, "100 reports of one address");
    let convert = gateway
        .request(Method::POST, "/checkout/api/convert", None)
        .body(r#"{"amount":"1.00","currency":"RUB"}"#);
    assert_ne!(convert.send().await.unwrap().status(), 429);
}
