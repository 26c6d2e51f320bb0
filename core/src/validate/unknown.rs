//! Members that are not in a schema: legacy members and unknown members. They are reported in the order of the body, each
//! name once.

use core::cmp::Ordering;

use super::validator::Validator;
use crate::json::UnknownMember;
use crate::report::code::Code;
use crate::report::{Params, Pointer};
use crate::util::inline_vec::InlineVec;

/// Reports the unknown members of a body. `legacy` returns `Some` for a legacy member, with its successor if it has one.
pub(crate) fn report(
    validator: &mut Validator<'_, '_>,
    legacy: fn(&UnknownMember<'_>) -> Option<Option<&'static str>>,
) {
    let slots = validator.slots;
    let unknown = &slots.presence.unknown;
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
pub(crate) type Occurrences = InlineVec<Occurrence, 64>;

/// Returns for each unknown member whether its object repeats the name.
///
/// Sorts by hash, and by object and name within a hash, because a client may choose names whose hashes collide.
pub(crate) fn occurrences(unknown: &[UnknownMember<'_>]) -> Occurrences {
    // The upper bits of a key are from the hash, the lower bits are the index: single numbers are sorted fastest.
    let index_bits = unknown.len().checked_next_power_of_two().map_or(usize::MAX, |size| size.wrapping_sub(1));
    let index_bits = u64::try_from(index_bits).unwrap_or(u64::MAX);
    let keys = unknown.iter().zip(0_u64..);
    let mut keys: InlineVec<u64, 64> =
        keys.map(|(member, index)| member.name.with_decoded(hash) & !index_bits | index).collect();
    keys.sort_unstable();
    let index = |key: u64| usize::try_from(key & index_bits).unwrap_or(usize::MAX);
    let compare = |one: &u64, other: &u64| compare(unknown.get(index(*one)), unknown.get(index(*other)));
    let mut occurrences: Occurrences = keys.iter().map(|_| Occurrence::Unique).collect();
    for same_hash in keys.chunk_by_mut(|one, other| (one ^ other) & !index_bits == 0).filter(|same| same.len() > 1) {
        same_hash.sort_unstable_by(|one, other| compare(one, other).then(one.cmp(other)));
        for same in same_hash.chunk_by(|one, other| compare(one, other).is_eq()).filter(|same| same.len() > 1) {
            for (rank, key) in same.iter().enumerate() {
                if let Some(occurrence) = occurrences.get_mut(index(*key)) {
                    *occurrence = if rank == 0 { Occurrence::First } else { Occurrence::Repeat };
                }
            }
        }
    }
    occurrences
}

/// Compares members by object and name.
fn compare(one: Option<&UnknownMember<'_>>, other: Option<&UnknownMember<'_>>) -> Ordering {
    let Some((one, other)) = one.zip(other) else { return Ordering::Equal };
    one.schema.pointer.cmp(other.schema.pointer).then_with(|| one.name.compare(other.name))
}

/// Returns a hash of a name. It need not resist attacks, because a collision costs one comparison of the names.
fn hash(name: &str) -> u64 {
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let (words, rest) = name.as_bytes().as_chunks::<8>();
    let hash = words.iter().fold(0, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    match name.as_bytes().last_chunk() {
        _ if rest.is_empty() => hash,
        // Bytes that are hashed twice do no harm, and a full word is faster than single bytes.
        Some(last) => mix(hash, u64::from_le_bytes(*last)),
        None => mix(hash, rest.iter().fold(1, |word, byte| word << 8 | u64::from(*byte))),
    }
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
    fn finds_the_same_occurrences_as_a_search() {
        let names: Vec<String> =
            (0..300).map(|number: u32| format!("name{}", number.wrapping_mul(number) % 97)).collect();
        let member = |(name, index): (&'static str, usize)| UnknownMember {
            schema: if index.is_multiple_of(3) { &INNER } else { &OUTER },
            name: JsonStr::new(name, false),
        };
        let names = names.iter().map(|name| &*String::leak(name.clone()));
        let unknown: Vec<UnknownMember<'_>> = names.zip(0_usize..).map(member).collect();
        let key = |index: usize| (unknown[index].schema.pointer, unknown[index].name.raw());
        for count in [0, 1, 2, 7, 100, 300] {
            let expected = (0..count).map(|index| {
                let same: Vec<usize> = (0..count).filter(|other| key(*other) == key(index)).collect();
                match same[..] {
                    [_] => Occurrence::Unique,
                    [first, ..] if first == index => Occurrence::First,
                    _ => Occurrence::Repeat,
                }
            });
            assert!(occurrences(&unknown[..count]).into_iter().eq(expected), "{count}");
        }
    }

    #[test]
    fn distinguishes_names_whose_hashes_collide() {
        // The growth tests make such names.
        let (one, other) = ("00000000aaaaaaaa", "00000003iaaaaaaA");
        assert_eq!(hash(one), hash(other));
        let of = |name| UnknownMember { schema: &OUTER, name: JsonStr::new(name, false) };
        let found = occurrences(&[of(one), of(other), of(one)]);
        assert_eq!(found[..], [Occurrence::First, Occurrence::Unique, Occurrence::Repeat]);
    }
}
