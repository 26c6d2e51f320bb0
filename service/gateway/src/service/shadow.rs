//! A second policy beside the one in use: the requests that only one of them accepts.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use payspec::{Code, Engine, PolicyChange, Shadow, Timestamp};

/// A policy that decides nothing, and is only compared with the one in use.
///
/// Differences are counted by merchant, rule, and direction. The log contains the first one of a day,
/// and then each whose number is twice as large, so that a client with many requests does not fill it.
pub struct ShadowPolicy {
    shadow: Shadow,
    day: Mutex<Day>,
}

/// The differences of one merchant by one rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    merchant: String,
    change: PolicyChange,
    rule: Code,
}

/// The counts of a day in UTC.
#[derive(Debug, Default)]
struct Day {
    /// As in RFC 3339.
    date: String,
    counts: HashMap<Key, u64>,
}

impl Day {
    /// Counts a difference, and returns its number on this day.
    fn count(&mut self, date: &str, key: Key) -> u64 {
        if self.date != date {
            *self = Day {
                date: date.to_owned(),
                counts: HashMap::new(),
            };
        }
        let count = self.counts.entry(key).or_default();
        *count += 1;
        *count
    }
}

impl ShadowPolicy {
    /// Prepares the comparison of the policy in use with another one.
    pub fn new(current: &Engine, shadow: &Engine) -> Self {
        Self {
            shadow: current.shadow(shadow),
            day: Mutex::default(),
        }
    }

    /// Compares the policies for a request, and reports a difference without a value of it.
    pub(super) fn observe(&self, merchant: &str, body: &[u8], now: Timestamp) {
        let Some(difference) = self.shadow.compare(body, Some(now)) else {
            return;
        };
        let date = date(now);
        for rule in difference.rules {
            let (change, name) = (difference.change.name(), rule.name());
            let merchant_label = merchant.to_owned();
            metrics::counter!(
                "gateway_shadow_differences_total",
                "change" => change, "rule" => name, "merchant" => merchant_label
            )
            .increment(1);
            let key = Key {
                merchant: merchant.to_owned(),
                change: difference.change,
                rule,
            };
            let mut day = self.day.lock().unwrap_or_else(PoisonError::into_inner);
            let count = day.count(&date, key);
            drop(day);
            if count.is_power_of_two() {
                tracing::info!(
                    change,
                    code = name,
                    count,
                    day = date,
                    merchant,
                    "the shadow policy decides in another way"
                );
            }
        }
    }
}

/// Returns the date in UTC.
fn date(time: Timestamp) -> String {
    let mut text = Vec::new();
    time.write_millis(&mut text);
    let date = text.split(|byte| *byte == b'T').next().unwrap_or_default();
    String::from_utf8_lossy(date).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_utc() {
        assert_eq!(
            date("2026-11-21T01:30:00+02:00".parse().unwrap()),
            "2026-11-20"
        );
    }

    #[test]
    fn counts_begin_again_each_day() {
        let key = || Key {
            merchant: "shop".to_owned(),
            change: PolicyChange::Narrower,
            rule: Code::Missing,
        };
        let mut day = Day::default();
        let count = |day: &mut Day, date| day.count(date, key());
        assert_eq!(count(&mut day, "2026-11-20"), 1);
        assert_eq!(count(&mut day, "2026-11-20"), 2);
        assert_eq!(count(&mut day, "2026-11-21"), 1);
        assert_eq!(day.counts.len(), 1);
    }
}
