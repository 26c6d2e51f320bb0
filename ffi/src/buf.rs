//! The buffer that answers are written to: the caller's, lent to the library for the time of one call.

use std::ffi::c_char;
use std::mem::ManuallyDrop;
use std::ops::Range;

use payspec::{Error, ErrorCode};

use crate::guard::guard;
use crate::input::{Input, wrong};

/// A text that the library writes and owns the memory of.
///
/// Zero it before its first use (`payspec_buf buf = {0};`), pass it to any number of calls, and give it to
/// `payspec_buf_free` at the end. Each call replaces what the one before has left, in the same memory where it fits.
///
/// It may be moved and copied bytewise, as long as only one of the copies is used from then on. It belongs to one
/// thread at a time. A `free()` or `realloc()` of `data`, or memory of your own in it, is undefined behaviour.
#[repr(C)]
#[derive(Debug)]
pub struct payspec_buf {
    /// UTF-8, with a NUL one past `len`; NULL as long as nothing was written. It is valid until the next call that is
    /// given this buffer.
    pub data: *mut c_char,
    /// The number of bytes, without the NUL.
    pub len: usize,
    /// The library's own: do not change it.
    pub cap: usize,
}

impl payspec_buf {
    const EMPTY: payspec_buf = payspec_buf { data: std::ptr::null_mut(), len: 0, cap: 0 };

    /// Whether it can be one of ours: `cap` says whether there is memory.
    fn is_sound(&self) -> bool {
        self.data.is_null() == (self.cap == 0) && isize::try_from(self.cap).is_ok()
    }

    fn addresses(&self) -> Range<usize> {
        let start = self.data.addr();
        start..start.saturating_add(self.cap)
    }

    /// Its memory, empty.
    ///
    /// # Safety
    /// It is sound, and what it holds came from [`payspec_buf::of`] and was not taken since.
    unsafe fn take(&self) -> Vec<u8> {
        if self.data.is_null() {
            return Vec::new();
        }
        // SAFETY: `of` took pointer and capacity from such a `Vec`. Its length, 0, needs no bytes to be there.
        unsafe { Vec::from_raw_parts(self.data.cast(), 0, self.cap) }
    }

    fn of(mut text: Vec<u8>) -> payspec_buf {
        // An empty answer has its NUL as well.
        let len = text.len();
        text.push(0);
        let mut text = ManuallyDrop::new(text);
        payspec_buf { data: text.as_mut_ptr().cast(), len, cap: text.capacity() }
    }
}

/// A caller's buffer for the time of one call. Dropping it hands the buffer back; where that is because of a panic, the
/// buffer then tells so.
pub(crate) struct Loan {
    from: *mut payspec_buf,
    text: Vec<u8>,
    /// The answer is written elsewhere, and the old memory freed only at the end: an input lies in it.
    apart: bool,
    done: bool,
}

impl Loan {
    /// Borrows `from`; nothing where it is NULL.
    ///
    /// # Safety
    /// `from` is NULL or a buffer as the header describes it, used by nobody else until the loan is dropped.
    #[inline]
    pub(crate) unsafe fn take(from: *mut payspec_buf, name: &str, inputs: &[Input]) -> Result<Option<Loan>, Error> {
        if from.is_null() {
            return Ok(None);
        }
        if !from.is_aligned() {
            return Err(wrong(name, "the pointer is not aligned"));
        }
        // SAFETY: neither NULL nor misaligned, and the caller vouches that it is a buffer.
        let buf = unsafe { &*from };
        if !buf.is_sound() {
            return Err(wrong(name, "neither a zeroed buffer nor one of the library"));
        }
        let own = buf.addresses();
        let apart = inputs.iter().any(|input| overlap(&own, &input.addresses()));
        // SAFETY: it is sound, and the caller vouches that it was filled by this library and is used by nobody else.
        let text = if apart { Vec::new() } else { unsafe { buf.take() } };
        Ok(Some(Loan { from, text, apart, done: false }))
    }

    /// Where the answer goes.
    #[inline]
    pub(crate) fn text(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    /// The call came to its end.
    #[inline]
    pub(crate) fn done(mut self) {
        self.done = true;
    }
}

impl Drop for Loan {
    #[inline]
    fn drop(&mut self) {
        let mut text = std::mem::take(&mut self.text);
        if !self.done {
            text.clear();
            Error::new(ErrorCode::Panic, "", "the library panicked: this is a bug of it").write_json(&mut text);
        }
        // SAFETY: `take` has checked the pointer, and its caller vouches that nobody else uses the buffer.
        let buf = unsafe { &mut *self.from };
        if self.apart {
            // SAFETY: `take` found it sound and left its memory alone; the inputs in it are not looked at any more.
            drop(unsafe { buf.take() });
        }
        *buf = payspec_buf::of(text);
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// Frees what a buffer holds and zeroes it, so that it can be used again, or freed again, which does nothing.
///
/// @param buf  a buffer of the caller; NULL is fine. Nobody else may be using it.
///
/// Threads: any, whichever filled it. Errors: none; a buffer that cannot be the library's is only zeroed.
///
/// # Safety
/// `buf` is NULL or a buffer as the head of this file describes it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_buf_free(buf: *mut payspec_buf) {
    guard(|| {
        if buf.is_null() || !buf.is_aligned() {
            return;
        }
        // SAFETY: neither NULL nor misaligned, and the caller vouches that it is a buffer.
        let buf = unsafe { &mut *buf };
        if buf.is_sound() {
            // SAFETY: it is sound, and the caller vouches that the library filled it; it is zeroed right after.
            drop(unsafe { buf.take() });
        }
        *buf = payspec_buf::EMPTY;
    });
}
