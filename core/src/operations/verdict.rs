//! The verdict of an operation, and the types of its output and of its function.

use alloc::vec::Vec;

/// The verdict of an operation, which the C API returns as 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The body is valid, the status is 2xx, the transition is possible, …
    Accepted,
    /// The result is a report of an invalid body, a problem, or a negative verdict.
    Rejected,
}

impl Verdict {
    pub(super) fn new(accepted: bool) -> Self {
        if accepted {
            Verdict::Accepted
        } else {
            Verdict::Rejected
        }
    }
}

pub(super) type Out<'o> = Option<&'o mut Vec<u8>>;

/// Runs an operation with one body and writes the answer. The other input is parsed already, so
/// that no call can fail.
pub(super) trait BodyFn: Fn(&[u8], Out<'_>) -> Verdict + Send + Sync {}
impl<F: Fn(&[u8], Out<'_>) -> Verdict + Send + Sync> BodyFn for F {}
