//! The fingerprint of a request, equal for bodies that differ only in the order of members,
//! whitespace, and escapes.
//!
//! The fingerprint is the SHA-256 of the canonical form. In this form, members are sorted by name
//! (by code points), without whitespace. Strings have their shortest escapes, and numbers are
//! unchanged.
//!
//! Security codes are omitted. Without a key, card data are masked as in `redact`, since the plain
//! hash of a card number can be found by trial. With the caller's key (HMAC) such a search is impossible, so
//! card numbers are included unmasked.
//!
//! A null in a member of §2.2 and `"host2host":false` mean the same as an absent member, and are
//! omitted.
//!
//! The members `amount` and `time_to_complete_payment` of the request, if they have their type, are
//! never masked, even if they look like a card number. Requests with different amounts must have different fingerprints.

mod canonical;
mod ordinary;

use hmac::Mac;
use hmac::digest::Update;
use sha2::{Digest, Sha256};

use crate::card::document::CardDocument;
use crate::card::known::KnownPans;
use crate::card::mask::Masked;
use crate::card::text::TextMask;
use crate::json::writer::{escape_by, hex};
use crate::json::{Tape, Value};
use crate::policy::FingerprintKey;
use crate::types::fingerprint::Fingerprint;
use crate::util::hmac::hmac_sha256;
use crate::validate::request::RequestBody;
use canonical::Canonical;

/// Computes the fingerprint of a body that is a JSON object.
pub(crate) fn compute(body: &RequestBody<'_>, key: Option<&FingerprintKey>) -> Fingerprint {
    let hash = match key {
        Some(key) => {
            let mut mac = hmac_sha256(key.bytes());
            write(body, true, &mut mac);
            mac.finalize().into_bytes()
        }
        None => {
            let mut hash = Sha256::new();
            write(body, false, &mut hash);
            hash.finalize()
        }
    };
    let mut digits = [0; 64];
    for (pair, byte) in digits.as_chunks_mut().0.iter_mut().zip(hash) {
        *pair = hex(byte);
    }
    Fingerprint::new(digits)
}

/// Writes the canonical form of a body. Without a key, its card data are masked.
fn write(body: &RequestBody<'_>, has_key: bool, out: &mut impl Update) {
    match (ordinary::is_ordinary(body), has_key) {
        (true, true) => ordinary::write(body, None, out),
        (true, false) => {
            let mut known_pans = KnownPans::default();
            body.collect_known_pans(&mut known_pans);
            let mask = TextMask::complete_and_known(&known_pans);
            ordinary::write(body, Some(mask), out);
        }
        (false, true) => Canonical::new(&Tape::read(body.text), None, out).write(),
        (false, false) => write_masked(body.text, out),
    }
}

/// Writes the canonical form of any body with its card data masked.
fn write_masked(body: &str, out: &mut impl Update) {
    let document = CardDocument::read(body);
    let mask = TextMask::complete_and_known(document.known_pans());
    Canonical::new(&Tape::read(body), Some(mask), out).write();
}

/// Writes a string, its card data masked.
fn write_text(text: &str, mask: Option<TextMask<'_>>, out: &mut (impl Update + ?Sized)) {
    let masked = mask.and_then(|mask| mask.mask(text));
    write_quoted(masked.as_ref().map_or(text, Masked::as_str), out);
}

/// Writes a string with its shortest escapes.
fn write_quoted(content: &str, out: &mut (impl Update + ?Sized)) {
    out.update(b"\"");
    escape_by(content, |bytes| out.update(bytes));
    out.update(b"\"");
}

/// Writes a number as in the body, its card data masked.
fn write_number(digits: &str, mask: Option<TextMask<'_>>, out: &mut (impl Update + ?Sized)) {
    let masked = mask.and_then(|mask| mask.mask(digits));
    out.update(masked.as_ref().map_or(digits, Masked::as_str).as_bytes());
}

/// Returns the text of a value that is neither a string nor an object nor an array.
fn scalar(value: Value<'_>) -> &str {
    match value {
        Value::Number(digits) => digits,
        Value::Bool(true) => "true",
        Value::Bool(false) => "false",
        _ => "null",
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;
    use crate::json::ObjectSchema;
    use crate::policy::{Policy, Ruleset};
    use crate::schema::request::REQUEST;
    use crate::util::bug::with_bug;

    const ORDINARY: &str = r#"{"payment_type":"pay_in","cur":"RUB","amount":"1500.00","host2host":false,
        "user_name":"Анна","callback":"https://shop.example/?a=1&b=2","time_to_complete_payment":600,
        "redirect_url":null,"pay_in_details":{"bank_name":"Bank"},"pay_out_details":{}}"#;
    const CARD: &str = r#"{"host2host":true,"pay_in_details":{"card":{"security_code":"123",
        "card_number":"4111111111111111","expiry_year":30,"expiry_month":12},"bank_name":null}}"#;
    const PAY_OUT: &str = r#"{"payment_type":"pay_out","pay_out_details":{"full_name":"Anna",
        "card_number":"2200 0000 0000 0004"}}"#;

    fn with_body<R>(text: &str, read: impl FnOnce(&RequestBody<'_>) -> R) -> R {
        let ruleset = Ruleset::new(Policy::default());
        let mut body = RequestBody::new();
        assert!(body.read(&ruleset, text.as_bytes()).is_ok(), "{text}");
        read(&body)
    }

    #[test]
    fn ordinary_requests_have_the_canonical_form_of_all() {
        for text in [
            ORDINARY,
            CARD,
            PAY_OUT,
            r#"{"amount":"\u0031\n\"","description":"cvv=123 of 4111111111111111"}"#,
            r#"{"amount":4111111111111111,"time_to_complete_payment":"4111111111111111"}"#,
            r#"{"amount":"4111111111111111","time_to_complete_payment":4111111111111111}"#,
            r#"{"user_id":4111111111111111,"system":"4111111111111111"}"#,
            // The text repeats a card number, which has no known scheme.
            r#"{"user_id":"500000000009","pay_in_details":{"card":{"card_number":"500000000009"}}}"#,
            r#"{"pay_in_details":{"card":{"card_number":true,"security_code":7}},"pay_out_details":7}"#,
        ] {
            assert!(with_body(text, ordinary::is_ordinary), "{text}");
            check_forms(text);
        }
    }

    /// Compares the form of a body with the canonical form of all bodies.
    fn check_forms(text: &str) {
        let hash = |write: &dyn Fn(&mut Sha256)| {
            let mut hash = Sha256::new();
            write(&mut hash);
            hash.finalize()
        };
        let masked = hash(&|out| write_masked(text, out));
        let plain = hash(&|out| Canonical::new(&Tape::read(text), None, out).write());
        with_body(text, |body| {
            assert!(hash(&|out| write(body, false, out)) == masked, "{text}");
            assert!(hash(&|out| write(body, true, out)) == plain, "{text}");
        });
    }

    /// Values that a form could mask, escape, or omit in another way.
    const VALUES: [&str; 16] = [
        "null",
        "true",
        "false",
        "7",
        "4111111111111111",
        r#""""#,
        r#""RUB""#,
        r#""4111 1111 1111 1111""#,
        r#""\u0034111111111111111""#,
        r#""411111******1111""#,
        r#""500000000009""#,
        r#""order 500000000009, 4111111111111111""#,
        r#""cvv=123""#,
        r#""a\n\"b\/""#,
        r#""***""#,
        r#""0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11""#,
    ];

    /// Appends an object with some of its fields.
    fn append(
        schema: &'static ObjectSchema,
        random: &mut dyn FnMut(usize) -> usize,
        out: &mut String,
    ) {
        let mut separator = '{';
        for (_, field) in schema.fields_by_name() {
            if random(2) == 0 {
                continue;
            }
            out.push(separator);
            out.push_str(&format!("\"{}\":", field.name));
            match field.schema {
                Some(inner) if random(4) > 0 => append(inner, random, out),
                _ => out.push_str(VALUES[random(VALUES.len())]),
            }
            separator = ',';
        }
        out.push_str(if separator == '{' { "{}" } else { "}" });
    }

    #[test]
    fn random_requests_have_the_canonical_form_of_all() {
        let mut state = 7_u64;
        // The generator of Knuth's MMIX.
        let mut random = |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % below
        };
        let mut ordinary = 0;
        for _ in 0..2000 {
            let mut text = String::new();
            append(&REQUEST, &mut random, &mut text);
            ordinary += usize::from(with_body(&text, ordinary::is_ordinary));
            check_forms(&text);
        }
        assert!((1000..2000).contains(&ordinary), "{ordinary}");
    }

    #[test]
    fn other_requests_are_not_ordinary() {
        for text in [
            r#"{"amount":"1","note":"2"}"#,
            r#"{"amount":"1","amount":"1"}"#,
            r#"{"pay_in_details":{"card":{"x":1}}}"#,
            r#"{"pay_in_details":{"card":{"card_number":4111111111111111}}}"#,
            r#"{"cur":{}}"#,
            r#"{"system":[]}"#,
        ] {
            with_body(text, |body| {
                assert!(!ordinary::is_ordinary(body), "{text}");
            });
        }
    }

    #[test]
    fn depends_on_the_key_for_keys_of_every_length() {
        with_body(CARD, |body| {
            let plain = compute(body, None);
            let mut last = plain;
            for length in 1..200 {
                let key = FingerprintKey::new(alloc::vec![7; length]).unwrap();
                let keyed = compute(body, Some(&key));
                assert!(keyed != plain && keyed != last, "{length}");
                last = keyed;
            }
        });
    }

    #[test]
    fn hashes_no_part_of_an_invalid_body() {
        let hash = |text: &str| {
            let mut hash = Sha256::new();
            with_bug(|| write_masked(text, &mut hash));
            hash.finalize()
        };
        assert!(hash(r#"{"a":"4111111111111111"#) == hash(r#"{"pan":"41111111111111"#));
    }
}
