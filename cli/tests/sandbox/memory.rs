//! Card data in the memory of a sandbox.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::process::{PROGRAM, Sandbox};
use crate::process_memory::find_cards;

#[test]
fn the_memory_contains_no_card_number() {
    let mut command = Command::new(PROGRAM);
    command.env("PAYSPEC_TEST_READABLE_MEMORY", "1");
    let sandbox = Sandbox::start_with(command, &[]);
    let merchant = sandbox.named("shop");
    // The sandbox contains the cards of its scenarios, so these are others.
    let cards: Vec<_> = (10..99).map(card).collect();
    for (number, card) in cards.iter().enumerate() {
        let amount = if number % 3 == 0 { "-1" } else { "1500.00" };
        let request = json!({
            "payment_type": "pay_in", "mode": "ACQUIRING", "subtype": "bank_card", "cur": "RUB", "amount": amount,
            "host2host": true,
            "pay_in_details": {"card": {
                "card_holder": "ANNA PETROVA", "card_number": card, "expiry_year": 2099, "expiry_month": 12,
                "security_code": "917",
            }},
        });
        let answer = merchant.create_with(&[], &request);
        assert_eq!(
            answer.status,
            if number % 3 == 0 { 422 } else { 201 },
            "{}",
            answer.text
        );
    }
    std::thread::sleep(Duration::from_millis(500));
    let (left, has_mask) = find_cards(sandbox.id(), &cards);
    assert!(
        left.is_empty(),
        "{} of {}: {left:?}",
        left.len(),
        cards.len()
    );
    assert!(has_mask, "payments with masked numbers are in the memory");
}

/// The limit of the core file is zero, so no dump of a crash contains a card number.
#[test]
fn the_memory_is_in_no_core_dump() {
    for arguments in [
        &["sandbox"][..],
        &["mcp"],
        &["observe", "--upstream", "http://127.0.0.1:1"],
    ] {
        let mut child = Command::new(PROGRAM)
            .args(arguments)
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program");
        // The first line is printed when the program listens.
        let mut line = String::new();
        match arguments {
            ["observe", ..] => BufReader::new(child.stderr.take().unwrap()).read_line(&mut line),
            _ => BufReader::new(child.stdout.take().unwrap()).read_line(&mut line),
        }
        .unwrap();
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let mut lines = limits.lines();
        let core = lines.find(|line| line.starts_with("Max core file size"));
        let values: Vec<_> = core.unwrap().split_whitespace().collect();
        assert_eq!(values[4..6], ["0", "0"], "{arguments:?}");
    }
}

/// Returns a card number with a valid check digit.
fn card(number: u32) -> String {
    let digits = format!("41111173{:07}", number * 86_413);
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(
            |(index, digit)| match (index % 2, u32::from(digit - b'0')) {
                (0, digit) if digit > 4 => digit * 2 - 9,
                (0, digit) => digit * 2,
                (_, digit) => digit,
            },
        )
        .sum();
    format!("{digits}{}", (10 - sum % 10) % 10)
}
