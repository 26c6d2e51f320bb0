//! Repeated names among the members of objects.

use core::cmp::Ordering;

use super::presence::UnknownMember;
use crate::util::inline_vec::InlineVec;

/// The place of a member among the members of its object that have the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Occurrence {
    /// The only member with its name.
    Only,
    /// The first of several.
    First,
    /// A later one.
    Repeated,
}

/// Returns the occurrence of each member.
///
/// The members are sorted by the hash of the name, because a client may choose tens of thousands of
/// names, and the comparison of names with escapes is slow. Since a client may choose names with one
/// hash, the members with the same hash are then sorted by object and name.
pub(crate) fn occurrences(members: &[UnknownMember<'_>]) -> InlineVec<Occurrence, 64> {
    let mut sorted: InlineVec<Hashed<'_>, 16> = members.iter().zip(0..).map(Hashed::new).collect();
    sorted.sort_unstable_by_key(|hashed| hashed.hash);
    let mut occurrences: InlineVec<Occurrence, 64> =
        members.iter().map(|_| Occurrence::Only).collect();
    for hashed in sorted.chunk_by_mut(|one, other| one.hash == other.hash) {
        if hashed.len() < 2 {
            continue;
        }
        // Equal members stay in the order of the body.
        hashed.sort_unstable_by(|one, other| one.compare(other).then(one.at.cmp(&other.at)));
        for equal in hashed.chunk_by(|one, other| one.compare(other).is_eq()) {
            if let [first, repeated @ ..] = equal
                && !repeated.is_empty()
            {
                set(&mut occurrences, first.at, Occurrence::First);
                for member in repeated {
                    set(&mut occurrences, member.at, Occurrence::Repeated);
                }
            }
        }
    }
    occurrences
}

fn set(occurrences: &mut [Occurrence], at: usize, value: Occurrence) {
    if let Some(occurrence) = occurrences.get_mut(at) {
        *occurrence = value;
    }
}

/// A member and its position.
struct Hashed<'m> {
    hash: u32,
    member: &'m UnknownMember<'m>,
    at: usize,
}

impl<'m> Hashed<'m> {
    fn new((member, at): (&'m UnknownMember<'m>, usize)) -> Self {
        let hash = member.name.with_decoded(hash);
        Hashed { hash, member, at }
    }

    /// Compares members by object and name.
    fn compare(&self, other: &Self) -> Ordering {
        let (this, that) = (self.member, other.member);
        let objects = this.schema.first.cmp(&that.schema.first);
        objects.then_with(|| this.name.compare(that.name))
    }
}

/// Returns a hash of the kind FNV-1a, of four bytes at once.
fn hash(name: &str) -> u32 {
    const PRIME: u32 = 0x0100_0193;
    let (words, rest) = name.as_bytes().as_chunks();
    let words = words.iter().map(|word| u32::from_le_bytes(*word));
    let rest = rest.iter().map(|byte| u32::from(*byte));
    words
        .chain(rest)
        .fold(0, |hash, word| (hash ^ word).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;
    use crate::json::{JsonStr, ObjectSchema};

    static OUTER: ObjectSchema = ObjectSchema::new("", 0, &[]);
    static INNER: ObjectSchema = ObjectSchema::new("/inner", 1, &[]);

    #[test]
    fn finds_the_same_occurrences_as_a_search() {
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
        let members: Vec<UnknownMember<'_>> = names.zip(0_usize..).map(member).collect();
        let key = |index: usize| (members[index].schema.pointer, members[index].name.raw());
        for count in [0, 1, 2, 7, 100, 300] {
            let expected = (0..count).map(|index| {
                let same: Vec<usize> = (0..count)
                    .filter(|other| key(*other) == key(index))
                    .collect();
                match same[..] {
                    [_] => Occurrence::Only,
                    [first, ..] if first == index => Occurrence::First,
                    _ => Occurrence::Repeated,
                }
            });
            assert!(
                occurrences(&members[..count]).into_iter().eq(expected),
                "{count}"
            );
        }
    }

    #[test]
    fn compares_names_with_and_without_escapes() {
        let member = |name, escaped| UnknownMember {
            schema: &OUTER,
            name: JsonStr::new(name, escaped),
        };
        let same = [
            member(r"na\u006de of \u042f", true),
            member("name of Я", false),
        ];
        assert_eq!(
            occurrences(&same)[..],
            [Occurrence::First, Occurrence::Repeated]
        );
    }
}
