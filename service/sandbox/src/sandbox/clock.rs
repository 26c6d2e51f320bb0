//! The clock of a merchant: it runs with real time, or is stopped until a test advances it.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use payspec::Timestamp;

/// Microseconds since 1970.
pub(crate) type Micros = i64;

/// The latest time: the last second of the year 9999.
pub(crate) const LATEST: Micros = 253_402_300_799_000_000;

/// A clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    base: Micros,
    /// Since when it runs; `None` if it is stopped.
    since: Option<Instant>,
}

impl Clock {
    /// Returns a clock that shows real time.
    pub(crate) fn running() -> Self {
        Self {
            base: real(),
            since: Some(Instant::now()),
        }
    }

    /// Returns a clock that is stopped at a time.
    pub(crate) fn stopped(at: Micros) -> Self {
        Self {
            base: at,
            since: None,
        }
    }

    pub(crate) fn is_running(self) -> bool {
        self.since.is_some()
    }

    pub(crate) fn now(self) -> Micros {
        // In whole milliseconds, as payments show times.
        let elapsed = self
            .since
            .map_or(0, |since| micros(since.elapsed()) / 1000 * 1000);
        self.base.saturating_add(elapsed).min(LATEST)
    }

    /// Goes on from the time that it shows.
    pub(crate) fn start(&mut self) {
        *self = Self {
            base: self.now(),
            since: Some(Instant::now()),
        };
    }
}

/// Returns the time of the system, in whole milliseconds, as payments show it.
pub(crate) fn real() -> Micros {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    micros(since) / 1000 * 1000
}

pub(crate) fn micros(duration: Duration) -> Micros {
    i64::try_from(duration.as_micros()).unwrap_or(LATEST)
}

/// Returns the timestamp of a time.
pub(crate) fn timestamp(micros: Micros) -> Timestamp {
    let nanos = u32::try_from(micros.rem_euclid(1_000_000)).unwrap_or(0) * 1000;
    let timestamp = Timestamp::from_unix(micros.div_euclid(1_000_000), nanos);
    timestamp.unwrap_or_else(|_| Timestamp::from_unix(0, 0).expect("1970 is a timestamp"))
}

/// Returns the time as text, with milliseconds or more digits.
pub(crate) fn text(micros: Micros) -> String {
    if micros % 1000 == 0 {
        let mut out = Vec::new();
        timestamp(micros).write_millis(&mut out);
        return String::from_utf8(out).unwrap_or_default();
    }
    timestamp(micros).to_string()
}

/// Parses a time of 1970 or later.
pub(crate) fn parse(text: &str) -> Option<Micros> {
    let timestamp: Timestamp = text.parse().ok()?;
    let nanos = timestamp.nanos_since(&Timestamp::from_unix(0, 0).ok()?);
    i64::try_from(nanos / 1000)
        .ok()
        .filter(|micros| (0..=LATEST).contains(micros))
}

/// Returns the time as the system's, for signatures.
pub(crate) fn system(micros: Micros) -> SystemTime {
    UNIX_EPOCH + Duration::from_micros(u64::try_from(micros).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_back() {
        for (text, same) in [
            ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"),
            ("2026-01-01T00:00:01.500Z", "2026-01-01T00:00:01.500Z"),
            ("2026-01-01T03:00:00+03:00", "2026-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(super::text(parse(text).unwrap()), same);
        }
        for wrong in [
            "",
            "2026-01-01",
            "1969-12-31T23:59:59Z",
            "2026-13-01T00:00:00Z",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_stopped_clock_stands_still() {
        let mut clock = Clock::stopped(1_000);
        assert!(!clock.is_running());
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(clock.now(), 1_000);
        clock.start();
        std::thread::sleep(Duration::from_millis(2));
        assert!(clock.now() >= 3_000);
    }
}
