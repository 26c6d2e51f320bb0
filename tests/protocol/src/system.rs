//! The system of which all states are explored.

use payspec::State;

/// A precaution that is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// A gateway answers 201 before the payment is committed.
    AnswerBeforeCommit,
    /// Times come from the clocks of the gateways, of which one is two seconds fast.
    LocalClocks,
    /// Ages are measured by the database's clock itself, which can be set back.
    BareClock,
    /// The key is not unique in the database.
    NoUniqueKey,
    /// Payment and key are stored in two transactions.
    TwoTransactions,
    /// A replay contains the payment as it is now, not the first answer.
    ReplayOfCurrentPayment,
    /// A change of the state does not check that the payment is still as it was read.
    ChangeWithoutVersion,
    /// The primary confirms commits that its standby does not have.
    AsynchronousStandby,
    /// A conflict does not contain the uid of the payment.
    ConflictWithoutUid,
}

/// The system of which all states are explored.
#[derive(Clone, Debug)]
pub struct Protocol {
    /// Gateways over the database.
    pub gateways: u8,
    /// The content of each attempt. All have the same key.
    pub contents: Vec<u8>,
    /// Whether one client sends all attempts: it loses the first answer, and sends the next attempt
    /// two seconds after the one before, until it has an answer.
    pub loses_first_answer: bool,
    /// The changes of the payment's state that are requested.
    pub changes: Vec<State>,
    /// Seconds that pass.
    pub seconds: u8,
    /// Whether the clock of the database may be set back.
    pub sets_clock_back: bool,
    /// Crashes of gateways.
    pub crashes: u8,
    /// Replacements of the primary by its standby.
    pub switches: u8,
    /// The missing precaution.
    pub defect: Option<Defect>,
}
