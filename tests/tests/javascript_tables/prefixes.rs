//! The prefixes of card schemes as a short table, derived from the facts about each prefix.

use payspec::card::{Scheme, card_info};
use std::ops::RangeInclusive;

/// The digits that decide the scheme.
const DIGITS: usize = 6;

/// The facts about a card that follow from its first digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Issuer {
    pub(crate) scheme: Scheme,
    /// The lengths of the card numbers.
    pub(crate) lengths: &'static [u8],
}

/// Numbers of six digits, and the issuer of the cards that begin with them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) numbers: RangeInclusive<usize>,
    pub(crate) issuer: Issuer,
}

/// The issuers of all prefixes, by number of digits and number.
struct Issuers(Vec<Vec<Option<Issuer>>>);

impl Issuers {
    fn read() -> Self {
        let issuer = |prefix: String| {
            let info = card_info(&prefix);
            let lengths = info.lengths;
            info.scheme.map(|scheme| Issuer { scheme, lengths })
        };
        Issuers(
            (0..=DIGITS)
                .map(|digits| prefixes(digits).map(issuer).collect())
                .collect(),
        )
    }

    fn of(&self, digits: usize) -> &[Option<Issuer>] {
        &self.0[digits]
    }
}

/// Returns ranges of prefixes. The first that contains all numbers with the digits of a card has
/// its issuer.
pub(crate) fn ranges() -> Vec<Range> {
    let issuers = Issuers::read();
    let mixed = mixed_prefixes(&issuers);
    let others: Vec<_> = issuers
        .of(DIGITS)
        .iter()
        .enumerate()
        .map(|(number, issuer)| issuer.filter(|issuer| first(&mixed, number) != Some(*issuer)))
        .enumerate()
        .collect();
    let mut ranges: Vec<Range> = others
        .chunk_by(|(_, one), (_, next)| one == next)
        .filter_map(|run| {
            let ((first, issuer), (last, _)) = (run.first()?, run.last()?);
            Some(Range {
                numbers: *first..=*last,
                issuer: (*issuer)?,
            })
        })
        .collect();
    // They have no number in common, so their order is free.
    ranges.sort_by_key(|range| (index(range.issuer.scheme), range.issuer.lengths));
    ranges.extend(mixed);
    assert_issuer_of_every_prefix(&ranges, &issuers);
    ranges
}

/// Returns prefixes that decide although longer ones have other issuers, the longest first: `4` is
/// Visa, though `401178` is Elo.
fn mixed_prefixes(issuers: &Issuers) -> Vec<Range> {
    let mut mixed = Vec::new();
    for digits in (1..DIGITS).rev() {
        for (prefix, issuer) in issuers.of(digits).iter().enumerate() {
            let Some(issuer) = *issuer else {
                continue;
            };
            let numbers = numbers(prefix, digits);
            let is_mixed = issuers.of(DIGITS)[numbers.clone()]
                .iter()
                .any(|other| *other != Some(issuer));
            let is_in_shorter = issuers.of(digits - 1)[prefix / 10] == Some(issuer);
            if is_mixed && !is_in_shorter {
                mixed.push(Range { numbers, issuer });
            }
        }
    }
    mixed
}

fn assert_issuer_of_every_prefix(ranges: &[Range], issuers: &Issuers) {
    for digits in 1..=DIGITS {
        for (prefix, issuer) in issuers.of(digits).iter().enumerate() {
            let (low, high) = numbers(prefix, digits).into_inner();
            let contains =
                |range: &&Range| *range.numbers.start() <= low && high <= *range.numbers.end();
            let found = ranges.iter().find(contains).map(|range| range.issuer);
            assert_eq!(found, *issuer, "{prefix:0digits$}");
        }
    }
}

/// Returns the index of a scheme in the list of all.
pub(crate) fn index(scheme: Scheme) -> usize {
    let position = Scheme::ALL.iter().position(|known| *known == scheme);
    position.expect("all schemes are listed")
}

/// Returns the issuer of the first range that contains a number.
fn first(ranges: &[Range], number: usize) -> Option<Issuer> {
    let range = ranges.iter().find(|range| range.numbers.contains(&number));
    range.map(|range| range.issuer)
}

/// Returns all prefixes of so many digits, in ascending order.
fn prefixes(digits: usize) -> impl Iterator<Item = String> {
    let count = power_of_ten(digits);
    (0..count).map(move |prefix| match digits {
        0 => String::new(),
        _ => format!("{prefix:0digits$}"),
    })
}

/// Returns the numbers of six digits that begin with a prefix.
fn numbers(prefix: usize, digits: usize) -> RangeInclusive<usize> {
    let count = power_of_ten(DIGITS - digits);
    prefix * count..=prefix * count + count - 1
}

fn power_of_ten(exponent: usize) -> usize {
    std::iter::repeat_n(10, exponent).product()
}
