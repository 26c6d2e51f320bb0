//! `Timestamp`: an RFC 3339 date-time with nanoseconds.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use chrono::{DateTime, Datelike, TimeDelta, Timelike, Utc};

use super::month::Month;
use crate::util::bug::or_bug;

pub(crate) const NANOS_PER_SECOND: u32 = 1_000_000_000;
pub(crate) const NANOS_PER_MILLI: u32 = 1_000_000;

/// A timestamp in the years 0000 to 9999 of UTC, exact to the nanosecond, and never a leap second.
///
/// ```
/// # use payspec::Timestamp;
/// let at = "2026-01-02T06:04:05.678+03:00".parse::<Timestamp>().unwrap();
/// assert_eq!(at.to_string(), "2026-01-02T03:04:05.678Z");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(DateTime<Utc>);

/// The text is not an RFC 3339 timestamp that this library accepts. The error does not contain the
/// text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an RFC 3339 timestamp")]
pub struct TimestampError;

impl Timestamp {
    /// Parses like `from_str`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        // chrono also accepts a space or `t` before the time, `z`, and the minus sign U+2212.
        if !text.is_ascii() || text.as_bytes().get(10) != Some(&b'T') || text.ends_with('z') {
            return None;
        }
        Self::from_datetime(DateTime::parse_from_rfc3339(text).ok()?.to_utc())
    }

    /// Creates a timestamp from seconds and nanoseconds since 1970.
    ///
    /// # Errors
    /// Returns an error outside the years 0000 to 9999, or if `nanos` is not below 1,000,000,000.
    ///
    /// ```
    /// use payspec::Timestamp;
    /// use std::time::{SystemTime, UNIX_EPOCH};
    ///
    /// let since = SystemTime::now().duration_since(UNIX_EPOCH)?;
    /// let now = Timestamp::from_unix(i64::try_from(since.as_secs())?, since.subsec_nanos())?;
    /// assert!(now > "2026-01-01T00:00:00Z".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_unix(seconds: i64, nanos: u32) -> Result<Self, TimestampError> {
        DateTime::from_timestamp(seconds, nanos)
            .and_then(Self::from_datetime)
            .ok_or(TimestampError)
    }

    /// Converts from chrono. Returns `None` for a leap second or a year outside 0000 to 9999.
    pub(crate) fn from_datetime(time: DateTime<Utc>) -> Option<Self> {
        let has_four_digits = (0..=9999).contains(&time.year());
        let is_leap_second = time.nanosecond() >= NANOS_PER_SECOND;
        (has_four_digits && !is_leap_second).then_some(Self(time))
    }

    /// Converts to chrono.
    pub fn datetime(&self) -> DateTime<Utc> {
        self.0
    }

    /// Returns the exact number of nanoseconds since `earlier`, negative if `earlier` is later than
    /// `self`.
    ///
    /// ```
    /// # use payspec::Timestamp;
    /// let at = |text: &str| text.parse::<Timestamp>().unwrap();
    /// assert_eq!(at("2026-01-02T00:00:01Z").nanos_since(&at("2026-01-02T00:00:00.9+00:00")), 100_000_000);
    /// ```
    pub fn nanos_since(&self, earlier: &Self) -> i128 {
        self.nanos().saturating_sub(earlier.nanos())
    }

    /// Returns the seconds since 1970, rounded down.
    pub(crate) fn unix_seconds(&self) -> i64 {
        self.0.timestamp()
    }

    /// Returns the nanoseconds since 1970. Ten thousand years are far from the limits of an `i128`.
    pub(crate) fn nanos(&self) -> i128 {
        i128::from(self.0.timestamp())
            .saturating_mul(i128::from(NANOS_PER_SECOND))
            .saturating_add(i128::from(self.0.timestamp_subsec_nanos()))
    }

    /// Returns the month in the last time zone of Earth, UTC−12. Earlier months have ended
    /// everywhere.
    pub(crate) fn month_everywhere(&self) -> Month {
        let last = TimeDelta::try_hours(12)
            .and_then(|hours| self.0.checked_sub_signed(hours))
            .unwrap_or(self.0);
        // A timestamp has a year from 0 on. The hours before it count as the year 0, too.
        let year = u64::try_from(last.year()).unwrap_or(0);
        or_bug(Month::new(year, last.month().into()), Month::FIRST)
    }

    /// Appends `2026-01-02T03:04:05.678Z`: UTC, rounded down to the millisecond.
    pub fn write_millis(&self, out: &mut Vec<u8>) {
        let time = self.0.naive_utc();
        let year = u32::try_from(time.year()).unwrap_or(0);
        write_digits(out, year, [1000, 100, 10, 1]);
        for (separator, value) in [
            (b'-', time.month()),
            (b'-', time.day()),
            (b'T', time.hour()),
            (b':', time.minute()),
            (b':', time.second()),
        ] {
            out.push(separator);
            write_digits(out, value, [10, 1]);
        }
        out.push(b'.');
        write_digits(out, time.nanosecond() / NANOS_PER_MILLI, [100, 10, 1]);
        out.push(b'Z');
    }
}

/// Appends the decimal digits of a number at the given powers of ten.
fn write_digits<const N: usize>(out: &mut Vec<u8>, value: u32, powers: [u32; N]) {
    let digit = |power: u32| value.checked_div(power).map_or(0, |shifted| shifted % 10);
    out.extend_from_slice(&powers.map(|power| b'0' | u8::try_from(digit(power)).unwrap_or(0)));
}

impl fmt::Display for Timestamp {
    /// Writes UTC with milliseconds, and with digits down to the nanosecond if the timestamp has
    /// any.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        self.write_millis(&mut text);
        let nanos = self.0.nanosecond() % NANOS_PER_MILLI;
        if nanos != 0 {
            // The further digits replace the `Z`.
            text.pop();
            write_digits(&mut text, nanos, [100_000, 10_000, 1000, 100, 10, 1]);
            text.push(b'Z');
        }
        formatter.pad(&String::from_utf8_lossy(&text))
    }
}

impl TryFrom<DateTime<Utc>> for Timestamp {
    type Error = TimestampError;

    /// Converts from chrono.
    ///
    /// ```
    /// use payspec::{DateTime, Timestamp};
    ///
    /// let timestamp = Timestamp::try_from(DateTime::from_timestamp(1_795_169_730, 0).expect("in range"))?;
    /// assert_eq!(timestamp, "2026-11-20T10:15:30Z".parse()?);
    /// # Ok::<(), payspec::TimestampError>(())
    /// ```
    fn try_from(datetime: DateTime<Utc>) -> Result<Self, TimestampError> {
        Self::from_datetime(datetime).ok_or(TimestampError)
    }
}

#[cfg(feature = "std")]
impl TryFrom<std::time::SystemTime> for Timestamp {
    type Error = TimestampError;

    /// Converts from the time of the system's clock.
    ///
    /// ```
    /// use payspec::Timestamp;
    /// use std::time::{Duration, SystemTime};
    ///
    /// let time = SystemTime::UNIX_EPOCH + Duration::from_millis(1_795_169_730_250);
    /// assert_eq!(Timestamp::try_from(time)?, "2026-11-20T10:15:30.250Z".parse()?);
    ///
    /// let time = SystemTime::UNIX_EPOCH - Duration::from_nanos(1);
    /// assert_eq!(Timestamp::try_from(time)?, "1969-12-31T23:59:59.999999999Z".parse()?);
    /// # Ok::<(), payspec::TimestampError>(())
    /// ```
    fn try_from(time: std::time::SystemTime) -> Result<Self, TimestampError> {
        let epoch = DateTime::UNIX_EPOCH;
        let datetime = match time.duration_since(std::time::SystemTime::UNIX_EPOCH) {
            Ok(since) => TimeDelta::from_std(since)
                .ok()
                .and_then(|since| epoch.checked_add_signed(since)),
            Err(before) => TimeDelta::from_std(before.duration())
                .ok()
                .and_then(|before| epoch.checked_sub_signed(before)),
        };
        datetime.and_then(Self::from_datetime).ok_or(TimestampError)
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    /// Parses an RFC 3339 timestamp: a date, `T`, a time, optionally a fraction, and `Z` or ±HH:MM.
    /// `T` and `Z` must be upper-case.
    ///
    /// Digits of the fraction beyond the nanosecond are dropped.
    ///
    /// # Errors
    /// Returns an error for any other text, and for a timestamp outside the years 0000 to 9999 of
    /// UTC. The second 60 is an error as well, because the clock has no leap seconds.
    fn from_str(text: &str) -> Result<Self, TimestampError> {
        Self::parse(text).ok_or(TimestampError)
    }
}

#[cfg(feature = "serde")]
crate::util::serde_str::impl_serde_via_str! { Timestamp, "an RFC 3339 timestamp" }

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use chrono::NaiveDate;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn converts_timestamps_to_utc() {
        for (text, utc) in [
            ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"),
            ("2026-01-02T03:04:05.6+03:30", "2026-01-01T23:34:05.600Z"),
            (
                "2026-12-31T23:59:59.999999999-00:01",
                "2027-01-01T00:00:59.999999999Z",
            ),
            ("2024-02-29T00:00:00-00:00", "2024-02-29T00:00:00.000Z"),
            (
                "2000-02-29T00:00:00.1230000000000Z",
                "2000-02-29T00:00:00.123Z",
            ),
            (
                "2026-01-02T03:04:05.1234567899Z",
                "2026-01-02T03:04:05.123456789Z",
            ),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
            ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ] {
            assert_eq!(at(text).to_string(), utc);
            assert_eq!(at(utc), at(text));
        }
    }

    #[test]
    fn rejects_other_texts() {
        for text in [
            "",
            "2026-01-02",
            "2026-01-02T03:04:05",
            "2026-01-02t03:04:05Z",
            "2026-01-02T03:04:05z",
            "2026-01-02t03:04:05z",
            "2026-01-02 03:04:05Z",
            "2026-01-02T03:04Z",
            "2026-01-02T03:04:60Z",
            "2026-06-30T23:59:60Z",
            "2026-01-02T24:00:00Z",
            "2026-01-02T03:60:00Z",
            "2026-00-02T03:04:05Z",
            "2026-13-02T03:04:05Z",
            "2026-01-00T03:04:05Z",
            "2026-04-31T03:04:05Z",
            "2026-02-29T03:04:05Z",
            "1900-02-29T03:04:05Z",
            "2026-01-02T03:04:05.Z",
            "2026-01-02T03:04:05,6Z",
            "2026-01-02T03:04:05+24:00",
            "2026-01-02T03:04:05+00:60",
            "2026-01-02T03:04:05+0300",
            "2026-01-02T03:04:05+03",
            "2026-01-02T03:04:05ZZ",
            "2026-01-02T03:04:05Z ",
            " 2026-01-02T03:04:05Z",
            "+2026-01-02T03:04:05Z",
            "10000-01-02T03:04:05Z",
            "2026-1-02T03:04:05Z",
            "2026-01-02T03:04:05\u{2212}03:00",
            "2026-01-02T+3:04:05Z",
            "0000-01-01T00:00:00+00:01",
            "9999-12-31T23:59:59-00:01",
            "２026-01-02T03:04:05Z",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn returns_exact_differences() {
        let (start, end) = (
            at("0000-01-01T00:00:00Z"),
            at("9999-12-31T23:59:59.999999999Z"),
        );
        assert_eq!(end.nanos_since(&start), 315_569_519_999_999_999_999);
        assert_eq!(start.nanos_since(&end), -315_569_519_999_999_999_999);
        let before_1970 = at("1969-12-31T23:59:59.9999Z");
        assert_eq!(
            at("1970-01-01T00:00:00Z").nanos_since(&before_1970),
            100_000
        );
    }

    #[test]
    fn rounds_milliseconds_down() {
        for (text, millis) in [
            ("2026-01-02T03:04:05.678999999Z", "2026-01-02T03:04:05.678Z"),
            ("1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"),
        ] {
            let mut out = Vec::new();
            at(text).write_millis(&mut out);
            assert_eq!(out, millis.as_bytes());
        }
    }

    #[test]
    fn rejects_dates_outside_four_digit_years() {
        let leap = NaiveDate::from_ymd_opt(2016, 12, 31)
            .unwrap()
            .and_hms_nano_opt(23, 59, 59, 1_500_000_000)
            .unwrap();
        assert_eq!(Timestamp::from_datetime(leap.and_utc()), None);
        assert_eq!(Timestamp::from_datetime(DateTime::<Utc>::MAX_UTC), None);
        let now = at("2026-01-02T03:04:05Z");
        assert_eq!(Timestamp::from_datetime(now.datetime()), Some(now));
    }

    #[test]
    fn a_month_ends_in_the_last_time_zone() {
        for (time, month) in [
            ("2026-01-31T23:59:59.999-12:00", (2026, 1)),
            ("2026-02-01T00:00:00-12:00", (2026, 2)),
            ("2027-01-01T11:59:59Z", (2026, 12)),
            ("2027-01-01T12:00:00Z", (2027, 1)),
            ("0000-01-01T00:00:00Z", (0, 12)),
        ] {
            assert_eq!(
                Some(at(time).month_everywhere()),
                Month::new(month.0, month.1),
                "{time}"
            );
        }
    }
}
