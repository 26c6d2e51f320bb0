//! The allocator of the module for pages, which allocates nothing: the compiler omits it. The rules
//! need no memory, and the rest of the library is not in the module.

use core::alloc::{GlobalAlloc, Layout};

struct NoAllocator;

// SAFETY: a null pointer means that there is no memory.
unsafe impl GlobalAlloc for NoAllocator {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static NO_ALLOCATOR: NoAllocator = NoAllocator;
