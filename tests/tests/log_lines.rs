//! Measures `redact_text` on generated log lines: every planted card number is masked, and other
//! lines rarely change.

use fastrand::Rng;
use payspec::Engine;
use payspec_tests::planted_secrets::random_card;
use std::collections::BTreeMap;

/// The number of generated lines, and how often one of them contains a card number.
const LINES: u32 = 100_000;
const PLANTED_EVERY: u32 = 100;

/// Formats with a random number of 13 to 19 digits, an order number or an account number, which may
/// have all properties of a card number. The others have no such number, and never change.
const AMBIGUOUS: [&str; 4] = ["nginx query", "JSON order", "order in groups", "order"];

#[test]
fn masks_only_card_numbers_in_log_lines() {
    let engine = Engine::default();
    let mut random = Rng::with_seed(20_261_123);
    let mut planted = 0_u32;
    // For each format, the lines without a card number, and those of them that changed.
    let mut formats: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for number in 0..LINES {
        let (format, line) = line(&mut random);
        if number % PLANTED_EVERY == 0 {
            let (card, written) = card(&mut random);
            let line = plant(&mut random, &line, &written);
            let redacted = engine.redact_text(&line);
            let digits: String = redacted
                .chars()
                .filter(|character| !matches!(character, ' ' | '-'))
                .collect();
            assert!(!digits.contains(&card), "{line} became {redacted}");
            planted += 1;
        } else {
            let (clean, changed) = formats.entry(format).or_default();
            *clean += 1;
            *changed += u32::from(engine.redact_text(&line) != line);
        }
    }
    println!("{planted} of {planted} planted card numbers are masked");
    for (format, (clean, changed)) in &formats {
        println!("{format}: {changed} of {clean} other lines changed");
        // One number in ten passes Luhn, and fewer than one in two has the prefix and length of a
        // scheme. One in fifty has those of UnionPay, which counts without Luhn.
        let max = if AMBIGUOUS.contains(format) {
            clean / 12
        } else {
            0
        };
        assert!(
            *changed <= max,
            "{format}: {changed} of {clean} lines changed"
        );
    }
    let clean: u32 = formats.values().map(|(clean, _)| clean).sum();
    let changed: u32 = formats.values().map(|(_, changed)| changed).sum();
    println!("all: {changed} of {clean} other lines changed");
}

/// Returns random characters of the alphabet.
fn text(random: &mut Rng, alphabet: &str, length: usize) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    (0..length)
        .map(|_| alphabet[random.usize(..alphabet.len())])
        .collect()
}

fn digits(random: &mut Rng, length: usize) -> String {
    text(random, "0123456789", length)
}

fn hex(random: &mut Rng, length: usize) -> String {
    text(random, "0123456789abcdef", length)
}

fn uuid(random: &mut Rng) -> String {
    [8, 4, 4, 4, 12].map(|length| hex(random, length)).join("-")
}

/// Returns a valid German IBAN.
fn iban(random: &mut Rng) -> String {
    let account = digits(random, 18);
    // The country as digits, 13 for D and 14 for E, and two zeros instead of the check digits.
    let number: u128 = format!("{account}131400").parse().expect("24 digits");
    format!("DE{:02}{account}", 98 - number % 97)
}

/// Returns the text in groups of that length.
fn grouped(text: &str, length: usize, separator: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let groups: Vec<String> = characters
        .chunks(length)
        .map(|group| group.iter().collect())
        .collect();
    groups.join(separator)
}

/// Returns the name of a common format, and a line in it.
fn line(random: &mut Rng) -> (&'static str, String) {
    let clock = format!(
        "{:02}:{:02}:{:02}",
        random.u32(..24),
        random.u32(..60),
        random.u32(..60)
    );
    let day = random.u32(1..29);
    let at = format!("2026-11-{day:02} {clock}");
    let nginx = {
        let address = [(); 4].map(|()| random.u8(..).to_string()).join(".");
        format!("{address} - - [{day:02}/Nov/2026:{clock} +0000]")
    };
    let milliseconds = 1_790_000_000_000 + random.u64(..10_000_000_000);
    let order = digits(random, 16);
    let (status, took) = (random.u32(200..504), random.u32(..100_000));
    match random.u32(..14) {
        0 => (
            "nginx",
            format!(
                r#"{nginx} "GET /v1/payments/{}/status HTTP/1.1" {status} {took} "-" 0.{}"#,
                uuid(random),
                digits(random, 3)
            ),
        ),
        1 => (
            "nginx query",
            format!(r#"{nginx} "POST /callback?order={order}&ts={milliseconds} HTTP/2.0" 204 0"#),
        ),
        2 => (
            "JSON",
            format!(
                r#"{{"ts":{milliseconds},"level":"info","request":"{}","took_ms":{took}}}"#,
                uuid(random)
            ),
        ),
        3 => (
            "JSON order",
            format!(
                r#"{{"time":"2026-11-{day:02}T{clock}.{}Z","order":"{order}"}}"#,
                digits(random, 3)
            ),
        ),
        4 => (
            "order in groups",
            format!(
                "{at},{} INFO order {} accepted",
                digits(random, 3),
                grouped(&order, 4, "-")
            ),
        ),
        5 => (
            "order",
            format!("{at} INFO order {order} of customer {}", digits(random, 10)),
        ),
        6 => ("IBAN", format!("{at} transfer to {} queued", iban(random))),
        7 => (
            "IBAN in groups",
            format!("{at} transfer to {} queued", grouped(&iban(random), 4, " ")),
        ),
        8 => (
            "phone in groups",
            format!(
                "{at} sms to +7 9{} {} {}",
                digits(random, 2),
                digits(random, 3),
                grouped(&digits(random, 4), 2, "-")
            ),
        ),
        9 => (
            "phone",
            format!("{at} sms to +7{} sent", digits(random, 10)),
        ),
        10 => (
            "hash",
            format!("{at} body sha256={} bytes={took}", hex(random, 64)),
        ),
        11 => (
            "decimal",
            format!(
                "{at} rate 0.{} amount {}.{} RUB",
                digits(random, 16),
                digits(random, 5),
                digits(random, 2)
            ),
        ),
        12 => (
            "UUID",
            format!("{at} DEBUG id={} parent={}", uuid(random), uuid(random)),
        ),
        _ => (
            "kernel",
            format!(
                "[{took}.{}] eth0: rx {} tx {}",
                digits(random, 6),
                digits(random, 12),
                hex(random, 12)
            ),
        ),
    }
}

/// Returns a card number of a known scheme, and one way to write it.
fn card(random: &mut Rng) -> (String, String) {
    let card = random_card(random);
    let written = match random.u32(..3) {
        0 => card.clone(),
        1 => grouped(&card, 4, " "),
        _ => grouped(&card, 4, "-"),
    };
    (card, written)
}

/// Returns the line with a card number, as logged by mistake.
fn plant(random: &mut Rng, line: &str, card: &str) -> String {
    match random.u32(..6) {
        0 => format!("{line} card {card}"),
        1 => format!("{line} {{\"note\":\"{card}\"}}"),
        2 => format!("{card}, {line}"),
        3 => format!("{line} body={{\\\"card_number\\\":\\\"{card}\\\"}}"),
        4 => format!("{line} pan={card}&x=1"),
        _ => format!("card:{card}; {line}"),
    }
}
