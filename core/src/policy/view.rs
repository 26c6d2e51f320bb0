//! The settings that the rules of a request need, as plain data.

use crate::util::text::Text;

/// Numbers from the policy, without pointers, so that a caller without the heap can pass them as
/// bytes.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
#[cfg_attr(
    feature = "fast",
    expect(unreachable_pub, reason = "public in the build for pages")
)]
pub struct RuleSettings {
    /// The fields that the policy requires, one bit for each slot.
    pub required: u64,
    /// The largest body, in bytes.
    pub body_bytes: usize,
    /// The largest number of levels of objects and arrays.
    pub depth: usize,
    /// The longest free text.
    pub text_chars: usize,
    /// The longest description.
    pub description_chars: usize,
    /// The longest URI.
    pub uri_bytes: usize,
    /// The bounds of `time_to_complete_payment`.
    pub time_to_complete: [u64; 2],
}

/// Everything from the policy that the rules of a request need.
#[derive(Clone, Copy)]
#[cfg_attr(
    feature = "fast",
    expect(unreachable_pub, reason = "public in the build for pages")
)]
pub struct PolicyView<'r, T> {
    /// Required fields and limits.
    pub settings: &'r RuleSettings,
    /// The accepted currencies, three bytes each, if not all are accepted.
    pub currencies: Option<T>,
    /// The accepted schemes, each after a zero byte.
    pub schemes: T,
    /// The bounds of amounts: currency, smallest and largest amount, both followed by a zero byte.
    /// An open bound is empty.
    pub bounds: T,
}

impl<T: Text> PolicyView<'_, T> {
    /// Returns whether a scheme is accepted, in any case.
    #[cfg_attr(optimize_attribute, optimize(speed))]
    pub(crate) fn accepts_scheme(&self, scheme: impl Text) -> bool {
        let schemes = self.schemes;
        let is_at = |at: usize| {
            let end = at.wrapping_add(scheme.len());
            let is_whole = end == schemes.end() || end < schemes.end() && schemes.byte(end) == 0;
            is_whole && scheme.is_ignoring_case(schemes.part(at, end))
        };
        (schemes.start()..schemes.end())
            .any(|at| schemes.byte(at) == 0 && is_at(at.wrapping_add(1)))
    }
}
