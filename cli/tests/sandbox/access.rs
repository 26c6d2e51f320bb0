//! The clients of a sandbox: known hosts, and what a request of another page can change.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;

use crate::http;
use crate::process::{Sandbox, body};

/// Sends a GET request whose host is chosen, and returns the answer.
fn get_at(sandbox: &Sandbox, host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(&sandbox.address).unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\n{host}authorization: Bearer sandbox_x\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn only_known_hosts_are_served() {
    let sandbox = Sandbox::start(&["--host", "sandbox", "--public-url", "https://pay.test"]);
    let port = sandbox.address.rsplit(':').next().unwrap();
    for path in [
        "/",
        "/sandbox",
        "/sandbox/merchants",
        "/v1/partner/balance",
        "/checkout/",
        "/openapi.json",
    ] {
        for host in ["evil.example", "192.0.2.1", "localhost.evil.example"] {
            let answer = get_at(&sandbox, &format!("host: {host}:{port}\r\n"), path);
            assert!(
                answer.starts_with("HTTP/1.1 421 "),
                "{host} {path}: {answer}"
            );
            assert!(
                answer.contains("--host") && !answer.contains("whsec_"),
                "{answer}"
            );
        }
        for host in ["localhost", "127.0.0.1", "[::1]", "sandbox", "pay.test"] {
            let answer = get_at(&sandbox, &format!("host: {host}:{port}\r\n"), path);
            assert!(
                !answer.starts_with("HTTP/1.1 421 "),
                "{host} {path}: {answer}"
            );
        }
        let answer = get_at(&sandbox, "", path);
        assert!(
            answer.starts_with("HTTP/1.1 421 "),
            "no host, {path}: {answer}"
        );
    }
}

#[test]
fn a_get_request_leaves_no_merchant() {
    let sandbox = Sandbox::start(&[]);
    let count = || {
        let listed = http::call(&sandbox.address, "GET", "/sandbox/merchants", &[], None);
        listed.unwrap().json().as_array().unwrap().len()
    };
    for number in 0..50 {
        for (path, status) in [
            ("payments", 200),
            ("clock", 200),
            ("faults", 200),
            ("deliveries", 200),
            ("payments/11111111-1111-4111-8111-111111111111", 404),
        ] {
            let path = format!("/sandbox/{path}?merchant=m{number}");
            let headers = [("sec-fetch-site", "cross-site")];
            let read = http::call(&sandbox.address, "GET", &path, &headers, None).unwrap();
            assert_eq!(read.status, status, "{path}");
        }
        let balance = sandbox
            .named(&format!("n{number}"))
            .get("/v1/partner/balance");
        assert_eq!(balance.member("amount"), "0.00");
    }
    assert_eq!(count(), 1, "only the default one");
    sandbox.named("shop").create(&body());
    assert_eq!(count(), 2);
}

#[test]
fn others_cannot_read_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.db");
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let address = format!("sqlite:{}", file.display());
    let sandbox = Sandbox::start(&["--database", &address]);
    sandbox.named("shop").create(&body());
    assert_eq!(mode(&file), 0o600, "a new file");
    for entry in folder.path().read_dir().unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
    drop(sandbox);
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    let sandbox = Sandbox::start(&["--database", &address]);
    assert_eq!(mode(&file), 0o600, "an existing file");
    assert_eq!(
        sandbox.named("shop").get("/sandbox/payments").json()["total"],
        1
    );
}

#[test]
fn a_merchant_names_itself_and_its_own_ids_only() {
    let sandbox = Sandbox::shared();
    let (merchant, other) = (sandbox.merchant(), sandbox.merchant());
    let with_id = |id: &str| {
        let mut request = body();
        request["merchant_id"] = json!(id);
        merchant.create_with(&[], &request)
    };
    let refused = with_id(&other.name);
    assert_eq!(refused.status, 422, "{}", refused.text);
    let violation = &refused.json()["violations"][0];
    assert_eq!(violation["code"], "merchant_not_allowed");
    assert_eq!(violation["path"], "/merchant_id");
    assert_eq!(with_id(&merchant.name).status, 201);
    let add = json!({"name": merchant.name, "merchant_id": "shop-tokyo"});
    let added = merchant.post("/sandbox/merchants", &add);
    assert_eq!(
        added.json()["merchant_ids"],
        json!(["shop-tokyo"]),
        "{}",
        added.text
    );
    let accepted = with_id("shop-tokyo");
    assert_eq!(
        (accepted.status, accepted.member("merchant_id").as_str()),
        (201, "shop-tokyo")
    );
    for wrong in [json!(""), json!(7), json!("x".repeat(256))] {
        let add = json!({"name": merchant.name, "merchant_id": wrong});
        assert_eq!(
            merchant.post("/sandbox/merchants", &add).status,
            422,
            "{wrong}"
        );
    }
}

#[test]
fn an_encoded_body_is_415() {
    let merchant = Sandbox::shared().merchant();
    let answer = merchant.create_with(&[("content-encoding", "gzip")], &body());
    assert_eq!(
        (answer.status, answer.header("accept-encoding")),
        (415, Some("identity"))
    );
    assert!(
        answer.member("detail").contains("Content-Encoding"),
        "{}",
        answer.text
    );
    let answer = merchant.create_with(&[("content-encoding", "identity")], &body());
    assert_eq!(answer.status, 201);
}
