//! The checkout page serves the files of its folder, and no other file.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::database::Database;
use crate::gateway::Gateway;

const PAGE: &str = "<!doctype html><title>page</title>";
const SCRIPT: &str = "export const script = 1;";
const SECRET: &str = "planted beside the page";

/// Paths from the folder of the page to a file beside it. `NAME` is the path of that file from the root
/// of the file system, and `ENCODED` the same path with its slashes encoded.
const PATHS: [&str; 26] = [
    "/checkout/../secret.txt",
    "/checkout/./../secret.txt",
    "/checkout//../secret.txt",
    "/checkout/assets/../../secret.txt",
    "/checkout/missing/../../secret.txt",
    "/checkout/%2e%2e/secret.txt",
    "/checkout/.%2e/secret.txt",
    "/checkout/%2E%2E%2Fsecret.txt",
    "/checkout/..%2fsecret.txt",
    "/checkout/assets%2f..%2f..%2fsecret.txt",
    "/checkout/..\\secret.txt",
    "/checkout/..%5csecret.txt",
    "/checkout/%252e%252e%252fsecret.txt",
    "/checkout/%c0%ae%c0%ae/secret.txt",
    "/checkout/..;/secret.txt",
    "/checkout/....//secret.txt",
    "/checkout/../page-of-another/secret.txt",
    "/checkout/..%2fpage-of-another/secret.txt",
    "/checkout-of-another/secret.txt",
    "/checkout/NAME",
    "/checkout/ENCODED",
    "/checkout/..NAME",
    "/checkout/ENCODED%00.js",
    "/checkout/..%2fsecret.txt%00.js",
    "/../secret.txt",
    "NAME",
];

/// Returns status and text of an answer. The client of other tests removes `..` from a path.
async fn get(gateway: &Gateway, path: &str) -> (u16, String) {
    let host = gateway.base.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).await.unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|word| word.parse().ok());
    (status.unwrap_or_default(), text)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_path_leaves_the_folder_of_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page");
    for (name, text) in [
        ("page/index.html", PAGE),
        ("page/assets/script.js", SCRIPT),
        ("page-of-another/secret.txt", SECRET),
        ("secret.txt", SECRET),
    ] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let database = Database::sqlite();
    let gateway = Gateway::start(&database, &["--page", page.to_str().unwrap()]).await;
    let (status, text) = get(&gateway, "/checkout/assets/script.js").await;
    assert!(status == 200 && text.ends_with(SCRIPT), "{text}");

    let secret = folder.path().join("secret.txt");
    let name = secret.to_str().unwrap();
    let encoded = name.replace('/', "%2F");
    for path in PATHS {
        let path = path.replace("NAME", name).replace("ENCODED", &encoded);
        let (status, text) = get(&gateway, &path).await;
        // Every other path below `/checkout/` is the page of a payment.
        let is_page = status == 200 && text.ends_with(PAGE);
        assert!(is_page || matches!(status, 400 | 404), "{path}: {text}");
        assert!(!text.contains(SECRET), "{path}: {text}");
    }
}
