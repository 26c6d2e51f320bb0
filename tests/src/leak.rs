//! Checks whether a call leaks a secret of its inputs: through its answer, or through the Debug
//! output of a typed value.

use crate::call;
use crate::debug::debug_texts;
use crate::escapes;
use crate::json::Json;
use crate::planted_secrets::CODES;
use payspec::Engine;
use std::borrow::Cow;

/// The values that an accepting operation returns unchanged: operation, input, pointer. They are
/// the caller's stored record and additions to it, a requested token, a migrated body, and the
/// bounds of a policy, which are the amounts and times of its witnesses.
///
/// D27: ids and URIs are repeated unchanged, unless they contain the card number of the payment.
const PERMITTED: [(&str, usize, &str); 25] = [
    ("create_payment", 0, "/merchant_id"),
    ("create_payment", 0, "/redirect_url"),
    ("create_payment", 1, "/merchant_id"),
    ("read_payment", 0, "/payment"),
    ("read_balance", 0, "/balance"),
    ("advance_payment", 0, "/payment"),
    ("advance_payment", 0, "/fail_by"),
    ("advance_payment", 0, "/fail_code"),
    ("advance_payment", 0, "/receipts"),
    ("create_payment", 1, "/idempotency/existing/payment"),
    ("create_payment", 1, "/url"),
    ("create_payment", 1, "/form"),
    ("authorize", 0, ""),
    ("idempotency_key", 0, ""),
    ("sign_webhook", 1, "/id"),
    ("compare_policies", 0, "/before/limits/amount"),
    ("compare_policies", 0, "/after/limits/amount"),
    (
        "compare_policies",
        0,
        "/before/limits/time_to_complete_payment",
    ),
    (
        "compare_policies",
        0,
        "/after/limits/time_to_complete_payment",
    ),
    ("upgrade_request", 1, ""),
    ("downgrade_request", 0, ""),
    ("upgrade_balance", 0, ""),
    ("downgrade_balance", 0, ""),
    ("upgrade_payment", 0, ""),
    ("downgrade_payment", 0, ""),
];

/// The same for security codes: info may contain any text but a card number.
const PERMITTED_CODES: [(&str, usize, &str); 1] = [("create_payment", 1, "/info")];

/// Calls the operation with a secret at `location` (the input and the pointer in it) and searches
/// the output for it.
///
/// # Errors
/// Returns a description if the output contains the secret and is not permitted to.
pub fn of_call(
    engine: &Engine,
    operation: &str,
    inputs: &[Option<&[u8]>],
    location: (usize, &str),
    secret: &str,
) -> Result<(), String> {
    let (which, pointer) = location;
    let answer = call::answer(engine, operation, inputs);
    let codes = PERMITTED_CODES.iter().filter(|_| CODES.contains(&secret));
    let is_permitted = answer.returns == 0
        && PERMITTED
            .iter()
            .chain(codes)
            .any(|(of, input, at)| *of == operation && *input == which && pointer.starts_with(at));
    let text = String::from_utf8_lossy(&answer.text);
    if !is_permitted && shows(&text, secret) {
        return Err(format!(
            "the answer contains the value of {pointer}: {text}"
        ));
    }
    match debug_texts(engine, operation, inputs)
        .into_iter()
        .find(|text| shows(text, secret))
    {
        Some(text) => Err(format!("Debug shows the value of {pointer}: {text}")),
        None => Ok(()),
    }
}

/// Returns whether a text contains twelve consecutive digits of a card number, ignoring spaces and
/// hyphens, or a complete security code: as written, or after its escapes are decoded.
pub fn shows(text: &str, secret: &str) -> bool {
    let text = without_fingerprint(text);
    let strings = Json::parse(text.as_bytes()).map(|json| strings(&json)).ok();
    let is_shown = |text: &str| contains(text, secret) || contains_escaped(text, secret);
    is_shown(&text) || strings.is_some_and(|strings| is_shown(&strings))
}

fn contains_escaped(text: &str, secret: &str) -> bool {
    match escapes::decoded(text) {
        Cow::Owned(decoded) => contains(&decoded, secret),
        Cow::Borrowed(_) => false,
    }
}

fn contains(text: &str, secret: &str) -> bool {
    if CODES.contains(&secret) {
        return text.contains(secret);
    }
    let digits: String = text
        .chars()
        .filter(|character| !matches!(character, ' ' | '-'))
        .collect();
    secret
        .as_bytes()
        .windows(12)
        .any(|run| digits.as_bytes().windows(12).any(|window| window == run))
}

/// Removes the fingerprint, in JSON and in Debug output: its 64 hex digits may contain the four
/// digits of a code by chance.
fn without_fingerprint(text: &str) -> String {
    let mut out = text.to_owned();
    for start in ["\"fingerprint\":\"", "fingerprint: Some("] {
        if let Some((before, after)) = out.split_once(start) {
            let after = after.trim_start_matches(|c: char| c.is_ascii_hexdigit());
            out = format!("{before}{start}{after}");
        }
    }
    out
}

fn strings(json: &Json) -> String {
    match json {
        Json::String(text) => format!("{text}\n"),
        Json::Array(elements) => elements.iter().map(strings).collect(),
        Json::Object(members) => members
            .iter()
            .map(|(name, value)| format!("{name}\n{}", strings(value)))
            .collect(),
        other => format!("{}\n", other.flat()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planted_secrets::CARDS;

    #[test]
    fn detects_a_secret() {
        let card = CARDS[0];
        for text in [
            format!("\"{card}\""),
            "4539 5787-6362 1486".to_owned(),
            format!("x{}y", &card[2..14]),
        ] {
            assert!(shows(&text, card), "{text}");
        }
        for escaped in [
            "{\"a\":\"\\u0034539578763621486\"}",
            "{\"a\":\"x \\\\u003453957876362148\\\\u0036\"}",
            "\\x34\\x35\\x33\\x39578763621486",
            "%25345%33957876362148%36",
            "&#52;539 5787&#x36;3621486",
            "4539%205787%206362%201486",
        ] {
            assert!(shows(escaped, card), "{escaped}");
        }
        assert!(shows("{\"a\":\"\\\\u00383&#48;6\"}", CODES[0]));
        assert!(shows("8306", CODES[0]));
        assert!(!shows("453957******1486", card));
        assert!(!shows("{\"fingerprint\":\"aa8306aa\"}", CODES[0]));
        assert!(!shows("fingerprint: Some(aa8306aa), challenge", CODES[0]));
        assert!(shows("fingerprint: Some(aa), 8306", CODES[0]));
    }
}
