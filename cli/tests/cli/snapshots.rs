//! Compares the output with `tests/cases` and with the `console` blocks of the README and of the
//! book. `TRYCMD=overwrite` writes them.

use crate::program::{payspec, run, text};
use std::path::Path;

#[test]
fn matches_the_cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The other tests use absolute paths.
    std::env::set_current_dir(folder.join("tests/cases")).unwrap();
    let cases = trycmd::TestCases::new();
    // The program next to the tests, also if cargo does not run them.
    cases.register_bin("payspec", Path::new(env!("CARGO_BIN_EXE_payspec")));
    cases
        .env("NO_COLOR", "1")
        .case(folder.join("tests/cases/*.trycmd"))
        .case(folder.join("README.md"));
    cases.case(folder.join("../docs/src/*/*.md"));
}

#[test]
fn colors_change_only_escapes() {
    let strip = |text: &str| {
        let mut out = String::new();
        let mut parts = text.split("\u{1b}[");
        out.push_str(parts.next().unwrap_or_default());
        parts.for_each(|part| out.push_str(part.split_once('m').expect("a style").1));
        out
    };
    for arguments in [
        ["validate", "bodies/card.json"],
        ["explain", "amount_scale"],
        ["explain", "idle"],
    ] {
        let plain = payspec(&arguments).output().unwrap().stdout;
        let colored = payspec(&arguments)
            .args(["--color", "always"])
            .output()
            .unwrap()
            .stdout;
        let (plain, colored) = (
            String::from_utf8(plain).unwrap(),
            String::from_utf8(colored).unwrap(),
        );
        assert!(
            !plain.contains('\u{1b}') && colored.contains("\u{1b}["),
            "{arguments:?}"
        );
        assert_eq!(strip(&colored), plain);
        let forced = payspec(&arguments)
            .env("CLICOLOR_FORCE", "1")
            .output()
            .unwrap()
            .stdout;
        assert_eq!(
            String::from_utf8(forced).unwrap(),
            colored,
            "the variable forces colors"
        );
        let none = payspec(&arguments)
            .env("NO_COLOR", "1")
            .output()
            .unwrap()
            .stdout;
        assert_eq!(String::from_utf8(none).unwrap(), plain);
    }
}

/// Compares colored output with files in which `␛` is the escape character. `BLESS=1` writes them.
#[test]
fn matches_the_colored_cases() {
    for (name, arguments) in [
        (
            "validate",
            &[
                "validate",
                "bodies/card.json",
                "bodies/lines.jsonl",
                "bodies/names.json",
            ][..],
        ),
        ("explain", &["explain", "unknown_member"]),
        ("json", &["card", "411111"]),
        ("error", &["explain", "amuont_scale"]),
        ("valid", &["validate", "bodies/valid.json"]),
    ] {
        let output = payspec(arguments)
            .args(["--color", "always"])
            .output()
            .unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat())
            .unwrap()
            .replace('\u{1b}', "␛");
        assert!(text.contains('␛'), "{text}");
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cases/colors/{name}.txt"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(
            text,
            std::fs::read_to_string(&path).unwrap_or_default(),
            "{}",
            path.display()
        );
    }
}

/// No line of a report on a body of 60 KB is much longer than the terminal is wide.
#[test]
fn cuts_long_lines() {
    for columns in ["40", "80", "200"] {
        let output = payspec(&["validate", "bodies/long.json"])
            .env("COLUMNS", columns)
            .output()
            .unwrap();
        let (status, stdout, _) = text(&output);
        assert_eq!(status, 1);
        let longest = stdout
            .lines()
            .map(|line| line.chars().count())
            .max()
            .unwrap();
        let columns: usize = columns.parse().unwrap();
        // Titles and sources are not cut.
        assert!(
            longest <= columns.max(90) + 10,
            "{longest} characters in {columns} columns:\n{stdout}"
        );
    }
}

#[test]
fn is_the_same_with_any_number_of_jobs() {
    let bodies = run(
        &["generate", "--all-rules", "--count", "30", "--seed", "5"],
        b"",
    )
    .stdout;
    let valid = run(&["generate", "--count", "3000"], b"").stdout;
    let input = [bodies, valid].concat();
    for arguments in [
        &["validate", "--jsonl"][..],
        &["validate", "--jsonl", "--format", "sarif"],
        &["validate", "--jsonl", "--format", "json"],
        &["redact", "--report"],
        &["migrate", "requests", "--downgrade"],
    ] {
        let with = |jobs| run(&[arguments, &["--jobs", jobs]].concat(), &input);
        let (one, four) = (with("1"), with("4"));
        assert_eq!(
            (one.status.code(), one.stderr),
            (four.status.code(), four.stderr),
            "{arguments:?}"
        );
        assert!(
            one.stdout == four.stdout && !one.stdout.is_empty(),
            "{arguments:?}"
        );
    }
}

#[test]
fn prints_valid_documents() {
    for arguments in [
        &["openapi"][..],
        &["schema"],
        &["rules", "--json"],
        &["decisions", "--json"],
        &["states", "--json"],
        &["validate", "bodies", "--format", "json"],
        &["validate", "bodies", "--format", "sarif"],
        &["create", "bodies/card.json"],
    ] {
        let output = payspec(arguments).output().unwrap();
        let value: Result<serde_json::Value, _> = serde_json::from_slice(&output.stdout);
        assert!(value.is_ok(), "{arguments:?}: {value:?}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = payspec(&["completions", shell]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && text.len() > 1000, "{shell}");
        // The others complete only commands and options.
        if ["bash", "zsh"].contains(&shell) {
            assert!(
                ["amount_scale", "not_fully", "locate"]
                    .iter()
                    .all(|name| text.contains(name)),
                "{shell}"
            );
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let output = payspec(&["man", folder.path().to_str().unwrap()])
        .output()
        .unwrap();
    assert!(output.status.success());
    for page in ["payspec.1", "payspec-validate.1", "payspec-migrate.1"] {
        let text = std::fs::read_to_string(folder.path().join(page)).unwrap();
        assert!(text.contains(".SH OPTIONS"), "{page}");
    }
}
