//! A body made safe to log: every card number masked, security codes starred, all else as it was, byte for byte.

use alloc::vec::Vec;
use core::ops::Range;

use crate::card::MaskedPan;
use crate::host::parse_uuid;
use crate::list::List;
use crate::pan::{self, Masked};
use crate::read::{Text, Token, Tokens, Value};
use crate::write::escape;

/// So many card numbers of a body are looked for in its texts.
const MOST_NUMBERS: usize = 8;

/// Appends `body`, which is one JSON text, without its secrets.
pub(crate) fn redact(body: &str, out: &mut Vec<u8>) {
    let start = out.len();
    let own = pass(body, None, out);
    if own.is_repeated_in(body) {
        // What was written is as long, or shorter: nothing of it stays behind the end.
        out.truncate(start);
        pass(body, Some(&own), out);
    }
}

/// Appends it without what can be seen to be a secret wherever it stands, and without the card numbers that are known already.
/// Gives back those that it has.
fn pass<'a>(body: &'a str, known: Option<&Own<'a>>, out: &mut Vec<u8>) -> Own<'a> {
    let mask_text = |text: &str| known.and_then(|own| own.mask(text)).or_else(|| pan::mask_text(text));
    let mut own = Own { numbers: List::new(), others: false };
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
                if let Some(masked) = name.with(mask_text) {
                    replace(place, out, &|out| escape(masked.as_str(), out));
                }
                let Some(secret) = Secret::named(name) else { continue };
                let Some((value, place)) = tokens.value() else { continue };
                if secret == Secret::CardNumber {
                    own.gather(value);
                }
                if let Some(masked) = secret.masked(value) {
                    replace(place, out, &|out| out.extend_from_slice(masked.as_str().as_bytes()));
                }
            }
            // One UUID in some thousands has digits that could pass for a card's, and a log without it would not tell of
            // which payment it speaks. It is the host's own.
            Token::String(text) if is_uid && text.with(|text| parse_uuid(text).is_some()) => {}
            Token::String(text) => {
                if let Some(masked) = text.with(mask_text) {
                    replace(place, out, &|out| escape(masked.as_str(), out));
                }
            }
            Token::Number(digits) => {
                if let Some(masked) = mask_text(digits) {
                    replace(place, out, &|out| out.extend_from_slice(masked.as_str().as_bytes()));
                }
            }
        }
    }
    out.extend_from_slice(body.get(copied..).unwrap_or("").as_bytes());
    own
}

/// The card numbers that a body gives as such, of whatever scheme: where a text of the same body repeats one, it is no order
/// number that only looks like a card's.
struct Own<'a> {
    numbers: List<&'a str, MOST_NUMBERS>,
    /// There are others, more of them or written in an unusual way. To look for each in each text would take a time of its own.
    others: bool,
}

impl<'a> Own<'a> {
    fn gather(&mut self, value: Value<'a>) {
        let number = match value {
            Value::String(text) => text,
            Value::Number(digits) => Text::new(digits, false),
            _ => return,
        };
        if number.chars().filter(char::is_ascii_digit).nth(pan::FEWEST - 1).is_none() {
            return;
        }
        match number.plain().filter(|number| pan::is_plain_number(number)) {
            Some(number) if self.numbers.contains(&number) => {}
            Some(number) if self.numbers.len() < MOST_NUMBERS => self.numbers.push(number),
            _ => self.others = true,
        }
    }

    /// Whether a text of the body repeats one, for most do not.
    fn is_repeated_in(&self, body: &str) -> bool {
        let mut tokens = Tokens::new(body);
        while let Some((token, _)) = tokens.next().filter(|_| self.others || !self.numbers.is_empty()) {
            let repeats = |text: &str| self.mask(text).is_some();
            let repeated = match token {
                Token::Name(name) if Secret::named(name).is_some() => {
                    tokens.value();
                    false
                }
                Token::Name(text) | Token::String(text) => text.with(repeats),
                Token::Number(digits) => repeats(digits),
            };
            if repeated {
                return true;
            }
        }
        false
    }

    /// The text without them; where they cannot be looked for, without all that is as long as one.
    fn mask(&self, text: &str) -> Option<Masked> {
        if self.others {
            return pan::mask_runs(text);
        }
        self.numbers.iter().find_map(|number| pan::mask_number(text, number))
    }
}

/// A member whose value is card data, wherever it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secret {
    CardNumber,
    SecurityCode,
}

impl Secret {
    pub(crate) fn named(name: Text<'_>) -> Option<Self> {
        if name.is("card_number") {
            Some(Secret::CardNumber)
        } else if name.is("security_code") {
            Some(Secret::SecurityCode)
        } else {
            None
        }
    }

    /// What stands in for the value: plain ASCII. `None` where there is nothing to hide.
    pub(crate) fn masked(self, value: Value<'_>) -> Option<MaskedPan> {
        match (self, value) {
            (Secret::SecurityCode, _) => Some(MaskedPan::stars(3)),
            (Secret::CardNumber, Value::Null | Value::Absent) => None,
            (Secret::CardNumber, Value::String(text)) => text.with(|text| (!is_masked(text)).then(|| mask(text))),
            (Secret::CardNumber, Value::Number(digits)) => Some(mask(digits)),
            // No card number at all, but whatever it holds was meant as one.
            (Secret::CardNumber, _) => Some(mask("?")),
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
