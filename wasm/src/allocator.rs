//! The allocator, which clears memory that is freed.

use std::alloc::{GlobalAlloc, Layout, System};

/// The allocator of std. JavaScript can read all memory, and bodies and answers of legacy
/// migrations contain card numbers.
struct Clearing;

#[global_allocator]
static ALLOCATOR: Clearing = Clearing;

// SAFETY: each function calls the one of the allocator of std, under the same conditions.
unsafe impl GlobalAlloc for Clearing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    // `realloc` is not overridden: by default, it calls this function with the previous memory.
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller passes memory of this layout, which is not used any more.
        unsafe {
            memory.write_bytes(0, layout.size());
            System.dealloc(memory, layout);
        }
    }
}
