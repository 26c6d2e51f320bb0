//! The exports that go past wasm-bindgen: memory, policy, and one for each operation, named as in the core's table.

#[cfg(not(feature = "all"))]
use alloc::boxed::Box;
use payspec::json::place;

use crate::door::Door;

/// The door behind an address.
///
/// # Safety
/// `door` came from [`Door::address`], and JavaScript has not freed it since.
unsafe fn behind<'d>(door: *mut Door) -> &'d mut Door {
    // SAFETY: the caller vouches that it lives. There is one thread, and no export below calls into JavaScript, so no
    // other reference is in use. `Door::policy` does call into it, but only to make objects: that comes back to no export.
    unsafe { &mut *door }
}

/// A door with the default policy, for the module that wasm-bindgen makes no class of.
#[cfg(not(feature = "all"))]
#[unsafe(no_mangle)]
extern "C" fn payspec_new() -> *mut Door {
    Box::into_raw(Box::default())
}

/// Gives back what `payspec_new` made.
#[cfg(not(feature = "all"))]
#[unsafe(no_mangle)]
extern "C" fn payspec_free(door: *mut Door) {
    // SAFETY: `js/bare.js` passes what `payspec_new` gave it, once.
    drop(unsafe { Box::from_raw(door) });
}

/// Room for `bytes` bytes of inputs, and where it begins; 0 where memory has come to its end.
#[unsafe(no_mangle)]
extern "C" fn payspec_room(door: *mut Door, bytes: usize) -> *mut u8 {
    // SAFETY: `js/door.js` passes the address of a living door alone; all other exports below rest on the same.
    unsafe { behind(door) }.room(bytes).unwrap_or(core::ptr::null_mut())
}

/// How many bytes that room holds.
#[unsafe(no_mangle)]
extern "C" fn payspec_capacity(door: *mut Door) -> usize {
    // SAFETY: see `payspec_room`.
    unsafe { behind(door) }.capacity()
}

/// Where the answer of the last call begins.
#[unsafe(no_mangle)]
extern "C" fn payspec_answer(door: *mut Door) -> *const u8 {
    // SAFETY: see `payspec_room`.
    unsafe { behind(door) }.answer().as_ptr()
}

/// How long it is.
#[unsafe(no_mangle)]
extern "C" fn payspec_answer_len(door: *mut Door) -> usize {
    // SAFETY: see `payspec_room`.
    unsafe { behind(door) }.answer().len()
}

/// Whether a lone surrogate can have been in the text that became the `len` bytes of the input from `start`.
#[unsafe(no_mangle)]
extern "C" fn payspec_replaced(door: *mut Door, start: usize, len: usize) -> bool {
    // SAFETY: see `payspec_room`.
    unsafe { behind(door) }.replaced(start, len)
}

/// Sets the policy: `len` bytes of the input.
#[unsafe(no_mangle)]
extern "C" fn payspec_policy(door: *mut Door, len: usize) -> i32 {
    // SAFETY: see `payspec_room`.
    unsafe { behind(door) }.set_policy(len)
}

macro_rules! operations {
    ($($name:ident)*) => {
        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name(door: *mut Door, first: i32, second: i32, told: u32) -> i32 {
                const PLACE: usize = place(stringify!($name));
                // SAFETY: see `payspec_room`.
                unsafe { behind(door) }.call::<PLACE>(first, second, told)
            }
        )*
    };
}

operations! { validate_request card_info rules }

#[cfg(feature = "all")]
operations! {
    create_payment read_payment read_balance check_payment field_currencies convert advance_payment check_transition
    states check_idempotency fingerprint_request authorize upgrade_request upgrade_payment downgrade_payment redact
    decisions openapi
}
