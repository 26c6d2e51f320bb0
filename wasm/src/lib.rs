//! The JavaScript API: an engine with its own memory for inputs and answers, and one export for each operation.
//!
//! JavaScript encodes a text directly into the engine's memory, and reads the answer from it. wasm-bindgen exports only
//! what returns an object. The JavaScript code is in `js/`.

#![no_std]

#[cfg(feature = "all")]
extern crate alloc;
#[cfg(any(feature = "all", not(target_family = "wasm")))]
extern crate std;

#[cfg(feature = "all")]
mod engine_handle;
#[cfg(feature = "all")]
mod operations;
#[cfg(not(feature = "all"))]
mod page;

/// The smallest allocator suffices: an engine keeps its few buffers between calls, and frees all other memory after a
/// call.
#[cfg(all(feature = "all", target_family = "wasm"))]
#[global_allocator]
// SAFETY: the module has one thread.
static ALLOCATOR: lol_alloc::AssumeSingleThreaded<lol_alloc::FreeListAllocator> =
    unsafe { lol_alloc::AssumeSingleThreaded::new(lol_alloc::FreeListAllocator::new()) };

/// Required in the module without wasm-bindgen, which does not link std.
#[cfg(all(target_family = "wasm", not(feature = "all")))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
