//! Values after names of card data in a text.

use core::ops::Range;

use super::link::{Link, NameEnd};
use super::names::{CardName, PairMember};
use super::quote::Quote;
use super::symbol::{Cursor, Symbol};
use super::value::Found;
use super::words::{Words, is_word_byte, word_end};
use super::wrapper::Wrappers;

/// A value under a name of card data.
pub(super) struct Member<'t> {
    pub(super) name: CardName,
    pub(super) value: Range<usize>,
    /// The quotes that the mask of the value needs, so that JSON stays valid.
    pub(super) quote: &'t [u8],
}

impl<'t> Member<'t> {
    fn new(name: CardName, found: Found, end: &NameEnd<'t>) -> Self {
        let quote = end.quote.filter(|_| found.is_bare);
        Member {
            name,
            value: found.range,
            quote: quote.map_or(&[], |quote| quote.spelling),
        }
    }

    /// Returns the characters of the value.
    pub(super) fn characters(&self, text: &'t [u8]) -> impl Iterator<Item = char> {
        let end = self.value.end;
        Cursor::new(text, self.value.start)
            .take_while(move |symbol| symbol.end <= end)
            .map(|symbol| symbol.character)
    }
}

/// A search for the values under names of card data. The values of names with other meanings are
/// found only if they fit.
///
/// A value before its name, as in `"value":"123","name":"cvv"`, is found after those between them.
pub(super) struct MemberSearch<'t> {
    cursor: Cursor<'t>,
    /// The two characters before the cursor.
    before: [char; 2],
    /// Set in a closing tag, whose name has no value.
    is_closing: bool,
    /// The character before a `<`, up to the end of the name of its element, which may have a prefix.
    before_tag: Option<char>,
    words: Words,
    wrappers: Wrappers,
    pair: Pair<'t>,
}

/// The members `name` and `value` of the object or tag that is being read: `"name":"cvv","value":"123"`
/// as in HAR, `name="cvv" value="123"`.
#[derive(Default)]
struct Pair<'t> {
    name: Option<CardName>,
    /// The beginning of the value, if it is before the name.
    value: Option<(Cursor<'t>, NameEnd<'t>)>,
}

impl<'t> MemberSearch<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        MemberSearch {
            cursor: Cursor::new(text, 0),
            before: [' '; 2],
            is_closing: false,
            before_tag: None,
            words: Words::default(),
            wrappers: Wrappers::default(),
            pair: Pair::default(),
        }
    }

    /// Moves past a symbol outside of words.
    fn skip(&mut self, symbol: Symbol) {
        self.words.separate(symbol.character);
        let [_, last] = self.before;
        self.before_tag = match symbol.character {
            // `#<Cvv 123>` is an object of Ruby.
            '<' => Some(last).filter(|before| *before != '#'),
            ':' => self.before_tag,
            _ => None,
        };
        match symbol.character {
            '{' | '}' => self.pair = Pair::default(),
            // In Ruby and PHP, `=>` is between a member and its value.
            '>' if last == '=' => {}
            '<' | '>' => {
                self.pair = Pair::default();
                self.is_closing = false;
            }
            '/' if last == '<' => self.is_closing = true,
            _ => {}
        }
        self.before = [last, symbol.character];
        self.cursor.move_to(symbol.end);
    }

    /// Moves past a word. Returns the member that it completes.
    fn word(&mut self) -> Option<Member<'t>> {
        let before = core::mem::replace(&mut self.before, ['a'; 2]);
        let before = match self.before_tag {
            _ if self.is_closing => ['<', '/'],
            Some(before_tag) => [before_tag, '<'],
            None if before[1] == '<' => [' '; 2],
            // Otherwise, the search for the end of a tag would read the text after every colon.
            None if before[1] == ':' => [before[0], ' '],
            None => before,
        };
        let word = self.cursor.at()..word_end(self.cursor.text, self.cursor.at());
        self.cursor.move_to(word.end);
        self.words.push(word.clone());
        let pair_member = PairMember::from_name(self.cursor.text.get(word)?);
        // In `name="cvv" value="123"`, the name is not `cvv value`.
        let is_value = self.pair.name.is_some() && pair_member == Some(PairMember::Value);
        if !is_value && let Some(name) = self.words.name(self.cursor.text) {
            if before[1] == '<' {
                // The value may be an attribute: `<cvv value="123"/>`.
                self.pair.name = Some(name);
            }
            return self.named(name, before);
        }
        match pair_member? {
            PairMember::Name => self.pair_name(),
            PairMember::Value => self.pair_value(),
        }
    }

    /// Returns the member with a name before the cursor.
    fn named(&mut self, name: CardName, before: [char; 2]) -> Option<Member<'t>> {
        let mut cursor = self.cursor;
        let end = NameEnd::read(&mut cursor, before)?;
        let found = match (name, end.link) {
            (CardName::SecurityCode, Link::Space) => Found::code_after_space(cursor),
            (_, Link::Space) => None,
            _ => Found::under(name, cursor, &end, &mut self.wrappers),
        };
        self.member(name, found?, &end)
    }

    /// Reads the value of the member `name` of a pair.
    fn pair_name(&mut self) -> Option<Member<'t>> {
        let mut cursor = self.cursor;
        NameEnd::read(&mut cursor, [' '; 2]).filter(|end| end.link == Link::Member)?;
        Quote::read(&mut cursor);
        let start = cursor.at();
        let is_part =
            |byte: &&u8| is_word_byte(**byte) || matches!(**byte, b' ' | b'[' | b']' | b'.');
        let rest = cursor.text.get(start..)?.iter();
        let length = rest.take_while(is_part).count();
        let name = CardName::from_name(cursor.text.get(start..start.saturating_add(length))?)?;
        self.pair.name = Some(name);
        let (value, end) = self.pair.value.take()?;
        let member = Member::new(
            name,
            Found::under(name, value, &end, &mut self.wrappers)?,
            &end,
        );
        // A container that is not closed reaches beyond the name. What it contains is hidden with it,
        // and would otherwise be read again for each further name.
        if member.value.end > self.cursor.at() {
            self.continue_after(&member);
        }
        Some(member)
    }

    /// Reads the member `value` of a pair.
    fn pair_value(&mut self) -> Option<Member<'t>> {
        let mut cursor = self.cursor;
        let end = NameEnd::read(&mut cursor, [' '; 2]).filter(|end| end.link == Link::Member)?;
        let Some(name) = self.pair.name else {
            self.pair.value = Some((cursor, end));
            return None;
        };
        let found = Found::under(name, cursor, &end, &mut self.wrappers)?;
        self.member(name, found, &end)
    }

    /// Returns a member whose value is card data, and continues the search after the value.
    fn member(&mut self, name: CardName, found: Found, end: &NameEnd<'t>) -> Option<Member<'t>> {
        let text = self.cursor.text;
        if found.is_absent(name, text) {
            return None;
        }
        let member = Member::new(name, found, end);
        if name.is_possible() && name.mask_text(member.characters(text)).is_none() {
            return None;
        }
        self.continue_after(&member);
        Some(member)
    }

    /// Continues the search after a value. Its mask does not touch what follows.
    fn continue_after(&mut self, member: &Member<'t>) {
        self.cursor.move_to(member.value.end);
        self.words = Words::default();
        self.before = [' '; 2];
    }
}

impl<'t> Iterator for MemberSearch<'t> {
    type Item = Member<'t>;

    fn next(&mut self) -> Option<Member<'t>> {
        while let Some(symbol) = self.cursor.symbol() {
            let is_raw = symbol.end == self.cursor.at().saturating_add(1);
            if !is_raw || !u8::try_from(symbol.character).is_ok_and(is_word_byte) {
                self.skip(symbol);
            } else if let Some(member) = self.word() {
                return Some(member);
            }
        }
        None
    }
}
