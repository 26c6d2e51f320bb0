//! Months as numbers.

/// Returns the number of a month since the year 0, for months from 1 to 12. Later months have
/// greater numbers.
pub(crate) fn month_number(year: u64, month: u64) -> u64 {
    year.wrapping_mul(12).wrapping_add(month)
}
