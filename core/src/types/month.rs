//! Months of a calendar.

/// A month of a year. Later months are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Month {
    year: u64,
    month: u64,
}

impl Month {
    /// The first month of the year 0.
    pub(crate) const FIRST: Month = Month { year: 0, month: 1 };

    /// Returns `None` unless `month` is 1 to 12.
    pub(crate) fn new(year: u64, month: u64) -> Option<Self> {
        (1..=12).contains(&month).then_some(Month { year, month })
    }
}
