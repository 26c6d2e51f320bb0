//! The allocator of the module for pages, which clears memory that is freed.

use core::alloc::{GlobalAlloc, Layout};

use lol_alloc::{AssumeSingleThreaded, FreeListAllocator};

/// A small allocator. JavaScript can read all memory, and bodies contain card numbers.
struct Clearing(AssumeSingleThreaded<FreeListAllocator>);

#[global_allocator]
static ALLOCATOR: Clearing = {
    // SAFETY: an instance of the module has one thread.
    let allocator = unsafe { AssumeSingleThreaded::new(FreeListAllocator::new()) };
    Clearing(allocator)
};

// SAFETY: each function calls the one of the inner allocator, under the same conditions.
unsafe impl GlobalAlloc for Clearing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { self.0.alloc(layout) }
    }

    // `realloc` is not overridden: by default, it calls this function with the previous memory.
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller passes memory of this layout, which is not used any more.
        unsafe {
            memory.write_bytes(0, layout.size());
            self.0.dealloc(memory, layout);
        }
    }
}
