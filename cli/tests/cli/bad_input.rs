//! Bad input has one clear line and the right exit status.

use crate::program::{payspec, redacts_each_line, run, text};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// A user without rights.
const NOBODY: u32 = 65534;

/// Expects one line on standard error.
fn failure(arguments: &[&str], input: &[u8]) -> String {
    let (status, stdout, stderr) = text(&run(arguments, input));
    assert_eq!(
        (status, stderr.lines().count()),
        (2, 1),
        "{arguments:?}: {stdout}{stderr}"
    );
    stderr
}

/// Equal decisions about inputs that are not requests would be no evidence for a new policy.
#[test]
fn a_shadow_policy_needs_a_request() {
    let policy = format!(
        "{}/tests/cases/shadow/proposed.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let shadow = ["validate", "--shadow", &policy];
    for input in [&b""[..], b"\x7fELF\0", b"{}\n{}\n", b"[]"] {
        let line = failure(&shadow, input);
        assert!(
            line.contains("no input is a JSON object") && line.contains("--jsonl"),
            "{line}"
        );
    }
    let lines = [&shadow[..], &["--jsonl"]].concat();
    let (status, stdout, stderr) = text(&run(&lines, b"{}\n{]\n"));
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(stdout.contains("not a JSON object: 1"), "{stdout}");
}

#[test]
fn explains_bytes_that_are_not_utf8() {
    let (status, stdout, _) = text(&run(&["validate"], b"{\"cur\":\"\xff\"}"));
    assert!(
        status == 1 && stdout.contains("json_syntax") && stdout.contains("1:9"),
        "{stdout}"
    );
    let line = failure(&["redact"], b"good\nbad \xff\n");
    assert_eq!(
        line,
        "error: <stdin>: the byte at offset 9, in line 2, is not UTF-8; --encoding names another \
         encoding, and --lossy replaces such bytes\n"
    );
    let (status, stdout, _) = text(&run(&["redact", "--lossy"], b"a\xff pan=4111111111111111"));
    assert_eq!(
        (status, stdout.as_str()),
        (0, "a\u{fffd} pan=411111******1111")
    );
    let line = failure(&["validate", "--policy", "-"], b"\xff");
    assert!(line.contains("<stdin>"), "{line}");
}

#[test]
fn explains_empty_inputs() {
    let (status, stdout, _) = text(&run(&["validate"], b""));
    assert!(
        status == 1
            && stdout.contains("error[json_syntax]")
            && stdout.contains("the body is empty"),
        "{stdout}"
    );
    for arguments in [
        &["validate", "--jsonl"][..],
        &["redact"],
        &["migrate", "payments"],
    ] {
        assert_eq!(run(arguments, b"").status.code(), Some(0), "{arguments:?}");
    }
    let line = failure(&["advance", "--to", "completed"], b"");
    assert!(line.contains("<stdin>: invalid JSON at line 1"), "{line}");
    let folder = tempfile::tempdir().unwrap();
    let line = failure(&["validate", folder.path().to_str().unwrap()], b"");
    assert!(line.contains("no file ends in .json"), "{line}");
}

#[test]
fn explains_folders_without_permission() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::write(closed.join("body.json"), "{}").unwrap();
    fs::set_permissions(&closed, PermissionsExt::from_mode(0o000)).unwrap();
    // The superuser may read everything, so another user runs a copy of the program that this user
    // can reach.
    let program = folder.path().join("payspec");
    // `cp` writes it: a process that another test starts at this moment would inherit a file that
    // is open for writing here, and Linux runs no such file ("text file busy").
    assert!(
        Command::new("cp")
            .arg(env!("CARGO_BIN_EXE_payspec"))
            .arg(&program)
            .status()
            .unwrap()
            .success()
    );
    let is_superuser = fs::read_dir(&closed).is_ok();
    let (body, output) = (closed.join("body.json"), closed.join("out"));
    for arguments in [
        &[Path::new("validate"), &closed][..],
        &[Path::new("validate"), &body],
        &[Path::new("redact"), &body],
        &[Path::new("migrate"), Path::new("payments"), &body],
        &[
            Path::new("migrate"),
            Path::new("payments"),
            Path::new("-o"),
            &output,
        ],
        &[
            Path::new("call"),
            Path::new("redact"),
            Path::new("--body"),
            &body,
        ],
    ] {
        let mut command = Command::new(&program);
        command
            .args(arguments)
            .current_dir("/")
            .stdin(Stdio::null());
        if is_superuser {
            command.uid(NOBODY).gid(NOBODY);
        }
        let (status, stdout, stderr) = text(&command.output().unwrap());
        assert_eq!(
            (status, stderr.lines().count()),
            (2, 1),
            "{arguments:?}: {stdout}{stderr}"
        );
        assert!(
            stderr.starts_with("error: cannot ") && stderr.ends_with(": permission denied\n"),
            "{stderr}"
        );
    }
    fs::set_permissions(&closed, PermissionsExt::from_mode(0o700)).unwrap();
    let line = failure(
        &[
            "migrate",
            "payments",
            "-o",
            folder.path().join("a/b").to_str().unwrap(),
        ],
        b"",
    );
    assert!(line.contains("no such file or directory"), "{line}");
}

/// Lines of any length take constant memory and are reported like other bodies.
#[test]
fn reports_long_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.jsonl");
    let mut file = File::create(&path).unwrap();
    // Without a line feed for 300 MB. A sparse file takes no space.
    file.set_len(300 << 20).unwrap();
    std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).unwrap();
    file.write_all(b"\n{}\n").unwrap();
    let path = path.to_str().unwrap();
    let (status, stdout, _) = text(
        &payspec(&["validate", path, "--no-warnings"])
            .output()
            .unwrap(),
    );
    assert!(
        status == 1 && stdout.contains("body_too_large") && stdout.contains("long.jsonl:2:1"),
        "{stdout}"
    );
    let line = failure(&["redact", "--text", path], b"");
    assert!(line.contains("line 1 is longer than"), "{line}");
    let output = folder.path().join("out");
    let rejects = folder.path().join("rejects");
    let arguments = [
        "migrate",
        "payments",
        path,
        "-o",
        output.to_str().unwrap(),
        "--rejects",
        rejects.to_str().unwrap(),
    ];
    assert_eq!(payspec(&arguments).output().unwrap().status.code(), Some(1));
    let rejects = fs::read_to_string(rejects).unwrap();
    assert!(
        rejects
            .lines()
            .next()
            .unwrap()
            .contains("the body is larger than"),
        "{rejects}"
    );
}

/// As in `payspec rules | head -1`.
#[test]
fn stops_if_the_output_is_closed() {
    let input = b"{\"cur\":1}\n".repeat(200_000);
    for arguments in [
        &["rules"][..],
        &["validate", "--jsonl"],
        &["redact"],
        &["validate", "--jsonl", "--jobs", "4"],
    ] {
        let mut child = payspec(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.clone();
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let mut stdout = child.stdout.take().unwrap();
        let mut first = [0; 100];
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(
            (output.status.code(), output.stderr.len()),
            (Some(0), 0),
            "{arguments:?}"
        );
    }
}

#[test]
fn prints_lines_as_they_arrive() {
    redacts_each_line(b"pan=4111111111111111\n");
}
