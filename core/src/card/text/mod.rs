//! Card data in texts: one definition for all operations.
//!
//! A text is read as symbols, which are its characters after all escapes are decoded. Three searches
//! read the symbols:
//!
//! - [`number`]: card numbers by their form, in groups or not.
//! - [`members`]: values after the names of card data, as in `cvv=123`, in any form. A name
//!   ([`names`]) has an end ([`link`]) that connects it with a value ([`value`]), which may be in a
//!   wrapper ([`wrapper`]).
//! - [`runs`]: repetitions of a card number that the body declares.
//!
//! Masking the result again changes nothing: it contains no card number, and every value under a
//! name is a mask.
//!
//! All searches take linear time. Prefilters skip them for most texts.

mod declared;
pub(in crate::card) mod digits;
mod escapes;
mod iban;
mod link;
mod members;
pub(crate) mod names;
mod number;
mod prefilter;
mod quote;
mod runs;
mod stars;
mod symbol;
mod track;
mod value;
mod words;
mod wrapper;

#[cfg(test)]
mod tests;

use core::ops::Range;

use self::digits::skip_digits;
use self::members::MemberSearch;
pub(crate) use self::number::MIN_DIGITS;
use self::number::{Number, NumberSearch};
use self::prefilter::{has_digits, may_contain_number, may_name_card_data};
use self::symbol::Cursor;
use super::known::{ANY_NUMBER, KnownPans};
use super::mask::Masked;
use super::pan::MaskedPan;
use super::syntax::MIN_PAN_DIGITS;
use crate::types::uuid::parse_uuid;
use crate::util::bug::or_bug;
use crate::util::inline_vec::InlineVec;

/// The maximum number of times that a text is masked again. More are needed by no known text, and
/// without a limit the time would not be linear.
const MAX_ROUNDS: usize = 4;

/// Checks if a text contains a card number: one with its form, or twelve or more digits under the
/// name of a card number.
pub(crate) fn contains_card_number(text: &str) -> bool {
    has_digits(text.as_bytes(), MIN_PAN_DIGITS) && finds_card_number(text)
}

/// Searches a text with enough digits for a card number. Most texts need no search, and none of its
/// memory.
#[inline(never)]
fn finds_card_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Many ids are UUIDs. None contains a card number, so they need no search.
    if parse_uuid(text).is_some() || !may_contain_number(bytes, MIN_PAN_DIGITS) {
        return false;
    }
    let is_declared = || {
        MemberSearch::new(bytes)
            .any(|member| member.name.is_unmasked_number(member.characters(bytes)))
    };
    NumberSearch::new().next(bytes).is_some() || may_name_card_data(bytes) && is_declared()
}

/// The card data that are masked in a text.
#[derive(Clone, Copy)]
pub(crate) struct TextMask<'k> {
    /// Set if values under names and card numbers of known schemes are masked.
    is_complete: bool,
    /// The card numbers that the body declares.
    known: Option<&'k KnownPans>,
}

impl TextMask<'static> {
    /// All values under names of card data, and all card numbers of known schemes.
    pub(crate) const COMPLETE: Self = TextMask {
        is_complete: true,
        known: None,
    };

    /// Twelve or more digits of any scheme, for texts in which a missed card number is worse than
    /// another number that is masked, such as the name of an unknown member.
    pub(crate) fn any_number() -> Self {
        TextMask::known(&ANY_NUMBER)
    }
}

impl<'k> TextMask<'k> {
    /// The card numbers that the body declares.
    pub(crate) fn known(known: &'k KnownPans) -> Self {
        TextMask {
            is_complete: false,
            known: Some(known).filter(|known| !known.is_empty()),
        }
    }

    /// All card data, and the card numbers that the body declares.
    pub(crate) fn complete_and_known(known: &'k KnownPans) -> Self {
        TextMask {
            is_complete: true,
            ..TextMask::known(known)
        }
    }

    /// Masks the card data in a text. Returns `None` without card data.
    ///
    /// A mask may change the meaning of what surrounds it: digits that touched a name are stars now,
    /// or a bracket is gone. So the result is masked again, until nothing changes.
    pub(crate) fn mask(self, text: &str) -> Option<Masked> {
        let bytes = text.as_bytes();
        let has_names = self.is_complete && may_name_card_data(bytes);
        if !has_names && !self.may_contain_number(bytes) {
            return None;
        }
        let mut masked = self.mask_once(text, has_names)?;
        // Numbers leave no others behind.
        let rounds = if has_names { MAX_ROUNDS } else { 0 };
        for _ in 0..rounds {
            let Some(again) = self.mask_once(masked.as_str(), has_names) else {
                break;
            };
            masked.wipe();
            masked = again;
        }
        Some(masked)
    }

    /// Masks what is card data in a text as it is.
    fn mask_once(self, text: &str, has_names: bool) -> Option<Masked> {
        let replacements = self.replacements(text, has_names);
        // Without a mask, nothing is copied: the copy of a number would stay in memory.
        if replacements.is_empty() && !self.contains_number(text.as_bytes()) {
            return None;
        }
        let mut out = InlineVec::with_capacity(written_length(text, &replacements));
        write(text, &replacements, |piece| out.extend_from_slice(piece));
        self.mask_numbers(&mut out);
        Some(Masked::new(out))
    }

    /// Returns the values under names that are replaced, in order.
    fn replacements(self, text: &str, has_names: bool) -> InlineVec<Replacement<'_>, 4> {
        let mut replacements = InlineVec::new();
        if has_names {
            let bytes = text.as_bytes();
            replacements.extend(MemberSearch::new(bytes).filter_map(|member| {
                let mask = member.name.mask_text(member.characters(bytes))?;
                // One or two digits are their own mask.
                let value = bytes.get(member.value.clone());
                if member.quote.is_empty() && value == Some(mask.as_str().as_bytes()) {
                    return None;
                }
                Some(Replacement {
                    range: member.value,
                    quote: member.quote,
                    mask,
                })
            }));
            replacements.sort_by_key(|replacement: &Replacement<'_>| replacement.range.start);
        }
        replacements
    }

    /// Checks if a text may contain a card number that is masked.
    fn may_contain_number(self, text: &[u8]) -> bool {
        let least = match self {
            TextMask { known: Some(_), .. } => MIN_PAN_DIGITS,
            TextMask {
                is_complete: true, ..
            } => MIN_DIGITS,
            _ => return false,
        };
        may_contain_number(text, least)
    }

    /// Checks if a text contains a card number that is masked.
    fn contains_number(self, text: &[u8]) -> bool {
        let is_known = |known| runs::find_known(text, 0, known).is_some();
        self.may_contain_number(text)
            && (self.known.is_some_and(is_known)
                || self.is_complete && NumberSearch::new().next(text).is_some())
    }

    /// Masks the card numbers in a text in place.
    fn mask_numbers(self, text: &mut InlineVec<u8, 1024>) {
        if !self.may_contain_number(text) {
            return;
        }
        if let Some(known) = self.known {
            let mut from = 0;
            while let Some(range) = runs::find_known(text, from, known) {
                from = range.end;
                let mut cursor = Cursor::new(text, range.start);
                skip_digits(&mut cursor);
                // Tracks have no groups. The groups of a UUID may end with a digit and a `D`.
                let is_whole = cursor.at() == range.end;
                let track_data = Some(cursor).filter(|_| is_whole);
                let track_data = track_data.and_then(track::data_after);
                let number = Number { range, track_data };
                let hidden = stars::hidden_parts(text, number);
                stars::hide_digits(text, &hidden);
            }
        }
        if self.is_complete {
            mask_numbers_of_schemes(text);
        }
        let length = stars::remove_fillers(text);
        text.truncate(length);
    }
}

/// Masks the card numbers of known schemes in a text in place.
fn mask_numbers_of_schemes(text: &mut [u8]) {
    let mut search = NumberSearch::new();
    while let Some(number) = search.next(text) {
        let around = search.around_last();
        let mut end = number.end();
        let mut hidden = stars::hidden_parts(text, number);
        // Numbers with groups in common are found before the digits of the first become stars.
        while let Some(overlapping) = search.next_before(text, end) {
            end = end.max(overlapping.end());
            hidden.extend(stars::hidden_parts(text, overlapping));
        }
        stars::hide_digits(text, &hidden);
        search = around;
    }
}

/// A value that is replaced by its mask.
struct Replacement<'t> {
    range: Range<usize>,
    /// The quote around the mask.
    quote: &'t [u8],
    mask: MaskedPan,
}

/// Returns an upper bound of the length of a text with replacements.
fn written_length(text: &str, replacements: &[Replacement<'_>]) -> usize {
    let added = replacements.iter().map(|replacement| {
        let quotes = replacement.quote.len().saturating_mul(2);
        replacement.mask.as_str().len().saturating_add(quotes)
    });
    added.fold(text.len(), usize::saturating_add)
}

/// Passes a text with replacements to `put`, in pieces.
fn write(text: &str, replacements: &[Replacement<'_>], mut put: impl FnMut(&[u8])) {
    let mut copied = 0;
    for Replacement { range, quote, mask } in replacements {
        // The value of a pair may be within another value, which is replaced as a whole.
        if range.start < copied {
            continue;
        }
        put(or_bug(text.get(copied..range.start), "").as_bytes());
        for piece in [quote, mask.as_str().as_bytes(), quote] {
            put(piece);
        }
        copied = range.end;
    }
    put(or_bug(text.get(copied..), "").as_bytes());
}
