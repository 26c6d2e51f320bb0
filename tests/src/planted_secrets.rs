//! Plants secrets in inputs: card numbers and security codes, at every location and in every form.

use fastrand::Rng;
use payspec::card::passes_luhn;

use crate::escapes::Escape;
use crate::json::Json;
use crate::tree;

/// Valid card numbers of several schemes and lengths. No vector contains twelve consecutive digits
/// of one.
pub const CARDS: [&str; 4] = [
    "4539578763621486",
    "371449635398431",
    "5425233430109903",
    "6304219447607087665",
];

/// Security codes: a valid one, and one that cannot occur by chance.
pub const CODES: [&str; 2] = ["8306", "Zq7~"];

/// Prefixes of schemes, each with a length of their card numbers.
const SCHEMES: [(&str, usize); 7] = [
    ("4", 16),
    ("51", 16),
    ("2221", 16),
    ("34", 15),
    ("2200", 16),
    ("6011", 16),
    ("3528", 16),
];

/// Returns a valid card number of a known scheme.
///
/// # Panics
/// Never: one of the ten check digits is valid.
pub fn random_card(random: &mut Rng) -> String {
    let (prefix, length) = SCHEMES[random.usize(..SCHEMES.len())];
    let mut body = prefix.to_owned();
    while body.len() < length - 1 {
        body.push(random.digit(10));
    }
    (0..10)
        .map(|check| format!("{body}{check}"))
        .find(|card| passes_luhn(card.as_bytes()))
        .expect("a check digit")
}

/// The form of a planted secret.
#[derive(Clone, Copy, Debug)]
pub enum Disguise {
    /// As a string.
    Text,
    /// As a JSON number.
    Number,
    /// In groups with spaces.
    Grouped,
    /// In groups with hyphens.
    Hyphens,
    /// In a sentence.
    InText,
    /// In a URL.
    InAddress,
    /// As the element of an array.
    InArray,
    /// As the member `card_number` of a new object.
    InObject,
    /// As the name of a member.
    AsName,
    /// As an additional member `card_number`.
    AsMember,
    /// A security code as a string.
    Code,
    /// A security code as a JSON number.
    CodeAsNumber,
    /// A security code as the element of an array.
    CodeInArray,
    /// A security code in an object.
    CodeInObject,
    /// In texts with an escape.
    InEscapes,
    /// A security code after its name, in texts with an escape.
    CodeInEscapes,
}

/// All forms.
pub const DISGUISES: [Disguise; 16] = [
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
    Disguise::InEscapes,
    Disguise::CodeInEscapes,
];

/// Members whose value is an amount, in which the digits of a card number are not a secret.
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

/// A secret and its form.
#[derive(Clone, Copy, Debug)]
pub struct PlantedSecret {
    /// The form.
    pub disguise: Disguise,
    /// The card number, if the form has one.
    pub card: &'static str,
    /// The security code, if the form has one.
    pub code: &'static str,
    /// True if the first character is escaped, in the forms without escapes of their own.
    pub escaped: bool,
    /// The escape of the forms that have one.
    pub escape: Escape,
}

impl PlantedSecret {
    /// Returns the text that no output may contain.
    pub fn secret(&self) -> &'static str {
        let is_named = matches!(self.disguise, Disguise::CodeInEscapes);
        if self.is_code() || is_named {
            self.code
        } else {
            self.card
        }
    }

    /// Returns whether the form is a security code without its name.
    fn is_code(&self) -> bool {
        use Disguise::{Code, CodeAsNumber, CodeInArray, CodeInObject};
        matches!(
            self.disguise,
            Code | CodeAsNumber | CodeInArray | CodeInObject
        )
    }

    /// Returns whether the form is possible at a location. Elsewhere the digits of a security code
    /// are not a secret.
    fn fits(&self, pointer: &str) -> bool {
        let name = pointer.rsplit('/').next().unwrap_or_default();
        match self.disguise {
            _ if self.is_code() => name == "security_code",
            Disguise::Text | Disguise::Number => !AMOUNTS.contains(&name),
            _ => true,
        }
    }

    /// Returns the JSON text with the secret at that location, or `None` if the form is not
    /// possible there.
    pub fn put(&self, json: &Json, pointers: &[String], number: usize) -> Option<Vec<u8>> {
        if !self.fits(pointers.get(number)?) {
            return None;
        }
        let mut json = json.clone();
        self.disguise(tree::value_at(&mut json, number)?)?;
        let mut text = json.compact();
        let has_escapes = matches!(self.disguise, Disguise::InEscapes | Disguise::CodeInEscapes);
        if self.escaped && !has_escapes {
            let (first, rest) = self.secret().split_at(1);
            text = text.replace(
                self.secret(),
                &format!("\\u{:04x}{rest}", first.as_bytes()[0]),
            );
        }
        Some(text.into_bytes())
    }

    fn disguise(&self, target: &mut Json) -> Option<()> {
        let text = |text: &str| Json::String(text.to_owned());
        let number = |text: &str| {
            text.parse::<u64>()
                .map(|number| Json::Number(number.into()))
                .unwrap_or(Json::Null)
        };
        let object = |name: &str, value: Json| Json::Object(vec![(name.to_owned(), value)]);
        let (card, code) = (self.card, self.code);
        match (self.disguise, target) {
            (Disguise::AsName, Json::Object(members)) => {
                members.push((card.to_owned(), Json::Null))
            }
            (Disguise::AsMember, Json::Object(members)) => {
                members.push(("card_number".to_owned(), text(card)))
            }
            (Disguise::AsName | Disguise::AsMember, _) => return None,
            (Disguise::Text, target) => *target = text(card),
            (Disguise::Number, target) => *target = number(card),
            (Disguise::Grouped, target) => *target = text(&grouped(card, " ")),
            (Disguise::Hyphens, target) => *target = text(&grouped(card, "-")),
            (Disguise::InText, target) => *target = text(&format!("Карта {card}, спасибо")),
            (Disguise::InAddress, target) => {
                *target = text(&format!("https://shop.example/ok?card={card}&x=1#y"))
            }
            (Disguise::InArray, target) => *target = Json::Array(vec![text(card)]),
            (Disguise::InObject, target) => *target = object("card_number", number(card)),
            (Disguise::Code, target) => *target = text(code),
            (Disguise::CodeAsNumber, target) => *target = number(code),
            (Disguise::CodeInArray, target) => *target = Json::Array(vec![text(code)]),
            (Disguise::CodeInObject, target) => *target = object("value", text(code)),
            (Disguise::InEscapes, target) => {
                *target = text(&card_texts(&self.escape, card).join(" | "))
            }
            (Disguise::CodeInEscapes, target) => {
                *target = text(&code_texts(&self.escape, code).join(" | "))
            }
        }
        Some(())
    }
}

/// The signs around names and values.
fn is_sign(character: char) -> bool {
    matches!(
        character,
        '"' | '\'' | '=' | ':' | '&' | '<' | '>' | '{' | '}' | '/'
    )
}

/// Returns texts with a card number that an escape is around or in: without a name, or as a member,
/// in a form, and in an element.
pub fn card_texts(escape: &Escape, card: &str) -> Vec<String> {
    let around = |text: &str| escape.text(text, is_sign);
    let in_digits = |text: &str| escape.text(text, |character| character.is_ascii_digit());
    let (first, rest) = card.split_at(1);
    let color = escape.character('\u{1B}');
    let mut texts = vec![
        around(&format!("\"{card}\"")),
        around(&format!("{{\"card_number\":\"{card}\"}}")),
        around(&format!("a=1&card_number={card}&b=2")),
        around(&format!("<CardNumber>{card}</CardNumber>")),
    ];
    texts.extend(color.map(|start| colored("card ", card, &start)));
    if escape.writes_digits {
        texts.extend(member_texts(escape, card));
        texts.push(in_digits(card));
        texts.push(format!("{}{rest}", in_digits(first)));
        texts.push(in_digits(&grouped(card, " ")));
        texts.push(escape.text(&grouped(card, " "), |character| character == ' '));
    }
    texts
}

/// Returns members whose digits an escape is in. If no program writes digits so, redaction hides the
/// value because of its name, but its digits are not read.
pub fn member_texts(escape: &Escape, card: &str) -> [String; 2] {
    let member = format!("\"card_number\":\"{card}\"");
    let in_digits = escape.text(&member, |c| c.is_ascii_digit());
    let in_all = escape.text(&member, |c| is_sign(c) || c.is_ascii_digit());
    [in_digits, in_all]
}

/// Returns texts with a name and a security code that an escape is around or in.
pub fn code_texts(escape: &Escape, code: &str) -> Vec<String> {
    let around = |text: &str| escape.text(text, is_sign);
    let is_code = |character: char| code.contains(character);
    let member = format!("\"security_code\":\"{code}\"");
    let color = escape.character('\u{1B}');
    let mut texts = vec![
        around(&format!("{{{member}}}")),
        around(&format!("a=1&cvv={code}&b=2")),
        around(&format!("<Cvv>{code}</Cvv>")),
        around(&format!("<input name=\"cvv\" value=\"{code}\"/>")),
        around(&format!("{{\"name\":\"cvv\",\"value\":\"{code}\"}}")),
        around("\"security_code\":\"") + &escape.text(code, is_code) + &around("\""),
    ];
    texts.extend(color.map(|start| colored("cvv=", code, &start)));
    texts
}

/// Returns a secret in a color, after a text. `start` is before the `[` of a color.
pub fn colored(before: &str, secret: &str, start: &str) -> String {
    format!("{before}{start}[32m{secret}{start}[0m")
}

/// Returns the digits in groups of four.
fn grouped(card: &str, between: &str) -> String {
    let digits: Vec<char> = card.chars().collect();
    digits
        .chunks(4)
        .map(String::from_iter)
        .collect::<Vec<_>>()
        .join(between)
}

#[cfg(test)]
mod tests {
    use super::CARDS;

    #[test]
    fn keeps_to_cards_that_pass_luhn() {
        for card in CARDS {
            let digits = card.bytes().rev().map(|byte| u32::from(byte - b'0'));
            let doubled = digits
                .enumerate()
                .map(|(index, digit)| match (index % 2, digit) {
                    (0, digit) => digit,
                    (_, digit) => digit * 2 / 10 + digit * 2 % 10,
                });
            assert_eq!(doubled.sum::<u32>() % 10, 0, "{card}");
        }
    }
}
