//! The states of a payment (§3) and the transitions between them (D7, D19).

use alloc::vec::Vec;

use super::legacy_flags::LegacyFlags;
use crate::json::writer::Writer;
use crate::util::string_enum::string_enum;

string_enum! {
    /// The state of a payment (§3).
    #[non_exhaustive]
    State {
        /// Created, not yet started.
        Idle = "idle",
        /// Routed, not yet processed.
        Routed = "routed",
        /// Successfully completed (final).
        Completed = "completed",
        /// Partially paid (final).
        NotFully = "not_fully",
        /// Failed (final).
        Fail = "fail",
        /// Reversed or being reversed.
        Cancel = "cancel",
        /// Disputed and charged back.
        Chargeback = "chargeback",
        /// Amount adjusted up or down.
        Correction = "correction",
    }
}

string_enum! {
    /// The meaning of a state for the parties.
    #[non_exhaustive]
    StateOutcome {
        /// Not decided yet.
        Pending = "pending",
        /// The amount was paid.
        Success = "success",
        /// A part of the amount was paid.
        Partial = "partial",
        /// Nothing was paid.
        Failure = "failure",
        /// The payment is reversed.
        Reversal = "reversal",
        /// The payment is disputed.
        Dispute = "dispute",
        /// The amount was adjusted.
        Adjustment = "adjustment",
    }
}

impl State {
    /// Checks if the state is final according to the specification.
    ///
    /// ```
    /// # use payspec::State;
    /// let last: Vec<_> = State::ALL.iter().filter(|state| state.is_final()).map(|state| state.name()).collect();
    /// assert_eq!(last, ["completed", "not_fully", "fail"]);
    /// ```
    pub fn is_final(self) -> bool {
        matches!(self, State::Completed | State::NotFully | State::Fail)
    }

    /// Returns the row of the state: its meaning in words, its meaning for the parties, and the
    /// booleans of the legacy API in the order of [`LegacyFlags`].
    fn row(self) -> (&'static str, StateOutcome, [bool; 3]) {
        use StateOutcome::{Adjustment, Dispute, Failure, Partial, Pending, Reversal, Success};
        match self {
            State::Idle => ("created, not yet started.", Pending, [false, false, false]),
            State::Routed => ("routed, not yet processed.", Pending, [false, false, false]),
            State::Completed => (
                "successfully completed; final.",
                Success,
                [true, true, false],
            ),
            State::NotFully => ("partially paid; final.", Partial, [false, false, true]),
            State::Fail => (
                "failed; final. `fail_by` and `fail_code` contain the reason.",
                Failure,
                [true, false, false],
            ),
            State::Cancel => (
                "reversed, or being reversed.",
                Reversal,
                [true, false, false],
            ),
            State::Chargeback => ("disputed and charged back.", Dispute, [true, false, false]),
            State::Correction => (
                "the amount was adjusted, up or down.",
                Adjustment,
                [true, true, false],
            ),
        }
    }

    /// Returns the meaning in words, as the OpenAPI document describes it (§3).
    pub fn meaning(self) -> &'static str {
        self.row().0
    }

    /// Returns the meaning for the parties, which is the member `outcome` in the table of `states`.
    pub fn outcome(self) -> StateOutcome {
        self.row().1
    }

    /// Returns the closest booleans of the legacy API (D25).
    pub fn legacy_flags(self) -> LegacyFlags {
        let (_, _, [completed, succeed, partially_completed]) = self.row();
        LegacyFlags {
            completed,
            succeed,
            partially_completed,
        }
    }
}

impl LegacyFlags {
    /// Returns the state that the booleans represent.
    ///
    /// ```
    /// # use payspec::{LegacyFlags, State};
    /// let flags = LegacyFlags { completed: true, succeed: false, partially_completed: false };
    /// assert_eq!(flags.state(), State::Fail);
    /// ```
    pub fn state(self) -> State {
        match self {
            LegacyFlags {
                completed: true,
                succeed: true,
                ..
            } => State::Completed,
            LegacyFlags {
                partially_completed: true,
                ..
            } => State::NotFully,
            LegacyFlags {
                completed: true, ..
            } => State::Fail,
            _ => State::Idle,
        }
    }
}

string_enum! {
    /// The verdict on a transition.
    #[non_exhaustive]
    TransitionVerdict {
        /// The policy lists the transition.
        Allowed = "allowed",
        /// The specification or the policy forbids the transition.
        Refused = "refused",
        /// The specification does not define the transition. It is possible.
        Unspecified = "unspecified",
        /// The state does not change.
        Unchanged = "unchanged",
    }
}

/// The verdict on a transition, with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
#[non_exhaustive]
pub struct Transition {
    /// The verdict.
    pub verdict: TransitionVerdict,
    /// The reason, in English.
    pub reason: &'static str,
    /// The source of the verdict: a section of the specification, a decision, or `policy`.
    pub source: &'static str,
}

impl Transition {
    /// Checks if the verdict is not [`TransitionVerdict::Refused`].
    pub fn is_possible(&self) -> bool {
        self.verdict != TransitionVerdict::Refused
    }

    /// Evaluates the transition `from` → `to` under the policy.
    pub(crate) fn evaluate(transitions: &Transitions, from: State, to: State) -> Transition {
        use TransitionVerdict::{Allowed, Refused, Unchanged, Unspecified};
        let of = |verdict, reason, source| Transition {
            verdict,
            reason,
            source,
        };
        match transitions {
            Transitions::Conventional if conventional(from).contains(&to) => {
                of(Allowed, "common among payment services", "D7")
            }
            Transitions::List(pairs) if pairs.contains(&(from, to)) => {
                of(Allowed, "in the list of the policy", "policy")
            }
            _ if from == to => of(Unchanged, "the state does not change", "D7"),
            Transitions::Conventional => of(Refused, "not common among payment services", "D7"),
            Transitions::List(_) => of(Refused, "not in the list of the policy", "policy"),
            Transitions::Open if to == State::Idle => {
                of(Refused, "only a new payment is idle", "§3")
            }
            Transitions::Open if from.is_final() && (to.is_final() || to == State::Routed) => {
                of(Refused, "the state is final", "§3")
            }
            // A routed payment is not processed either, but routed → routed is unchanged, see
            // above.
            Transitions::Open if from != State::Idle && to == State::Routed => of(
                Refused,
                "a processed payment does not become unprocessed again",
                "D7",
            ),
            Transitions::Open => of(Unspecified, "not specified", "D7"),
        }
    }

    /// Appends the result of `check_transition` as JSON.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Writer::new(out).object(|w| {
            w.name("verdict").string(self.verdict.name());
            w.name("reason").string(self.reason);
            w.name("source").string(self.source);
        });
    }
}

/// Returns the states that commonly follow `from`.
fn conventional(from: State) -> &'static [State] {
    match from {
        State::Idle => &[State::Routed, State::Fail, State::Cancel],
        State::Routed => &[
            State::Completed,
            State::NotFully,
            State::Fail,
            State::Cancel,
        ],
        State::Completed | State::NotFully | State::Correction => {
            &[State::Cancel, State::Chargeback, State::Correction]
        }
        State::Chargeback => &[State::Correction, State::Cancel],
        State::Fail | State::Cancel => &[],
    }
}

/// Appends the table of states, the result of `states`.
pub(crate) fn write_states(out: &mut Vec<u8>) {
    Writer::new(out).object(|w| {
        w.name("states").array(|w| {
            for state in State::ALL {
                w.object(|w| {
                    w.name("state").string(state.name());
                    w.name("final").bool(state.is_final());
                    w.name("outcome").string(state.outcome().name());
                    w.name("legacy").object(|w| {
                        for ([name, _], value) in state.legacy_flags().members() {
                            w.name(name).bool(value);
                        }
                    });
                });
            }
        });
    });
}

/// The allowed transitions (D7).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Transitions {
    /// Rejects only the transitions that the specification forbids. The others are unspecified and
    /// possible.
    #[default]
    Open,
    /// Allows the transitions that payment services commonly have, and rejects the others.
    Conventional,
    /// Allows exactly these transitions.
    #[cfg_attr(feature = "serde", serde(untagged))]
    List(Vec<(State, State)>),
}
