//! Card data in JSON documents: values under the names of card data, and texts.

use core::ops::Range;

use super::known::KnownPans;
use super::text::contains_card_number;
use super::text::names::{CardName, PairMember};
use crate::json::{JsonStr, Token, Tokens, Value};
use crate::util::bug::{or_bug, report_bug};
use crate::util::inline_vec::InlineVec;

/// A part of a document, in the order of the document.
pub(crate) enum Part<'a> {
    /// A value under the name of card data. Its own members and items are not parts.
    Declared(CardName, Value<'a>),
    /// A string or the name of a member.
    Text(JsonStr<'a>),
    /// A number as in the document.
    Number(&'a str),
}

/// A valid JSON document that was searched for the card data that it declares.
pub(crate) struct CardDocument<'a> {
    json: &'a str,
    known_pans: KnownPans,
    /// The position of each value whose name is the value of another member, as in
    /// `{"name":"cvv","value":"123"}`, in order.
    pairs: InlineVec<(usize, CardName), 4>,
}

/// The members `name` and `value` of an open object.
#[derive(Default)]
struct Pair {
    /// The first name of card data, if the member is duplicated.
    name: Option<CardName>,
    /// The positions of all values, if the member is duplicated.
    values: InlineVec<usize, 1>,
}

impl<'a> CardDocument<'a> {
    /// Reads a document in one pass over its tokens.
    ///
    /// Known PANs are collected first, because a text may repeat a number before its member. A
    /// literal search would miss names that are spelled differently.
    pub(crate) fn read(json: &'a str) -> Self {
        let mut document = CardDocument {
            json,
            known_pans: KnownPans::default(),
            pairs: InlineVec::new(),
        };
        let mut open: InlineVec<Pair, 16> = InlineVec::new();
        let mut tokens = Tokens::new(json);
        while let Some((token, _)) = tokens.next() {
            match token {
                Token::ObjectStart => open.push(Pair::default()),
                Token::ObjectEnd => {
                    if let Some(pair) = open.pop() {
                        document.add_pair(pair);
                    }
                }
                Token::Name(name) => {
                    if let Some(name) = CardName::from_member(name) {
                        document.add_declared(name, &mut tokens);
                    } else if let Some(pair) = open.last_mut() {
                        read_pair_member(name, &mut tokens, pair);
                    }
                }
                Token::String(_) | Token::Number(_) => {}
            }
        }
        if tokens.is_failed() {
            report_bug();
            document.known_pans.collect_unread();
        }
        document.pairs.sort_unstable_by_key(|(start, _)| *start);
        document
    }

    /// Returns the card numbers that the document declares.
    pub(crate) fn known_pans(&self) -> &KnownPans {
        &self.known_pans
    }

    /// Returns the parts of the document.
    pub(crate) fn parts(&self) -> Parts<'_, 'a> {
        Parts {
            tokens: Tokens::new(self.json),
            document: self,
            pending: None,
        }
    }

    /// Returns the positions of the unmasked card numbers in the document: in a text, or as a value
    /// under the name of a card number.
    pub(crate) fn unmasked_numbers(&self) -> impl Iterator<Item = usize> {
        let is_unmasked = |part: &Part<'_>| match part {
            Part::Declared(name, value) => is_unmasked_number(*name, *value),
            Part::Text(text) => text.with_decoded(contains_card_number),
            Part::Number(digits) => contains_card_number(digits),
        };
        let unmasked = self.parts().filter(move |(part, _)| is_unmasked(part));
        unmasked.map(|(_, range)| range.start)
    }

    /// Collects the card numbers in a value under a name, and moves past it. Objects and arrays
    /// under a name with other meanings are read like others.
    fn add_declared(&mut self, name: CardName, tokens: &mut Tokens<'a>) {
        if name == CardName::CardNumber {
            let range = tokens.value().map(|(_, range)| range);
            // Without the value, which is a bug, every string and number of the document counts.
            let value = or_bug(range.and_then(|range| self.json.get(range)), self.json);
            for (token, _) in Tokens::new(value) {
                match token {
                    Token::String(text) => self.known_pans.collect(text.chars()),
                    Token::Number(digits) => self.known_pans.collect(digits.chars()),
                    Token::Name(_) | Token::ObjectStart | Token::ObjectEnd => {}
                }
            }
        } else if name == CardName::PossibleNumber
            && let Some((value, _)) = tokens.scalar()
        {
            self.add_scalar(name, value);
        }
    }

    /// Collects a card number, if the value is one.
    fn add_scalar(&mut self, name: CardName, value: Value<'_>) {
        match value {
            Value::String(text) if name.is_unmasked_number(text.chars()) => {
                self.known_pans.collect(text.chars());
            }
            Value::Number(digits) if name.is_unmasked_number(digits.chars()) => {
                self.known_pans.collect(digits.chars());
            }
            _ => {}
        }
    }

    /// Adds the value of an object that names it in another member.
    fn add_pair(&mut self, pair: Pair) {
        let Some(name) = pair.name else {
            return;
        };
        for start in pair.values {
            self.pairs.push((start, name));
            let rest = self.json.get(start..).unwrap_or_default();
            if let Some((value, _)) = Tokens::new(rest).scalar() {
                self.add_scalar(name, value);
            }
        }
    }
}

/// Checks if a value under a name contains an unmasked card number.
fn is_unmasked_number(name: CardName, value: Value<'_>) -> bool {
    match value {
        Value::String(text) => text.with_decoded(|text| {
            name.is_unmasked_number(text.chars()) || contains_card_number(text)
        }),
        Value::Number(digits) => {
            name.is_unmasked_number(digits.chars()) || contains_card_number(digits)
        }
        Value::Object(json) | Value::Array(json) => {
            Tokens::new(json).any(|(token, _)| match token {
                Token::Name(text) => text.with_decoded(contains_card_number),
                Token::String(text) => is_unmasked_number(name, Value::String(text)),
                Token::Number(digits) => is_unmasked_number(name, Value::Number(digits)),
                Token::ObjectStart | Token::ObjectEnd => false,
            })
        }
        Value::Bool(_) | Value::Null | Value::Absent => false,
    }
}

/// Reads a member that may be a part of a pair.
fn read_pair_member(name: JsonStr<'_>, tokens: &mut Tokens<'_>, pair: &mut Pair) {
    match name
        .plain()
        .and_then(|name| PairMember::from_name(name.as_bytes()))
    {
        Some(PairMember::Name) => {
            if let Some((Value::String(text), _)) = tokens.scalar() {
                pair.name = pair.name.or_else(|| CardName::from_member(text));
            }
        }
        Some(PairMember::Value) => pair.values.push(tokens.value_start()),
        None => {}
    }
}

/// An iterator over the parts of a document, with their ranges.
pub(crate) struct Parts<'d, 'a> {
    tokens: Tokens<'a>,
    document: &'d CardDocument<'a>,
    /// The value after the name that was returned.
    pending: Option<(Part<'a>, Range<usize>)>,
}

impl<'a> Parts<'_, 'a> {
    /// Checks if the document is not valid JSON, which is a bug, so that its end was not reached.
    pub(crate) fn is_failed(&self) -> bool {
        self.tokens.is_failed()
    }

    /// Returns the name that another member of the object gives the value at the cursor.
    fn pair_name(&mut self) -> Option<CardName> {
        let pairs = &self.document.pairs;
        if pairs.is_empty() {
            return None;
        }
        let start = self.tokens.value_start();
        let found = pairs
            .binary_search_by_key(&start, |(start, _)| *start)
            .ok()?;
        pairs.get(found).map(|(_, name)| *name)
    }

    /// Reads the value after a name of card data.
    fn declared(&mut self, name: CardName) -> Option<(Part<'a>, Range<usize>)> {
        let (value, range) = match name {
            CardName::CardNumber | CardName::SecurityCode => self.tokens.value()?,
            CardName::PossibleNumber | CardName::PossibleCode => self.tokens.scalar()?,
        };
        let part = match value {
            // The value does not fit, so the name has another meaning.
            Value::String(text) if name.is_possible() && name.mask_json(value).is_none() => {
                Part::Text(text)
            }
            Value::Number(digits) if name.is_possible() && name.mask_json(value).is_none() => {
                Part::Number(digits)
            }
            _ => Part::Declared(name, value),
        };
        Some((part, range))
    }
}

impl<'a> Iterator for Parts<'_, 'a> {
    type Item = (Part<'a>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(pending) = self.pending.take() {
            return Some(pending);
        }
        loop {
            let (token, range) = self.tokens.next()?;
            return match token {
                Token::ObjectStart | Token::ObjectEnd => continue,
                Token::String(text) => Some((Part::Text(text), range)),
                Token::Number(digits) => Some((Part::Number(digits), range)),
                Token::Name(name) => {
                    let card_name = CardName::from_member(name).or_else(|| self.pair_name());
                    self.pending = card_name.and_then(|name| self.declared(name));
                    Some((Part::Text(name), range))
                }
            };
        }
    }
}
