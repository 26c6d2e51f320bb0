//! Secrets put into inputs: card numbers and security codes, at every place and in every disguise.

use crate::json::Json;
use crate::tree;

/// Valid card numbers of several schemes and lengths; no twelve of their digits occur in any vector.
pub const CARDS: [&str; 4] = ["4539578763621486", "371449635398431", "5425233430109903", "6304219447607087665"];

/// What stands for a security code: one that is valid, and one that can be nothing else than what was planted.
pub const CODES: [&str; 2] = ["8306", "Zq7~"];

/// How a secret is put.
#[derive(Clone, Copy, Debug)]
pub enum Disguise {
    /// The number alone.
    Text,
    /// As a JSON number.
    Number,
    /// In groups with blanks.
    Grouped,
    /// In groups with hyphens.
    Hyphens,
    /// Within a sentence.
    InText,
    /// Within a URL.
    InAddress,
    /// As the item of an array.
    InArray,
    /// As the card_number of an object.
    InObject,
    /// As the name of a member.
    AsName,
    /// As a member card_number beside the others.
    AsMember,
    /// A security code alone.
    Code,
    /// A security code as a JSON number.
    CodeAsNumber,
    /// A security code as the item of an array.
    CodeInArray,
    /// A security code within an object.
    CodeInObject,
}

/// All of them.
pub const DISGUISES: [Disguise; 14] = [
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

/// Members whose text is an amount: there the digits of a card number are money like any other.
const AMOUNTS: [&str; 14] = [
    "amount",
    "paid_amount",
    "payed_amount",
    "requested_amount",
    "client_amount",
    "gross_amount",
    "gross_processed",
    "net_processed",
    "total",
    "fee",
    "commission",
    "shared_commission",
    "rate",
    "time_to_complete_payment",
];

/// One secret to be planted.
#[derive(Clone, Copy, Debug)]
pub struct PlantedSecret {
    /// How it is put.
    pub disguise: Disguise,
    /// The card number, where it is one.
    pub card: &'static str,
    /// The security code, where it is one.
    pub code: &'static str,
    /// Whether its first character is written as an escape.
    pub escaped: bool,
}

impl PlantedSecret {
    /// What must not come out.
    pub fn secret(&self) -> &'static str {
        if self.is_code() { self.code } else { self.card }
    }

    fn is_code(&self) -> bool {
        use Disguise::{Code, CodeAsNumber, CodeInArray, CodeInObject};
        matches!(self.disguise, Code | CodeAsNumber | CodeInArray | CodeInObject)
    }

    /// A security code goes only where one belongs: elsewhere its digits are no secret.
    fn fits(&self, pointer: &str) -> bool {
        let name = pointer.rsplit('/').next().unwrap_or_default();
        match self.disguise {
            _ if self.is_code() => name == "security_code",
            Disguise::Text | Disguise::Number => !AMOUNTS.contains(&name),
            _ => true,
        }
    }

    /// The JSON with the secret at that place, as a text. None where it cannot stand there.
    pub fn put(&self, json: &Json, pointers: &[String], number: usize) -> Option<Vec<u8>> {
        if !self.fits(pointers.get(number)?) {
            return None;
        }
        let mut json = json.clone();
        self.disguise(tree::place(&mut json, number)?)?;
        let mut text = json.compact();
        if self.escaped {
            let (first, rest) = self.secret().split_at(1);
            text = text.replace(self.secret(), &format!("\\u{:04x}{rest}", first.as_bytes()[0]));
        }
        Some(text.into_bytes())
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

#[cfg(test)]
mod tests {
    use super::CARDS;

    #[test]
    fn keeps_to_cards_that_pass_luhn() {
        for card in CARDS {
            let digits = card.bytes().rev().map(|byte| u32::from(byte - b'0'));
            let doubled = digits.enumerate().map(|(index, digit)| match (index % 2, digit) {
                (0, digit) => digit,
                (_, digit) => digit * 2 / 10 + digit * 2 % 10,
            });
            assert_eq!(doubled.sum::<u32>() % 10, 0, "{card}");
        }
    }
}
