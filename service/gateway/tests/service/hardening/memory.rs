//! Card data in the memory of a gateway.

use std::process::Stdio;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::card_numbers::card_number;
use crate::database::Database;
use crate::gateway::{self, Gateway, PROGRAM};
use crate::process_memory::find_cards;

/// Returns another card number for each number.
fn card(number: u64) -> String {
    card_number(number * 7_919_317 % 1_000_000_000)
}

fn body(card: &str) -> Value {
    json!({
        "payment_type": "pay_in", "mode": "ACQUIRING", "subtype": "bank_card", "cur": "RUB", "amount": "1500.00",
        "host2host": true,
        "pay_in_details": {"card": {
            "card_holder": "ANNA PETROVA", "card_number": card, "expiry_year": 2099, "expiry_month": 12,
            "security_code": "917",
        }},
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_core_dump_contains_no_card_number() {
    let database = Database::sqlite();
    let token = gateway::token(&database, "shop-42");
    let mut command = Command::new(PROGRAM);
    command
        .env("PAYSPEC_TEST_READABLE_MEMORY", "1")
        .env("GATEWAY_PAGE_MERCHANT", "shop-42");
    let gateway = Gateway::start_with(command, &database.url, &[], Stdio::null()).await;
    let cards: Vec<_> = (1..=60).map(card).collect();
    for (number, card) in cards.iter().enumerate() {
        let mut text = body(card).to_string();
        let mut request = gateway.request(Method::POST, "/v1/payments/new", Some(&token));
        match number % 6 {
            0 | 1 => {}
            // An invalid body, one that is not JSON, and one that is too large.
            2 => text = text.replace("1500.00", "-1"),
            3 => text.truncate(text.len() - 1),
            4 => text.push_str(&" ".repeat(70_000)),
            // Of a visitor of the page.
            _ => {
                let made = gateway.request(Method::POST, "/checkout/api/sessions", None);
                let session: Value = made.send().await.unwrap().json().await.unwrap();
                request = gateway
                    .request(Method::POST, "/checkout/api/payments", None)
                    .header("checkout-session", session["id"].as_str().unwrap());
            }
        }
        // The gateway closes a connection whose body it has not read.
        if number % 7 == 0 || number % 6 == 4 {
            request = request.header("connection", "close");
        }
        let answer = request.body(text).send().await.unwrap();
        let expected = [201, 201, 422, 400, 413, 201][number % 6];
        assert_eq!(answer.status(), expected, "request {number}");
    }
    // The gateway waits for the next request of its connections.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let pid = gateway.child.id().unwrap();
    let (left, has_mask) = find_cards(pid, &cards);
    assert!(left.is_empty(), "{} of 60: {left:?}", left.len());
    assert!(has_mask, "payments with masked numbers are in the memory");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_memory_of_a_gateway_is_protected() {
    let gateway = Gateway::start(&Database::sqlite(), &[]).await;
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", gateway.child.id().unwrap()));
    let limits = limits.unwrap();
    let core = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"))
        .unwrap();
    let values: Vec<_> = core.split_whitespace().collect();
    assert_eq!(values[4..6], ["0", "0"], "{core}");
}
