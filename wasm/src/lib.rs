//! The JavaScript API: an engine with its own memory for inputs and answers, and one export for
//! each operation.
//!
//! JavaScript encodes a text directly into the engine's memory, and reads the answer from it.
//! wasm-bindgen exports only what returns a value of JavaScript. The JavaScript code is in `js/`.

#![no_std]
#![cfg_attr(optimize_attribute, feature(optimize_attribute))]

#[cfg(feature = "all")]
extern crate alloc;
#[cfg(any(feature = "all", not(target_family = "wasm")))]
extern crate std;

#[cfg(target_family = "wasm")]
mod allocator;
#[cfg(feature = "all")]
mod engine_handle;
#[cfg(feature = "all")]
mod operations;
#[cfg(not(feature = "all"))]
mod page;
#[cfg(not(feature = "all"))]
mod reader;

/// Required in the module without wasm-bindgen, which does not link std.
#[cfg(all(target_family = "wasm", not(feature = "all")))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
