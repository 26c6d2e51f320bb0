//! `payspec page check` against pages that were changed on the way.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Output;
use std::thread;

use payspec_gateway::http::{HTML_HEADERS, PAGE_HEADERS};
use serde_json::Value;

use crate::process::run;

const HTML: &str = r#"<!doctype html><title>page</title><script type="module" src="/checkout/assets/index.js"></script>"#;
const SCRIPT: &str = "export {};\n";
const STYLE: &str = "p { margin: 0 }\n";
/// The hashes of these files, by `openssl dgst -sha384 -binary | openssl base64 -A`.
const INVENTORY: &str = r#"{
  "page": { "path": "index.html", "integrity": "sha384-+32VnECeKwfdLZiA9hdP7W0zE9o6RD5iufeg85Cod20d1R8vGJKFau/QVbdLQ2uw" },
  "scripts": [{ "path": "assets/index.js", "integrity": "sha384-z0dQZuTpVhlJhRpzBVjQTCgdq+BUSh89DMD4c8ea5gn4XTF+416jeLVKPWSl2O8q", "purpose": "the form" }],
  "styles": [{ "path": "assets/index.css", "integrity": "sha384-c/hgqobriCMdy0qoCgVvCB7zqs1HHT0BVWeIJVvDWO2+lhv4YBZ6Ccs/lWRdRIpl" }]
}"#;

/// A page as a server answers it: headers, and statuses and texts by path.
#[derive(Clone)]
struct Page {
    headers: Vec<(String, String)>,
    files: BTreeMap<String, (u16, String)>,
}

impl Page {
    /// The page as it was built.
    fn built() -> Self {
        let headers = PAGE_HEADERS.into_iter().chain(HTML_HEADERS);
        let files = [
            ("/checkout/", HTML),
            ("/checkout/assets/index.js", SCRIPT),
            ("/checkout/assets/index.css", STYLE),
        ];
        Self {
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            files: files
                .map(|(path, text)| (path.to_owned(), (200, text.to_owned())))
                .into(),
        }
    }

    fn with_file(mut self, path: &str, status: u16, text: &str) -> Self {
        self.files
            .insert(format!("/checkout/{path}"), (status, text.to_owned()));
        self
    }

    /// Changes the value of a header, or removes it.
    fn with_header(mut self, name: &str, value: Option<&str>) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers
            .extend(value.map(|value| (name.to_owned(), value.to_owned())));
        self
    }

    /// Serves the page until the end of the tests, and returns its address.
    fn serve(self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/checkout/", listener.local_addr().unwrap());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut lines = BufReader::new(stream.try_clone().unwrap())
                    .lines()
                    .map_while(Result::ok);
                let request = lines.next().unwrap_or_default();
                // The rest of the head.
                lines.find(String::is_empty);
                let path = request.split([' ', '?']).nth(1).unwrap_or_default();
                let missing = (404, String::new());
                let (status, text) = self.files.get(path).unwrap_or(&missing);
                let mut answer = format!(
                    "HTTP/1.1 {status} x\r\nconnection: close\r\ncontent-length: {}\r\n",
                    text.len()
                );
                for (name, value) in &self.headers {
                    answer += &format!("{name}: {value}\r\n");
                }
                let _ = stream.write_all(format!("{answer}\r\n{text}").as_bytes());
            }
        });
        address
    }
}

/// Writes the inventory of the page as it was built.
fn inventory(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("inventory.json");
    std::fs::write(&path, INVENTORY).unwrap();
    path
}

fn check(url: &str, inventory: &str, more: &[&str]) -> Output {
    let arguments = ["page", "check", url, "--inventory", inventory];
    run(&[&arguments, more].concat())
}

#[test]
fn each_difference_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = inventory(&folder);
    let inventory = inventory.to_str().unwrap();
    let policy = PAGE_HEADERS[0].1;
    let weak = policy.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'");
    let page = Page::built;
    let html = |added: &str| page().with_file("", 200, &format!("{HTML}{added}"));
    for (name, page, lines) in [
        ("as built", page(), &[][..]),
        (
            "a changed script",
            page().with_file("assets/index.js", 200, "export {}; steal();\n"),
            &["assets/index.js: sha384-"],
        ),
        (
            "a missing style sheet",
            page().with_file("assets/index.css", 404, ""),
            &["assets/index.css: status 404; expected sha384-"],
        ),
        (
            "a foreign script",
            html("<script src=\"https://evil.example/x.js\"></script>"),
            &[
                "the page: sha384-",
                "script https://evil.example/x.js: not in the inventory",
            ],
        ),
        (
            "a script in the page",
            html("<script>steal()</script>"),
            &[
                "the page: sha384-",
                "a script in the page: not in the inventory",
            ],
        ),
        (
            "another text in the page",
            html("<p>Pay here</p>"),
            &["the page: sha384-"],
        ),
        (
            "a weaker policy",
            page().with_header("content-security-policy", Some(&weak)),
            &["header content-security-policy: default-src"],
        ),
        (
            "no policy",
            page().with_header("content-security-policy", None),
            &["header content-security-policy: missing; expected default-src"],
        ),
        (
            "a page that browsers store",
            page().with_header("cache-control", Some("max-age=60")),
            &["header cache-control: max-age=60; expected no-store"],
        ),
        (
            "a header of the proxy",
            page().with_header("strict-transport-security", Some("max-age=31536000")),
            &[],
        ),
    ] {
        let url = page.serve();
        let output = check(&url, inventory, &[]);
        let text = String::from_utf8(output.stdout).unwrap();
        let expected = i32::from(!lines.is_empty());
        assert_eq!(output.status.code(), Some(expected), "{name}: {text}");
        let found: Vec<&str> = text.lines().collect();
        if lines.is_empty() {
            assert_eq!(found.len(), 1, "{name}: {text}");
            assert!(found[0].contains("as in the inventory"), "{name}: {text}");
            continue;
        }
        assert_eq!(found.len(), lines.len(), "{name}: {text}");
        for (found, begin) in found.iter().zip(lines) {
            assert!(found.starts_with(begin), "{name}: {found}");
        }
        let json: Value =
            serde_json::from_slice(&check(&url, inventory, &["--json"]).stdout).unwrap();
        assert_eq!(json["matches"], false, "{name}");
        let differences = json["differences"].as_array().unwrap();
        assert_eq!(differences.len(), lines.len(), "{name}: {json}");
    }
}

#[test]
fn what_cannot_be_read_is_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = inventory(&folder);
    let inventory = inventory.to_str().unwrap();
    let wrong = folder.path().join("wrong.json");
    std::fs::write(&wrong, r#"{"page":1,"scripts":"4111111111111111"}"#).unwrap();
    let page = Page::built().serve();
    let failing = Page::built().with_file("", 503, "").serve();
    let moved = Page::built().with_file("", 302, "").serve();
    for (url, inventory, message) in [
        (
            "http://127.0.0.1:1/checkout/",
            inventory,
            "no server answers",
        ),
        (&failing, inventory, "answered with 503: expected 200"),
        (&moved, inventory, "answered with 302: expected 200"),
        ("ftp://pay.example/", inventory, "URL: expected"),
        (
            "https://anna:secret@pay.example/",
            inventory,
            "URL: expected",
        ),
        (&page, "/nonexistent", "/nonexistent"),
        (&page, wrong.to_str().unwrap(), "not an inventory"),
    ] {
        let output = check(url, inventory, &[]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{url}: {error}");
        assert!(error.contains(message), "{url}: {error}");
        assert!(!error.contains("secret") && !error.contains("4111"));
    }
}

/// The id of a checkout session is not shown.
#[test]
fn the_query_of_an_address_is_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    let inventory = inventory(&folder);
    let url = format!("{}?session=0123", Page::built().serve());
    let output = check(&url, inventory.to_str().unwrap(), &["--json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(!text.contains("0123"), "{text}");
}
