//! Stores how long each step took in the last run.

use crate::support::process::target;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Milliseconds by the name of the step.
#[derive(Default)]
pub(super) struct History(BTreeMap<String, u64>);

impl History {
    fn path() -> PathBuf {
        target().join("xtask/durations.json")
    }

    /// Returns the known durations; empty before the first run.
    pub(super) fn read() -> History {
        let text = fs_err::read_to_string(History::path()).ok();
        History(
            text.and_then(|text| serde_json::from_str(&text).ok())
                .unwrap_or_default(),
        )
    }

    pub(super) fn of(&self, name: &str) -> Option<Duration> {
        self.0
            .get(name)
            .map(|milliseconds| Duration::from_millis(*milliseconds))
    }

    /// Adds the durations of a run. If the folder is not writable, they are lost without an error.
    pub(super) fn record(times: &[(&str, Duration)]) {
        let mut history = History::read();
        for (name, time) in times {
            history.0.insert(
                (*name).to_owned(),
                u64::try_from(time.as_millis()).unwrap_or(u64::MAX),
            );
        }
        if let Ok(text) = serde_json::to_string_pretty(&history.0) {
            let _ = fs_err::write(History::path(), text);
        }
    }
}
