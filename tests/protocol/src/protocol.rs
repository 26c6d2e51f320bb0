//! The rules of the gateways and of the database.

use crate::clock::Clock;
use crate::invariants;
use crate::rules;
use crate::steps::Step;
use crate::system::{Defect, Protocol};
use crate::world::{Answer, Attempt, Change, Document, Payment, Phase, Record, Store, World};
use payspec::{IdempotencyVerdict, State};
use stateright::{Model, Property};

impl Protocol {
    /// How fast the clock of a gateway is, in seconds.
    const FAST: [u8; 2] = [0, 2];

    fn has(&self, defect: Defect) -> bool {
        self.defect == Some(defect)
    }

    /// The time by which a gateway creates records and measures their age.
    fn reading(&self, clock: Clock, gateway: u8) -> u8 {
        match self.defect {
            Some(Defect::LocalClocks) => {
                crate::clock::START + clock.time + Self::FAST[usize::from(gateway)]
            }
            Some(Defect::BareClock) => clock.now(),
            _ => clock.steady(),
        }
    }

    /// Reads time and record, and evaluates the request.
    fn look_up(&self, world: &mut World, index: usize) {
        let (clock, store) = (world.clock, &world.primary);
        let attempt = &mut world.attempts[index];
        let Phase::Arrived {
            gateway,
            lost_races,
        } = attempt.phase
        else {
            return;
        };
        let reading = self.reading(clock, gateway);
        let found = store.records.first();
        // Like the gateway: the time is that of the database, and the age is by the steady clock.
        let now = i64::from(clock.now());
        let known = found.map(|record| {
            let age = i64::from(reading) - i64::from(record.created_at);
            (now - age, record.first.content)
        });
        let verdict = rules::verdict(now, attempt.content, known);
        let age = found.map_or(0, |record| clock.time - record.made);
        let is_conflict = verdict == IdempotencyVerdict::Conflict;
        let conflict_uid = known
            .zip(found)
            .filter(|_| is_conflict && !self.has(Defect::ConflictWithoutUid))
            .filter(|(known, _)| rules::has_uid(now, attempt.content, *known))
            .map(|(_, record)| record.first.uid);
        let mut answer = Answer {
            verdict,
            document: None,
            conflict_uid,
            age,
            after_step_back: clock.back > 0,
        };
        attempt.phase = match (verdict, found) {
            (IdempotencyVerdict::New, _) => {
                let uid = u8::try_from(index).expect("few attempts");
                let first = Document {
                    uid,
                    content: attempt.content,
                    state: State::Idle,
                };
                if self.has(Defect::AnswerBeforeCommit) {
                    attempt.answer = Some(Answer {
                        document: Some(first),
                        ..answer
                    });
                }
                let record = Record {
                    created_at: reading,
                    made: clock.time,
                    first,
                };
                Phase::Storing {
                    gateway: Some(gateway),
                    lost_races,
                    record,
                }
            }
            (IdempotencyVerdict::Replay, Some(record)) => {
                answer.document = Some(record.first);
                if self.has(Defect::ReplayOfCurrentPayment) {
                    answer.document = store
                        .payment(record.first.uid)
                        .map(|payment| payment.document);
                }
                Phase::Answering { gateway, answer }
            }
            _ => Phase::Answering { gateway, answer },
        };
    }

    /// Executes the statement that stores a payment with its key.
    fn commit(&self, world: &mut World, index: usize) {
        let attempt = &mut world.attempts[index];
        let (gateway, lost_races, record, takes_key_only) = match attempt.phase {
            Phase::Storing {
                gateway,
                lost_races,
                record,
            } => (gateway, lost_races, record, false),
            Phase::TakingKey { gateway, record } => (Some(gateway), 0, record, true),
            _ => return,
        };
        let store = &mut world.primary;
        let two_transactions = self.has(Defect::TwoTransactions);
        if two_transactions && !takes_key_only {
            store.payments.push(Payment {
                document: record.first,
                version: 1,
            });
            attempt.phase =
                gateway.map_or(Phase::Ended, |gateway| Phase::TakingKey { gateway, record });
        } else if store.records.is_empty() || self.has(Defect::NoUniqueKey) {
            store.records.push(record);
            if !takes_key_only {
                store.payments.push(Payment {
                    document: record.first,
                    version: 1,
                });
            }
            attempt.phase = match gateway {
                Some(gateway) if attempt.answer.is_none() => {
                    let verdict = IdempotencyVerdict::New;
                    let document = Some(record.first);
                    let after_step_back = world.clock.back > 0;
                    Phase::Answering {
                        gateway,
                        answer: Answer {
                            verdict,
                            document,
                            conflict_uid: None,
                            age: 0,
                            after_step_back,
                        },
                    }
                }
                _ => Phase::Ended,
            };
        } else {
            attempt.phase = match gateway {
                Some(gateway) if attempt.answer.is_none() => Phase::Arrived {
                    gateway,
                    lost_races: lost_races.saturating_add(1),
                },
                _ => Phase::Ended,
            };
        }
        if !self.has(Defect::AsynchronousStandby) {
            world.standby = world.primary.clone();
        }
    }

    /// Reads the payment to change its state.
    fn read(world: &mut World, index: usize) {
        let Change::Waiting(to) = world.changes[index] else {
            return;
        };
        let payment = world.primary.payments[0];
        let may = rules::may_change(payment.document.state, to);
        world.changes[index] = if may {
            Change::Computing {
                to,
                version: payment.version,
            }
        } else {
            Change::Ended
        };
    }

    /// Executes the statement that changes the state, if the payment is as it was read.
    fn apply(&self, world: &mut World, index: usize) {
        let Change::Computing { to, version } = world.changes[index] else {
            return;
        };
        let Some(payment) = world.primary.payments.first_mut() else {
            world.changes[index] = Change::Ended;
            return;
        };
        if payment.version == version || self.has(Defect::ChangeWithoutVersion) {
            world.is_backwards |= !rules::may_change(payment.document.state, to);
            payment.document.state = to;
            payment.version += 1;
            world.changes[index] = Change::Ended;
        } else {
            world.changes[index] = Change::Waiting(to);
        }
        if !self.has(Defect::AsynchronousStandby) {
            world.standby = world.primary.clone();
        }
    }
}

impl Model for Protocol {
    type State = World;
    type Action = Step;

    fn init_states(&self) -> Vec<World> {
        let attempt = |content: &u8| Attempt {
            content: *content,
            phase: Phase::Unsent,
            answer: None,
        };
        vec![World {
            clock: Clock::new(),
            primary: Store::default(),
            standby: Store::default(),
            attempts: self.contents.iter().map(attempt).collect(),
            sent: 0,
            changes: self.changes.iter().copied().map(Change::Waiting).collect(),
            crashes: self.crashes,
            switches: self.switches,
            is_backwards: false,
        }]
    }

    fn actions(&self, world: &World, steps: &mut Vec<Step>) {
        self.steps(world, steps);
    }

    fn next_state(&self, world: &World, step: Step) -> Option<World> {
        let mut next = world.clone();
        match step {
            Step::Send(index, gateway) => {
                next.attempts[index].phase = Phase::Arrived {
                    gateway,
                    lost_races: 0,
                };
                if self.loses_first_answer {
                    next.sent = next.clock.time;
                }
            }
            Step::LookUp(index) => self.look_up(&mut next, index),
            Step::Commit(index) => self.commit(&mut next, index),
            Step::Abort(index) | Step::Lose(index) => next.attempts[index].phase = Phase::Ended,
            Step::Deliver(index) => {
                let attempt = &mut next.attempts[index];
                if let Phase::Answering { answer, .. } = attempt.phase {
                    attempt.answer = Some(answer);
                    attempt.phase = Phase::Ended;
                }
            }
            Step::Read(index) => Self::read(&mut next, index),
            Step::Apply(index) => self.apply(&mut next, index),
            _ => self.disturb(&mut next, step),
        }
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let always = invariants::INVARIANTS
            .iter()
            .map(|(name, holds)| Property::always(name, *holds));
        let sometimes = invariants::EXAMPLES
            .iter()
            .map(|(name, holds)| Property::sometimes(name, *holds));
        always.chain(sometimes).collect()
    }
}
