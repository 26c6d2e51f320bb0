//! Reports as numbers. Both modules use this file, and `js/report.js` reads it.
//!
//! A report repeats the same few texts, so JavaScript keeps each violation that it has received,
//! and later reports contain only its number. A violation with a name of the client or a position
//! is not kept.

use alloc::vec::Vec;

use payspec::{Mode, Params, PaymentType, Report, Violation};

/// Is part of every summary. A smaller number is a verdict or an error.
const SUMMARY: u32 = 256;
const VALID: u32 = 1;
const HOST_TO_HOST: u32 = 2;
const TRUNCATED: u32 = 4;
const LISTED: u32 = 8;
/// The factors of the variant and of the mode, which are 0 if they are unknown.
const VARIANT: u32 = 16;
const MODE: u32 = 64;
// Each takes two bits.
const _: () = assert!(PaymentType::ALL.len() < 4 && Mode::ALL.len() < 4);

/// The number of a violation that is not kept.
const NOT_KEPT: u16 = u16::MAX;
/// The most violations that are kept. Their number is bounded by the table of rules, the fields,
/// and the policy.
const MOST: usize = 1024;
/// The capacity in bytes that is enough for most violations.
const USUAL: usize = 256;

/// Returns the parts of a report other than its violations, and whether there are any.
pub(crate) fn summary(report: &Report) -> u32 {
    let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
    SUMMARY
        | flag(report.is_valid(), VALID)
        | flag(report.host2host(), HOST_TO_HOST)
        | flag(report.is_truncated(), TRUNCATED)
        | flag(!report.violations().is_empty(), LISTED)
        | (VARIANT * one_based(PaymentType::ALL, report.variant()))
        | (MODE * one_based(Mode::ALL, report.mode()))
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

/// The violations that JavaScript has, as JSON without texts, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct KnownViolations(Vec<Vec<u8>>);

impl KnownViolations {
    /// Writes how many violations a report has, the number of each, and the JSON of those that
    /// JavaScript does not have. It has the first `known` ones.
    pub(crate) fn write(&mut self, report: &Report, known: usize, out: &mut Vec<u8>) {
        self.0.truncate(known);
        let violations = report.violations();
        let count = u32::try_from(violations.len()).unwrap_or(u32::MAX);
        out.extend_from_slice(&count.to_le_bytes());
        let mut json = Vec::with_capacity(USUAL);
        let mut others = Vec::new();
        for violation in violations {
            json.clear();
            violation.write_json_without_texts(&mut json);
            let number = self.find(&json).unwrap_or_else(|| {
                others.push(if others.is_empty() { b'[' } else { b',' });
                others.extend_from_slice(&json);
                self.add(violation, &json)
            });
            out.extend_from_slice(&number.to_le_bytes());
        }
        if !others.is_empty() {
            out.extend_from_slice(&others);
            out.push(b']');
        }
    }

    /// Returns the number of a violation that JavaScript has.
    fn find(&self, json: &[u8]) -> Option<u16> {
        let mut known = self.0.iter().zip(0..);
        known.find_map(|(known, number)| (known == json).then_some(number))
    }

    /// Returns the number of a violation from now on.
    fn add(&mut self, violation: &Violation, json: &[u8]) -> u16 {
        // Both have the same JSON, but another message.
        let has_position = matches!(
            violation.params(),
            Params::Position { .. } | Params::ByteOrderMark
        );
        if violation.member().is_none() || has_position || self.0.len() >= MOST {
            return NOT_KEPT;
        }
        let number = u16::try_from(self.0.len()).unwrap_or(NOT_KEPT);
        self.0.push(json.to_vec());
        number
    }
}
