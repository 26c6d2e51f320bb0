//! Compares what clients were answered and what receivers were sent with the rows of the database.

use std::collections::{BTreeMap, BTreeSet};

use crate::database::Database;
use crate::ledger::Entry;
use crate::receiver::Received;

/// The rows of a merchant.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// The uid of each payment.
    pub(crate) payments: Vec<String>,
    /// The key, the uid and the first answer of each record.
    pub(crate) records: Vec<[String; 3]>,
}

impl Rows {
    pub(crate) async fn read(database: &Database, merchant: &str) -> Self {
        let payments = database
            .texts(&format!(
                "SELECT uid FROM payments WHERE merchant = '{merchant}'"
            ))
            .await;
        // Neither keys nor uids contain a space.
        let records = format!(
            "SELECT key || ' ' || uid || ' ' || first_body FROM idempotency WHERE merchant = '{merchant}'"
        );
        let records = database.texts(&records).await;
        let parts = |row: &String| {
            let mut parts = row.splitn(3, ' ').map(ToOwned::to_owned);
            std::array::from_fn(|_| parts.next().unwrap())
        };
        Self {
            payments,
            records: records.iter().map(parts).collect(),
        }
    }
}

/// Returns how many payments of a merchant are not completed, and how many of its events are not
/// delivered.
pub(crate) async fn unsettled(database: &Database, merchant: &str) -> (i64, i64) {
    let count = |table: &str, end: &str| {
        format!("SELECT count(*) FROM {table} WHERE merchant = '{merchant}' AND state <> '{end}'")
    };
    let payments = database.count(&count("payments", "completed")).await;
    (
        payments,
        database.count(&count("outbox", "delivered")).await,
    )
}

/// What must not be. All lists are empty if everything is right.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Findings {
    /// Keys that were answered with 201 or as used, but whose payment is not stored, and keys that
    /// are stored without it.
    pub(crate) lost: Vec<String>,
    /// Keys with two payments, and payments that are stored twice or without a key.
    pub(crate) duplicated: Vec<String>,
    /// Keys whose stored first answer differs from the one that the client received.
    pub(crate) different: Vec<String>,
    /// Payments whose events are missing or not in order, and events of payments that are not
    /// stored.
    pub(crate) events: Vec<String>,
}

impl Findings {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Compares the three logs. Each payment is completed, and its events are delivered.
pub(crate) fn findings(
    entries: &BTreeMap<String, Entry>,
    rows: &Rows,
    received: &[Received],
) -> Findings {
    let mut found = Findings::default();
    let stored: BTreeSet<&str> = rows.payments.iter().map(String::as_str).collect();
    if stored.len() < rows.payments.len() {
        found.duplicated.push("a uid is stored twice".to_owned());
    }
    let mut records: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    for [key, uid, first] in &rows.records {
        if records.insert(key, (uid, first)).is_some() {
            found.duplicated.push(format!("{key} is stored twice"));
        }
        if !stored.contains(uid.as_str()) {
            found.lost.push(format!("{key}: {uid} is not stored"));
        }
    }
    let with_key: BTreeSet<&str> = records.values().map(|(uid, _)| *uid).collect();
    found.duplicated.extend(
        stored
            .difference(&with_key)
            .map(|uid| format!("{uid} has no key")),
    );
    for (key, entry) in entries {
        match (
            records.get(key.as_str()),
            entry.uid.as_ref().zip(entry.body.as_ref()),
        ) {
            (None, _) if entry.is_settled => found.lost.push(key.clone()),
            (Some((stored, _)), Some((uid, _))) if stored != uid => {
                found
                    .duplicated
                    .push(format!("{key} has {uid} and {stored}"));
            }
            (Some((_, first)), Some((_, body))) if first != body => {
                found.different.push(key.clone())
            }
            _ => {}
        }
    }
    found.events = events(&stored, received);
    found
}

/// Each payment has the events routed and completed, once or more, but never the first after the
/// second.
fn events(stored: &BTreeSet<&str>, received: &[Received]) -> Vec<String> {
    let mut of_payment: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for one in received {
        let text = |name: &str| one.body[name].as_str().unwrap();
        of_payment
            .entry(text("uid"))
            .or_default()
            .push(text("state"));
    }
    let mut found = Vec::new();
    for uid in stored {
        let mut states = of_payment.remove(uid).unwrap_or_default();
        // A repetition of the one before.
        states.dedup();
        if states != ["routed", "completed"] {
            found.push(format!("{uid} has the events {states:?}"));
        }
    }
    found.extend(
        of_payment
            .keys()
            .map(|uid| format!("{uid} has events and is not stored")),
    );
    found
}

mod tests {
    use std::time::Instant;

    use axum::http::HeaderMap;

    use super::*;

    type Entries = BTreeMap<String, Entry>;

    fn right() -> (Entries, Rows, Vec<Received>) {
        let (uid, body) = (Some("u1".to_owned()), Some("{1}".to_owned()));
        let entry = Entry {
            uid,
            body,
            is_settled: true,
            is_uncertain: false,
        };
        let record = ["order-1", "u1", "{1}"].map(ToOwned::to_owned);
        let rows = Rows {
            payments: vec!["u1".to_owned()],
            records: vec![record],
        };
        (
            BTreeMap::from([("order-1".to_owned(), entry)]),
            rows,
            vec![event("routed"), event("completed")],
        )
    }

    fn event(state: &str) -> Received {
        let body = serde_json::json!({"uid": "u1", "state": state});
        let (id, text, headers) = (String::new(), String::new(), HeaderMap::new());
        Received {
            id,
            text,
            body,
            headers,
            at: Instant::now(),
        }
    }

    fn after(change: impl FnOnce(&mut Entries, &mut Rows, &mut Vec<Received>)) -> Findings {
        let (mut entries, mut rows, mut received) = right();
        change(&mut entries, &mut rows, &mut received);
        findings(&entries, &rows, &received)
    }

    #[test]
    fn the_checker_accepts_what_is_right() {
        assert_eq!(after(|_, _, _| {}), Findings::default());
        let repeated = after(|_, _, received| {
            *received = ["routed", "routed", "completed", "completed"]
                .map(event)
                .into()
        });
        assert!(repeated.is_empty(), "{repeated:?}");
    }

    #[test]
    fn the_checker_finds_lost_payments() {
        assert_eq!(
            after(|_, rows, received| (*rows, *received) = Default::default())
                .lost
                .len(),
            1
        );
        assert_eq!(
            after(|_, rows, _| rows.payments.clear()).lost,
            ["order-1: u1 is not stored"]
        );
        // Another request with the key was answered with 409, so its payment must be stored.
        let used = Entry {
            is_settled: true,
            ..Entry::default()
        };
        assert_eq!(
            after(|entries, _, _| drop(entries.insert("order-2".to_owned(), used))).lost,
            ["order-2"]
        );
        // A key without an answer may be stored or not.
        assert!(
            after(|entries, _, _| drop(entries.insert("order-3".to_owned(), Entry::default())))
                .is_empty()
        );
    }

    #[test]
    fn the_checker_finds_second_payments() {
        assert_eq!(
            after(|_, rows, _| rows.payments.push("u2".to_owned())).duplicated,
            ["u2 has no key"]
        );
        assert_eq!(
            after(|_, rows, _| rows.payments.push("u1".to_owned())).duplicated,
            ["a uid is stored twice"]
        );
        let other =
            after(|entries, _, _| entries.get_mut("order-1").unwrap().uid = Some("u0".to_owned()));
        assert_eq!(other.duplicated, ["order-1 has u0 and u1"]);
        let twice = after(|_, rows, _| rows.records.push(rows.records[0].clone()));
        assert_eq!(twice.duplicated, ["order-1 is stored twice"]);
    }

    #[test]
    fn the_checker_finds_different_answers() {
        let found = after(|entries, _, _| {
            entries.get_mut("order-1").unwrap().body = Some("{2}".to_owned())
        });
        assert_eq!(found.different, ["order-1"]);
    }

    #[test]
    fn the_checker_finds_missing_events_and_wrong_orders() {
        assert_eq!(after(|_, _, received| received.truncate(1)).events.len(), 1);
        assert_eq!(after(|_, _, received| received.reverse()).events.len(), 1);
        assert_eq!(
            after(|_, _, received| received.push(event("routed")))
                .events
                .len(),
            1
        );
    }
}
