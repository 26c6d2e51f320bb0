//! The state of a merchant of the sandbox: payments, keys, events, attempts, faults, and the
//! agenda.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use bigdecimal::BigDecimal;
use payspec::{State as PaymentState, Uuid};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::clock::{self, Clock, Micros};
use super::fault::Fault;
use super::scenario::{self, DEADLINE, Due, Scenario};

/// Microseconds of a second.
const SECOND: Micros = 1_000_000;

/// The place of an item in the agenda: its time, and a number for items of the same time.
type Place = (Micros, u64);

/// The cause of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Cause {
    Request,
    Scenario,
    Deadline,
    Operator,
    /// The payer, at the page of the challenge.
    Payer,
}

/// A change in the life of a payment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Moment {
    pub(crate) state: String,
    pub(crate) at: Micros,
    pub(crate) by: Cause,
}

/// A payment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Payment {
    /// The body of the Payment in its current state.
    pub(crate) body: String,
    /// The answer to the creation request.
    pub(crate) first_body: String,
    /// The creation request with card numbers and security codes masked.
    pub(crate) request: String,
    pub(crate) callback: Option<String>,
    pub(crate) version: i64,
    pub(crate) booked: BigDecimal,
    pub(crate) created: Micros,
    /// The end of the time to complete the payment.
    pub(crate) deadline: Option<Micros>,
    #[serde(with = "scenario::by_name")]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Key {
    pub(crate) fingerprint: String,
    pub(crate) uid: String,
    pub(crate) at: Micros,
}

/// The status of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
}

/// An event for the callback of a payment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Event {
    pub(crate) uid: String,
    pub(crate) url: String,
    pub(crate) body: String,
    pub(crate) state: String,
    pub(crate) attempts: u32,
    pub(crate) status: EventStatus,
    /// The place of its next attempt in the agenda.
    #[serde(skip)]
    due: Option<Place>,
}

impl Event {
    /// Returns an event that waits to be delivered.
    pub(crate) fn new(uid: &str, url: &str, body: &str, state: &str) -> Self {
        Self {
            uid: uid.to_owned(),
            url: url.to_owned(),
            body: body.to_owned(),
            state: state.to_owned(),
            attempts: 0,
            status: EventStatus::Pending,
            due: None,
        }
    }
}

/// An attempt to deliver an event.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Attempt {
    pub(crate) event: String,
    pub(crate) number: u32,
    pub(crate) at: Micros,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) result: Value,
    /// The time of the next attempt.
    pub(crate) next: Option<Micros>,
    /// Whether it was demanded.
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
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    /// The origins of the merchant's pages, to which payers may return.
    pub(crate) origins: BTreeSet<String>,
    /// The merchant_ids that the merchant may name, besides its own.
    pub(crate) merchant_ids: BTreeSet<String>,
    pub(crate) balances: BTreeMap<String, BigDecimal>,
    pub(crate) events: HashMap<String, Event>,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) faults: VecDeque<Fault>,
    /// The scenario of the next payments, and how many.
    pub(crate) scenario: Option<(&'static Scenario, u32)>,
    pub(crate) submitted: HashMap<Uuid, Submission>,
    /// The payments that have changed since they were last written to a database.
    pub(crate) dirty: HashSet<String>,
    /// Whether the rows of this merchant in a database are to be deleted.
    pub(crate) forget: bool,
    agenda: BTreeMap<Place, Item>,
    /// The number of the last item of the agenda, which orders items of the same time.
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
            merchant_ids: BTreeSet::new(),
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

    fn schedule(&mut self, at: Micros, item: Item) -> Place {
        self.sequence += 1;
        let place = (at, self.sequence);
        self.agenda.insert(place, item);
        place
    }

    /// Schedules the next attempt to deliver an event, in place of an earlier one.
    fn schedule_delivery(&mut self, at: Micros, id: &str) {
        self.unschedule_delivery(id);
        let place = self.schedule(at, Item::Deliver(id.to_owned()));
        if let Some(event) = self.events.get_mut(id) {
            event.due = Some(place);
        }
    }

    fn unschedule_delivery(&mut self, id: &str) {
        let due = self.events.get_mut(id).and_then(|event| event.due.take());
        if let Some(place) = due {
            self.agenda.remove(&place);
        }
    }

    /// Leases the first event that is due: it is due again after the lease, unless it is delivered or
    /// has failed before. Counts the attempt.
    pub(crate) fn claim(&mut self, lease: Micros) -> Option<(String, Event)> {
        let now = self.clock.now();
        let due = self.agenda.range(..=(now, u64::MAX));
        let id = due
            .filter_map(|(_, item)| match item {
                Item::Deliver(id) => Some(id.clone()),
                _ => None,
            })
            .next()?;
        self.schedule_delivery(now.saturating_add(lease), &id);
        let event = self.events.get_mut(&id)?;
        event.attempts += 1;
        let event = event.clone();
        Some((id, event))
    }

    /// Ends the deliveries of an event. The next event of its payment is due.
    pub(crate) fn settle(&mut self, id: &str, status: EventStatus) {
        self.unschedule_delivery(id);
        let Some(event) = self.events.get_mut(id) else {
            return;
        };
        let was_pending = event.status == EventStatus::Pending;
        event.status = status;
        let uid = event.uid.clone();
        self.dirty.insert(uid.clone());
        if was_pending && let Some(following) = self.first_pending(&uid) {
            self.schedule_delivery(self.clock.now(), &following);
        }
    }

    /// Schedules another attempt to deliver an event.
    pub(crate) fn retry(&mut self, id: &str, at: Micros) {
        self.schedule_delivery(at, id);
        if let Some(event) = self.events.get(id) {
            self.dirty.insert(event.uid.clone());
        }
    }

    /// Returns the time of the next item.
    pub(crate) fn next_due(&self) -> Option<Micros> {
        self.agenda.first_key_value().map(|((at, _), _)| *at)
    }

    /// Takes the next item that is due by a time. A delivery stays until it is claimed.
    pub(crate) fn take_due(&mut self, until: Micros) -> Option<(Micros, Item)> {
        let entry = self
            .agenda
            .first_entry()
            .filter(|entry| entry.key().0 <= until)?;
        let at = entry.key().0;
        let item = match entry.get() {
            Item::Deliver(id) => Item::Deliver(id.clone()),
            _ => entry.remove(),
        };
        Some((at, item))
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
                by: Cause::Request,
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

    /// Schedules a step of the scenario of a payment, counted from `from`.
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
            Due::Days(count) => from.saturating_add(scenario::days(*count)),
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
            self.schedule_delivery(self.clock.now(), id);
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

    /// Schedules the items that a stored state implies, after it has been read.
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
                self.schedule_delivery(self.clock.now(), &event);
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
