//! The settings that the rules of a request need, as plain data.

use crate::json::bit;
use crate::report::code::{Code, Severity};
use crate::util::memory::{Memory, Text};

/// Numbers from the policy, without pointers, so that a caller without the heap can pass them as bytes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
#[cfg_attr(feature = "fast", expect(unreachable_pub, reason = "public in the build for pages"))]
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
#[derive(Clone, Copy)]
#[cfg_attr(feature = "fast", expect(unreachable_pub, reason = "public in the build for pages"))]
pub struct PolicyView<'r, M> {
    /// Severities, required fields, and limits.
    pub settings: &'r RuleSettings,
    /// The accepted currencies, three bytes each, if not all are accepted.
    pub currencies: Option<Text<M>>,
    /// The accepted schemes, separated by a zero byte.
    pub schemes: Text<M>,
    /// The bounds of amounts: currency, smallest and largest amount, each followed by a zero byte. An open bound is empty.
    pub bounds: Text<M>,
}

impl<M: Memory> PolicyView<'_, M> {
    /// Returns whether a scheme is accepted, in any case.
    pub(crate) fn accepts_scheme(&self, scheme: Text<impl Memory>) -> bool {
        let mut schemes = self.schemes;
        while schemes.at < schemes.end {
            let end = schemes.at.wrapping_add(scheme.len());
            let is_whole = end == schemes.end || end < schemes.end && schemes.memory.byte(end) == 0;
            if is_whole && scheme.is_ignoring_case(schemes.part(schemes.at, end)) {
                return true;
            }
            _ = schemes.take();
        }
        false
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
