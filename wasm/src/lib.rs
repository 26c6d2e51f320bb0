//! The JavaScript API: an engine with its own memory for inputs and answers, and one export for each operation.
//!
//! JavaScript encodes a text directly into the engine's memory, and reads the answer from it. The module imports nothing,
//! so that JavaScript can start it any number of times. The JavaScript code is in `js/`.

#![no_std]

extern crate alloc;
#[cfg(not(target_family = "wasm"))]
extern crate std;

mod engine_handle;
mod operations;

/// The smallest allocator suffices: an engine keeps its few buffers between calls, and frees all other memory after a
/// call.
#[cfg(target_family = "wasm")]
#[global_allocator]
// SAFETY: the module has one thread.
static ALLOCATOR: lol_alloc::AssumeSingleThreaded<lol_alloc::FreeListAllocator> =
    unsafe { lol_alloc::AssumeSingleThreaded::new(lol_alloc::FreeListAllocator::new()) };

/// Required without std.
#[cfg(target_family = "wasm")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
