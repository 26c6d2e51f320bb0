//! Members that are not in a schema: legacy members and unknown members. They are reported in the
//! order of the body, each name once.

use core::cmp::Ordering;

use super::listing::Listing;
use super::validator::{Slots, Validator};
use crate::json::{JsonStr, ObjectSchema, UnknownMember};
use crate::report::code::Code;
use crate::report::record::Sink;
use crate::report::{Params, Pointer};
use crate::util::inline_vec::InlineVec;

/// Reports the unknown members of a body. `legacy` returns the index of the change if a member is
/// of the legacy API.
pub(crate) fn report<'a>(
    validator: &mut Validator<'_, &Slots<'a>, Listing<'a, '_>>,
    legacy: fn(&'static ObjectSchema, JsonStr<'_>) -> Option<usize>,
) {
    let slots = validator.slots;
    let unknown = &*slots.presence.unknown;
    if unknown.is_empty() {
        return;
    }
    let mut numbers: InlineVec<u64, 64> =
        core::iter::repeat_n(0, unknown.len().saturating_mul(2)).collect();
    let ranks = ranks(unknown, &mut numbers);
    let lists_warnings =
        [Code::LegacyMember, Code::UnknownMember].map(|code| validator.sink.is_observable(code));
    if lists_warnings == [false; 2] && ranks.iter().all(|rank| *rank == UNIQUE) {
        return;
    }
    for (member, rank) in unknown.iter().zip(ranks) {
        let path = Pointer::unknown(member);
        if *rank == REPEAT
            || *rank == FIRST && validator.report_at(Code::DuplicateMember, path, Params::None)
        {
            continue;
        }
        match legacy(member.schema, member.name) {
            Some(change) => {
                let successor = validator
                    .sink
                    .changes
                    .get(change)
                    .and_then(|change| change.current);
                validator.report_at(Code::LegacyMember, path, Params::ReplacedBy(successor))
            }
            None => validator.report_at(Code::UnknownMember, path, Params::None),
        };
    }
}

/// The rank of a name among the equal names of its object: the only one, the first one, or a
/// repetition.
pub(crate) const UNIQUE: u64 = 0;
const FIRST: u64 = 1;
pub(crate) const REPEAT: u64 = 2;

/// Returns the rank of each unknown member. `numbers` has two zeros for each.
///
/// Sorts the names that may be equal by hash, and by object and name within a hash, because a
/// client may choose names whose hashes collide.
pub(crate) fn ranks<'n>(unknown: &[UnknownMember<'_>], numbers: &'n mut [u64]) -> &'n [u64] {
    let (keys, ranks) = numbers
        .split_at_mut_checked(unknown.len())
        .unwrap_or_default();
    // The upper bits of a key are from the hash, the lower bits are the index.
    let index_bits = unknown
        .len()
        .checked_next_power_of_two()
        .map_or(usize::MAX, |size| size.wrapping_sub(1));
    let index_bits = u64::try_from(index_bits).unwrap_or(u64::MAX);
    for ((key, member), index) in keys.iter_mut().zip(unknown).zip(0_u64..) {
        *key = hash(member.name) & !index_bits | index;
    }
    let candidates = retain_candidates(keys, ranks);
    let keys = keys.get_mut(..candidates).unwrap_or_default();
    let index = |key: u64| usize::try_from(key & index_bits).unwrap_or(usize::MAX);
    let order = |one: &u64, other: &u64| {
        (one & !index_bits)
            .cmp(&(other & !index_bits))
            .then_with(|| compare(unknown.get(index(*one)), unknown.get(index(*other))))
    };
    // Without an order of equal names, this is linear for a few names that are repeated (P13).
    keys.sort_unstable_by(order);
    for same in keys
        .chunk_by(|one, other| order(one, other).is_eq())
        .filter(|same| same.len() > 1)
    {
        let first = same.iter().min();
        for key in same {
            if let Some(rank) = ranks.get_mut(index(*key)) {
                *rank = if Some(key) == first { FIRST } else { REPEAT };
            }
        }
    }
    ranks
}

/// Moves the keys that may have an equal one to the front, and returns their number. `bits` has a
/// zero for each key.
///
/// Every key sets one of 32 bits per key, so few different keys set the same one. Sorting all keys
/// instead takes three times as many instructions for 10,000 members (P12).
fn retain_candidates(keys: &mut [u64], bits: &mut [u64]) -> usize {
    let (once, twice) = bits
        .split_at_mut_checked(bits.len() / 2)
        .unwrap_or_default();
    // More words would not fit the upper half of a key.
    let words = u64::try_from(once.len()).unwrap_or(0).min(1 << 26);
    let place = |key: u64| {
        let bit = (key >> 32).wrapping_mul(words.wrapping_mul(64)) >> 32;
        (usize::try_from(bit / 64).unwrap_or(0), 1_u64 << (bit % 64))
    };
    for key in &*keys {
        let (word, bit) = place(*key);
        if let (Some(once), Some(twice)) = (once.get_mut(word), twice.get_mut(word)) {
            *twice |= *once & bit;
            *once |= bit;
        }
    }
    let mut count = 0_usize;
    for index in 0..keys.len() {
        let key = keys.get(index).copied().unwrap_or(0);
        let (word, bit) = place(key);
        if twice.get(word).is_some_and(|word| word & bit != 0)
            && let Some(target) = keys.get_mut(count)
        {
            *target = key;
            count = count.wrapping_add(1);
        }
    }
    bits.fill(0);
    count
}

/// Compares members by object and name.
fn compare(one: Option<&UnknownMember<'_>>, other: Option<&UnknownMember<'_>>) -> Ordering {
    let Some((one, other)) = one.zip(other) else {
        return Ordering::Equal;
    };
    one.schema
        .first
        .cmp(&other.schema.first)
        .then_with(|| one.name.compare(other.name))
}

/// Returns a hash of a name. It need not resist attacks, because a collision costs one comparison
/// of the names.
fn hash(name: JsonStr<'_>) -> u64 {
    let mix =
        |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    // Appends a byte to the last eight bytes.
    let append = |last: u64, byte: u8| last >> 8 | u64::from(byte) << 56;
    if let Some(plain) = name.plain() {
        let (words, rest) = plain.as_bytes().as_chunks();
        let hash = words
            .iter()
            .fold(0, |hash, word| mix(hash, u64::from_le_bytes(*word)));
        return match plain.as_bytes().last_chunk() {
            _ if rest.is_empty() => hash,
            // Bytes that are hashed twice do no harm.
            Some(last) => mix(hash, u64::from_le_bytes(*last)),
            None => mix(hash, rest.iter().fold(0, |last, byte| append(last, *byte))),
        };
    }
    let (mut hash, mut last, mut count) = (0, 0, 0_u32);
    for c in name.chars() {
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            (last, count) = (append(last, byte), count.wrapping_add(1));
            hash = if count.is_multiple_of(8) {
                mix(hash, last)
            } else {
                hash
            };
        }
    }
    if count.is_multiple_of(8) {
        hash
    } else {
        mix(hash, last)
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    static OUTER: ObjectSchema = ObjectSchema::new("", 0, &[]);
    static INNER: ObjectSchema = ObjectSchema::new("/inner", 1, &[]);

    #[test]
    fn finds_the_same_ranks_as_a_search() {
        // Two thirds are of two names, as of a client that repeats members.
        let name = |number: u32| match number.wrapping_mul(number) % 97 {
            rest if number.is_multiple_of(3) => format!("name{rest}"),
            rest => format!("name{}", rest % 2),
        };
        let names: Vec<String> = (0..300).map(name).collect();
        let member = |(name, index): (&'static str, usize)| UnknownMember {
            schema: if index.is_multiple_of(3) {
                &INNER
            } else {
                &OUTER
            },
            name: JsonStr::new(name, false),
        };
        let names = names.iter().map(|name| &*String::leak(name.clone()));
        let unknown: Vec<UnknownMember<'_>> = names.zip(0_usize..).map(member).collect();
        let key = |index: usize| (unknown[index].schema.pointer, unknown[index].name.raw());
        for count in [0, 1, 2, 7, 100, 300] {
            let expected = (0..count).map(|index| {
                let same: Vec<usize> = (0..count)
                    .filter(|other| key(*other) == key(index))
                    .collect();
                match same[..] {
                    [_] => UNIQUE,
                    [first, ..] if first == index => FIRST,
                    _ => REPEAT,
                }
            });
            assert!(
                ranks(&unknown[..count], &mut vec![0; 2 * count])
                    .iter()
                    .copied()
                    .eq(expected),
                "{count}"
            );
        }
    }

    #[test]
    fn hashes_names_with_and_without_escapes_alike() {
        let mut plain = String::new();
        for letter in "abcdefghijklmnopqrstuvwxyzЯabcdefgh".chars() {
            plain.push(letter);
            let escaped = plain.replacen('a', r"\u0061", 1);
            assert_eq!(
                hash(JsonStr::new(&plain, false)),
                hash(JsonStr::new(&escaped, true)),
                "{plain}"
            );
        }
    }

    #[test]
    fn distinguishes_names_whose_hashes_collide() {
        // The growth tests make such names.
        let (one, other) = ("00000000aaaaaaaa", "00000003iaaaaaaA");
        let of = |name| UnknownMember {
            schema: &OUTER,
            name: JsonStr::new(name, false),
        };
        assert_eq!(hash(of(one).name), hash(of(other).name));
        assert_eq!(
            ranks(&[of(one), of(other), of(one)], &mut [0; 6]),
            [FIRST, UNIQUE, REPEAT]
        );
    }

    #[test]
    fn compares_names_with_and_without_escapes() {
        let of = |name, escaped| UnknownMember {
            schema: &OUTER,
            name: JsonStr::new(name, escaped),
        };
        let same = [of(r"na\u006de of \u042f", true), of("name of Я", false)];
        assert_eq!(ranks(&same, &mut [0; 4]), [FIRST, REPEAT]);
    }
}
