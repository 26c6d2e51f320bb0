//! A state of the model.

use crate::clock::Clock;
use payspec::{IdempotencyVerdict, State};

/// All parts of the system at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct World {
    /// The clock of the database.
    pub clock: Clock,
    /// The rows of the primary.
    pub primary: Store,
    /// The rows of the standby.
    pub standby: Store,
    /// The attempts of clients with one key, in the order in which they are sent.
    pub attempts: Vec<Attempt>,
    /// When the last attempt was sent, in the time of the clock. Zero unless one client sends all of
    /// them.
    pub sent: u8,
    /// Changes of the payment's state.
    pub changes: Vec<Change>,
    /// Crashes of gateways that are still to come.
    pub crashes: u8,
    /// Replacements of the primary that are still to come.
    pub switches: u8,
    /// Whether a payment has made a step that the library refuses.
    pub is_backwards: bool,
}

/// The rows of the tables `idempotency` and `payments`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Store {
    /// The records of the key. The key is unique, so there is at most one, unless a defect permits
    /// more.
    pub records: Vec<Record>,
    /// The payments.
    pub payments: Vec<Payment>,
}

/// A row of `idempotency`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// The stored time of creation.
    pub created_at: u8,
    /// The real time of the same moment, which only invariants read.
    pub made: u8,
    /// The first answer, for replays.
    pub first: Document,
}

/// A row of `payments`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Payment {
    /// The payment as a client reads it.
    pub document: Document,
    /// One more with each change.
    pub version: u8,
}

/// The members in which two bodies of a payment differ. Equal documents are identical to the byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Document {
    /// The uid: the number of the attempt that has created it. A gateway creates one for each
    /// evaluation.
    pub uid: u8,
    /// The content of the request, which decides the fingerprint.
    pub content: u8,
    /// The state of the payment.
    pub state: State,
}

/// One request of a client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attempt {
    /// The content of the request, which decides the fingerprint.
    pub content: u8,
    /// Where the request is.
    pub phase: Phase,
    /// The answer that the client has received.
    pub answer: Option<Answer>,
}

/// Where a request is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The client has not sent it.
    Unsent,
    /// A gateway has it, and has not read the record of its key. `lost_races` counts the times when
    /// the key turned out to be taken.
    Arrived {
        /// The gateway.
        gateway: u8,
        /// How often another request has taken the key since the record was read.
        lost_races: u8,
    },
    /// The statement that stores the payment is on its way to the database. Without a gateway, no
    /// program waits for its result.
    Storing {
        /// The gateway, unless it has crashed.
        gateway: Option<u8>,
        /// How often another request has taken the key since the record was read.
        lost_races: u8,
        /// The new row of `idempotency`.
        record: Record,
    },
    /// Only with [`Defect::TwoTransactions`](crate::Defect::TwoTransactions): the payment is
    /// stored, and its key is not.
    TakingKey {
        /// The gateway.
        gateway: u8,
        /// The new row of `idempotency`.
        record: Record,
    },
    /// The answer is on its way to the client.
    Answering {
        /// The gateway.
        gateway: u8,
        /// The answer.
        answer: Answer,
    },
    /// The client has the answer or never gets one.
    Ended,
}

/// An answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    /// The verdict of the library.
    pub verdict: IdempotencyVerdict,
    /// The payment of a 201.
    pub document: Option<Document>,
    /// The uid in a conflict.
    pub conflict_uid: Option<u8>,
    /// The real age of the record when it was read, in seconds. Zero for a new payment.
    pub age: u8,
    /// Whether the clock had been set back when the record was read.
    pub after_step_back: bool,
}

/// A change of the state that an operator or an acquirer requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// It begins, or begins again after another change was faster.
    Waiting(State),
    /// A gateway has read the payment and computes the new one.
    Computing {
        /// The new state.
        to: State,
        /// The version that was read.
        version: u8,
    },
    /// It is done or refused.
    Ended,
}

impl Answer {
    /// Returns the uid of the client's payment, from a 201 or a conflict.
    pub fn uid(&self) -> Option<u8> {
        let created = self.document.map(|document| document.uid);
        created.or(self.conflict_uid)
    }
}

impl Store {
    /// Returns the payment with this uid.
    pub fn payment(&self, uid: u8) -> Option<&Payment> {
        self.payments
            .iter()
            .find(|payment| payment.document.uid == uid)
    }
}
