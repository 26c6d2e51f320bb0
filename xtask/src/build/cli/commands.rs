//! Commands that every binary runs.

use super::binary::Binary;
use anyhow::{Result, anyhow};
use std::io::Write;
use std::process::Stdio;

/// Commands whose output must not depend on the processor, with their exit statuses. They read
/// generated bodies.
pub(super) const COMMANDS: &[(&[&str], i32)] = &[
    (&["--version"], 0),
    (&["validate", "--jsonl", "--now", "2026-11-20T10:15:30Z"], 1),
    (
        &["validate", "--jsonl", "--format", "sarif", "--jobs", "2"],
        1,
    ),
    (&["redact", "--report"], 0),
    (&["migrate", "requests", "--downgrade", "--check"], 1),
    (&["explain", "card_number_checksum", "--color", "always"], 0),
    (
        &[
            "convert",
            "1500.00",
            "RUB",
            "--quote",
            "RUB=92.45",
            "--now",
            "2026-11-20T10:15:30Z",
        ],
        0,
    ),
    (&["openapi"], 0),
];

/// Returns the outputs of the commands.
pub(super) fn outputs(binary: &Binary) -> Result<Vec<Vec<u8>>> {
    let (_, bodies) = run(binary, &["generate", "--all-rules", "--count", "3"], b"")?;
    let outputs = COMMANDS.iter().map(|(arguments, expected)| {
        let (status, output) = run(binary, arguments, &bodies)?;
        match status {
            Some(status) if status == *expected && !output.is_empty() => Ok(output),
            status => Err(anyhow!(
                "{}: payspec {} ended with {status:?}",
                binary.target,
                arguments.join(" ")
            )),
        }
    });
    outputs.collect()
}

/// Returns the exit status and the standard output of a command.
fn run(binary: &Binary, arguments: &[&str], input: &[u8]) -> Result<(Option<i32>, Vec<u8>)> {
    let mut command = binary.command();
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    let (stdin, input) = (child.stdin.take(), input.to_vec());
    // A program that reads no input closes the pipe.
    let writer = std::thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
    let output = child.wait_with_output()?;
    let _ = writer.join();
    Ok((output.status.code(), output.stdout))
}
