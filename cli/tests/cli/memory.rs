//! Memory does not grow with the input.

use crate::program::{self, payspec, run};
use std::fs;
use std::io::Write;
use std::process::Stdio;

/// The most that a command may need, in KiB.
const MOST: u64 = 50 * 1024;

/// Returns the largest resident set of the command, in KiB.
fn peak(arguments: &[&str]) -> u64 {
    let mut child = payspec(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    program::peak(&mut child)
}

#[test]
#[cfg(target_os = "linux")]
fn is_constant() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("input.jsonl");
    let bodies = run(&["generate", "--count", "2000"], b"").stdout;
    let mut file = fs::File::create(&input).unwrap();
    // Larger than the limit, so that a copy in memory would exceed it.
    for _ in 0..(80 << 20) / bodies.len() {
        file.write_all(&bodies).unwrap();
    }
    let wide = folder.path().join("wide.log");
    let mut file = fs::File::create(&wide).unwrap();
    let line: Vec<u8> = String::from_utf8_lossy(&bodies)
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for _ in 0..(80 << 20) / line.len() {
        file.write_all(&line).unwrap();
    }
    let wide = wide.to_str().unwrap();
    let (input, output) = (input.to_str().unwrap(), folder.path().join("out"));
    for arguments in [
        &["validate", input, "--jobs", "2"][..],
        &["validate", input, "--format", "sarif"],
        &["redact", input, "--jobs", "2"],
        &["redact", "--text", input],
        &["redact", wide],
        &[
            "migrate",
            "requests",
            "--downgrade",
            input,
            "--jobs",
            "2",
            "-o",
            output.to_str().unwrap(),
        ],
    ] {
        let peak = peak(arguments);
        assert!(
            (100..MOST).contains(&peak),
            "{arguments:?} needs {peak} KiB"
        );
    }
}
