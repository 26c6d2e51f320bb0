//! What the library knows: cards, states, rules, decisions, the interface itself.

use std::ffi::c_char;

use payspec::operations::index_of;

use crate::buf::payspec_buf;
use crate::call::call;
use crate::engine::payspec_engine;
use crate::guard::guard;
use crate::input::Input;

/// Tells what the digits typed so far say of a card, for a form that helps while one types.
///
/// @param engine      from `payspec_engine_new`
/// @param digits      the digits as plain text
/// @param digits_len  its length in bytes
/// @param out         receives scheme, lengths, gaps, code and whether the number is possible or valid; NULL: the
///                    verdict alone
/// @return PAYSPEC_ACCEPTED: whatever the digits are;
///         PAYSPEC_ERROR_ARGUMENT: `engine` or `digits` is NULL;
///         PAYSPEC_ERROR_UTF8: `digits` is not UTF-8;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// The inputs are read during the call alone; what `out` holds stays until its next use. Threads: any number at once
/// on one engine, each with an `out` of its own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_card_info(
    engine: *const payspec_engine,
    digits: *const c_char,
    digits_len: usize,
    out: *mut payspec_buf,
) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("card_info") }, 1>(engine, [Input::new(digits, digits_len)], out) })
}

/// Gives the table of states (§3).
///
/// @param engine  from `payspec_engine_new`
/// @param out     receives the table; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED;
///         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// What `out` holds stays until its next use. Threads: any number at once on one engine, each with an `out` of its
/// own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_states(engine: *const payspec_engine, out: *mut payspec_buf) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("states") }, 0>(engine, [], out) })
}

/// Gives the catalogue of violation codes, with severity, source, summary and parameters.
///
/// @param engine  from `payspec_engine_new`
/// @param out     receives the catalogue; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED;
///         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// What `out` holds stays until its next use. Threads: any number at once on one engine, each with an `out` of its
/// own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_rules(engine: *const payspec_engine, out: *mut payspec_buf) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("rules") }, 0>(engine, [], out) })
}

/// Gives the register of what the specification leaves open, and what the library does there.
///
/// @param engine  from `payspec_engine_new`
/// @param out     receives the register; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED;
///         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// What `out` holds stays until its next use. Threads: any number at once on one engine, each with an `out` of its
/// own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_decisions(engine: *const payspec_engine, out: *mut payspec_buf) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("decisions") }, 0>(engine, [], out) })
}

/// Gives an OpenAPI 3.1 document of the interface, under the engine's policy.
///
/// @param engine  from `payspec_engine_new`
/// @param out     receives the document; NULL: the verdict alone
/// @return PAYSPEC_ACCEPTED;
///         PAYSPEC_ERROR_ARGUMENT: `engine` is NULL;
///         PAYSPEC_ERROR_PANIC: a bug of the library.
///
/// What `out` holds stays until its next use. Threads: any number at once on one engine, each with an `out` of its
/// own.
///
/// # Safety
/// What the head of this file asks of every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_openapi(engine: *const payspec_engine, out: *mut payspec_buf) -> i32 {
    // SAFETY: the caller keeps what the head of the header asks for.
    guard(|| unsafe { call::<{ index_of("openapi") }, 0>(engine, [], out) })
}
