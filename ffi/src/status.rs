//! The numbers that every function returns. They are explicit, and none is ever used again for something else.

use payspec::ErrorCode;

/// The body is valid, the status 2xx, the transition possible: the answer says yes.
pub const PAYSPEC_ACCEPTED: i32 = 0;

/// The answer says no: the report, problem or verdict in `out` tells why.
pub const PAYSPEC_REJECTED: i32 = 1;

/// Misuse: an argument that cannot be. A pointer is NULL where something must be, a length stands beside a NULL
/// pointer or is over PTRDIFF_MAX, a pointer is not aligned, or a `payspec_buf` is neither zeroed nor the library's.
pub const PAYSPEC_ERROR_ARGUMENT: i32 = -1;

/// Misuse: a context, a policy or a plain text of the host is not UTF-8. (In a body that is a violation, `json_syntax`.)
pub const PAYSPEC_ERROR_UTF8: i32 = -2;

/// The library panicked, which is a bug of it. The call had no effect; the engine and the buffer are as good as before.
pub const PAYSPEC_ERROR_PANIC: i32 = -3;

/// Misuse: a context or a plain text does not hold what the operation needs. The path in `out` names the member.
pub const PAYSPEC_ERROR_CONTEXT: i32 = -4;

/// Misuse: a policy holds something that no policy can. The path in `error` names the member.
pub const PAYSPEC_ERROR_POLICY: i32 = -5;

// The core's numbers are the same ones.
const _: () = {
    assert!(PAYSPEC_ERROR_ARGUMENT == ErrorCode::Argument as i32);
    assert!(PAYSPEC_ERROR_UTF8 == ErrorCode::Utf8 as i32);
    assert!(PAYSPEC_ERROR_PANIC == ErrorCode::Panic as i32);
    assert!(PAYSPEC_ERROR_CONTEXT == ErrorCode::Context as i32);
    assert!(PAYSPEC_ERROR_POLICY == ErrorCode::Policy as i32);
};
