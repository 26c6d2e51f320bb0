//! Compares the reader with serde_json: both accept the same texts as JSON.

use fastrand::Rng;
use payspec::Engine;
use payspec_tests::reader::{POLICY, ours, reference};
use payspec_tests::{near_json, seeds};

const TEXTS: u64 = 1_200_000;
const THREADS: u64 = 2;

#[derive(Default)]
struct Counts {
    accepted: u64,
    rejected: u64,
    /// Beyond a limit of one of them, so that they cannot be compared.
    passed_over: u64,
}

#[test]
fn accepts_the_same_texts_as_serde_json() {
    let seeds: Vec<Vec<u8>> = seeds::example_bodies()
        .into_iter()
        .map(|(_, body)| body)
        .collect();
    let counts = std::thread::scope(|scope| {
        let seeds = &seeds;
        let workers: Vec<_> = (0..THREADS)
            .map(|seed| scope.spawn(move || compare(seed, seeds)))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("both agree"))
            .fold(Counts::default(), |sum, part| Counts {
                accepted: sum.accepted + part.accepted,
                rejected: sum.rejected + part.rejected,
                passed_over: sum.passed_over + part.passed_over,
            })
    });
    let Counts {
        accepted,
        rejected,
        passed_over,
    } = counts;
    let compared = accepted + rejected;
    println!(
        "{compared} texts compared: {accepted} accepted and {rejected} rejected by both; {passed_over} passed over"
    );
    assert!(compared >= 1_000_000, "too few texts: {compared}");
    assert!(
        accepted.min(rejected) * 10 >= compared,
        "too few of one kind: {accepted} accepted, {rejected} rejected"
    );
}

fn compare(seed: u64, seeds: &[Vec<u8>]) -> Counts {
    let engine = Engine::from_json(POLICY).expect("the policy");
    let (mut random, mut counts) = (Rng::with_seed(seed), Counts::default());
    let (mut text, mut out) = (Vec::new(), Vec::new());
    for _ in 0..TEXTS / THREADS {
        next(&mut random, seeds, &mut text);
        match (ours(&engine, &text, &mut out), reference(&text)) {
            (Some(true), Some(true)) => counts.accepted += 1,
            (Some(false), Some(false)) => counts.rejected += 1,
            (None, _) | (_, None) => counts.passed_over += 1,
            (ours, serde) => panic!(
                "ours {ours:?}, serde_json {serde:?}: {:?}",
                String::from_utf8_lossy(&text)
            ),
        }
    }
    counts
}

/// Half by the grammar, a third of these changed; the others are real bodies, most of them changed.
fn next(random: &mut Rng, seeds: &[Vec<u8>], text: &mut Vec<u8>) {
    let changed = if random.bool() {
        near_json::by_grammar(random, text);
        random.u8(..3) == 0
    } else {
        text.clear();
        text.extend_from_slice(random.choice(seeds).expect("there are bodies"));
        random.u8(..20) > 0
    };
    if changed {
        near_json::mutate(random, text);
    }
}
