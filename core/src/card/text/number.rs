//! Card numbers in texts, recognized by their form.
//!
//! A number is one group of 14 to 19 digits, or several groups in the way that people and schemes
//! write numbers, with the same separator between all of them. It has the prefix and a length of a
//! known scheme, and passes Luhn, unless the scheme has issued numbers without a check digit. It
//! touches no digit and no ASCII letter, is not a decimal fraction, and overlaps no IBAN. The digits
//! of a UUID have other groups, so none of its parts is a number.

use core::ops::Range;

use super::digits::{Digits, Separator, digit, is_separator};
use super::iban::overlaps_iban;
use super::symbol::Cursor;
use super::track;
use crate::card::luhn::passes_luhn;
use crate::card::scheme::{Issuer, may_begin_number};
use crate::card::syntax::MAX_PAN_DIGITS;

/// The minimum number of digits of a card number that no name precedes. Shorter numbers are too
/// often something different.
pub(crate) const MIN_DIGITS: usize = 14;

/// The maximum number of groups: four of four digits, and a shorter one.
const MAX_GROUPS: usize = 5;

/// A card number in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// The digits and the separators between them.
    pub(super) range: Range<usize>,
    /// The discretionary data, if the number belongs to a track.
    pub(super) track_data: Option<Range<usize>>,
}

impl Number {
    /// Returns the end of the digits, or of the data of the track after them.
    pub(super) fn end(&self) -> usize {
        let data = self.track_data.as_ref();
        data.map_or(self.range.end, |data| data.end)
    }
}

/// The beginning of a group of digits, and the two characters before it.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    before: [char; 2],
}

impl Place {
    /// The beginning of a text, or of a value, before which everything is allowed.
    const fn beginning(at: usize) -> Self {
        Place {
            at,
            before: [' '; 2],
        }
    }

    /// The end of a group.
    fn after(group: Group) -> Self {
        Place {
            at: group.end,
            before: ['0'; 2],
        }
    }
}

/// A group of digits.
#[derive(Clone, Copy)]
struct Group {
    place: Place,
    end: usize,
    /// The number of digits.
    length: usize,
    /// Set if a number may begin with this group.
    is_first: bool,
    /// The separator between this group and the one before.
    separator: Option<Separator>,
}

impl Group {
    const NONE: Self = Group {
        place: Place::beginning(0),
        end: 0,
        length: 0,
        is_first: false,
        separator: None,
    };
}

/// A search for the numbers in a text, from the beginning to the end.
///
/// A window of up to five groups moves over the text. Its first group may begin a number, to which
/// the others may belong. So each group is read once.
pub(super) struct NumberSearch {
    window: [Group; MAX_GROUPS],
    /// The number of groups in the window.
    count: usize,
    /// The digits of the groups in the window.
    digits: Digits<MAX_GROUPS>,
    /// The place after the last group of the window.
    place: Place,
    /// The last groups that may belong to a number with the next one.
    recent: [Place; MAX_GROUPS - 1],
    /// Set if only separators are between the last group and the place.
    is_joined: bool,
}

impl NumberSearch {
    pub(super) fn new() -> Self {
        NumberSearch::from_place(Place::beginning(0))
    }

    fn from_place(place: Place) -> Self {
        NumberSearch {
            window: [Group::NONE; MAX_GROUPS],
            count: 0,
            digits: Digits::default(),
            place,
            recent: [place; MAX_GROUPS - 1],
            is_joined: false,
        }
    }

    /// Finds the next number, in the order of their first digits.
    pub(super) fn next(&mut self, text: &[u8]) -> Option<Number> {
        self.next_before(text, text.len())
    }

    /// Finds the next number that begins before a position.
    pub(super) fn next_before(&mut self, text: &[u8], end: usize) -> Option<Number> {
        loop {
            let start = self.find_start(text)?;
            if start.at >= end {
                return None;
            }
            if self.count == 0 {
                let group = self.read(text, start, None);
                if !group.is_first {
                    // Most groups begin no number, and need no window.
                    self.digits.remove_group(group.length);
                    self.place = Place::after(group);
                    self.leave(group);
                    continue;
                }
                self.push(group);
            }
            let number = self.first_number(text);
            self.remove_first();
            if number.is_some() {
                return number;
            }
        }
    }

    /// Returns a search that begins where a number may begin that contains a part of the last one.
    ///
    /// After a number is masked, the digits that it leaves may form another one with those around
    /// them. It begins at most four groups before, with only separators between them.
    pub(super) fn around_last(&self) -> Self {
        let [oldest, ..] = self.recent;
        NumberSearch::from_place(oldest)
    }

    /// Returns the place of the next group that may begin a number.
    fn find_start(&mut self, text: &[u8]) -> Option<Place> {
        if self.count == 0 {
            self.find_digits(text)?;
            return Some(self.place);
        }
        let [first, ..] = self.window;
        Some(first.place)
    }

    /// Moves to the next digit after the window.
    fn find_digits(&mut self, text: &[u8]) -> Option<()> {
        let mut cursor = Cursor::new(text, self.place.at);
        loop {
            let symbol = cursor.symbol()?;
            if digit(symbol.character).is_some() {
                self.place.at = cursor.at();
                return Some(());
            }
            cursor.move_to(symbol.end);
            self.pass(symbol.character);
            if !is_separator(symbol.character) {
                self.is_joined = false;
                let skipped = cursor.skip_words();
                // The characters outside ASCII are not compared.
                let last = skipped.last_chunk::<2>().map_or(skipped, |last| last);
                last.iter().for_each(|byte| self.pass(char::from(*byte)));
            }
        }
    }

    /// Remembers a character before the next group.
    fn pass(&mut self, character: char) {
        let [_, last] = self.place.before;
        self.place.before = [last, character];
    }

    /// Reads the digits at a place.
    fn read(&mut self, text: &[u8], place: Place, separator: Option<Separator>) -> Group {
        let mut cursor = Cursor::new(text, place.at);
        let length = self.digits.read_group(&mut cursor);
        // All groupings begin with four digits.
        let has_length = length == 4 || (MIN_DIGITS..=MAX_PAN_DIGITS).contains(&length);
        Group {
            place,
            end: cursor.at(),
            length,
            is_first: has_length && may_begin_number(self.digits.last_group(length)),
            separator,
        }
    }

    fn push(&mut self, group: Group) {
        if let Some(target) = self.window.get_mut(self.count) {
            *target = group;
            self.count = self.count.saturating_add(1);
        }
        self.place = Place::after(group);
    }

    fn remove_first(&mut self) {
        let [first, ..] = self.window;
        self.window.copy_within(1.., 0);
        self.count = self.count.saturating_sub(1);
        self.digits.remove_group(first.length);
        self.leave(first);
    }

    /// Remembers a group that the search has left.
    fn leave(&mut self, group: Group) {
        let [_, second, third, fourth] = self.recent;
        self.recent = if self.is_joined {
            [second, third, fourth, group.place]
        } else {
            [group.place; MAX_GROUPS - 1]
        };
        self.is_joined = true;
    }

    /// Reads further groups into the window.
    fn fill(&mut self, text: &[u8]) {
        while self.count < MAX_GROUPS {
            let mut cursor = Cursor::new(text, self.place.at);
            let Some(separator) = Separator::read(&mut cursor) else {
                return;
            };
            let place = Place {
                at: cursor.at(),
                before: separator.last_characters(),
            };
            let group = self.read(text, place, Some(separator));
            self.push(group);
        }
    }

    /// Returns the longest number that begins with the first group of the window.
    fn first_number(&mut self, text: &[u8]) -> Option<Number> {
        let [first, ..] = self.window;
        if !first.is_first {
            return None;
        }
        if first.length < MIN_DIGITS {
            self.fill(text);
        }
        let groups = self.groups();
        let separator = groups.get(1).and_then(|group| group.separator);
        if !may_begin_after(first.place.before, separator) {
            return None;
        }
        let mut grouping = Grouping::new(groups);
        let range = loop {
            let range = first.place.at..grouping.last()?.end;
            let is_apart = || may_end_before(Cursor::new(text, range.end), separator);
            if grouping.is_number(self.digits.ascii()) && is_apart() && !overlaps_iban(text, &range)
            {
                break range;
            }
            grouping.remove_last();
        };
        Some(Number {
            track_data: track::data_after(Cursor::new(text, range.end)),
            range,
        })
    }

    /// Returns the groups of the window that may form one number: with the same separator between
    /// them, and not too many digits together.
    fn groups(&self) -> &[Group] {
        let [first, second, ..] = &self.window;
        let mut length = 0_usize;
        let belongs = |(index, group): &(usize, &Group)| {
            length = length.saturating_add(group.length);
            let is_alone = first.length >= MIN_DIGITS;
            let is_like_others = !is_alone && group.separator == second.separator;
            length <= MAX_PAN_DIGITS && (*index == 0 || is_like_others)
        };
        let groups = self.window.iter().take(self.count).enumerate();
        let count = groups.take_while(belongs).count();
        self.window.get(..count).unwrap_or_default()
    }
}

/// Returns the longest number that begins at a position, as if at the beginning of a text.
pub(super) fn number_at(text: &[u8], at: usize) -> Option<Number> {
    // Most digits begin no number, and need no window.
    let mut cursor = Cursor::new(text, at);
    let first = [
        digit(cursor.next()?.character)?,
        digit(cursor.next()?.character)?,
    ];
    if !may_begin_number(&first) {
        return None;
    }
    let place = Place::beginning(at);
    let mut search = NumberSearch::from_place(place);
    let group = search.read(text, place, None);
    search.push(group);
    search.first_number(text)
}

/// Checks if a number may begin after two characters: not after a letter, unless it begins a track,
/// and not in a decimal fraction.
fn may_begin_after(before: [char; 2], separator: Option<Separator>) -> bool {
    match before {
        [first, '.'] => digit(first).is_none() || is_point(separator),
        [_, last] => !last.is_ascii_alphabetic() || track::begins_track(before),
    }
}

/// Checks if a number may end here: not before a letter, unless the data of a track follow, and not
/// before a decimal fraction other than zero.
fn may_end_before(mut cursor: Cursor<'_>, separator: Option<Separator>) -> bool {
    match cursor.peek() {
        Some('.') if !is_point(separator) => {
            cursor.accept(|point| point == '.');
            cursor.accept_all(|character| digit(character) == Some(0));
            cursor.peek().is_none_or(|next| digit(next).is_none())
        }
        // Tracks have no groups. The groups of a UUID may end with a digit and a `D`.
        Some(letter) if letter.is_ascii_alphabetic() => {
            separator.is_none() && track::data_after(cursor).is_some()
        }
        _ => true,
    }
}

/// Checks if points separate the groups of a number, so that they are not decimal points.
fn is_point(separator: Option<Separator>) -> bool {
    separator.is_some_and(|separator| separator.character == '.')
}

/// Groups that may be a card number together.
struct Grouping<'g> {
    groups: &'g [Group],
    /// The number of digits up to the end of each group.
    ends: [usize; MAX_GROUPS],
}

impl<'g> Grouping<'g> {
    fn new(groups: &'g [Group]) -> Self {
        let mut ends = [0; MAX_GROUPS];
        let mut length = 0_usize;
        for (end, group) in ends.iter_mut().zip(groups) {
            length = length.saturating_add(group.length);
            *end = length;
        }
        Grouping { groups, ends }
    }

    /// Returns the last group, if there are enough digits for a number.
    fn last(&self) -> Option<&'g Group> {
        self.groups.last().filter(|_| self.length() >= MIN_DIGITS)
    }

    fn remove_last(&mut self) {
        self.groups = self.groups.split_last().map_or(&[], |(_, groups)| groups);
    }

    /// Returns the number of digits.
    fn length(&self) -> usize {
        let last = self.groups.len().checked_sub(1);
        last.and_then(|last| self.ends.get(last))
            .copied()
            .unwrap_or(0)
    }

    /// Checks if the groups are a card number: with the digits of one, which come first in `digits`,
    /// in groups as people or its scheme write them.
    fn is_number(&self, digits: &[u8]) -> bool {
        let length = self.length();
        let gaps = self.ends.get(..self.groups.len().saturating_sub(1));
        let (Some(gaps), Some(digits)) = (gaps, digits.get(..length)) else {
            return false;
        };
        let issuer = Issuer::from_digits(digits).filter(|issuer| issuer.has_length(length));
        let Some(issuer) = issuer else {
            return false;
        };
        let gaps = || gaps.iter().copied();
        let scheme_gaps = || issuer.scheme.grouping(length).iter().copied();
        let is_written_so = gaps().eq((4..length).step_by(4))
            || self.groups.len() == 1
            || gaps().eq(scheme_gaps().map(usize::from));
        is_written_so && (passes_luhn(digits) || issuer.may_lack_check_digit(length))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    /// Returns the numbers in a text.
    fn numbers(text: &str) -> Vec<&str> {
        let mut search = NumberSearch::new();
        core::iter::from_fn(|| search.next(text.as_bytes()))
            .map(|number| text.get(number.range).unwrap())
            .collect()
    }

    /// Checks that a text contains one number, which is written without the rest.
    fn finds(texts: &[(&str, &str)]) {
        for (text, number) in texts {
            assert_eq!(numbers(text), [*number], "{text}");
        }
    }

    /// Checks that texts contain no number.
    fn finds_nothing(texts: &[&str]) {
        for text in texts {
            assert!(numbers(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn finds_numbers_without_groups() {
        finds(&[
            ("4111111111111111", "4111111111111111"),
            ("card 378282246310005.", "378282246310005"),
            ("(30569309025904)", "30569309025904"),
            ("-6304219447607087665-", "6304219447607087665"),
            ("№4111111111111111", "4111111111111111"),
            // UnionPay has issued numbers without a check digit.
            ("620000000000008", "620000000000008"),
        ]);
        finds_nothing(&[
            "4111111111111112",
            "7111111111111114",
            "411111111111116",
            "4222222222222",
            "501800000009",
            "04111111111111111",
            "41111111111111110",
        ]);
    }

    #[test]
    fn finds_groups_as_people_and_schemes_write_them() {
        finds(&[
            ("4111 1111 1111 1111", "4111 1111 1111 1111"),
            ("3782 822463 10005", "3782 822463 10005"),
            ("3782 8224 6310 005", "3782 8224 6310 005"),
            ("3056 930902 5904", "3056 930902 5904"),
            ("6304 2194 4760 7087 665", "6304 2194 4760 7087 665"),
            ("6304 2194 4760 7087665", "6304 2194 4760 7087665"),
            ("12 4111 1111 1111 1111 12 27", "4111 1111 1111 1111"),
        ]);
        finds_nothing(&[
            "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
            "41111111 11111111",
            "411 1111 1111 1111 1",
            "4111 1111 1111 11111",
            "4111 1111111111 11",
        ]);
    }

    #[test]
    fn groups_have_the_same_separator() {
        for separator in [
            " ", "  ", "\t", "\u{9}", "\u{a0}", "\u{202f}", "\u{2009}", "-", "\u{2010}",
            "\u{2011}", "\u{2012}", "\u{2013}", ".", "_", "+", "%20", "\\t", "\\u00a0", "&nbsp;",
        ] {
            let text = ["4111", "1111", "1111", "1111"].join(separator);
            finds(&[(text.as_str(), text.as_str())]);
        }
        finds_nothing(&[
            "4111 1111-1111 1111",
            "4111  1111 1111 1111",
            "4111   1111   1111   1111",
            "4111, 1111, 1111, 1111",
            "4111/1111/1111/1111",
            "4111\n1111\n1111\n1111",
        ]);
    }

    #[test]
    fn numbers_touch_no_letter() {
        finds(&[
            ("卡号4111111111111111已支付", "4111111111111111"),
            ("я4111111111111111я", "4111111111111111"),
            ("_4111111111111111_", "4111111111111111"),
            ("\\n4111111111111111\\n", "4111111111111111"),
            ("\\\"4111111111111111\\\"", "4111111111111111"),
            ("\\u00224111111111111111\\u0022", "4111111111111111"),
            ("\\x224111111111111111\\x22", "4111111111111111"),
            ("%224111111111111111%22", "4111111111111111"),
            ("&quot;4111111111111111&quot;", "4111111111111111"),
            ("\\x1b[1;31m4111111111111111\\x1b[0m", "4111111111111111"),
        ]);
        finds_nothing(&[
            "x4111111111111111",
            "4111111111111111x",
            "4111 1111 1111 1111abc",
            "\\q4111111111111111",
            "4111111111111111e3",
        ]);
    }

    #[test]
    fn finds_digits_of_other_scripts() {
        for text in [
            "４１１１１１１１１１１１１１１１",
            "٤١١١١١١١١١١١١١١١",
            "۴۱۱۱ ۱۱۱۱ ۱۱۱۱ ۱۱۱۱",
            "4111 １１１１ 1111 1111",
        ] {
            finds(&[(text, text)]);
        }
    }

    #[test]
    fn decimal_fractions_are_no_numbers() {
        finds(&[
            ("4111111111111111.0", "4111111111111111"),
            ("4111111111111111.00 EUR", "4111111111111111"),
            ("it is 4111111111111111. Yes", "4111111111111111"),
            ("12.4111.1111.1111.1111", "4111.1111.1111.1111"),
            ("no.4111111111111111", "4111111111111111"),
        ]);
        finds_nothing(&[
            "0.4111111111111111",
            "4111111111111111.5",
            "4111111111111111.05",
            "1.4111 1111 1111 1111",
        ]);
    }

    #[test]
    fn identifiers_and_series_are_no_numbers() {
        finds_nothing(&[
            "[4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 2]",
            "cpu 64705 150 51120 616250 5200 30 56 700 6500 40",
            "DE12 5001 0517 0648 4898 90",
            "41111111-1111-4008-8abc-aaaaaaaaaaaa",
            "41111111-1111-1111-1111-111111111111",
            "0b6ea6a6-6212-3456-7890-12d345678901",
            "EAN 5901234123457 in stock",
            "1790000000000 20261127101530 127.0.0.1 4111.1111.1111",
            "411111******1111 4111 11** **** 1111",
        ]);
    }

    #[test]
    fn track_data_belong_to_the_number() {
        for (text, data) in [
            ("%B4111111111111111^DOE/JOHN^2512?", Some("2512")),
            (";4111111111111111=2512?", Some("2512")),
            ("4111111111111111D2512F", Some("2512")),
            ("4111111111111111", None),
        ] {
            let number = NumberSearch::new().next(text.as_bytes()).unwrap();
            assert_eq!(text.get(number.range), Some("4111111111111111"));
            let range = number.track_data;
            assert_eq!(range.and_then(|range| text.get(range)), data, "{text}");
        }
        finds_nothing(&[
            "B4111111111111111",
            "4111111111111111D",
            "4111111111111111E1",
        ]);
    }
}
