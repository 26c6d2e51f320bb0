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
#[cfg(not(feature = "all"))]
mod reader;

/// The smallest allocator suffices: an engine keeps its few buffers between calls, and frees all other memory after a
/// call.
#[cfg(all(feature = "all", target_family = "wasm"))]
#[global_allocator]
// SAFETY: the module has one thread.
static ALLOCATOR: lol_alloc::AssumeSingleThreaded<lol_alloc::FreeListAllocator> =
    unsafe { lol_alloc::AssumeSingleThreaded::new(lol_alloc::FreeListAllocator::new()) };

/// The allocator of the module for pages, which allocates nothing: the compiler omits it. The rules need no memory, and the
/// rest of the library is not in the module.
#[cfg(all(not(feature = "all"), target_family = "wasm"))]
struct NoAllocator;

#[cfg(all(not(feature = "all"), target_family = "wasm"))]
// SAFETY: a null pointer means that there is no memory.
unsafe impl core::alloc::GlobalAlloc for NoAllocator {
    unsafe fn alloc(&self, _: core::alloc::Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: core::alloc::Layout) {}
}

#[cfg(all(not(feature = "all"), target_family = "wasm"))]
#[global_allocator]
static NO_ALLOCATOR: NoAllocator = NoAllocator;

/// Required in the module without wasm-bindgen, which does not link std.
#[cfg(all(target_family = "wasm", not(feature = "all")))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
