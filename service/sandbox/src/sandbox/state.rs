//! The state of a merchant of the sandbox: payments, keys, events, attempts, faults, and the
//! agenda.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use bigdecimal::BigDecimal;
use payspec::{State as PaymentState, Uuid};
use serde_json::{Value, json};

use super::clock::{self, Clock, Micros};
use super::fault::Fault;
use super::scenario::{DEADLINE, Due, Scenario};

/// Microseconds of a second.
const SECOND: Micros = 1_000_000;

/// A change in the life of a payment.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) state: String,
    pub(crate) at: Micros,
    /// `request`, `scenario`, `deadline`, or `operator`.
    pub(crate) by: &'static str,
}

/// A payment.
#[derive(Clone, Debug)]
pub(crate) struct Payment {
    /// The Payment as it is now, to the byte.
    pub(crate) body: String,
    /// The answer to the creation request.
    pub(crate) first_body: String,
    /// The creation request with card numbers and security codes masked.
    pub(crate) request: String,
    pub(crate) callback: Option<String>,
    pub(crate) version: i64,
    pub(crate) booked: BigDecimal,
    pub(crate) created: Micros,
    /// When the client has to have paid.
    pub(crate) deadline: Option<Micros>,
    pub(crate) scenario: &'static Scenario,
    /// The index of the next step; `None` if the scenario is over, or an operator has taken over.
    pub(crate) next: Option<usize>,
    pub(crate) timeline: Vec<Moment>,
    pub(crate) events: Vec<String>,
}

impl Payment {
    /// Returns the current state.
    pub(crate) fn state(&self) -> &str {
        self.timeline.last().map_or("idle", |moment| &moment.state)
    }

    pub(crate) fn is_open(&self) -> bool {
        matches!(self.state(), "idle" | "routed")
    }
}

/// The record of an idempotency key.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) fingerprint: String,
    pub(crate) uid: String,
    pub(crate) at: Micros,
}

/// The status of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventStatus {
    Pending,
    Delivered,
    /// There is no other attempt.
    Abandoned,
}

impl EventStatus {
    pub(crate) fn name(self) -> &'static str {
        match self {
            EventStatus::Pending => "pending",
            EventStatus::Delivered => "delivered",
            EventStatus::Abandoned => "abandoned",
        }
    }

    pub(crate) fn find(name: &str) -> Option<Self> {
        [Self::Pending, Self::Delivered, Self::Abandoned]
            .into_iter()
            .find(|status| status.name() == name)
    }
}

/// An event for the callback of a payment.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) uid: String,
    pub(crate) url: String,
    pub(crate) body: String,
    pub(crate) state: String,
    pub(crate) attempts: u32,
    pub(crate) status: EventStatus,
}

/// An attempt to deliver an event.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    pub(crate) event: String,
    pub(crate) number: u32,
    pub(crate) at: Micros,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) result: Value,
    /// When the next attempt is due.
    pub(crate) next: Option<Micros>,
    /// Repeated on demand.
    pub(crate) repeated: bool,
}

/// The data of a payment that the acquirer has before the payment is stored.
#[derive(Clone, Debug)]
pub(crate) struct Submission {
    pub(crate) scenario: &'static Scenario,
    pub(crate) request: String,
    /// `time_to_complete_payment`.
    pub(crate) seconds: Option<u64>,
}

/// An entry of the agenda, which is due at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// The step with this index of a payment's scenario.
    Step(String, usize),
    /// The end of the time to complete a payment.
    Deadline(String),
    /// An attempt to deliver an event.
    Deliver(String),
}

/// A checkout session.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) order: String,
    pub(crate) amount: String,
    pub(crate) currency: String,
    pub(crate) redirect_url: Option<String>,
    pub(crate) expires: Micros,
}

/// The state of a merchant.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) clock: Clock,
    pub(crate) payments: HashMap<String, Payment>,
    /// The uids in the order of creation.
    pub(crate) order: Vec<String>,
    pub(crate) keys: HashMap<String, Key>,
    pub(crate) sessions: HashMap<String, Session>,
    /// The origins of the merchant's pages, which payers may return to.
    pub(crate) origins: BTreeSet<String>,
    pub(crate) balances: BTreeMap<String, BigDecimal>,
    pub(crate) events: HashMap<String, Event>,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) faults: VecDeque<Fault>,
    /// The scenario of the next payments, and how many.
    pub(crate) scenario: Option<(&'static Scenario, u32)>,
    pub(crate) submitted: HashMap<Uuid, Submission>,
    /// The payments that have changed since they were last written to a database.
    pub(crate) dirty: HashSet<String>,
    /// Whether what a database has of this merchant is to be deleted.
    pub(crate) forget: bool,
    agenda: BTreeMap<(Micros, u64), Item>,
    /// Orders what is due at the same time.
    sequence: u64,
    /// Microseconds of a step.
    step: Micros,
}

impl State {
    pub(crate) fn new(clock: Clock, step: Micros) -> Self {
        Self {
            clock,
            payments: HashMap::new(),
            order: Vec::new(),
            keys: HashMap::new(),
            sessions: HashMap::new(),
            origins: BTreeSet::new(),
            balances: BTreeMap::new(),
            events: HashMap::new(),
            attempts: Vec::new(),
            faults: VecDeque::new(),
            scenario: None,
            submitted: HashMap::new(),
            dirty: HashSet::new(),
            forget: false,
            agenda: BTreeMap::new(),
            sequence: 0,
            step,
        }
    }

    pub(crate) fn schedule(&mut self, at: Micros, item: Item) {
        self.sequence += 1;
        self.agenda.insert((at, self.sequence), item);
    }

    /// Returns when the next item is due.
    pub(crate) fn next_due(&self) -> Option<Micros> {
        self.agenda.first_key_value().map(|((at, _), _)| *at)
    }

    /// Takes the next item that is due by a time.
    pub(crate) fn take_due(&mut self, until: Micros) -> Option<(Micros, Item)> {
        let entry = self
            .agenda
            .first_entry()
            .filter(|entry| entry.key().0 <= until)?;
        let at = entry.key().0;
        Some((at, entry.remove()))
    }

    /// Returns the next change of a payment that its scenario makes by itself.
    pub(crate) fn next_change(&self, uid: &str) -> Option<(Micros, &'static str)> {
        let payment = self.payments.get(uid)?;
        self.agenda.iter().find_map(|((at, _), item)| match item {
            Item::Step(of, index) if of == uid && payment.next == Some(*index) => {
                Some((*at, payment.scenario.steps.get(*index)?.1.state().name()))
            }
            Item::Deadline(of) if of == uid && payment.is_open() => {
                Some((*at, PaymentState::Cancel.name()))
            }
            _ => None,
        })
    }

    /// Adds a payment, and schedules the first step of its scenario.
    pub(crate) fn add_payment(
        &mut self,
        uid: &str,
        body: &str,
        callback: Option<&str>,
        submission: Submission,
    ) {
        let now = self.clock.now();
        let after = |seconds: u64| {
            let micros = i64::try_from(seconds)
                .unwrap_or(i64::MAX)
                .saturating_mul(SECOND);
            now.saturating_add(micros)
        };
        let payment = Payment {
            body: body.to_owned(),
            first_body: body.to_owned(),
            request: submission.request,
            callback: callback.map(str::to_owned),
            version: 1,
            booked: BigDecimal::default(),
            created: now,
            deadline: submission.seconds.map(after),
            scenario: submission.scenario,
            next: None,
            timeline: vec![Moment {
                state: PaymentState::Idle.name().to_owned(),
                at: now,
                by: "request",
            }],
            events: Vec::new(),
        };
        if let Some(deadline) = payment.deadline {
            self.schedule(deadline, Item::Deadline(uid.to_owned()));
        }
        self.payments.insert(uid.to_owned(), payment);
        self.order.push(uid.to_owned());
        self.dirty.insert(uid.to_owned());
        self.schedule_step(uid, 0, now);
    }

    /// Schedules a step of the scenario of a payment, which follows what happened at `from`.
    pub(crate) fn schedule_step(&mut self, uid: &str, index: usize, from: Micros) {
        let Some(payment) = self.payments.get_mut(uid) else {
            return;
        };
        let Some((due, _)) = payment.scenario.steps.get(index) else {
            payment.next = None;
            self.dirty.insert(uid.to_owned());
            return;
        };
        payment.next = Some(index);
        self.dirty.insert(uid.to_owned());
        let at = match due {
            Due::Steps(count) => from.saturating_add(self.step.saturating_mul(i64::from(*count))),
            // If the request has a deadline of its own, that one cancels the payment at the same
            // time.
            Due::Deadline => payment.deadline.unwrap_or_else(|| {
                payment.created.saturating_add(
                    i64::try_from(DEADLINE)
                        .unwrap_or_default()
                        .saturating_mul(SECOND),
                )
            }),
        };
        self.schedule(at, Item::Step(uid.to_owned(), index));
    }

    /// Adds an event. It waits for the earlier ones of its payment.
    pub(crate) fn add_event(&mut self, id: &str, event: Event) {
        let Some(payment) = self.payments.get_mut(&event.uid) else {
            return;
        };
        payment.events.push(id.to_owned());
        let uid = event.uid.clone();
        self.events.insert(id.to_owned(), event);
        if self.first_pending(&uid).is_some_and(|first| first == id) {
            self.schedule(self.clock.now(), Item::Deliver(id.to_owned()));
        }
    }

    /// Returns the event of a payment that is to be delivered next.
    pub(crate) fn first_pending(&self, uid: &str) -> Option<String> {
        let events = &self.payments.get(uid)?.events;
        let is_pending = |id: &&String| {
            self.events
                .get(*id)
                .is_some_and(|event| event.status == EventStatus::Pending)
        };
        events.iter().find(is_pending).cloned()
    }

    /// Schedules again what a stored state implies, after it has been read.
    pub(crate) fn resume(&mut self) {
        let uids = self.order.clone();
        for uid in uids {
            let Some(payment) = self.payments.get(&uid) else {
                continue;
            };
            let (next, deadline) = (payment.next, payment.deadline.filter(|_| payment.is_open()));
            let from = payment
                .timeline
                .last()
                .map_or(payment.created, |moment| moment.at);
            if let Some(deadline) = deadline {
                self.schedule(deadline, Item::Deadline(uid.clone()));
            }
            if let Some(index) = next {
                self.schedule_step(&uid, index, from);
            }
            if let Some(event) = self.first_pending(&uid) {
                self.schedule(self.clock.now(), Item::Deliver(event));
            }
        }
    }

    /// Returns an attempt as the interface shows it.
    pub(crate) fn attempt_json(&self, attempt: &Attempt) -> Option<Value> {
        let event = self.events.get(&attempt.event)?;
        let headers: serde_json::Map<String, Value> = attempt
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), Value::from(value.as_str())))
            .collect();
        Some(json!({
            "event": attempt.event, "payment": event.uid, "state": event.state, "attempt": attempt.number,
            "at": clock::text(attempt.at), "url": event.url, "headers": headers, "body": event.body,
            "result": attempt.result, "next_attempt_at": attempt.next.map(clock::text), "repeated": attempt.repeated,
            "status": event.status.name(),
        }))
    }
}
