//! `payspec observe` with bad recordings, and with large ones.

use crate::program::{payspec, run, text};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Stdio;

const CREATE: &str = r#"{"method":"POST","url":"https://pay.example/v1/payments/new","headers":[{"name":"Authorization","value":"Bearer token-canary"}],"postData":{"mimeType":"application/json","text":"{}"}}"#;

/// Returns an entry of a HAR with the content of its response.
fn entry(request: &str, content: &str) -> String {
    format!(
        r#"{{"startedDateTime":"2026-11-20T10:15:30.250Z","time":12.5,"request":{request},"response":{{"status":422,"headers":[],"content":{content}}}}}"#
    )
}

fn har(entries: &[String]) -> String {
    let entries = entries.join(",");
    format!(
        r#"{{"log":{{"version":"1.2","creator":{{"name":"test","version":"1"}},"entries":[{entries}]}}}}"#
    )
}

#[test]
fn explains_bad_recordings_in_one_sentence() {
    let good = entry(CREATE, r#"{"mimeType":"application/json","text":"{}"}"#);
    let whole = har(&[good.clone(), good.clone()]);
    let other = CREATE.replace("/v1/payments/new", "/v2/orders");
    let large = format!("{{\"text\":\"{}\"}}", "x".repeat(5 << 20));
    for (input, part) in [
        (
            whole[..whole.len() - 40].to_owned(),
            "line 1: the recording is truncated: it ends after 1 complete exchange",
        ),
        (
            har(&[entry(&other, "{}"), entry(&other, "{}")]),
            "<stdin>: none of 2 exchanges is one of the interface",
        ),
        (String::new(), "none of 0 exchanges"),
        (
            "\u{feff}not a recording".to_owned(),
            "line 1: expected a HAR",
        ),
        (
            "{\"log\":{\"version\":\"1.2\"}}".to_owned(),
            "after 0 complete exchanges: expected a HAR",
        ),
        (
            "{\"log\":[]}".to_owned(),
            "after 0 complete exchanges: expected a HAR",
        ),
        (
            "{\"amount\":\"1.00\"}".to_owned(),
            "after 0 complete exchanges: expected a HAR",
        ),
        (
            format!("{good}\n{{\"request\":7}}"),
            "line 2: after 1 complete exchange: expected",
        ),
        (
            format!("{good}\n{{'request'}}"),
            "line 2: not JSON, after 1 complete exchange",
        ),
        (
            har(&[entry(CREATE, &large)]),
            "larger than 4 MiB, after 0 complete exchanges",
        ),
    ] {
        let (status, stdout, stderr) = text(&run(&["observe"], input.as_bytes()));
        assert_eq!(
            (status, stdout.as_str(), stderr.lines().count()),
            (2, "", 1),
            "{part}: {stderr}"
        );
        assert!(
            stderr.contains(part) && !stderr.contains("token-canary"),
            "{part}: {stderr}"
        );
    }
}

/// A body that cannot be read is counted, and changes no decision.
#[test]
fn counts_bodies_that_are_not_json() {
    let contents = [
        r#"{"mimeType":"application/json","text":"e30=","encoding":"base64"}"#,
        r#"{"text":"not base64!","encoding":"base64"}"#,
        r#"{"text":"e30=","encoding":"brotli"}"#,
        r#"{"text":"AAEC/w==","encoding":"base64"}"#,
        r#"{"mimeType":"text/html","text":"<p>4111111111111111</p>"}"#,
        r#"{"mimeType":"image/png","text":"iVBO","encoding":"base64"}"#,
    ];
    let entries: Vec<_> = contents
        .iter()
        .map(|content| entry(CREATE, content))
        .collect();
    let (_, stdout, stderr) = text(&run(&["observe", "--json"], har(&entries).as_bytes()));
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        (&report["exchanges"], &report["unreadable"]),
        (&6.into(), &4.into()),
        "{stderr}"
    );
    assert!(!stdout.contains("4111111111111111") && !stdout.contains("token-canary"));
}

/// Another service's download is skipped, however large it is.
#[test]
fn skips_downloads() {
    let other = CREATE.replace("/v1/payments/new", "/download");
    let download = format!(
        "{{\"text\":\"{}\",\"encoding\":\"base64\"}}",
        "A".repeat(5 << 20)
    );
    let good = entry(CREATE, r#"{"text":"{}"}"#);
    let input = har(&[entry(&other, &download), good]);
    let (status, stdout, stderr) = text(&run(&["observe"], input.as_bytes()));
    assert!(
        status < 2 && stdout.starts_with("1 of 2 exchanges"),
        "{stdout}{stderr}"
    );
}

/// Returns the largest resident set while a file is observed, in KiB, and the report.
fn peak(path: &Path) -> (u64, serde_json::Value) {
    let mut child = payspec(&["observe", "--json", path.to_str().unwrap()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let size = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(size.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    (peak, serde_json::from_slice(&output.stdout).unwrap())
}

/// Writes a HAR of creations with keys of their own, of at least `size` bytes.
fn write_har(path: &Path, size: usize) -> u64 {
    let mut file = BufWriter::new(fs::File::create(path).unwrap());
    file.write_all(b"{\"log\":{\"version\":\"1.2\",\"entries\":[")
        .unwrap();
    let (mut written, mut count) = (0, 0_u64);
    while written < size {
        let request = CREATE
            .replace("[{", &format!("[{{\"name\":\"Idempotency-Key\",\"value\":\"key-{count}\"}},{{"))
            .replace("{}", r#"{\"payment_type\":\"pay_in\",\"mode\":\"P2P\",\"subtype\":\"sbp\",\"cur\":\"RUB\",\"amount\":\"100.00\"}"#);
        let body = format!(
            r#"{{\"uid\":\"{:08x}-0000-4000-8000-000000000000\",\"state\":\"idle\",\"x\":\"{}\"}}"#,
            count,
            "y".repeat(2000)
        );
        let content = format!(r#"{{"mimeType":"application/json","text":"{body}"}}"#);
        let entry = entry(&request, &content).replace("422", "201");
        let separator = if count == 0 { "" } else { ",\n" };
        written += entry.len();
        count += 1;
        write!(file, "{separator}{entry}").unwrap();
    }
    file.write_all(b"]}}").unwrap();
    file.flush().unwrap();
    count
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_a_recording() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.har");
    let peak = |size: usize| {
        let count = write_har(&path, size);
        let (peak, report) = peak(&path);
        assert_eq!(report["exchanges"], count, "{report}");
        peak
    };
    let (small, large) = (peak(300_000), peak(3_000_000));
    assert!(
        small > 100 && large < small + 1024,
        "{small} KiB, then {large} KiB"
    );
}

/// A recording of 1 GB takes at most 60 s and 100 MiB, built for release.
#[test]
#[ignore = "writes 1 GB; run it with --release and --ignored after a change of the reader"]
fn a_gigabyte_takes_a_minute() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().join("large.har");
    let count = write_har(&path, 1_000_000_000);
    let began = std::time::Instant::now();
    let (peak, report) = peak(&path);
    println!("{:?}, {peak} KiB", began.elapsed());
    assert_eq!(report["exchanges"], count);
    assert!(
        began.elapsed().as_secs() <= 60 && peak <= 100 * 1024,
        "{peak} KiB"
    );
}
