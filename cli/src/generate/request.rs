//! Random creation requests. The library decides whether they are valid.

use fastrand::Rng;
use payspec::{Currency, Engine};

use super::body::Body;

/// Test numbers that the schemes publish, each with the length of its security code.
const CARDS: [(&str, usize); 6] = [
    ("4111111111111111", 3),
    ("4012888888881881", 3),
    ("5555555555554444", 3),
    ("2223003122003222", 3),
    ("378282246310005", 4),
    ("6011111111111117", 3),
];
const NAMES: [&str; 5] = [
    "ANNA PETROVA",
    "IVAN SMIRNOV",
    "MARIA GARCIA",
    "JOHN SMITH",
    "LI WEI",
];

/// The requirements of a recipe for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Any,
    PayIn,
    PayOut,
    /// A pay-in with a card, in host-to-host mode.
    HostToHost,
    /// A pay-out to a phone number.
    Phone,
}

/// The card of a request.
#[derive(Clone, Debug)]
pub(super) struct Card {
    pub(super) number: String,
    pub(super) year: u32,
    pub(super) month: u32,
    pub(super) code: String,
}

impl Card {
    pub(super) fn random(rng: &mut Rng) -> Self {
        let (number, code) = CARDS[rng.usize(..CARDS.len())];
        Card {
            number: number.to_owned(),
            year: rng.u32(2090..2099),
            month: rng.u32(1..=12),
            code: (0..code).map(|_| rng.digit(10)).collect(),
        }
    }

    /// Returns the member `pay_in_details`.
    pub(super) fn details(&self, rng: &mut Rng) -> String {
        let Card {
            number,
            year,
            month,
            code,
        } = self;
        let holder = NAMES[rng.usize(..NAMES.len())];
        format!(
            "{{\"card\":{{\"card_holder\":\"{holder}\",\"card_number\":\"{number}\",\"expiry_year\":{year},\
             \"expiry_month\":{month},\"security_code\":\"{code}\"}}}}"
        )
    }
}

/// Returns a request of the shape. It names a currency and an amount that the policy accepts, if
/// possible.
pub(super) fn random(engine: &Engine, shape: Shape, rng: &mut Rng) -> Body {
    let is_pay_in = match shape {
        Shape::Any => rng.bool(),
        Shape::PayIn | Shape::HostToHost => true,
        Shape::PayOut | Shape::Phone => false,
    };
    let is_host_to_host = shape == Shape::HostToHost || is_pay_in && rng.u8(..4) == 0;
    let mode = match is_host_to_host {
        true => "ACQUIRING",
        false => ["P2P", "ACQUIRING"][rng.usize(..2)],
    };
    let subtype = match shape {
        Shape::Phone => "sbp",
        _ if is_host_to_host => "bank_card",
        _ => ["bank_card", "sbp"][rng.usize(..2)],
    };
    let mut body = Body::default();
    body.set("payment_type", if is_pay_in { "pay_in" } else { "pay_out" });
    body.set("mode", mode);
    body.set("subtype", subtype);
    let (currency, amount) = money(engine, rng);
    body.set("cur", currency);
    body.set("amount", amount);
    body.set("merchant_id", format!("shop-{}", rng.u32(1..100)));
    body.set("user_id", format!("user-{}", rng.u32(1000..10_000)));
    if rng.bool() {
        body.set(
            "callback",
            format!("https://shop.example/hooks/{}", rng.u32(1..1000)),
        );
    }
    if rng.bool() {
        body.set(
            "redirect_url",
            format!("https://shop.example/orders/{}", rng.u32(1000..10_000)),
        );
    }
    if rng.bool() {
        body.set("description", format!("Order {}", rng.u32(1000..10_000)));
    }
    if is_host_to_host {
        body.set("host2host", true);
        let details = Card::random(rng).details(rng);
        body.set_json("pay_in_details", details);
    }
    if !is_pay_in {
        let details = match subtype {
            "sbp" => {
                serde_json::json!({"phone_number": format!("+79{}", rng.u32(100_000_000..999_999_999))})
            }
            _ => serde_json::json!({"card_number": CARDS[rng.usize(..CARDS.len())].0}),
        };
        body.set_json("pay_out_details", details.to_string());
    }
    body
}

/// Returns a currency that the policy lists, and an amount with at most as many fraction digits as
/// it has.
fn money(engine: &Engine, rng: &mut Rng) -> (&'static str, String) {
    let fiat: Vec<Currency> = match &engine.policy().currencies {
        Some(listed) => listed.to_vec(),
        None => Currency::all()
            .filter(|currency| currency.is_fiat())
            .collect(),
    };
    // An empty list accepts no currency; then no body is valid.
    let Some(currency) = rng.choice(fiat) else {
        return ("XXX", "1".to_owned());
    };
    let digits = currency.minor_unit().unwrap_or(0);
    let whole = rng.u32(1..100_000);
    let amount = if digits == 0 || rng.u8(..4) == 0 {
        whole.to_string()
    } else {
        let fraction: String = (0..digits).map(|_| rng.digit(10)).collect();
        format!("{whole}.{fraction}")
    };
    (currency.code(), amount)
}
