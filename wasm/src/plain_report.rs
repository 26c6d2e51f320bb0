//! The numbers of reports without violations. Both modules use this file.

use payspec::{Mode, PaymentType, Report};

/// The number of the first one. Smaller numbers are verdicts and errors.
pub(crate) const PLAIN: u32 = 8;

/// Returns the number of a report without violations. Such reports have few texts, so JavaScript
/// keeps each of them, and the module writes it once: with 8 valid bodies, a call takes 27 % less
/// time (P7).
pub(crate) fn plain_number(report: &Report) -> Option<u32> {
    let is_plain = report.is_valid() && report.violations().is_empty() && !report.is_truncated();
    is_plain.then(|| {
        let variant = one_based(PaymentType::ALL, report.variant());
        let mode = one_based(Mode::ALL, report.mode());
        PLAIN + 8 * variant + 2 * mode + u32::from(report.host2host())
    })
}

/// Returns the place of a value in its list, counted from 1, and 0 without a value.
fn one_based<T: PartialEq>(all: &[T], value: Option<T>) -> u32 {
    value
        .and_then(|value| {
            all.iter()
                .zip(1..)
                .find_map(|(known, place)| (*known == value).then_some(place))
        })
        .unwrap_or(0)
}

/// The reports without violations that JavaScript has, a bit for each number, which is less than 32.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KnownReports(u32);

impl KnownReports {
    /// Adds a report, and returns whether JavaScript had it before.
    pub(crate) fn add(&mut self, number: u32) -> bool {
        let bit = 1_u32.checked_shl(number).unwrap_or(0);
        let is_known = self.0 & bit != 0;
        self.0 |= bit;
        is_known
    }
}
