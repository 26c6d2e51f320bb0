//! No command prints a card number, a security code, or a token of a rejected body.

use crate::program::run;
use payspec_tests::planted_secrets::{CARDS, CODES};

/// A token, and the secret of a webhook.
const OTHERS: [&str; 2] = ["tok-51Hx9Zq", "whsec_c2VjcmV0LW9mLXRoZS13ZWJob29r"];

/// Returns bodies that are rejected, with every secret in many places.
fn bodies() -> Vec<String> {
    let mut bodies = Vec::new();
    for (index, card) in CARDS.into_iter().enumerate() {
        let code = CODES[index % CODES.len()];
        let grouped: String = card
            .as_bytes()
            .chunks(4)
            .map(|group| str::from_utf8(group).unwrap().to_owned() + " ")
            .collect();
        let grouped = grouped.trim_end();
        let card_object = format!(
            r#"{{"card_number":"{card}","expiry_month":13,"expiry_year":1999,"security_code":"{code}9"}}"#
        );
        let whole = format!(
            r#"{{"payment_type":"pay_in","mode":"x","cur":"XAU","amount":"1.","description":"{grouped}\u0007","user_id":{card},"pay_in_details":{{"card":{card_object}}},"{card}":1,"cvv":"{code}","x":{{"pan":["{card}"],"CVC2":{{"a":"{code}"}}}}}}"#
        );
        // Each member on its own line, and broken texts that end anywhere.
        bodies.push(whole.replace(",\"", ",\n\t\""));
        for end in (whole.len() / 3..whole.len()).step_by(7) {
            if let Some(cut) = whole.get(..end) {
                bodies.push(cut.to_owned());
            }
        }
        for broken in [
            format!("{{\"card_number\" \"{card}\", \"security_code\" \"{code}\"}}"),
            format!("{{\"security_code\":\"{code}\" \"pan\":\"{card}\"}}"),
            format!("{{\"pan\":\"{card}\" x}}"),
            format!("{{'card_number': '{card}', 'cvv': '{code}'}}"),
            card.to_owned(),
            format!("{{\"security_code\":\n\"{code}\"\n x"),
        ] {
            bodies.push(broken);
        }
        bodies.push(whole);
    }
    bodies
}

#[test]
fn reports_contain_no_secret() {
    let kinds: [&[&str]; 9] = [
        &["validate"],
        &["validate", "--format", "json"],
        &["validate", "--format", "jsonl"],
        &["validate", "--format", "github"],
        &["validate", "--format", "sarif"],
        &["validate", "--format", "junit"],
        &["validate", "--legacy", "pay_in"],
        &["check"],
        &["validate", "--color", "always"],
    ];
    for (index, body) in bodies().iter().enumerate() {
        // Every kind sees each form of a body; all of them for every body would take minutes.
        let arguments = kinds[index % kinds.len()];
        let output = run(arguments, body.as_bytes());
        assert_eq!(
            output.status.code(),
            Some(1),
            "{arguments:?} accepts {body}"
        );
        assert_silent(arguments, &[output.stdout, output.stderr].concat());
    }
}

#[test]
fn lists_of_rejects_contain_no_secret() {
    let lines: String = bodies()
        .iter()
        .map(|body| body.replace('\n', " ") + "\n")
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let rejects = folder.path().join("rejects");
    let output = folder.path().join("output");
    let arguments = [
        "--rejects",
        rejects.to_str().unwrap(),
        "-o",
        output.to_str().unwrap(),
        "--check",
    ];
    for what in [
        &["requests", "--kind", "pay_out"][..],
        &["payments"],
        &["requests", "--downgrade"],
    ] {
        let arguments = [&["migrate"], what, &arguments].concat();
        let ran = run(&arguments, lines.as_bytes());
        assert_eq!(ran.status.code(), Some(1));
        let listed = std::fs::read(&rejects).unwrap();
        assert!(!listed.is_empty());
        assert_silent(&arguments, &[ran.stdout, ran.stderr, listed].concat());
    }
}

#[test]
fn operations_contain_no_secret() {
    let [token, secret] = OTHERS;
    for body in bodies().iter().step_by(10) {
        for arguments in [
            &["create", "--authorization", &format!("Bearer {token} x")][..],
            &["create", "--refusal", "no"],
            &["redact"],
            &[
                "call",
                "create_payment",
                "--body",
                "-",
                "--context",
                "policy.json",
            ],
            &["call", "field_currencies", "--body", "-"],
            &["call", "locate", "--body", "-", "--pointer", "/pan"],
            &["call", "convert", "--context", "-"],
            &["advance", "--to", "completed"],
        ] {
            let output = run(arguments, body.as_bytes());
            assert_silent(arguments, &[output.stdout, output.stderr].concat());
        }
    }
    for arguments in [
        &[
            "read",
            token,
            "--authorization",
            &format!("Bearer {token}"),
            "--unknown-token",
        ][..],
        &["call", "authorize", "--header", &format!("Basic {token}")],
        &["explain", token],
        &["generate", "--rule", token],
        &["call", token],
        &["card", CARDS[0]],
    ] {
        let output = run(arguments, b"");
        assert_silent(arguments, &[output.stdout, output.stderr].concat());
    }
    let context = format!(
        r#"{{"id":"1","timestamp":"2026-11-20T10:15:30Z","secrets":["{secret}","{secret}x!"]}}"#
    );
    let output = run(
        &[
            "call",
            "sign_webhook",
            "--body",
            "policy.json",
            "--context",
            "-",
        ],
        context.as_bytes(),
    );
    assert_eq!(output.status.code(), Some(2));
    assert_silent(&["sign_webhook"], &[output.stdout, output.stderr].concat());
}

fn assert_silent(arguments: &[&str], output: &[u8]) {
    let output = String::from_utf8_lossy(output);
    let digits: String = output
        .chars()
        .filter(|character| !matches!(character, ' ' | '-'))
        .collect();
    for card in CARDS {
        assert!(
            !digits.contains(card),
            "{arguments:?} prints the card number {card}:\n{output}"
        );
    }
    for secret in CODES.into_iter().chain(OTHERS) {
        assert!(
            !output.contains(secret),
            "{arguments:?} prints the secret {secret}:\n{output}"
        );
    }
}
