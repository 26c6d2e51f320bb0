//! A body made safe to log: every card number masked, security codes starred, all else as it was, byte for byte.

use alloc::vec::Vec;
use core::ops::Range;

use crate::card::known::KnownPans;
use crate::card::pan::MaskedPan;
use crate::input::parse_uuid;
use crate::json::writer::escape;
use crate::json::{JsonStr, Token, Tokens, Value};
use crate::util::bytes::has_pair;

/// Appends `body`, which is one JSON text, without its secrets.
pub(crate) fn redact(body: &str, out: &mut Vec<u8>) {
    // All of them first: a text may stand before the member. What was written once is not written again, for growth would
    // leave it behind.
    let mut known_pans = KnownPans::default();
    collect(body, &mut known_pans);
    let mut copied = 0;
    let mut tokens = Tokens::new(body);
    let mut replace = |place: Range<usize>, out: &mut Vec<u8>, fill: &dyn Fn(&mut Vec<u8>)| {
        out.extend_from_slice(body.get(copied..place.start).unwrap_or("").as_bytes());
        out.push(b'"');
        fill(out);
        out.push(b'"');
        copied = place.end;
    };
    // Whether the value of a member `uid` comes next.
    let mut uid_ahead = false;
    while let Some((token, place)) = tokens.next() {
        let is_uid = core::mem::take(&mut uid_ahead);
        match token {
            Token::Name(name) => {
                uid_ahead = name.is("uid");
                if let Some(masked) = name.with_decoded(|name| known_pans.mask_text(name)) {
                    replace(place, out, &|out| escape(masked.as_str(), out));
                }
                let Some(secret) = SensitiveField::named(name) else { continue };
                let Some((value, place)) = tokens.value() else { continue };
                if let Some(masked) = secret.replacement(value) {
                    replace(place, out, &|out| out.extend_from_slice(masked.as_str().as_bytes()));
                }
            }
            // One UUID in some thousands has digits that could pass for a card's, and a log without it would not tell of
            // which payment it speaks. It is the host's own.
            Token::String(text) if is_uid && text.with_decoded(|text| parse_uuid(text).is_some()) => {}
            Token::String(text) => {
                if let Some(masked) = text.with_decoded(|text| known_pans.mask_text(text)) {
                    replace(place, out, &|out| escape(masked.as_str(), out));
                }
            }
            Token::Number(digits) => {
                if let Some(masked) = known_pans.mask_text(digits) {
                    replace(place, out, &|out| out.extend_from_slice(masked.as_str().as_bytes()));
                }
            }
        }
    }
    out.extend_from_slice(body.get(copied..).unwrap_or("").as_bytes());
}

/// Takes the card numbers that the body gives as such.
fn collect(body: &str, known_pans: &mut KnownPans) {
    // Nearly all bodies without one are known by a look.
    if !may_name_card_number(body.as_bytes()) {
        return;
    }
    let mut tokens = Tokens::new(body);
    while let Some((token, _)) = tokens.next() {
        if !matches!(token, Token::Name(name) if SensitiveField::named(name) == Some(SensitiveField::CardNumber)) {
            continue;
        }
        let Some((_, place)) = tokens.value() else { continue };
        // Whatever it holds was meant as one.
        for (token, _) in Tokens::new(body.get(place).unwrap_or("")) {
            match token {
                Token::String(text) => known_pans.collect(text.chars()),
                Token::Number(digits) => known_pans.collect(digits.chars()),
                Token::Name(_) => {}
            }
        }
    }
}

/// Whether the name stands there as it is, or one may be written in escapes. Eight bytes at a time, in plain registers: a
/// vectorised search leaves pieces of the body on the stack.
fn may_name_card_number(body: &[u8]) -> bool {
    let stands_near = |at: usize| {
        let near = body.get(at.saturating_sub(4)..).unwrap_or_default();
        near.windows(CARD_NUMBER.len()).take(11).any(|name| name == CARD_NUMBER.as_bytes() || name.starts_with(b"\\u"))
    };
    // Each pair of bytes lies in one of these; neither pair is among the last of a body.
    let mut words = (0..).step_by(7).map_while(|at| Some((at, body.get(at..)?.first_chunk::<8>()?)));
    words.any(|(at, word)| (has_pair(*word, *b"_n") || has_pair(*word, *b"\\u")) && stands_near(at))
}

const CARD_NUMBER: &str = "card_number";

/// A member whose value is card data, wherever it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SensitiveField {
    CardNumber,
    SecurityCode,
}

impl SensitiveField {
    pub(crate) fn named(name: JsonStr<'_>) -> Option<Self> {
        if name.is(CARD_NUMBER) {
            Some(SensitiveField::CardNumber)
        } else if name.is("security_code") {
            Some(SensitiveField::SecurityCode)
        } else {
            None
        }
    }

    /// What stands in for the value: plain ASCII. `None` where there is nothing to hide.
    pub(crate) fn replacement(self, value: Value<'_>) -> Option<MaskedPan> {
        match (self, value) {
            (SensitiveField::SecurityCode, _) => Some(MaskedPan::stars(3)),
            (SensitiveField::CardNumber, Value::Null | Value::Absent) => None,
            (SensitiveField::CardNumber, Value::String(text)) => {
                text.with_decoded(|text| (!is_masked(text)).then(|| mask(text)))
            }
            (SensitiveField::CardNumber, Value::Number(digits)) => Some(mask(digits)),
            // No card number at all, but whatever it holds was meant as one.
            (SensitiveField::CardNumber, _) => Some(mask("?")),
        }
    }
}

/// What redaction made before, so that doing it again changes nothing: up to six digits, stars, up to four digits.
fn is_masked(text: &str) -> bool {
    let digits = |end: &str, most| end.len() <= most && end.bytes().all(|byte| byte.is_ascii_digit());
    match (text.find('*'), text.rfind('*')) {
        (Some(first), Some(last)) => {
            let (head, rest) = text.split_at_checked(first).unwrap_or_default();
            let (stars, tail) = rest.split_at_checked(last.saturating_sub(first).saturating_add(1)).unwrap_or_default();
            digits(head, 6) && digits(tail, 4) && stars.bytes().all(|byte| byte == b'*')
        }
        _ => false,
    }
}

/// Nothing is told of what is empty either.
fn mask(digits: &str) -> MaskedPan {
    MaskedPan::of(if digits.is_empty() { "?" } else { digits })
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    #[test]
    fn a_name_is_found_wherever_it_stands() {
        for shift in 0..40 {
            for letter in ["x", "_", "_n", "\\"] {
                let before = letter.repeat(shift);
                for (name, expected) in [
                    ("card_number", true),
                    ("card\\u005fnumber", true),
                    ("card_numbe\\u0072", true),
                    ("user_name", false),
                ] {
                    let body = format!(r#"{{"{before}":0,"{name}":"500000000009"}}"#);
                    assert_eq!(may_name_card_number(body.as_bytes()), expected, "{body}");
                }
            }
        }
        assert!(!may_name_card_number(b""));
    }

    #[test]
    fn own_numbers_are_masked_wherever_the_member_stands() {
        for name in ["card_number", "card_numbe\\u0072"] {
            for shift in 0..70 {
                let text = "x".repeat(shift);
                let of = |number: &str| format!(r#"{{"a":"{text} {number}","{name}":"{number}"}}"#);
                let mut out = Vec::new();
                redact(&of("500000000009"), &mut out);
                assert_eq!(String::from_utf8(out).unwrap(), of("500000**0009"));
            }
        }
    }
}
