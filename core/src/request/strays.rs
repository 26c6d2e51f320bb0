//! Members that no table has: of the earlier interface, or unknown. Told in the order met, each name once.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::judge::Judge;
use crate::read::Stray;
use crate::report::{Params, Pointer};
use crate::rules::Code;

/// Tells the strays of a body. `legacy` knows those of the earlier interface, and their successors.
pub(crate) fn tell(judge: &mut Judge<'_, '_>, legacy: fn(&Stray<'_>) -> Option<Option<&'static str>>) {
    let extras = judge.extras;
    let strays = &extras.strays;
    if strays.is_empty() {
        return;
    }
    for (stray, sighting) in strays.iter().zip(sightings(strays)) {
        if sighting == Sighting::Again {
            continue;
        }
        let path = Pointer::stray(stray);
        if sighting == Sighting::FirstOfSeveral && judge.tell_at(Code::DuplicateMember, path, Params::None) {
            continue;
        }
        match legacy(stray) {
            Some(successor) => judge.tell_at(Code::LegacyMember, path, Params::ReplacedBy(successor)),
            None => judge.tell_at(Code::UnknownMember, path, Params::None),
        };
    }
}

/// Whether a name stands alone in its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sighting {
    Only,
    FirstOfSeveral,
    Again,
}

/// For each stray, whether its object names it again: by a table of hashes, or by a sort where somebody made them collide.
pub(crate) fn sightings(strays: &[Stray<'_>]) -> Vec<Sighting> {
    by_table(strays).unwrap_or_else(|| by_sort(strays))
}

/// A table with open addressing. `None` where the names collide so often that a sort is faster.
fn by_table(strays: &[Stray<'_>]) -> Option<Vec<Sighting>> {
    let size = strays.len().checked_mul(2)?.checked_next_power_of_two()?;
    let mask = size.wrapping_sub(1);
    let hashes: Vec<u64> = strays.iter().map(hash).collect();
    let mut sightings = vec![Sighting::Only; strays.len()];
    // Where a name was met first, counted from 1.
    let mut table = vec![0_usize; size];
    let mut collisions_left = strays.len();
    for (place, hash) in hashes.iter().enumerate() {
        let mut at = usize::try_from(*hash & u64::from(u32::MAX)).ok()? & mask;
        loop {
            let entry = table.get_mut(at)?;
            let Some(first) = entry.checked_sub(1) else {
                *entry = place.wrapping_add(1);
                break;
            };
            if hashes.get(first) == Some(hash) && compare(strays, first, place) == Ordering::Equal {
                *sightings.get_mut(first)? = Sighting::FirstOfSeveral;
                *sightings.get_mut(place)? = Sighting::Again;
                break;
            }
            collisions_left = collisions_left.checked_sub(1)?;
            at = at.wrapping_add(1) & mask;
        }
    }
    Some(sightings)
}

fn by_sort(strays: &[Stray<'_>]) -> Vec<Sighting> {
    let mut sightings = vec![Sighting::Only; strays.len()];
    let mut places: Vec<usize> = (0..strays.len()).collect();
    places.sort_unstable_by(|one, other| compare(strays, *one, *other).then(one.cmp(other)));
    for same in places.chunk_by(|one, other| compare(strays, *one, *other) == Ordering::Equal) {
        if same.len() == 1 {
            continue;
        }
        for (rank, place) in same.iter().enumerate() {
            if let Some(sighting) = sightings.get_mut(*place) {
                *sighting = if rank == 0 { Sighting::FirstOfSeveral } else { Sighting::Again };
            }
        }
    }
    sightings
}

fn compare(strays: &[Stray<'_>], one: usize, other: usize) -> Ordering {
    let (Some(one), Some(other)) = (strays.get(one), strays.get(other)) else { return Ordering::Equal };
    let scopes = one.scope.pointer.cmp(other.scope.pointer);
    scopes.then_with(|| one.name.compare(other.name))
}

/// Of the object and the name, escapes read.
fn hash(stray: &Stray<'_>) -> u64 {
    // The pointers of the tables are few and differ in length.
    let seed = u64::try_from(stray.scope.pointer.len()).unwrap_or(0);
    stray.name.with(|name| {
        let (words, rest) = name.as_bytes().as_chunks::<8>();
        let hash = words.iter().fold(seed, |hash, word| mix(hash, u64::from_le_bytes(*word)));
        let last = rest.iter().fold(1, |word, byte| word << 8 | u64::from(*byte));
        mix(hash, last)
    })
}

fn mix(hash: u64, word: u64) -> u64 {
    let product = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 29
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;
    use crate::read::{Scope, Text, Value};

    static OUTER: Scope = Scope::new("", 0, &[]);
    static INNER: Scope = Scope::new("/inner", 0, &[]);

    #[test]
    fn the_table_and_the_sort_agree() {
        let names: Vec<String> =
            (0..300).map(|number: u32| format!("name{}", number.wrapping_mul(number) % 97)).collect();
        let strays: Vec<Stray<'_>> = names
            .iter()
            .zip(0_usize..)
            .map(|(name, place)| Stray {
                scope: if place.is_multiple_of(3) { &INNER } else { &OUTER },
                name: Text::new(name, false),
                value: Value::Null,
            })
            .collect();
        for count in [0, 1, 2, 7, 100, 300] {
            let strays = &strays[..count];
            let plainly = |place: usize| {
                let same = |other: &usize| compare(strays, place, *other) == Ordering::Equal;
                match (0..count).filter(same).position(|other| other == place) {
                    _ if (0..count).filter(same).count() == 1 => Sighting::Only,
                    Some(0) => Sighting::FirstOfSeveral,
                    _ => Sighting::Again,
                }
            };
            let expected: Vec<Sighting> = (0..count).map(plainly).collect();
            assert_eq!(by_sort(strays), expected, "{count}");
            assert_eq!(by_table(strays).as_ref(), Some(&expected), "{count}");
        }
    }
}
