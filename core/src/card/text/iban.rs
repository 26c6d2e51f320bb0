//! International bank account numbers (ISO 13616), whose groups of digits are not card numbers.

use core::ops::Range;

use super::digits::is_separator;
use super::escapes::may_begin_escape;
use super::symbol::Cursor;
use crate::util::bytes::{position, within};

/// The countries of the registry of IBANs in order, each with the number of characters of its IBANs.
const COUNTRIES: &str = "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 \
    CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 \
    HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 \
    MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 \
    SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30 ";

/// The number of characters of the country and its check digits, which the checksum reads last, and
/// of each group.
const HEAD: usize = 4;

/// The maximum number of bytes of an IBAN with separators.
const MAX_BYTES: usize = 80;
/// The maximum number of bytes of an escape before an IBAN, such as a color sequence with parameters.
const MAX_ESCAPE: usize = 32;

/// Checks if a part of the text overlaps a valid IBAN.
pub(super) fn overlaps_iban(text: &[u8], part: &Range<usize>) -> bool {
    let earliest = part.start.saturating_sub(MAX_BYTES);
    let around = text.get(earliest..part.end).unwrap_or_default();
    // Most texts have no country there, and are not read byte by byte.
    let Some(first) = position(around, within::<b'A', b'Z'>) else {
        return false;
    };
    let mut starts = (earliest.saturating_add(first)..part.end).filter(|at| begins_iban(text, *at));
    starts.any(|start| iban_end(text, start).is_some_and(|end| end > part.start))
}

/// Checks if an IBAN may begin here: with a country and two digits, at the beginning of a word.
fn begins_iban(text: &[u8], start: usize) -> bool {
    let is_head = matches!(
        text.get(start..).unwrap_or_default(),
        [b'A'..=b'Z', b'A'..=b'Z', b'0'..=b'9', b'0'..=b'9', ..]
    );
    let before = start.checked_sub(1).and_then(|at| text.get(at));
    is_head && (!before.is_some_and(u8::is_ascii_alphanumeric) || is_escape_before(text, start))
}

/// Checks if an escape ends at a position: `\n`, `%3D`, `\u003d`.
fn is_escape_before(text: &[u8], end: usize) -> bool {
    (2..=MAX_ESCAPE).any(|length| {
        let start = end.checked_sub(length);
        let is_lead = |start: &usize| text.get(*start).copied().is_some_and(may_begin_escape);
        let start = start.filter(is_lead);
        let symbol = start.and_then(|start| Cursor::new(text, start).symbol());
        symbol.is_some_and(|symbol| symbol.end == end)
    })
}

/// Returns the end of the valid IBAN that begins at `start`: all characters together, or groups of
/// four with the same separator between them.
fn iban_end(text: &[u8], start: usize) -> Option<usize> {
    let length = country_length(*text.get(start..)?.first_chunk()?)?;
    let mut checksum = Checksum::default();
    let mut cursor = Cursor::new(text, start);
    let mut separator = None;
    while checksum.count < length {
        if checksum.count == HEAD {
            separator = cursor.peek().filter(|next| is_separator(*next));
        }
        if let Some(separator) = separator.filter(|_| checksum.count.is_multiple_of(HEAD)) {
            cursor.accept_char(separator)?;
        }
        let character = u8::try_from(cursor.next()?.character).ok()?;
        matches!(character, b'0'..=b'9' | b'A'..=b'Z').then_some(())?;
        checksum.push(character);
    }
    let is_apart = !cursor
        .peek()
        .is_some_and(|next| next.is_ascii_alphanumeric());
    (is_apart && checksum.is_valid()).then_some(cursor.at())
}

/// Returns the number of characters of a country's IBANs.
fn country_length(country: [u8; 2]) -> Option<usize> {
    let (rows, _) = COUNTRIES.as_bytes().as_chunks::<5>();
    let row = rows.binary_search_by_key(&country, |[first, second, ..]| [*first, *second]);
    let [_, _, digits @ .., _] = rows.get(row.ok()?)?;
    core::str::from_utf8(digits).ok()?.parse().ok()
}

/// The remainder by 97 of the characters that were read, without the first four.
#[derive(Default)]
struct Checksum {
    head: [u8; HEAD],
    remainder: u32,
    count: usize,
}

impl Checksum {
    fn push(&mut self, character: u8) {
        match self.head.get_mut(self.count) {
            Some(target) => *target = character,
            None => self.remainder = append(self.remainder, character),
        }
        self.count = self.count.saturating_add(1);
    }

    /// Checks if the characters, with the first four at the end, have the remainder 1.
    fn is_valid(&self) -> bool {
        self.head.into_iter().fold(self.remainder, append) == 1
    }
}

/// Returns the remainder by 97 of a number that is extended by a digit, or by the two digits of a
/// letter: 10 for A, 35 for Z.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "a remainder times 100 and a value of two digits fit in 32 bits"
)]
fn append(remainder: u32, character: u8) -> u32 {
    let value = char::from(character).to_digit(36).unwrap_or(0);
    let factor = if value < 10 { 10 } else { 100 };
    (remainder * factor + value) % 97
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_country() {
        let rows = COUNTRIES.split_ascii_whitespace();
        assert!(rows.clone().is_sorted());
        for row in rows {
            let (country, length) = row.split_at(2);
            let country = country.as_bytes().try_into().unwrap();
            assert_eq!(country_length(country), length.parse().ok(), "{row}");
        }
        assert_eq!(country_length(*b"XX"), None);
    }

    #[test]
    fn recognizes_ibans_in_words() {
        for (text, expected) in [
            ("DE12 5001 0517 0648 4898 90", true),
            ("DE12-5001-0517-0648-4898-90", true),
            ("DE12500105170648489890", true),
            ("to GB82 WEST 1234 5698 7654 32, thanks", true),
            ("NO93 8601 1117 947", true),
            ("DE12+5001+0517+0648+4898+90", true),
            ("iban%3DDE12%205001%200517%200648%204898%2090", true),
            (
                "\\nDE12\\u00a05001\\u00a00517\\u00a00648\\u00a04898\\u00a090",
                true,
            ),
            ("\\x5cx5cDE12 5001 0517 0648 4898 90", true),
            ("\u{1b}[1;32mDE12 5001 0517 0648 4898 90", true),
            ("#033[32mDE12 5001 0517 0648 4898 90", true),
            ("DE12 5001-0517 0648 4898 90", false),
            ("XX81 5001 0517 0648 4898 90", false),
            ("DE13 5001 0517 0648 4898 90", false),
            ("XDE12 5001 0517 0648 4898 90", false),
            ("de12 5001 0517 0648 4898 90", false),
            ("DE12  5001 0517 0648 4898 90", false),
            ("DE12 5001 0517 0648 4898 901", false),
            ("4111 1111 1111 1111", false),
        ] {
            // The last group of four digits.
            let start = text.find("4898").or(text.find("7654")).unwrap_or(10);
            assert_eq!(
                overlaps_iban(text.as_bytes(), &(start..start + 4)),
                expected,
                "{text}"
            );
        }
        let text = "DE12 5001 0517 0648 4898 90 4111 1111 1111 1111";
        assert!(!overlaps_iban(text.as_bytes(), &(28..47)));
        assert!(overlaps_iban(text.as_bytes(), &(25..35)));
    }
}
