//! The settings that the rules of a request need, as plain data.

use crate::json::bit;
use crate::report::code::{Code, Severity};

/// Numbers from the policy, without pointers, so that a caller without the heap can pass them as bytes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
#[cfg_attr(feature = "alloc", expect(unreachable_pub, reason = "public in the build without alloc"))]
pub struct RuleSettings {
    /// One bit for each rule that is disabled.
    pub off: u64,
    /// One bit for each rule of severity `error`.
    pub errors: u64,
    /// The fields that the policy requires, one bit for each slot.
    pub required: u64,
    /// The largest body, in bytes.
    pub body_bytes: u64,
    /// The largest number of levels of objects and arrays.
    pub depth: u64,
    /// The longest free text.
    pub text_chars: u64,
    /// The longest description.
    pub description_chars: u64,
    /// The longest URI.
    pub uri_bytes: u64,
    /// The bounds of `time_to_complete_payment`.
    pub time_to_complete: [u64; 2],
}

/// Everything from the policy that the rules of a request need.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "alloc", expect(unreachable_pub, reason = "public in the build without alloc"))]
pub struct PolicyView<'r> {
    /// Severities, required fields, and limits.
    pub settings: &'r RuleSettings,
    /// The accepted currencies, three bytes each, if not all are accepted.
    pub currencies: Option<&'r [u8]>,
    /// The accepted schemes, separated by a zero byte.
    pub schemes: &'r [u8],
    /// The bounds of amounts: currency, smallest and largest amount, each followed by a zero byte. An open bound is empty.
    pub bounds: &'r [u8],
}

impl PolicyView<'_> {
    /// Returns whether a scheme is accepted, in any case.
    pub(crate) fn accepts_scheme(&self, scheme: &[u8]) -> bool {
        let is_at = |at: usize| {
            let rest = self.schemes.get(at..).unwrap_or_default();
            let (accepted, after) = rest.split_at_checked(scheme.len()).unwrap_or_default();
            (accepted == scheme || accepted.eq_ignore_ascii_case(scheme)) && matches!(after, [] | [0, ..])
        };
        // Nearly every URI has the first scheme, in lower case.
        is_at(0) || self.schemes.iter().zip(1..).any(|(byte, next)| *byte == 0 && is_at(next))
    }
}

impl RuleSettings {
    /// Returns the severity of a rule.
    #[inline]
    pub(crate) fn severity(&self, code: Code) -> Severity {
        let rule = bit(code.index());
        if self.off & rule != 0 {
            Severity::Off
        } else if self.errors & rule != 0 {
            Severity::Error
        } else {
            Severity::Warning
        }
    }
}
