//! Runs the program.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

/// Returns a command that runs the program in the folder of the cases.
pub(crate) fn payspec(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_payspec"));
    command
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"));
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "CI"] {
        command.env_remove(variable);
    }
    command
}

/// Runs the program with a text as its standard input.
pub(crate) fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut command = payspec(arguments);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // A program that does not read everything closes the pipe.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    output
}

/// Waits until a program ends. Returns its largest resident set, in KiB.
pub(crate) fn peak(child: &mut Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let size = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(size.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    peak
}

/// Starts `payspec redact --follow`. Returns it with its standard input and output.
pub(crate) fn follow() -> (Child, ChildStdin, ChildStdout) {
    let mut child = payspec(&["redact", "--follow"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take().unwrap();
    let stdout = child.stdout.take().unwrap();
    (child, stdin, stdout)
}

/// Sends a line with `pan=4111111111111111` three times. Each is masked before the next one is sent.
pub(crate) fn redacts_each_line(line: &[u8]) {
    let (mut child, mut stdin, mut stdout) = follow();
    for _ in 0..3 {
        stdin.write_all(line).unwrap();
        let mut masked = [0; 21];
        // Blocks for ever if the program waits for more input.
        stdout.read_exact(&mut masked).unwrap();
        assert_eq!(&masked, b"pan=411111******1111\n");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

/// Returns exit status, standard output, and standard error.
pub(crate) fn text(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (
        output.status.code().expect("no signal"),
        text(&output.stdout),
        text(&output.stderr),
    )
}
