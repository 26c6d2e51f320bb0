//! Card schemes, policies, and tables: states, rules, decisions, the OpenAPI document.

use std::ffi::c_char;

use payspec::operations::index_of;

use crate::buf::payspec_buf;
use crate::call::call;
use crate::engine::payspec_engine;
use crate::guard::guard;
use crate::input::Input;

/// Returns the scheme and the format of a card from the digits typed so far, for use in forms.
///
/// @param engine      from `payspec_engine_new`
/// @param digits      the digits, as plain text
/// @param digits_len  its length in bytes
/// @param out         receives scheme, lengths, gaps, code, possible, valid, and masked; pass NULL to compute only the
///                    verdict
/// @return PAYSPEC_ACCEPTED: for any digits;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `digits` is NULL;
///         PAYSPEC_ERROR_UTF8: `digits` is not UTF-8;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_card_info(
    engine: *const payspec_engine,
    digits: *const c_char,
    digits_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("card_info") }, 1>(engine, [Input::new(digits, digits_len)], out)
    })
}

/// Compares the requests that two policies accept. The policy of the engine does not matter.
///
/// @param engine       from `payspec_engine_new`
/// @param context      as JSON: before and after, two policies; a policy that is missing is the default one
/// @param context_len  its length in bytes
/// @param out          receives the relation and the differences, with a request for each that exactly one of the two
///                     policies accepts; pass NULL to only check the context
/// @return PAYSPEC_ACCEPTED: for any two policies;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `context` is NULL;
///         PAYSPEC_ERROR_UTF8: `context` is not UTF-8;
///         PAYSPEC_ERROR_CONTEXT: a member of `context` is unknown or not a valid policy; the path names it;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_compare_policies(
    engine: *const payspec_engine,
    context: *const c_char,
    context_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe {
        call::<{ index_of("compare_policies") }, 1>(engine, [Input::new(context, context_len)], out)
    })
}

/// Returns the table of states (§3).
///
/// @param engine  from `payspec_engine_new`
/// @param out     receives the table; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: always, if the arguments are valid;
///         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// The text in `out` is valid until its next use. Threads: any number at the same time with one engine, each with its
/// own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_states(
    engine: *const payspec_engine,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe { call::<{ index_of("states") }, 0>(engine, [], out) })
}

/// Returns the catalog of violation codes, with severity, source, summary, and parameters.
///
/// @param engine  from `payspec_engine_new`
/// @param out     receives the catalog; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: always, if the arguments are valid;
///         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// The text in `out` is valid until its next use. Threads: any number at the same time with one engine, each with its
/// own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_rules(
    engine: *const payspec_engine,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe { call::<{ index_of("rules") }, 0>(engine, [], out) })
}

/// Returns the decision register: the questions that the specification leaves open, and the behavior of the library.
///
/// @param engine  from `payspec_engine_new`
/// @param out     receives the register; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: always, if the arguments are valid;
///         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// The text in `out` is valid until its next use. Threads: any number at the same time with one engine, each with its
/// own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_decisions(
    engine: *const payspec_engine,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe { call::<{ index_of("decisions") }, 0>(engine, [], out) })
}

/// Returns an OpenAPI 3.1 document of the interface under the policy of the engine.
///
/// @param engine  from `payspec_engine_new`
/// @param out     receives the document; pass NULL to compute only the verdict
/// @return PAYSPEC_ACCEPTED: always, if the arguments are valid;
///         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// The text in `out` is valid until its next use. Threads: any number at the same time with one engine, each with its
/// own `out`.
///
/// # Safety
/// The requirements at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_openapi(
    engine: *const payspec_engine,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller meets the requirements at the top of the header.
    guard(|| unsafe { call::<{ index_of("openapi") }, 0>(engine, [], out) })
}
