//! Members that are not in a schema: legacy members and unknown members. They are reported in the order of the body, each
//! name once.

use core::cmp::Ordering;

use super::validator::Validator;
use crate::json::UnknownMember;
use crate::report::code::Code;
use crate::report::{Params, Pointer};
use crate::util::inline_vec::{List, list};

/// Reports the unknown members of a body. `legacy` returns `Some` for a legacy member, with its successor if it has one.
pub(crate) fn report(
    validator: &mut Validator<'_, '_>,
    legacy: fn(&UnknownMember<'_>) -> Option<Option<&'static str>>,
) {
    let presence = validator.presence;
    let unknown = &presence.unknown;
    if unknown.is_empty() {
        return;
    }
    let occurrences = occurrences(unknown);
    let alone = occurrences.iter().all(|occurrence| *occurrence == Occurrence::Unique);
    if alone && !validator.is_observable(&[Code::LegacyMember, Code::UnknownMember]) {
        return;
    }
    for (member, occurrence) in unknown.iter().zip(occurrences) {
        if occurrence == Occurrence::Repeat {
            continue;
        }
        let path = Pointer::unknown(member);
        if occurrence == Occurrence::First && validator.report_at(Code::DuplicateMember, path, Params::None).stops() {
            continue;
        }
        match legacy(member) {
            Some(successor) => validator.report_at(Code::LegacyMember, path, Params::ReplacedBy(successor)),
            None => validator.report_at(Code::UnknownMember, path, Params::None),
        };
    }
}

/// The rank of a name among the equal names of its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Occurrence {
    Unique,
    First,
    Repeat,
}

/// One entry for each unknown member. Ordinary bodies need no heap allocation.
pub(crate) type Occurrences = List<Occurrence, 64>;

/// Returns for each unknown member whether its object repeats the name. Uses a hash table, or a sort if a client has made
/// names with colliding hashes.
pub(crate) fn occurrences(unknown: &[UnknownMember<'_>]) -> Occurrences {
    by_table(unknown).unwrap_or_else(|| by_sort(unknown))
}

/// Finds repeated names with a hash table (open addressing). Returns `None` if the names collide so often that a sort is
/// faster.
fn by_table(unknown: &[UnknownMember<'_>]) -> Option<Occurrences> {
    let size = unknown.len().checked_mul(2)?.checked_next_power_of_two()?;
    let mask = size.wrapping_sub(1);
    // The lower bits of an entry are the index of the first occurrence, counted from 1; the others are from the hash. A
    // small table stays in the processor's first cache.
    let place_bits = u32::try_from(mask).ok()?;
    let mut occurrences: Occurrences = list![Occurrence::Unique; unknown.len()];
    let mut table: List<u32, 128> = list![0; size];
    // As slices, because a list determines at every access where its items are.
    let (table, seen) = (table.as_mut_slice(), occurrences.as_mut_slice());
    let mut collisions_left = unknown.len();
    for (member, place) in unknown.iter().zip(1_u32..) {
        let hash = hash(member);
        let mut at = usize::try_from(hash >> 32).unwrap_or(0) & mask;
        let hash_bits = low_half(hash) & !place_bits;
        loop {
            let entry = table.get_mut(at)?;
            if *entry == 0 {
                *entry = hash_bits | place;
                break;
            }
            let first = usize::try_from(*entry & place_bits).ok()?.checked_sub(1)?;
            if *entry & !place_bits == hash_bits && same(unknown.get(first)?, member) {
                *seen.get_mut(first)? = Occurrence::First;
                *seen.get_mut(usize::try_from(place).ok()?.checked_sub(1)?)? = Occurrence::Repeat;
                break;
            }
            collisions_left = collisions_left.checked_sub(1)?;
            at = at.wrapping_add(1) & mask;
        }
    }
    Some(occurrences)
}

#[expect(clippy::as_conversions, reason = "the lower half is what is asked for")]
fn low_half(hash: u64) -> u32 {
    hash as u32
}

fn by_sort(unknown: &[UnknownMember<'_>]) -> Occurrences {
    let mut occurrences: Occurrences = list![Occurrence::Unique; unknown.len()];
    let mut places: List<usize, 16> = (0..unknown.len()).collect();
    places.sort_unstable_by(|one, other| compare(unknown, *one, *other).then(one.cmp(other)));
    for same in places.chunk_by(|one, other| compare(unknown, *one, *other) == Ordering::Equal) {
        if same.len() == 1 {
            continue;
        }
        for (rank, place) in same.iter().enumerate() {
            if let Some(occurrence) = occurrences.get_mut(*place) {
                *occurrence = if rank == 0 { Occurrence::First } else { Occurrence::Repeat };
            }
        }
    }
    occurrences
}

fn same(one: &UnknownMember<'_>, other: &UnknownMember<'_>) -> bool {
    order(one, other) == Ordering::Equal
}

fn compare(unknown: &[UnknownMember<'_>], one: usize, other: usize) -> Ordering {
    let (Some(one), Some(other)) = (unknown.get(one), unknown.get(other)) else { return Ordering::Equal };
    order(one, other)
}

fn order(one: &UnknownMember<'_>, other: &UnknownMember<'_>) -> Ordering {
    let scopes = one.schema.pointer.cmp(other.schema.pointer);
    scopes.then_with(|| one.name.compare(other.name))
}

/// Returns a hash of the object and the decoded name.
fn hash(member: &UnknownMember<'_>) -> u64 {
    member.name.with_decoded(|name| {
        let bytes = name.as_bytes();
        // The length identifies a schema, because the pointers of schemas are few and differ in length.
        let lengths = member.schema.pointer.len().wrapping_shl(16) ^ bytes.len();
        let (words, rest) = bytes.as_chunks::<8>();
        let seed = u64::try_from(lengths).unwrap_or(0);
        let hash = words.iter().fold(seed, |hash, word| mix(hash, u64::from_le_bytes(*word)));
        // The last bytes are hashed as a whole word. Some bytes are hashed twice, which is harmless.
        let hash = match bytes.last_chunk() {
            _ if rest.is_empty() => hash,
            Some(last) => mix(hash, u64::from_le_bytes(*last)),
            None => mix(hash, rest.iter().fold(1, |word, byte| word << 8 | u64::from(*byte))),
        };
        // The lower bits of a product do not depend on the higher bits of the factors. A second product spreads the bits
        // that were shifted down.
        mix(hash, 0)
    })
}

fn mix(hash: u64, word: u64) -> u64 {
    let product = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 32
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;
    use crate::json::{JsonStr, ObjectSchema};

    static OUTER: ObjectSchema = ObjectSchema::new("", 0, &[]);
    static INNER: ObjectSchema = ObjectSchema::new("/inner", 0, &[]);

    #[test]
    fn the_table_and_the_sort_agree() {
        let names: Vec<String> =
            (0..300).map(|number: u32| format!("name{}", number.wrapping_mul(number) % 97)).collect();
        let unknown: Vec<UnknownMember<'_>> = names
            .iter()
            .zip(0_usize..)
            .map(|(name, place)| UnknownMember {
                schema: if place.is_multiple_of(3) { &INNER } else { &OUTER },
                name: JsonStr::new(name, false),
            })
            .collect();
        for count in [0, 1, 2, 7, 100, 300] {
            let unknown = &unknown[..count];
            let plainly = |place: usize| {
                let same = |other: &usize| compare(unknown, place, *other) == Ordering::Equal;
                match (0..count).filter(same).position(|other| other == place) {
                    _ if (0..count).filter(same).count() == 1 => Occurrence::Unique,
                    Some(0) => Occurrence::First,
                    _ => Occurrence::Repeat,
                }
            };
            let expected: Occurrences = (0..count).map(plainly).collect();
            assert_eq!(by_sort(unknown), expected, "{count}");
            assert_eq!(by_table(unknown).as_ref(), Some(&expected), "{count}");
        }
    }

    fn of(name: &str) -> UnknownMember<'_> {
        UnknownMember { schema: &OUTER, name: JsonStr::new(name, false) }
    }

    #[test]
    fn names_of_one_hash_are_told_apart() {
        let word = |text: &str| u64::from_le_bytes(*text.as_bytes().first_chunk().unwrap());
        let seed = 16;
        let wanted = mix(seed, word("unknown0")) ^ word("member00");
        // Searches for a second half that gives this first half the same hash and is printable.
        let other = (0_u32..100_000_000).step_by(499).map(|number| format!("{number:08}")).find_map(|first| {
            let second = (mix(seed, word(&first)) ^ wanted).to_le_bytes();
            let second =
                second.iter().all(u8::is_ascii_graphic).then(|| String::from_utf8(second.to_vec()).unwrap())?;
            Some(first + &second)
        });
        let other = other.unwrap();
        let one = "unknown0member00";
        assert_eq!(hash(&of(one)), hash(&of(&other)));
        assert_eq!(by_table(&[of(one), of(&other)]), Some(list![Occurrence::Unique; 2]));
    }

    #[test]
    fn where_names_collide_the_sort_takes_over() {
        // The growth tests make such names, and compare their hash with the same value.
        assert_eq!(hash(&of("00000007")), 0x8EB0_CAA9_C225_7FC0);
        let names: Vec<String> = (0_u32..200_000)
            .map(|number| format!("{number:08x}"))
            .filter(|name| hash(&of(name)) >> 32 & 0x7FF == 0)
            .collect();
        let mut unknown: Vec<UnknownMember<'_>> = names.iter().map(|name| of(name)).collect();
        assert!((50..500).contains(&unknown.len()), "{}", unknown.len());
        assert_eq!(by_table(&unknown), None);
        unknown.extend(unknown.first().copied());
        let found = occurrences(&unknown);
        assert_eq!((found.first(), found.last()), (Some(&Occurrence::First), Some(&Occurrence::Repeat)));
    }
}
