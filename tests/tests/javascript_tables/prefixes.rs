//! The prefixes of card schemes as a short table, derived from the function that recognizes them.

use payspec::card::Scheme;
use std::ops::RangeInclusive;

/// The digits that decide the scheme.
const DIGITS: usize = 6;

/// Numbers of six digits, and the scheme of the cards that begin with them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) numbers: RangeInclusive<usize>,
    pub(crate) scheme: Scheme,
}

/// Returns ranges of prefixes. The first that contains all numbers with the digits of a card has
/// its scheme.
pub(crate) fn ranges() -> Vec<Range> {
    let by_number: Vec<_> = texts(DIGITS).map(|number| scheme_of(&number)).collect();
    let mixed = mixed_prefixes(&by_number);
    let others: Vec<_> = by_number
        .iter()
        .enumerate()
        .map(|(number, scheme)| scheme.filter(|scheme| first(&mixed, number) != Some(*scheme)))
        .enumerate()
        .collect();
    let mut ranges: Vec<Range> = others
        .chunk_by(|(_, one), (_, next)| one == next)
        .filter_map(|run| {
            let ((first, scheme), (last, _)) = (run.first()?, run.last()?);
            Some(Range {
                numbers: *first..=*last,
                scheme: (*scheme)?,
            })
        })
        .collect();
    // They have no number in common, so their order is free.
    ranges.sort_by_key(|range| index(range.scheme));
    ranges.extend(mixed);
    assert_scheme_of_every_prefix(&ranges);
    ranges
}

/// Returns prefixes that decide although longer ones have other schemes, the longest first: `4` is
/// Visa, though `401178` is Elo.
fn mixed_prefixes(by_number: &[Option<Scheme>]) -> Vec<Range> {
    let mut mixed = Vec::new();
    for prefix in (1..DIGITS).rev().flat_map(texts) {
        let Some(scheme) = scheme_of(&prefix) else {
            continue;
        };
        let numbers = numbers(&prefix);
        let is_mixed = by_number[numbers.clone()]
            .iter()
            .any(|other| *other != Some(scheme));
        let is_in_shorter = scheme_of(&prefix[..prefix.len() - 1]) == Some(scheme);
        if is_mixed && !is_in_shorter {
            mixed.push(Range { numbers, scheme });
        }
    }
    mixed
}

fn assert_scheme_of_every_prefix(ranges: &[Range]) {
    for prefix in (1..=DIGITS).flat_map(texts) {
        let (low, high) = numbers(&prefix).into_inner();
        let contains =
            |range: &&Range| *range.numbers.start() <= low && high <= *range.numbers.end();
        let found = ranges.iter().find(contains).map(|range| range.scheme);
        assert_eq!(found, scheme_of(&prefix), "{prefix}");
    }
}

/// Returns the index of a scheme in the list of all.
pub(crate) fn index(scheme: Scheme) -> usize {
    let position = Scheme::ALL.iter().position(|known| *known == scheme);
    position.expect("all schemes are listed")
}

fn scheme_of(digits: &str) -> Option<Scheme> {
    Scheme::from_digits(digits.as_bytes())
}

/// Returns the scheme of the first range that contains a number.
fn first(ranges: &[Range], number: usize) -> Option<Scheme> {
    let range = ranges.iter().find(|range| range.numbers.contains(&number));
    range.map(|range| range.scheme)
}

/// Returns all texts of so many digits.
fn texts(digits: usize) -> impl Iterator<Item = String> {
    let count = numbers("").count() / numbers(&"0".repeat(digits)).count();
    (0..count).map(move |number| format!("{number:0digits$}"))
}

/// Returns the numbers of six digits that begin with a prefix.
fn numbers(prefix: &str) -> RangeInclusive<usize> {
    let digits = [format!("{prefix:0<DIGITS$}"), format!("{prefix:9<DIGITS$}")];
    let [first, last] = digits.map(|digits| digits.parse().expect("digits"));
    first..=last
}
