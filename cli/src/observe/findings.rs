//! The findings of an observation: decisions with counts, and values that occur.

use std::collections::{BTreeMap, BTreeSet};

use payspec::{Code, Engine, Severity};
use serde_json::{Value, json};

use super::engine::ENGINE;
use super::evidence::Sample;
use super::exchange::Exchange;
use super::table::OBSERVABLE;

/// Samples of a decision in the report.
const SAMPLES: usize = 3;
/// Values of one kind in the report.
const VALUES: usize = 100;
/// The longest value, in characters.
const LONGEST_VALUE: usize = 64;

/// The result of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Confirmed,
    Contradicted,
    NotObserved,
    NotObservable,
}

impl Verdict {
    pub(super) fn name(self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Contradicted => "contradicted",
            Verdict::NotObserved => "not_observed",
            Verdict::NotObservable => "not_observable",
        }
    }
}

/// The observations of a decision.
#[derive(Clone, Debug, Default)]
pub(super) struct Observations {
    pub(super) confirmed: u64,
    pub(super) contradicted: u64,
    pub(super) samples: Vec<Sample>,
}

/// How often a rule was an error and how often it was not.
#[derive(Clone, Copy, Debug, Default)]
struct RuleCounts {
    enforced: u64,
    tolerated: u64,
}

/// A kind of values that the report lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    FailBy,
    FailCode,
    InfoKey,
    Transition,
    KeyHeader,
    LimitHeader,
    Status,
}

impl Kind {
    pub(super) const ALL: [Kind; 7] = [
        Kind::FailBy,
        Kind::FailCode,
        Kind::InfoKey,
        Kind::Transition,
        Kind::KeyHeader,
        Kind::LimitHeader,
        Kind::Status,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::FailBy => "fail_by",
            Kind::FailCode => "fail_code",
            Kind::InfoKey => "info_keys",
            Kind::Transition => "transitions",
            Kind::KeyHeader => "key_headers",
            Kind::LimitHeader => "limit_headers",
            Kind::Status => "statuses",
        }
    }
}

/// Everything that the traffic shows.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The exchanges of the interface, and all exchanges.
    pub(super) exchanges: u64,
    pub(super) all: u64,
    pub(super) requests: u64,
    pub(super) valid_requests: u64,
    pub(super) payments: u64,
    pub(super) valid_payments: u64,
    /// Bodies of the interface that are not JSON, or that could not be decoded.
    pub(super) unreadable: u64,
    /// Requests that were rejected without a reason that the library knows.
    pub(super) unexplained: u64,
    /// Exchanges whose answers were too large for the proxy to keep.
    pub(super) not_recorded: u64,
    /// Calls through the proxy without a complete answer of the service.
    pub(super) failed: u64,
    decisions: BTreeMap<&'static str, Observations>,
    values: BTreeMap<Kind, BTreeMap<String, u64>>,
    rules: BTreeMap<Code, RuleCounts>,
    required: BTreeSet<String>,
    /// The statuses of bodies that are JSON and not valid.
    invalid_statuses: BTreeMap<u16, u64>,
    scales: BTreeSet<u32>,
}

impl Findings {
    pub(super) fn confirm(&mut self, decision: &'static str) {
        self.decisions.entry(decision).or_default().confirmed += 1;
    }

    pub(super) fn contradict(
        &mut self,
        decision: &'static str,
        difference: &str,
        place: &str,
        exchange: &Exchange,
    ) {
        let observations = self.decisions.entry(decision).or_default();
        observations.contradicted += 1;
        if observations.samples.len() < SAMPLES {
            let sample = Sample::new(place, difference, exchange);
            observations.samples.push(sample);
        }
    }

    /// Counts a value. Values over the limit of the report are not kept.
    pub(super) fn value(&mut self, kind: Kind, value: &str) {
        // A card number at the end is not found once it is cut.
        let value = ENGINE.redact_text(value);
        let value: String = value.chars().take(LONGEST_VALUE).collect();
        let values = self.values.entry(kind).or_default();
        if values.len() < VALUES || values.contains_key(&value) {
            *values.entry(value).or_default() += 1;
        }
    }

    /// Counts a rule that a rejected request breaks, or that an accepted one breaks.
    pub(super) fn rule(&mut self, code: Code, is_enforced: bool) {
        let counts = self.rules.entry(code).or_default();
        match is_enforced {
            true => counts.enforced += 1,
            false => counts.tolerated += 1,
        }
    }

    pub(super) fn required(&mut self, pointer: &str) {
        // A policy names only members of the interface.
        if Engine::from_json(&json!({"required": [pointer]}).to_string()).is_ok() {
            self.required.insert(pointer.to_owned());
        }
    }

    pub(super) fn invalid_status(&mut self, status: u16) {
        *self.invalid_statuses.entry(status).or_default() += 1;
    }

    pub(super) fn scale(&mut self, digits: u32) {
        self.scales.insert(digits);
    }

    pub(super) fn observations(&self, decision: &str) -> Observations {
        self.decisions.get(decision).cloned().unwrap_or_default()
    }

    pub(super) fn verdict(&self, decision: &str) -> Verdict {
        let row = OBSERVABLE.iter().find(|row| row.decision == decision);
        if row.is_some_and(|row| row.reason().is_some()) {
            return Verdict::NotObservable;
        }
        match self.observations(decision) {
            Observations {
                contradicted: 1.., ..
            } => Verdict::Contradicted,
            Observations { confirmed: 1.., .. } => Verdict::Confirmed,
            _ => Verdict::NotObserved,
        }
    }

    pub(super) fn values(&self, kind: Kind) -> BTreeMap<String, u64> {
        self.values.get(&kind).cloned().unwrap_or_default()
    }

    /// Returns the policy that the traffic infers. It has only settings with one explanation:
    /// a longer text can be accepted because of another limit or of another severity, so none of
    /// both is inferred.
    pub(super) fn policy(&self) -> Value {
        let mut policy = serde_json::Map::new();
        let severities: serde_json::Map<_, _> = self.severities().collect();
        if !severities.is_empty() {
            policy.insert("severity".to_owned(), Value::Object(severities));
        }
        if !self.required.is_empty() {
            policy.insert("required".to_owned(), json!(self.required));
        }
        let mut scales = self.scales.iter();
        if let (Some(scale), None) = (scales.next(), scales.next())
            && *scale != ENGINE.policy().crypto.scale
        {
            policy.insert("crypto".to_owned(), json!({"scale": scale}));
        }
        if self.invalid_statuses.keys().eq(&[400]) {
            policy.insert("invalid_request_status".to_owned(), json!(400));
        }
        Value::Object(policy)
    }

    fn severities(&self) -> impl Iterator<Item = (String, Value)> {
        let severity = |(code, counts): (&Code, &RuleCounts)| {
            let other = match (code.default_severity(), counts) {
                _ if !code.is_adjustable() || has_other_settings(*code) => None,
                (
                    Severity::Warning,
                    RuleCounts {
                        enforced: 1..,
                        tolerated: 0,
                    },
                ) => Some("error"),
                (
                    Severity::Error,
                    RuleCounts {
                        enforced: 0,
                        tolerated: 1..,
                    },
                ) => Some("warning"),
                _ => None,
            };
            Some((code.name().to_owned(), Value::from(other?)))
        };
        self.rules.iter().filter_map(severity)
    }

    /// Returns the profile: the decisions that are confirmed, and the policy.
    pub(super) fn profile(&self) -> Value {
        let confirmed = OBSERVABLE
            .iter()
            .map(|row| row.decision)
            .filter(|decision| self.verdict(decision) == Verdict::Confirmed);
        json!({
            "name": "observed",
            "decisions": confirmed.collect::<Vec<_>>(),
            "policy": self.policy(),
        })
    }
}

/// Returns whether a limit or a list of the policy decides about the rule too.
fn has_other_settings(code: Code) -> bool {
    matches!(
        code,
        Code::TextTooLong
            | Code::IntegerRange
            | Code::UriScheme
            | Code::AmountOutOfBounds
            | Code::CurrencyNotAllowed
            | Code::CardExpired
            | Code::MerchantNotAllowed
    )
}
