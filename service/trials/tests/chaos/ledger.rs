//! The requests of clients and the answers to them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use crate::gateway::Answer;

/// The answers to one key.
#[derive(Debug, Default, Clone)]
pub(crate) struct Entry {
    /// The payment of the 201s.
    pub(crate) uid: Option<String>,
    /// The first 201, to the byte.
    pub(crate) body: Option<String>,
    /// Answered with the payment, or that the key is used: the payment is stored.
    pub(crate) is_settled: bool,
    /// An attempt got no answer, or one after which the payment may be stored or not.
    pub(crate) is_uncertain: bool,
}

#[derive(Debug, Default)]
struct Book {
    entries: BTreeMap<String, Entry>,
    answered: u64,
    /// When payments were answered.
    stored: Vec<Instant>,
    /// The uids of new payments in the order of their answers.
    latest: Vec<String>,
    errors: BTreeMap<String, u64>,
    /// Keys that were answered with a second payment.
    second_payments: usize,
    violations: Vec<String>,
}

/// The record of a load.
#[derive(Debug, Default)]
pub(crate) struct Ledger(Mutex<Book>);

impl Ledger {
    fn book(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap()
    }

    /// Notes what came of an attempt with a key. Returns true if the payment is stored.
    pub(crate) fn note(&self, key: &str, outcome: reqwest::Result<Answer>) -> bool {
        let mut book = self.book();
        let Book {
            entries,
            answered,
            stored,
            latest,
            errors,
            second_payments,
            violations,
        } = &mut *book;
        let entry = entries.entry(key.to_owned()).or_default();
        match outcome {
            Ok(answer) if answer.status == 201 => {
                *answered += 1;
                stored.push(Instant::now());
                let uid = answer.uid();
                if entry.uid.as_ref().is_some_and(|known| *known != uid) {
                    *second_payments += 1;
                    violations.push(format!("{key} has two payments"));
                }
                if entry.is_settled && !answer.replayed {
                    violations.push(format!("{key} is created again"));
                }
                if entry
                    .body
                    .as_ref()
                    .is_some_and(|first| *first != answer.text)
                {
                    violations.push(format!("{key} is answered differently: {}", answer.text));
                }
                if entry.uid.is_none() {
                    latest.push(uid.clone());
                }
                entry.uid = Some(uid);
                entry.body.get_or_insert(answer.text);
                entry.is_settled = true;
            }
            Ok(answer) if answer.status == 409 => {
                *answered += 1;
                if !entry.is_settled && !entry.is_uncertain {
                    violations.push(format!(
                        "{key} is used, but no request has used it: {}",
                        answer.text
                    ));
                }
                entry.is_settled = true;
            }
            Ok(answer) => {
                *answered += 1;
                *errors.entry(answer.status.to_string()).or_default() += 1;
                entry.is_uncertain = true;
                if answer.status != 503 || answer.pause.is_none() {
                    violations.push(format!(
                        "{key} is answered with {}: {}",
                        answer.status, answer.text
                    ));
                }
            }
            Err(error) => {
                let kind = if error.is_timeout() {
                    "no answer"
                } else {
                    "no connection"
                };
                *errors.entry(kind.to_owned()).or_default() += 1;
                entry.is_uncertain = true;
            }
        }
        entry.is_settled
    }

    pub(crate) fn entries(&self) -> BTreeMap<String, Entry> {
        self.book().entries.clone()
    }

    pub(crate) fn answered(&self) -> u64 {
        self.book().answered
    }

    /// Whether a payment was answered between two instants.
    pub(crate) fn has_stored(&self, from: Instant, to: Instant) -> bool {
        self.book()
            .stored
            .iter()
            .rev()
            .any(|at| (from..to).contains(at))
    }

    /// When payments were answered since an instant, in order.
    pub(crate) fn stored_since(&self, from: Instant) -> Vec<Instant> {
        let book = self.book();
        let first = book.stored.partition_point(|at| *at < from);
        book.stored[first..].to_vec()
    }

    /// The uids of the last payments that were answered.
    pub(crate) fn latest(&self, count: usize) -> Vec<String> {
        let book = self.book();
        book.latest.iter().rev().take(count).cloned().collect()
    }

    /// Returns the answers other than payments, and how often each occurred.
    pub(crate) fn errors(&self) -> BTreeMap<String, u64> {
        self.book().errors.clone()
    }

    pub(crate) fn second_payments(&self) -> usize {
        self.book().second_payments
    }

    pub(crate) fn violations(&self) -> Vec<String> {
        self.book().violations.clone()
    }
}
