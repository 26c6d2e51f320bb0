//! The caller's buffer for answers, which the library borrows for one call.

use std::ffi::c_char;
use std::mem::ManuallyDrop;
use std::ops::Range;

use payspec::Error;

use crate::guard::{PANIC, guard};
use crate::input::{Input, argument_error};

/// A buffer for text. The library writes the text and owns its memory.
///
/// Zero it before its first use (`payspec_buf buf = {0};`), pass it to any number of calls, and
/// free it with `payspec_buf_free` at the end. Each call replaces the text, and reuses the memory
/// if it is large enough.
///
/// It may be moved, or copied bytewise if only one of the copies is used afterwards. Only one
/// thread at a time may use it. Calling `free()` or `realloc()` on `data`, or storing a pointer of
/// your own in it, is undefined behavior.
#[repr(C)]
#[derive(Debug)]
pub struct payspec_buf {
    /// The text: UTF-8, followed by a NUL; NULL before the first call. It is valid until the next
    /// call with this buffer.
    pub data: *mut c_char,
    /// The length of the text in bytes, without the NUL.
    pub len: usize,
    /// The size of the memory. Do not change it.
    pub cap: usize,
}

impl payspec_buf {
    const EMPTY: payspec_buf = payspec_buf {
        data: std::ptr::null_mut(),
        len: 0,
        cap: 0,
    };

    /// Returns whether the library can have filled it: it has memory exactly if `cap` is not 0.
    fn is_valid(&self) -> bool {
        self.data.is_null() == (self.cap == 0) && isize::try_from(self.cap).is_ok()
    }

    fn addresses(&self) -> Range<usize> {
        let start = self.data.addr();
        start..start.saturating_add(self.cap)
    }

    /// Returns the addresses of a buffer and those of its memory. Returns `None` if the pointer is
    /// NULL or not aligned, or the library cannot have filled the buffer.
    ///
    /// # Safety
    /// `target` is NULL or a buffer as described in the header.
    pub(crate) unsafe fn addresses_of(
        target: *const payspec_buf,
    ) -> Option<(Range<usize>, Range<usize>)> {
        if target.is_null() || !target.is_aligned() {
            return None;
        }
        // SAFETY: neither NULL nor misaligned, and the caller guarantees that it is a buffer.
        let buf = unsafe { &*target };
        let start = target.addr();
        let structure = start..start.saturating_add(size_of::<payspec_buf>());
        buf.is_valid().then(|| (structure, buf.addresses()))
    }

    /// Returns its memory as an empty vector.
    ///
    /// # Safety
    /// It is valid, its memory is from [`payspec_buf::from_vec`], and it was not returned since.
    unsafe fn to_vec(&self) -> Vec<u8> {
        if self.data.is_null() {
            return Vec::new();
        }
        // SAFETY: `from_vec` took pointer and capacity from such a `Vec`. With length 0, no byte
        // has to be initialized.
        unsafe { Vec::from_raw_parts(self.data.cast(), 0, self.cap) }
    }

    fn from_vec(mut text: Vec<u8>) -> payspec_buf {
        // An empty answer also has a NUL.
        let len = text.len();
        text.push(0);
        let mut text = ManuallyDrop::new(text);
        payspec_buf {
            data: text.as_mut_ptr().cast(),
            len,
            cap: text.capacity(),
        }
    }
}

/// A buffer of the caller, borrowed for one call. Dropping it fills the buffer; without
/// [`OutBuffer::commit`], which is the case after a panic, it contains the error "panic".
pub(crate) struct OutBuffer {
    target: *mut payspec_buf,
    text: Vec<u8>,
    /// An input is in the memory of the buffer: the answer gets other memory, and the old one is
    /// freed at the end.
    aliases_input: bool,
    committed: bool,
}

impl OutBuffer {
    /// Borrows `target`. Returns `None` if it is NULL.
    ///
    /// # Safety
    /// `target` is NULL or a buffer as described in the header, and is not used otherwise until
    /// this value is dropped.
    #[inline]
    pub(crate) unsafe fn borrow(
        target: *mut payspec_buf,
        name: &str,
        inputs: &[Input],
    ) -> Result<Option<OutBuffer>, Error> {
        if target.is_null() {
            return Ok(None);
        }
        if !target.is_aligned() {
            return Err(argument_error(name, "the pointer is not aligned"));
        }
        // SAFETY: neither NULL nor misaligned, and the caller guarantees that it is a buffer.
        let buf = unsafe { &*target };
        if !buf.is_valid() {
            return Err(argument_error(
                name,
                "expected a buffer that is zeroed or filled by the library",
            ));
        }
        let memory = buf.addresses();
        let aliases_input = inputs
            .iter()
            .any(|input| overlap(&memory, &input.addresses()));
        let text = if aliases_input {
            Vec::new()
        } else {
            // SAFETY: it is valid, and the caller guarantees that this library filled it and that it
            // is not used otherwise.
            unsafe { buf.to_vec() }
        };
        Ok(Some(OutBuffer {
            target,
            text,
            aliases_input,
            committed: false,
        }))
    }

    /// Returns the text, which receives the answer.
    #[inline]
    pub(crate) fn text(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    /// Marks the text as complete. The drop fills the caller's buffer with it.
    #[inline]
    pub(crate) fn commit(&mut self) {
        self.committed = true;
    }
}

impl Drop for OutBuffer {
    #[inline]
    fn drop(&mut self) {
        let mut text = std::mem::take(&mut self.text);
        if !self.committed {
            text.clear();
            text.extend_from_slice(PANIC.as_bytes());
        }
        // SAFETY: `borrow` checked the pointer, and its caller guarantees that the buffer is not
        // used otherwise.
        let buf = unsafe { &mut *self.target };
        if self.aliases_input {
            // SAFETY: `borrow` found it valid and did not take its memory; the inputs in it are no
            // longer read.
            drop(unsafe { buf.to_vec() });
        }
        *buf = payspec_buf::from_vec(text);
    }
}

/// Returns whether two ranges of addresses have one in common. An empty range has none.
pub(crate) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

/// Frees the memory of a buffer and zeroes the buffer. It can be used again; freeing it twice has no effect.
///
/// @param buf  a buffer that is not in use; NULL has no effect
///
/// Threads: any thread, not only the one that filled it. Errors: none; a buffer that the library cannot have filled is
/// only zeroed.
///
/// # Safety
/// `buf` is NULL or a buffer as described at the top of the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_buf_free(buf: *mut payspec_buf) {
    guard(|| {
        if buf.is_null() || !buf.is_aligned() {
            return;
        }
        // SAFETY: neither NULL nor misaligned, and the caller guarantees that it is a buffer.
        let buf = unsafe { &mut *buf };
        if buf.is_valid() {
            // SAFETY: it is valid, and the caller guarantees that the library filled it; it is
            // zeroed right after.
            drop(unsafe { buf.to_vec() });
        }
        *buf = payspec_buf::EMPTY;
    });
}
