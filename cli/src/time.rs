//! The current time: given on the command line, or read from the clock.

use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use payspec::Timestamp;

/// A time on the command line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now(pub(crate) Timestamp);

impl FromStr for Now {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "now" => Now::of_clock(),
            text => text.parse().map(Now).map_err(
                |_| "expected `now`, or an RFC 3339 timestamp such as 2026-11-20T10:15:30Z",
            ),
        }
    }
}

impl Now {
    /// Reads the clock of the machine.
    pub(crate) fn of_clock() -> Result<Self, &'static str> {
        Now::of_time(SystemTime::now())
    }

    /// Returns a time of the machine's clock.
    pub(crate) fn of_time(time: SystemTime) -> Result<Self, &'static str> {
        let since = time
            .duration_since(UNIX_EPOCH)
            .map_err(|_| "the clock is before 1970")?;
        let seconds =
            i64::try_from(since.as_secs()).map_err(|_| "the clock is after the year 9999")?;
        Timestamp::from_unix(seconds, since.subsec_nanos())
            .map(Now)
            .map_err(|_| "the clock is after the year 9999")
    }

    /// Returns the time as text, in UTC with milliseconds.
    pub(crate) fn text(self) -> String {
        let mut out = Vec::new();
        self.0.write_millis(&mut out);
        String::from_utf8_lossy(&out).into_owned()
    }
}
