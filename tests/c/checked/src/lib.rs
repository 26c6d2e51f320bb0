//! The unchanged core with an allocator that aborts the program if memory is freed that it did not
//! allocate, with another size, or twice. Its addresses differ from those of malloc, so that free()
//! detects them as well.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

pub use payspec::*;

/// The allocator.
struct Checked;

#[global_allocator]
static CHECKED: Checked = Checked;

/// The distance between the address from malloc and the returned address. The last word before the
/// latter is the mark.
const HEAD: usize = 64;
const MARK: usize = 0xA110_CA7E_D000_0001;
const WORD: usize = size_of::<usize>();

/// Returns the layout of the block that malloc allocates.
fn outer(layout: Layout) -> Option<Layout> {
    // Larger alignments would need a larger head, and the library does not use them.
    (layout.align() <= HEAD)
        .then(|| Layout::from_size_align(layout.size().checked_add(HEAD)?, HEAD).ok())?
}

fn fail(what: &str) -> ! {
    let _ = writeln!(std::io::stderr(), "payspec-checked: {what}");
    std::process::abort()
}

// SAFETY: blocks come from `System`, large enough for the head and as aligned as the head is long.
unsafe impl GlobalAlloc for Checked {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(outer) = outer(layout) else {
            return std::ptr::null_mut();
        };
        // SAFETY: `outer` is not empty.
        let block = unsafe { System.alloc(outer) };
        if block.is_null() {
            return block;
        }
        // SAFETY: the head is within the block, and its words are aligned.
        unsafe {
            let data = block.add(HEAD);
            data.sub(WORD).cast::<usize>().write(MARK);
            data.sub(2 * WORD).cast::<usize>().write(layout.size());
            data
        }
    }

    unsafe fn dealloc(&self, data: *mut u8, layout: Layout) {
        // SAFETY: before any block of a heap is its head, ours or malloc's. Freed blocks are kept,
        // so that their heads can be read when they are freed a second time.
        unsafe {
            match data.sub(WORD).cast::<usize>().read_unaligned() {
                MARK => {}
                0 => fail("memory freed twice"),
                _ => fail("foreign memory"),
            }
            if data.sub(2 * WORD).cast::<usize>().read() != layout.size() {
                fail("memory of another size");
            }
            data.sub(WORD).cast::<usize>().write(0);
            data.write_bytes(0xDD, layout.size());
        }
    }
}
