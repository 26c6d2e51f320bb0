//! The allocators of the two modules.

use core::alloc::{GlobalAlloc, Layout};

/// The allocator of the full module. The smallest one suffices: an engine keeps its few buffers
/// between calls, and frees all other memory after a call.
#[cfg(feature = "all")]
struct SmallAllocator(lol_alloc::AssumeSingleThreaded<lol_alloc::FreeListAllocator>);

#[cfg(feature = "all")]
#[global_allocator]
// SAFETY: the module has one thread.
static ALLOCATOR: SmallAllocator = SmallAllocator(unsafe {
    lol_alloc::AssumeSingleThreaded::new(lol_alloc::FreeListAllocator::new())
});

// Not inlined: the code that frees memory would be copied to each of its callers, 6 KB in total.
#[cfg(feature = "all")]
// SAFETY: each function calls the one of the allocator inside, under the same conditions.
unsafe impl GlobalAlloc for SmallAllocator {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { self.0.alloc(layout) }
    }

    #[inline(never)]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // JavaScript can read all memory, and answers of legacy migrations contain card numbers. A
        // buffer that grows is freed too, since `realloc` is not overridden. SAFETY: the caller
        // passes memory of this layout, which is not used any more. The rest as above.
        unsafe {
            memory.write_bytes(0, layout.size());
            self.0.dealloc(memory, layout);
        }
    }
}

/// The allocator of the module for pages, which allocates nothing: the compiler omits it. The rules
/// need no memory, and the rest of the library is not in the module.
#[cfg(not(feature = "all"))]
struct NoAllocator;

#[cfg(not(feature = "all"))]
// SAFETY: a null pointer means that there is no memory.
unsafe impl GlobalAlloc for NoAllocator {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[cfg(not(feature = "all"))]
#[global_allocator]
static NO_ALLOCATOR: NoAllocator = NoAllocator;
