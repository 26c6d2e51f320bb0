//! The core as it is, and beside it an allocator that aborts the program where memory comes back that it did not hand
//! out, in another size, or twice. What it hands out lies apart from where malloc put it, so that free() notices too.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

pub use payspec::*;

/// The allocator.
struct Checked;

#[global_allocator]
static CHECKED: Checked = Checked;

/// Between what malloc returns and what is handed out. The last word before the latter is the mark.
const HEAD: usize = 64;
const MARK: usize = 0xA110_CA7E_D000_0001;
const WORD: usize = size_of::<usize>();

/// The block as it is asked from malloc.
fn outer(layout: Layout) -> Option<Layout> {
    // Larger alignments would need a larger head; nothing here asks for one.
    (layout.align() <= HEAD).then(|| Layout::from_size_align(layout.size().checked_add(HEAD)?, HEAD).ok())?
}

fn accuse(what: &str) -> ! {
    let _ = writeln!(std::io::stderr(), "payspec-checked: {what}");
    std::process::abort()
}

// SAFETY: blocks come from `System`, large enough for the head and as aligned as the head is long.
unsafe impl GlobalAlloc for Checked {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(outer) = outer(layout) else { return std::ptr::null_mut() };
        // SAFETY: `outer` is not empty.
        let block = unsafe { System.alloc(outer) };
        if block.is_null() {
            return block;
        }
        // SAFETY: the head lies within the block, and its words are aligned.
        unsafe {
            let data = block.add(HEAD);
            data.sub(WORD).cast::<usize>().write(MARK);
            data.sub(2 * WORD).cast::<usize>().write(layout.size());
            data
        }
    }

    unsafe fn dealloc(&self, data: *mut u8, layout: Layout) {
        // SAFETY: before any block of a heap lies its head, ours or malloc's. Freed blocks are kept, so that their
        // heads can be read when they come back a second time.
        unsafe {
            match data.sub(WORD).cast::<usize>().read_unaligned() {
                MARK => {}
                0 => accuse("memory freed twice"),
                _ => accuse("foreign memory"),
            }
            if data.sub(2 * WORD).cast::<usize>().read() != layout.size() {
                accuse("memory of another size");
            }
            data.sub(WORD).cast::<usize>().write(0);
            data.write_bytes(0xDD, layout.size());
        }
    }
}
