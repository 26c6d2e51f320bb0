//! Identifiers and secrets that follow from a seed, so that a seed repeats a run.

use std::sync::atomic::{AtomicU64, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use payspec::Uuid;
use payspec_gateway::service::{IdKind, Ids};
use sha2::{Digest, Sha256};

/// The seed of a merchant.
#[derive(Clone, Debug)]
pub(crate) struct Seed([u8; 32]);

impl Seed {
    /// Derives the seed of a merchant from that of the sandbox.
    pub(crate) fn of(seed: u64, merchant: &str) -> Self {
        let digest = Sha256::new()
            .chain_update(seed.to_be_bytes())
            .chain_update(merchant.as_bytes());
        Self(digest.finalize().into())
    }

    fn derive(&self, kind: &str, number: u64) -> [u8; 32] {
        let digest = Sha256::new()
            .chain_update(self.0)
            .chain_update(kind.as_bytes());
        digest.chain_update(number.to_be_bytes()).finalize().into()
    }

    /// Returns the key of the addresses of payments.
    pub(crate) fn view_key(&self) -> [u8; 32] {
        self.derive("view key", 0)
    }

    /// Returns the secret that webhooks are signed with.
    pub(crate) fn webhook_secret(&self) -> String {
        format!(
            "whsec_{}",
            STANDARD.encode(self.derive("webhook secret", 0))
        )
    }
}

/// The identifiers of a merchant. Each kind counts by itself, so requests that only read change no
/// uid.
#[derive(Debug)]
pub(crate) struct SeededIds {
    seed: Seed,
    numbers: [AtomicU64; KINDS],
}

const KINDS: usize = 4;

impl SeededIds {
    pub(crate) fn new(seed: Seed) -> Self {
        Self {
            seed,
            numbers: Default::default(),
        }
    }

    /// Starts again.
    pub(crate) fn reset(&self) {
        self.set([0; KINDS]);
    }

    /// Returns how many identifiers of each kind there have been.
    pub(crate) fn numbers(&self) -> [u64; KINDS] {
        std::array::from_fn(|index| self.numbers[index].load(Ordering::Relaxed))
    }

    /// Goes on after so many identifiers of each kind.
    pub(crate) fn set(&self, numbers: [u64; KINDS]) {
        for (counter, number) in self.numbers.iter().zip(numbers) {
            counter.store(number, Ordering::Relaxed);
        }
    }
}

impl Ids for SeededIds {
    fn next(&self, kind: IdKind) -> Uuid {
        let (index, name) = match kind {
            IdKind::Payment => (0, "payment"),
            IdKind::Event => (1, "event"),
            IdKind::Session => (2, "session"),
            IdKind::Request => (3, "request"),
        };
        let number = self.numbers[index].fetch_add(1, Ordering::Relaxed);
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&self.seed.derive(name, number)[..16]);
        // The bits of a random UUID (version 4, RFC 9562).
        bytes[6] = bytes[6] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        Uuid::from_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_and_a_merchant_decide() {
        let ids = |seed, merchant| {
            let ids = SeededIds::new(Seed::of(seed, merchant));
            [
                ids.next(IdKind::Payment),
                ids.next(IdKind::Event),
                ids.next(IdKind::Payment),
            ]
        };
        let one = ids(1, "shop");
        assert_eq!(one, ids(1, "shop"));
        assert!(one[0] != one[1] && one[0] != one[2] && one[0].get_version_num() == 4);
        assert_ne!(one, ids(2, "shop"));
        assert_ne!(one, ids(1, "other"));
        assert!(
            Seed::of(1, "shop")
                .webhook_secret()
                .parse::<payspec_gateway::webhook::Secret>()
                .is_ok()
        );
    }
}
