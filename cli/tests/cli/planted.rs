//! `payspec redact` leaves none of 10,000 planted card numbers and security codes in its output: with
//! every line end, at the borders of its blocks, with any number of threads, and in half lines.

use std::fs;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::planted_text::{Planted, Text};
use crate::program::{follow, run};

const MIXED: &[&str] = &["\n", "\n", "\r\n", "\r"];

/// Returns the arguments of all runs.
fn runs() -> Vec<Vec<&'static str>> {
    let jobs = ["1", "2", "7"].map(|jobs| vec!["redact", "--jobs", jobs]);
    let text = vec!["redact", "--jobs", "7", "--text"];
    jobs.into_iter().chain([text]).collect()
}

/// Fails with the first place that differs, if the output is not the text with its masks.
fn compare(output: &[u8], text: &Planted, about: &str) {
    if output == text.masked {
        return;
    }
    let pairs = output.iter().zip(&text.masked);
    let at = pairs
        .take_while(|(found, expected)| found == expected)
        .count();
    let near = |bytes: &[u8]| {
        let part = bytes.iter().skip(at.saturating_sub(60)).take(140);
        String::from_utf8_lossy(&part.copied().collect::<Vec<u8>>()).into_owned()
    };
    let (found, expected) = (near(output), near(&text.masked));
    panic!("{about}, offset {at}:\n{found:?}, expected\n{expected:?}");
}

/// Runs the program with a file and with standard input, in all ways.
fn leaves_nothing(text: &Planted, more: &[&'static str]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("planted.log");
    fs::write(&path, &text.input).unwrap();
    for mut arguments in runs() {
        arguments.extend(more);
        for file in [None, path.to_str()] {
            let all: Vec<&str> = arguments.iter().copied().chain(file).collect();
            let output = run(&all, if file.is_some() { b"" } else { &text.input });
            let about = format!("{all:?}");
            assert_eq!(output.stderr, b"", "{about}");
            assert_eq!(output.status.code(), Some(0), "{about}");
            compare(&output.stdout, text, &about);
        }
    }
}

/// The longest time until the program has read a part of a line.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn no_planted_secret_is_left_in_lines_with_any_end() {
    let text = Text::new(20_261_128, MIXED).plant(5_000);
    // Several blocks for each of seven threads.
    assert!(text.input.len() > 1 << 20, "{}", text.input.len());
    leaves_nothing(&text, &[]);
}

#[test]
fn no_planted_secret_is_left_between_carriage_returns() {
    leaves_nothing(&Text::new(7, &["\r"]).plant(2_500), &[]);
}

#[test]
fn no_planted_secret_is_left_between_random_bytes() {
    let text = Text::new(42, &["\n", "\r\n"]).with_bytes().plant(2_500);
    leaves_nothing(&text, &["--lossy"]);
}

/// The program has read each part of a line before the next part is written.
#[test]
#[cfg(target_os = "linux")]
fn no_planted_secret_is_left_in_half_lines() {
    let text = Text::new(2, MIXED).plant(1_000);
    let (mut child, mut stdin, mut stdout) = follow();
    let reader = std::thread::spawn(move || {
        let mut output = Vec::new();
        stdout.read_to_end(&mut output).unwrap();
        output
    });
    let mut random = Rng::with_seed(3);
    let mut rest = text.input.as_slice();
    while !rest.is_empty() {
        let (part, after) = rest.split_at(random.usize(1..200).min(rest.len()));
        stdin.write_all(part).unwrap();
        let written = Instant::now();
        while rustix::io::ioctl_fionread(&stdin).unwrap() > 0 {
            assert!(child.try_wait().unwrap().is_none(), "the program has ended");
            assert!(written.elapsed() < PATIENCE, "the program does not read");
            std::thread::sleep(Duration::from_micros(20));
        }
        rest = after;
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    compare(&reader.join().unwrap(), &text, "--follow");
}
