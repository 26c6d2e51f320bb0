//! The bodies of `payspec generate` break what they should.

use crate::program::{run, text};
use payspec::RULES;

#[test]
fn breaks_exactly_the_rule() {
    // Only a policy with a list of currencies has this rule.
    let policy = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(policy.path(), r#"{"currencies":["GBP","JPY","CHF"]}"#).unwrap();
    for rule in RULES {
        let policy = policy.path().to_str().unwrap();
        let restricted: &[&str] = if rule.name == "currency_not_allowed" {
            &["--policy", policy]
        } else {
            &[]
        };
        let arguments = [
            &[
                "generate",
                "--rule",
                rule.name,
                "--count",
                "5",
                "--with-answer",
            ],
            restricted,
        ]
        .concat();
        let (status, stdout, stderr) = text(&run(&arguments, b""));
        assert_eq!(status, 0, "{}: {stderr}", rule.name);
        assert_eq!(stdout.lines().count(), 5);
        for line in stdout.lines() {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let answer = &value["answer"];
            let violations = answer
                .get("violations")
                .unwrap_or(&answer["body"]["violations"])
                .as_array()
                .unwrap();
            let codes: Vec<&str> = violations
                .iter()
                .map(|violation| violation["code"].as_str().unwrap())
                .collect();
            let expected: &[&str] = match rule.name {
                "field_currency" => &["missing", "field_currency"],
                name => &[name],
            };
            assert_eq!(codes, expected, "{line}");
        }
    }
}

#[test]
fn repeats_the_bodies_of_a_seed() {
    let with = |seed| run(&["generate", "--count", "20", "--seed", seed], b"").stdout;
    assert_eq!(with("1"), with("1"));
    assert_ne!(with("1"), with("2"));
    let (status, stdout, _) = text(&run(&["validate", "--jsonl"], &with("3")));
    assert_eq!((status, stdout.as_str()), (0, "all 20 bodies are valid\n"));
}
