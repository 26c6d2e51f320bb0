//! The JavaScript door: an engine with its own memory for inputs and answers, and one export for each operation.
//!
//! wasm-bindgen makes and frees engines. The calls go past it, by exports of our own: the text is encoded straight into
//! the engine's memory, and the answer is read where it was written. The JavaScript side is in `js/`.

#![no_std]

extern crate alloc;
#[cfg(any(feature = "all", not(target_family = "wasm")))]
extern crate std;

mod door;
mod operations;

/// An engine keeps its few buffers from call to call, and what else it allocates is gone with the call: the smallest
/// allocator serves it best.
#[cfg(target_family = "wasm")]
#[global_allocator]
// SAFETY: the module has one thread.
static ALLOCATOR: lol_alloc::AssumeSingleThreaded<lol_alloc::FreeListAllocator> =
    unsafe { lol_alloc::AssumeSingleThreaded::new(lol_alloc::FreeListAllocator::new()) };

/// The module without wasm-bindgen has no std, which would bring this.
#[cfg(all(target_family = "wasm", not(feature = "all")))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
