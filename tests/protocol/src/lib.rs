//! A model of how gateways create payments over one database, which stateright explores completely.
//!
//! Clients repeat requests, gateways crash, answers are lost, the clock of the database is set
//! back, and the primary of the database is replaced by its standby. [`World`] is a state, [`Step`]
//! a change, [`Protocol`] the rules, and [`INVARIANTS`] what must hold in every state. The verdicts
//! come from the library itself: `rules` calls `Engine::check_idempotency` and
//! `Engine::check_transition`.
//!
//! A [`Defect`] removes one precaution. The tests require that the checker finds a counterexample
//! for each of them.

mod clock;
mod invariants;
mod protocol;
mod rules;
mod steps;
mod system;
mod world;

pub use clock::{Clock, WINDOW};
pub use invariants::{Condition, EXAMPLES, INVARIANTS};
pub use steps::Step;
pub use system::{Defect, Protocol};
pub use world::{Answer, Attempt, Change, Document, Payment, Phase, Record, Store, World};
