//! What must hold in every state, and what must happen in some.

use crate::clock::{PERIOD, WINDOW};
use crate::system::Protocol;
use crate::world::{Answer, Document, Phase, World};
use payspec::{IdempotencyVerdict, State};

/// A condition on a state, with its name.
pub type Condition = (&'static str, fn(&Protocol, &World) -> bool);

/// What must hold in every state.
pub const INVARIANTS: &[Condition] = &[
    ("an answered payment is stored", |_, world| {
        created(world).all(|document| {
            let key_refers_to_it = world
                .primary
                .records
                .iter()
                .any(|record| record.first.uid == document.uid);
            key_refers_to_it && world.primary.payment(document.uid).is_some()
        })
    }),
    ("a key has one payment", |_, world| {
        let mut uids = created(world).map(|document| document.uid);
        let first = uids.next();
        world.primary.records.len() <= 1 && uids.all(|uid| Some(uid) == first)
    }),
    ("a payment is stored once", |_, world| {
        world.primary.payments.len() <= 1
    }),
    ("a replay is identical to the first answer", |_, world| {
        let mut documents = created(world);
        let first = documents.next();
        documents.all(|document| Some(document) == first)
    }),
    ("an answer is to the request of the payment", |_, world| {
        let is_own = |content, answer: &Answer| {
            answer
                .document
                .is_none_or(|document| document.content == content)
        };
        world.attempts.iter().all(|attempt| {
            attempt
                .answer
                .iter()
                .all(|answer| is_own(attempt.content, answer))
        })
    }),
    ("the window is kept", |_, world| {
        answers(world).all(|answer| {
            // A step back of the clock extends the window by what the steady clock has not seen of
            // it.
            let longest = WINDOW + if answer.after_step_back { PERIOD } else { 0 };
            match answer.verdict {
                IdempotencyVerdict::Replay | IdempotencyVerdict::Mismatch => answer.age <= longest,
                IdempotencyVerdict::Conflict => answer.age > WINDOW,
                _ => true,
            }
        })
    }),
    (
        "a conflict has the uid of the payment to the same request",
        |_, world| {
            let first = world.primary.records.first().map(|record| record.first);
            world.attempts.iter().all(|attempt| {
                let own = first.filter(|first| first.content == attempt.content);
                attempt.answer.iter().all(|answer| {
                    let is_conflict = answer.verdict == IdempotencyVerdict::Conflict;
                    let expected = own.filter(|_| is_conflict).map(|first| first.uid);
                    answer.conflict_uid == expected
                })
            })
        },
    ),
    (
        "a client without the first answer ends with the uid of the only payment",
        |protocol, world| {
            if !protocol.loses_first_answer {
                return true;
            }
            let is_own = |answer: &Answer| match world.primary.payments[..] {
                [payment] => answer.uid() == Some(payment.document.uid),
                _ => false,
            };
            let is_over = world
                .attempts
                .iter()
                .all(|attempt| attempt.phase == Phase::Ended);
            // A crash or a replacement may end all attempts, after which the client sends others.
            let is_disturbed =
                world.crashes < protocol.crashes || world.switches < protocol.switches;
            let has_answer = answers(world).next().is_some();
            answers(world).all(is_own) && (has_answer || !is_over || is_disturbed)
        },
    ),
    ("states do not go backwards", |_, world| !world.is_backwards),
    ("a race for the key is lost at most once", |_, world| {
        world.attempts.iter().all(|attempt| match attempt.phase {
            Phase::Arrived { lost_races, .. } | Phase::Storing { lost_races, .. } => {
                lost_races <= 1
            }
            _ => true,
        })
    }),
];

/// What must happen in some state, so that no invariant holds only because nothing happens.
pub const EXAMPLES: &[Condition] = &[
    ("a replay", |_, world| {
        has(world, IdempotencyVerdict::Replay)
    }),
    ("a key that is too old", |_, world| {
        has(world, IdempotencyVerdict::Conflict)
    }),
    (
        "a payment that its client finds by a conflict",
        |protocol, world| {
            protocol.loses_first_answer
                && answers(world).any(|answer| answer.conflict_uid.is_some())
        },
    ),
    ("a key with another body", |_, world| {
        has(world, IdempotencyVerdict::Mismatch)
    }),
    ("a lost race for the key", |_, world| {
        world
            .attempts
            .iter()
            .any(|attempt| matches!(attempt.phase, Phase::Arrived { lost_races: 1, .. }))
    }),
    ("a stored payment of which no client knows", |_, world| {
        let is_over = world
            .attempts
            .iter()
            .all(|attempt| attempt.phase == Phase::Ended);
        is_over && !world.primary.payments.is_empty() && answers(world).next().is_none()
    }),
    (
        "a commit after its gateway has crashed",
        |protocol, world| {
            let is_after_crash = world.crashes < protocol.crashes;
            let stored = |uid| world.primary.payment(uid).is_some();
            is_after_crash
                && stored(0)
                && world.attempts[0].answer.is_none()
                && has(world, IdempotencyVerdict::Replay)
        },
    ),
    ("a completed payment", |_, world| {
        world
            .primary
            .payments
            .iter()
            .any(|payment| payment.document.state == State::Completed)
    }),
    ("a replay of a payment that has changed", |_, world| {
        let is_changed = world
            .primary
            .payments
            .iter()
            .any(|payment| payment.version > 1);
        is_changed && has(world, IdempotencyVerdict::Replay)
    }),
    (
        "a key that is too old although the clock was set back",
        |_, world| {
            answers(world).any(|answer| {
                answer.after_step_back && answer.verdict == IdempotencyVerdict::Conflict
            })
        },
    ),
    ("a replay from the former standby", |protocol, world| {
        world.switches < protocol.switches && has(world, IdempotencyVerdict::Replay)
    }),
];

fn answers(world: &World) -> impl Iterator<Item = &Answer> {
    world
        .attempts
        .iter()
        .filter_map(|attempt| attempt.answer.as_ref())
}

/// The payments of all 201 that clients have received.
fn created(world: &World) -> impl Iterator<Item = Document> {
    answers(world).filter_map(|answer| answer.document)
}

fn has(world: &World, verdict: IdempotencyVerdict) -> bool {
    answers(world).any(|answer| answer.verdict == verdict)
}
