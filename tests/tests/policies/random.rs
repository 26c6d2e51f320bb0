//! Random policies with few distinct values, and random requests with values around them.

use fastrand::Rng;
use payspec::{RULES, Timestamp};

/// A random request.
pub(crate) struct Request {
    pub(crate) body: String,
    pub(crate) now: Option<Timestamp>,
}

/// The members of a random policy except severities, and their values.
const SETTINGS: [(&str, &[&str]); 3] = [
    (
        "currencies",
        &[r#"["RUB"]"#, r#"["JPY","USD"]"#, r#"["RUB","JPY"]"#, "[]"],
    ),
    (
        "urls",
        &[
            r#"{"schemes":["https"]}"#,
            r#"{"schemes":["a"]}"#,
            r#"{"schemes":[]}"#,
            r#"{"schemes":["https","a","http"]}"#,
        ],
    ),
    ("invalid_request_status", &["400"]),
];

/// The limits of a random policy, and their values.
const LIMITS: [(&str, &[&str]); 7] = [
    ("body_bytes", &["90", "120", "200", "400", "2000"]),
    ("depth", &["1", "2", "3", "4"]),
    ("text_chars", &["1", "5", "15", "17"]),
    ("description_chars", &["1", "5", "15", "17"]),
    ("uri_bytes", &["2", "5", "9", "20"]),
    (
        "amount",
        &[
            r#"{"RUB":{"min":"10","max":"20"}}"#,
            r#"{"RUB":{"min":"15"},"JPY":{"max":"12"}}"#,
            r#"{"RUB":{"max":"12.005"},"USD":{"min":"5"}}"#,
            r#"{"JPY":{"min":"10.5","max":"10.9"}}"#,
            r#"{"RUB":{"min":"0.001","max":"0.002"}}"#,
        ],
    ),
    (
        "time_to_complete_payment",
        &[
            r#"{"min":0}"#,
            r#"{"min":5,"max":9}"#,
            r#"{"max":3}"#,
            r#"{"min":3,"max":6}"#,
        ],
    ),
];

/// Members that a random policy requires.
const REQUIRED: [&str; 17] = [
    "/mode",
    "/subtype",
    "/merchant_id",
    "/user_name",
    "/callback",
    "/redirect_url",
    "/host2host",
    "/description",
    "/time_to_complete_payment",
    "/pay_out_details",
    "/pay_out_details/card_number",
    "/pay_out_details/phone_number",
    "/pay_in_details",
    "/pay_in_details/card",
    "/pay_in_details/card/card_number",
    "/pay_in_details/card/expiry_year",
    "/system",
];

/// Returns two policies with a few differences.
pub(crate) fn pair(random: &mut Rng) -> (String, String) {
    let mut severities = Vec::new();
    for rule in RULES.iter().filter(|rule| rule.adjustable) {
        let level = |random: &mut Rng| match random.u8(..20) {
            0 => Some("error"),
            1 => Some("off"),
            2 => Some("warning"),
            _ => None,
        };
        let before = level(random);
        let after = if random.u8(..8) == 0 {
            level(random)
        } else {
            before
        };
        severities.push((rule.name, before, after));
    }
    let required = random_list(random);
    let other_required = if random.u8(..4) == 0 {
        random_list(random)
    } else {
        required.clone()
    };
    let settings = members(random, &SETTINGS);
    let limits = members(random, &LIMITS);
    let policy = |is_after: bool, required: &str| {
        let pick = |(name, before, after): &(&str, Option<&str>, Option<&str>)| {
            let value = if is_after { after } else { before };
            value.map(|value| format!("\"{name}\":{value}"))
        };
        let severities: Vec<_> = severities
            .iter()
            .filter_map(pick)
            .map(|member| {
                let (name, level) = member.split_once(':').unwrap();
                format!("{name}:\"{level}\"")
            })
            .collect();
        let limits: Vec<_> = limits.iter().filter_map(pick).collect();
        let mut all = vec![
            format!("\"severity\":{{{}}}", severities.join(",")),
            format!("\"limits\":{{{}}}", limits.join(",")),
            format!("\"required\":{required}"),
        ];
        all.extend(settings.iter().filter_map(pick));
        format!("{{{}}}", all.join(","))
    };
    (policy(false, &required), policy(true, &other_required))
}

type Member = (&'static str, Option<&'static str>, Option<&'static str>);

/// Selects a value of some members before and after.
fn members(random: &mut Rng, table: &[(&'static str, &'static [&'static str])]) -> Vec<Member> {
    let mut members = Vec::new();
    for (name, values) in table {
        let select =
            |random: &mut Rng| (random.u8(..3) == 0).then(|| values[random.usize(..values.len())]);
        let before = select(random);
        let after = if random.bool() {
            before
        } else {
            select(random)
        };
        members.push((*name, before, after));
    }
    members
}

fn random_list(random: &mut Rng) -> String {
    let mut pointers = Vec::new();
    for pointer in REQUIRED {
        if random.u8(..16) == 0 {
            pointers.push(format!("\"{pointer}\""));
        }
    }
    format!("[{}]", pointers.join(","))
}

const TEXTS: &[&str] = &[
    "\"a\"",
    "\"\"",
    "\"abcde\"",
    "\"abcdef\"",
    "\"4111111111111111\"",
    "\"4111 1111 1111 1111\"",
    "\"\\t\"",
    "\"abcdefghijklmnopqr\"",
    "null",
];
const URIS: &[&str] = &[
    "\"https://shop.example/\"",
    "\"http://a.bc\"",
    "\"a:\"",
    "\"a:bcd\"",
    "\"x\"",
    "\"https://u@shop.example/\"",
    "\"https://127.0.0.1/\"",
    "\"a://@\"",
    "\"b:\"",
    "\"https://shop.example/long\"",
];
const OBJECT: &str = "{}";

/// Members at the top of a random body, with one in this number of bodies without the member, and
/// their values.
const MEMBERS: [(&str, u8, &[&str]); 17] = [
    (
        "payment_type",
        20,
        &["\"pay_in\"", "\"pay_in\"", "\"pay_out\"", "\"x\""],
    ),
    (
        "mode",
        2,
        &["\"P2P\"", "\"ACQUIRING\"", "\"CRYPTO\"", "\"x\""],
    ),
    ("subtype", 6, &["\"sbp\"", "\"bank_card\"", "\"x\""]),
    (
        "cur",
        20,
        &[
            "\"RUB\"", "\"RUB\"", "\"JPY\"", "\"USD\"", "\"XAU\"", "\"usd\"", "\"EUR\"",
        ],
    ),
    (
        "amount",
        20,
        &[
            "\"10\"",
            "\"12\"",
            "\"15\"",
            "\"11\"",
            "\"5\"",
            "\"0\"",
            "\"9.99\"",
            "\"20.01\"",
            "\"12.001\"",
            "\"10.5\"",
            "\"0.001\"",
            "\"x\"",
            "\"1000000000000000000\"",
        ],
    ),
    ("merchant_id", 2, TEXTS),
    ("user_id", 2, TEXTS),
    ("user_name", 2, TEXTS),
    ("callback", 2, URIS),
    ("redirect_url", 2, URIS),
    ("host2host", 3, &["true", "false", "null"]),
    ("description", 2, TEXTS),
    (
        "time_to_complete_payment",
        2,
        &["0", "1", "2", "3", "4", "5", "6", "7", "9", "10", "-1"],
    ),
    ("pay_out_details", 3, &[OBJECT]),
    ("pay_in_details", 3, &[OBJECT]),
    ("system", 12, &["null", "0", "[[[]]]"]),
    ("x", 12, &["0", "[]", "[[]]", "[[[]]]", "[[[[]]]]"]),
];

const RECIPIENT: [(&str, u8, &[&str]); 3] = [
    ("full_name", 4, TEXTS),
    (
        "card_number",
        2,
        &["\"4111111111111111\"", "\"4111111111111112\"", "\"1\""],
    ),
    ("phone_number", 2, &["\"79161234567\"", "\"1\""]),
];

const CARD: [(&str, u8, &[&str]); 4] = [
    (
        "card_number",
        2,
        &["\"4111111111111111\"", "\"4111111111111112\"", "\"1\""],
    ),
    ("expiry_year", 2, &["2099", "99", "2020", "1999"]),
    ("expiry_month", 2, &["1", "12", "13"]),
    ("security_code", 2, &["\"123\"", "\"1234\"", "\"1\""]),
];

impl Request {
    pub(crate) fn new(random: &mut Rng) -> Self {
        // Most bodies have few members, so that some of them are valid.
        let sparse = random.u8(1..12);
        let mut members = Vec::new();
        for (name, absent, values) in MEMBERS {
            let is_usual = absent > 5 && !["system", "x"].contains(&name);
            let is_present = if is_usual {
                random.u8(..absent) != 0
            } else {
                random.u8(..sparse) == 0 && random.u8(..absent) != 0
            };
            if !is_present {
                continue;
            }
            // Half of the values are the first one, which most policies accept.
            let value = if random.bool() {
                values[0]
            } else {
                values[random.usize(..values.len())]
            };
            let value = match name {
                "pay_out_details" => object(random, &RECIPIENT, None),
                "pay_in_details" => {
                    let card = random.bool().then(|| object(random, &CARD, None));
                    object(random, &[], card)
                }
                _ => value.to_string(),
            };
            members.push(format!("\"{name}\":{value}"));
            if random.u8(..60) == 0 {
                members.push(format!("\"{name}\":0"));
            }
        }
        let mut body = format!("{{{}}}", members.join(","));
        if random.u8(..8) == 0 {
            let spaces = random.usize(..200);
            body.extend(std::iter::repeat_n(' ', spaces));
        }
        let now = random
            .bool()
            .then(|| "2026-11-20T10:15:30Z".parse().unwrap());
        Request { body, now }
    }
}

fn object(random: &mut Rng, table: &[(&str, u8, &[&str])], card: Option<String>) -> String {
    let mut members: Vec<_> = card
        .map(|card| format!("\"card\":{card}"))
        .into_iter()
        .collect();
    for (name, absent, values) in table {
        if random.u8(..*absent) != 0 {
            let value = if random.bool() {
                values[0]
            } else {
                values[random.usize(..values.len())]
            };
            members.push(format!("\"{name}\":{value}"));
        }
    }
    format!("{{{}}}", members.join(","))
}
