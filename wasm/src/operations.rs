//! The exports: engines, memory, policy, and one for each operation, named as in the core's table.

use alloc::boxed::Box;
use payspec::operations::index_of;

use wasm_bindgen::prelude::*;

use crate::engine_handle::EngineHandle;

/// Returns the engine at an address.
///
/// # Safety
/// `handle` came from `payspec_new`, and JavaScript has not freed it.
unsafe fn engine_at<'e>(handle: *mut EngineHandle) -> &'e mut EngineHandle {
    // SAFETY: the caller guarantees that it exists. There is one thread, and only `policy` calls
    // JavaScript, to create a string, which calls no export. So no other reference is in use.
    unsafe { &mut *handle }
}

/// Returns an engine with the default policy.
#[unsafe(no_mangle)]
#[cfg_attr(optimize_attribute, optimize(size))]
extern "C" fn payspec_new() -> *mut EngineHandle {
    Box::into_raw(Box::default())
}

/// Frees an engine of `payspec_new`.
#[unsafe(no_mangle)]
#[cfg_attr(optimize_attribute, optimize(size))]
extern "C" fn payspec_free(handle: *mut EngineHandle) {
    // SAFETY: `js/wasm_engine.js` passes each result of `payspec_new` once.
    drop(unsafe { Box::from_raw(handle) });
}

/// Reserves `bytes` bytes for the inputs, and returns their address; 0 if memory is exhausted.
#[unsafe(no_mangle)]
#[cfg_attr(optimize_attribute, optimize(size))]
extern "C" fn payspec_reserve_input(handle: *mut EngineHandle, bytes: usize) -> *mut u8 {
    // SAFETY: `js/wasm_engine.js` passes only addresses of engines that are not freed. The same
    // holds for all exports below.
    unsafe { engine_at(handle) }
        .reserve_input(bytes)
        .unwrap_or(core::ptr::null_mut())
}

/// Returns the number of bytes that are reserved for the inputs.
#[unsafe(no_mangle)]
#[cfg_attr(optimize_attribute, optimize(size))]
extern "C" fn payspec_capacity(handle: *mut EngineHandle) -> usize {
    // SAFETY: see `payspec_reserve_input`.
    unsafe { engine_at(handle) }.capacity()
}

/// Returns the address of the answer of the last call.
#[unsafe(no_mangle)]
#[cfg_attr(optimize_attribute, optimize(size))]
extern "C" fn payspec_answer(handle: *mut EngineHandle) -> *const u8 {
    // SAFETY: see `payspec_reserve_input`.
    unsafe { engine_at(handle) }.answer().as_ptr()
}

/// Returns the length of the answer of the last call.
#[unsafe(no_mangle)]
#[cfg_attr(optimize_attribute, optimize(size))]
extern "C" fn payspec_answer_len(handle: *mut EngineHandle) -> usize {
    // SAFETY: see `payspec_reserve_input`.
    unsafe { engine_at(handle) }.answer().len()
}

/// Returns true if the text that was encoded to `len` bytes of the input from `start` may contain a
/// lone surrogate.
#[unsafe(no_mangle)]
#[cfg_attr(optimize_attribute, optimize(size))]
extern "C" fn payspec_may_contain_replacement(
    handle: *mut EngineHandle,
    start: usize,
    len: usize,
) -> bool {
    // SAFETY: see `payspec_reserve_input`.
    unsafe { engine_at(handle) }.may_contain_replacement(start, len)
}

/// Sets the policy: `len` bytes of the input.
#[unsafe(no_mangle)]
#[cfg_attr(optimize_attribute, optimize(size))]
extern "C" fn payspec_policy(handle: *mut EngineHandle, len: usize) -> i32 {
    // SAFETY: see `payspec_reserve_input`.
    unsafe { engine_at(handle) }.set_policy(len)
}

/// Returns the policy as JSON text.
#[wasm_bindgen]
#[expect(unreachable_pub, reason = "wasm-bindgen requires pub")]
pub fn policy(handle: *mut EngineHandle) -> JsValue {
    // SAFETY: see `payspec_reserve_input`.
    unsafe { engine_at(handle) }.policy()
}

/// Calls an operation with many bodies: see [`EngineHandle::batch`].
#[unsafe(no_mangle)]
#[cfg_attr(optimize_attribute, optimize(size))]
extern "C" fn payspec_batch(
    handle: *mut EngineHandle,
    name: usize,
    shared: i32,
    bodies: usize,
    count: usize,
) -> i32 {
    // SAFETY: see `payspec_reserve_input`.
    unsafe { engine_at(handle) }.batch(name, shared, bodies, count)
}

macro_rules! operations {
    ($($name:ident)*) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name(handle: *mut EngineHandle, first: i32, second: i32, with_answer: bool) -> i32 {
                const INDEX: usize = index_of(stringify!($name));
                // SAFETY: see `payspec_reserve_input`.
                unsafe { engine_at(handle) }.call::<INDEX>(first, second, with_answer)
            }
        )*
    };
}

operations! { validate_request card_info rules }

operations! {
    create_payment read_payment read_balance check_payment field_currencies convert advance_payment check_transition
    states check_idempotency idempotency_key fingerprint_request authorize upgrade_request
    downgrade_request upgrade_balance downgrade_balance upgrade_payment downgrade_payment redact redact_text sign_webhook verify_webhook locate decisions openapi
}
