//! What can happen next.

use crate::clock::{PAUSE, STEP_BACK};
use crate::system::{Defect, Protocol};
use crate::world::{Change, Phase, World};

/// A change of the world. Numbers are indices of attempts, gateways, and changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A second passes.
    Second,
    /// A gateway writes the steady clock.
    Tick,
    /// The clock of the database is set back.
    SetBack,
    /// A client sends an attempt to a gateway, although earlier ones may be under way.
    Send(usize, u8),
    /// A gateway reads the time and the record in one statement, and evaluates the request.
    LookUp(usize),
    /// The database executes the statement that stores a payment, or finds the key taken.
    Commit(usize),
    /// The statement is never executed: its gateway has crashed before it arrived.
    Abort(usize),
    /// The answer reaches the client.
    Deliver(usize),
    /// The answer does not reach the client, which may have stopped waiting.
    Lose(usize),
    /// A gateway crashes and starts again.
    Crash(u8),
    /// The standby becomes the primary.
    Switch,
    /// Only with [`Defect::AsynchronousStandby`]: the standby receives the rows of the primary.
    Replicate,
    /// A gateway reads a payment to change its state.
    Read(usize),
    /// The database executes the statement that changes it.
    Apply(usize),
}

impl Protocol {
    /// Appends all steps from a state.
    pub(crate) fn steps(&self, world: &World, steps: &mut Vec<Step>) {
        self.steps_of_clock(world, steps);
        for (index, attempt) in world.attempts.iter().enumerate() {
            match attempt.phase {
                Phase::Unsent if self.may_send(world, index) => {
                    steps.extend((0..self.gateways).map(|gateway| Step::Send(index, gateway)));
                }
                Phase::Unsent | Phase::Ended => {}
                Phase::Arrived { .. } => steps.push(Step::LookUp(index)),
                Phase::Storing { gateway, .. } => {
                    steps.push(Step::Commit(index));
                    if gateway.is_none() {
                        steps.push(Step::Abort(index));
                    }
                }
                Phase::TakingKey { .. } => steps.push(Step::Commit(index)),
                Phase::Answering { .. } if !self.loses_first_answer => {
                    steps.extend([Step::Deliver(index), Step::Lose(index)]);
                }
                Phase::Answering { .. } if index == 0 => steps.push(Step::Lose(index)),
                Phase::Answering { .. } => steps.push(Step::Deliver(index)),
            }
        }
        for (index, change) in world.changes.iter().enumerate() {
            match change {
                Change::Waiting(_) if !world.primary.payments.is_empty() => {
                    steps.push(Step::Read(index))
                }
                Change::Computing { .. } => steps.push(Step::Apply(index)),
                Change::Waiting(_) | Change::Ended => {}
            }
        }
        if world.crashes > 0 {
            steps.extend((0..self.gateways).map(Step::Crash));
        }
        if world.switches > 0 {
            steps.push(Step::Switch);
        }
        if self.defect == Some(Defect::AsynchronousStandby) && world.standby != world.primary {
            steps.push(Step::Replicate);
        }
    }

    /// Returns whether a client may send an attempt: in order, and after a pause if it is that of
    /// the attempt before.
    fn may_send(&self, world: &World, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else {
            return true;
        };
        let is_answered = || {
            world
                .attempts
                .iter()
                .any(|attempt| attempt.answer.is_some())
        };
        world.attempts[before].phase != Phase::Unsent
            && (!self.loses_first_answer
                || world.clock.time - world.sent >= PAUSE && !is_answered())
    }

    fn steps_of_clock(&self, world: &World, steps: &mut Vec<Step>) {
        let clock = world.clock;
        if clock.time < self.seconds && clock.may_advance() {
            steps.push(Step::Second);
        }
        if clock.tick() != clock {
            steps.push(Step::Tick);
        }
        if self.sets_clock_back && clock.back == 0 {
            // After the first second, so that a record can be older.
            steps.extend((clock.time > 0).then_some(Step::SetBack));
        }
    }

    /// Carries out a step of the clock, of a gateway, or of the database as a whole.
    pub(crate) fn disturb(&self, world: &mut World, step: Step) {
        match step {
            Step::Second => world.clock.time += 1,
            Step::Tick => world.clock = world.clock.tick(),
            Step::SetBack => world.clock.back = STEP_BACK,
            Step::Crash(crashed) => {
                world.crashes -= 1;
                for attempt in &mut world.attempts {
                    match &mut attempt.phase {
                        Phase::Storing { gateway, .. } if *gateway == Some(crashed) => {
                            *gateway = None
                        }
                        Phase::Arrived { gateway, .. }
                        | Phase::TakingKey { gateway, .. }
                        | Phase::Answering { gateway, .. }
                            if *gateway == crashed =>
                        {
                            attempt.phase = Phase::Ended;
                        }
                        _ => {}
                    }
                }
            }
            Step::Switch => {
                world.switches -= 1;
                world.primary = world.standby.clone();
                // The connections break. The gateway does not know if the statement was executed,
                // and answers 503.
                for attempt in &mut world.attempts {
                    if matches!(
                        attempt.phase,
                        Phase::Storing { .. } | Phase::TakingKey { .. }
                    ) {
                        attempt.phase = Phase::Ended;
                    }
                }
            }
            Step::Replicate => world.standby = world.primary.clone(),
            _ => {}
        }
    }
}
