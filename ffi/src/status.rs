//! The return codes. They are explicit, and a number is never reused with another meaning.

use payspec::operations::Verdict;
use payspec::{Error, ErrorKind};

/// Accepted: the body is valid, the status of the outcome is 2xx, or the verdict permits the
/// request. A transition is accepted unless it is `refused`.
pub const PAYSPEC_ACCEPTED: i32 = 0;

/// Rejected: `out` contains the report, problem, or verdict with the reason.
pub const PAYSPEC_REJECTED: i32 = 1;

/// Invalid argument. A required input is missing, a required pointer is NULL, a pointer is NULL and
/// its length is not 0, a length is over PTRDIFF_MAX, a pointer is not aligned, or a `payspec_buf`
/// was neither zeroed nor filled by the library.
pub const PAYSPEC_ERROR_ARGUMENT: i32 = -1;

/// Invalid UTF-8 in a context, a policy, or a plain text of the caller. (In a body it is a
/// violation, `json_syntax`.)
pub const PAYSPEC_ERROR_UTF8: i32 = -2;

/// The library panicked, which is a bug in it. The call had no effect, except that a batch keeps
/// its other answers; engine and buffer remain usable.
pub const PAYSPEC_ERROR_PANIC: i32 = -3;

/// Invalid context or plain text: the operation requires something else. The path in `out` names
/// the member.
pub const PAYSPEC_ERROR_CONTEXT: i32 = -4;

/// Invalid policy: it contains an invalid setting. The path in `error` names the member.
pub const PAYSPEC_ERROR_POLICY: i32 = -5;

/// Returns the return code of a verdict.
pub(crate) fn of_verdict(verdict: Verdict) -> i32 {
    match verdict {
        Verdict::Accepted => PAYSPEC_ACCEPTED,
        Verdict::Rejected => PAYSPEC_REJECTED,
    }
}

/// Returns the return code of an error.
pub(crate) fn of_error(error: &Error) -> i32 {
    match error.kind() {
        ErrorKind::Utf8 => PAYSPEC_ERROR_UTF8,
        ErrorKind::Context => PAYSPEC_ERROR_CONTEXT,
        ErrorKind::Policy => PAYSPEC_ERROR_POLICY,
        _ => PAYSPEC_ERROR_ARGUMENT,
    }
}
