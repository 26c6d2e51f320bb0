//! Members that §2.2 does not have: of the earlier interface, or unknown. Told in the order met, each name once.

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::check::Subject;
use crate::legacy;
use crate::read::Stray;
use crate::report::{Params, Pointer};
use crate::rules::Code;

pub(super) fn run(s: &mut Subject<'_, '_>) {
    let extras = s.extras;
    let strays = &extras.strays;
    if strays.is_empty() {
        return;
    }
    for (stray, sighting) in strays.iter().zip(sightings(strays)) {
        if sighting == Sighting::Again {
            continue;
        }
        let path = Pointer::stray(stray);
        if sighting == Sighting::FirstOfSeveral && s.tell_at(Code::DuplicateMember, path, Params::None) {
            continue;
        }
        match legacy::request_member(stray.scope, stray.name) {
            Some(successor) => s.tell_at(Code::LegacyMember, path, Params::ReplacedBy(successor)),
            None => s.tell_at(Code::UnknownMember, path, Params::None),
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

/// For each stray, whether its object names it again. The time is that of a sort: ten thousand names cost no more
/// than reading them, however alike they are.
pub(crate) fn sightings(strays: &[Stray<'_>]) -> Vec<Sighting> {
    let mut keys: Vec<(u64, usize)> = strays.iter().map(hash).zip(0..).collect();
    keys.sort_unstable();
    let mut sightings = vec![Sighting::Only; strays.len()];
    for group in keys.chunk_by_mut(|one, other| one.0 == other.0) {
        if group.len() == 1 {
            continue;
        }
        // Nearly always the same name; a sort keeps it linear where somebody made hashes collide.
        group.sort_unstable_by(|one, other| compare(strays, one.1, other.1).then(one.1.cmp(&other.1)));
        for same in group.chunk_by(|one, other| compare(strays, one.1, other.1) == Ordering::Equal) {
            if same.len() == 1 {
                continue;
            }
            for (rank, (_, place)) in same.iter().enumerate() {
                if let Some(sighting) = sightings.get_mut(*place) {
                    *sighting = if rank == 0 { Sighting::FirstOfSeveral } else { Sighting::Again };
                }
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

/// FNV-1a over the object's pointer and the name, escapes read.
fn hash(stray: &Stray<'_>) -> u64 {
    let seed = fnv(FNV, stray.scope.pointer.as_bytes());
    stray.name.with(|name| fnv(seed, name.as_bytes()))
}

const FNV: u64 = 0xCBF2_9CE4_8422_2325;

fn fnv(seed: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(seed, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3))
}
