//! Secrets put into inputs: card numbers and security codes, at every place and in every disguise.

use payspec_tests::json::Json;
use payspec_tests::tree;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Valid card numbers of several schemes and lengths; no twelve of their digits occur in any vector.
pub(crate) const CARDS: [&str; 4] = ["4539578763621486", "371449635398431", "5425233430109903", "6304219447607087665"];

/// What stands for a security code: one that is valid, and one that can be nothing else than what was planted.
pub(crate) const CODES: [&str; 2] = ["8306", "Zq7~"];

/// One secret at one place.
#[derive(Clone, Debug)]
pub(crate) struct Plant {
    at: Index,
    disguise: Disguise,
    card: &'static str,
    code: &'static str,
    escaped: bool,
}

#[derive(Clone, Copy, Debug)]
enum Disguise {
    Text,
    Number,
    Grouped,
    Hyphens,
    InText,
    InAddress,
    InArray,
    InObject,
    AsName,
    AsMember,
    Code,
    CodeAsNumber,
    CodeInArray,
    CodeInObject,
}

const DISGUISES: [Disguise; 14] = [
    Disguise::Text,
    Disguise::Number,
    Disguise::Grouped,
    Disguise::Hyphens,
    Disguise::InText,
    Disguise::InAddress,
    Disguise::InArray,
    Disguise::InObject,
    Disguise::AsName,
    Disguise::AsMember,
    Disguise::Code,
    Disguise::CodeAsNumber,
    Disguise::CodeInArray,
    Disguise::CodeInObject,
];

pub(crate) fn plant() -> impl Strategy<Value = Plant> {
    (any::<Index>(), select(&DISGUISES[..]), select(&CARDS[..]), select(&CODES[..]), any::<bool>())
        .prop_map(|(at, disguise, card, code, escaped)| Plant { at, disguise, card, code, escaped })
}

/// A secret in its place.
pub(crate) struct Planted {
    /// The JSON Pointer of the place.
    pub(crate) pointer: String,
    /// What must not come out.
    pub(crate) secret: &'static str,
}

impl Plant {
    /// Puts the secret into a text, half of the times with its first character escaped.
    pub(crate) fn put_into(&self, text: &[u8]) -> Option<(Vec<u8>, Planted)> {
        let mut json = Json::parse(text).ok()?;
        let planted = self.put(&mut json)?;
        let mut text = json.compact();
        if self.escaped {
            let (first, rest) = planted.secret.split_at(1);
            text = text.replace(planted.secret, &format!("\\u{:04x}{rest}", first.as_bytes()[0]));
        }
        Some((text.into_bytes(), planted))
    }

    /// Puts the secret into a value. A security code goes only where one belongs: elsewhere its digits are no secret.
    fn put(&self, json: &mut Json) -> Option<Planted> {
        let pointers = tree::pointers(json);
        let is_code = matches!(
            self.disguise,
            Disguise::Code | Disguise::CodeAsNumber | Disguise::CodeInArray | Disguise::CodeInObject
        );
        let fits = |pointer: &String| !is_code || pointer.ends_with("/security_code");
        let places: Vec<usize> = (0..pointers.len()).filter(|number| fits(&pointers[*number])).collect();
        if places.is_empty() {
            return None;
        }
        let number = *self.at.get(&places);
        let place = tree::place(json, number)?;
        let secret = if is_code { self.code } else { self.card };
        self.disguise(place)?;
        Some(Planted { pointer: pointers[number].clone(), secret })
    }

    fn disguise(&self, place: &mut Json) -> Option<()> {
        let text = |text: &str| Json::String(text.to_owned());
        let number = |text: &str| text.parse::<u64>().map(|number| Json::Number(number.into())).unwrap_or(Json::Null);
        let object = |name: &str, value: Json| Json::Object(vec![(name.to_owned(), value)]);
        let (card, code) = (self.card, self.code);
        match (self.disguise, place) {
            (Disguise::AsName, Json::Object(members)) => members.push((card.to_owned(), Json::Null)),
            (Disguise::AsMember, Json::Object(members)) => members.push(("card_number".to_owned(), text(card))),
            (Disguise::AsName | Disguise::AsMember, _) => return None,
            (Disguise::Text, place) => *place = text(card),
            (Disguise::Number, place) => *place = number(card),
            (Disguise::Grouped, place) => *place = text(&grouped(card, " ")),
            (Disguise::Hyphens, place) => *place = text(&grouped(card, "-")),
            (Disguise::InText, place) => *place = text(&format!("Карта {card}, спасибо")),
            (Disguise::InAddress, place) => *place = text(&format!("https://shop.example/ok?card={card}&x=1#y")),
            (Disguise::InArray, place) => *place = Json::Array(vec![text(card)]),
            (Disguise::InObject, place) => *place = object("card_number", number(card)),
            (Disguise::Code, place) => *place = text(code),
            (Disguise::CodeAsNumber, place) => *place = number(code),
            (Disguise::CodeInArray, place) => *place = Json::Array(vec![text(code)]),
            (Disguise::CodeInObject, place) => *place = object("value", text(code)),
        }
        Some(())
    }
}

/// In groups of four, as people write them.
fn grouped(card: &str, between: &str) -> String {
    let digits: Vec<char> = card.chars().collect();
    digits.chunks(4).map(String::from_iter).collect::<Vec<_>>().join(between)
}

#[test]
fn the_cards_pass_luhn() {
    for card in CARDS {
        let digits = card.bytes().rev().map(|byte| u32::from(byte - b'0'));
        let doubled = digits.enumerate().map(|(index, digit)| match (index % 2, digit) {
            (0, digit) => digit,
            (_, digit) => digit * 2 / 10 + digit * 2 % 10,
        });
        assert_eq!(doubled.sum::<u32>() % 10, 0, "{card}");
    }
}
