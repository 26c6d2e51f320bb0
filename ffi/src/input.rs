//! An input as C hands it over: a pointer and a length.

use std::ffi::c_char;
use std::ops::Range;

use payspec::Error;

/// A pointer and a length, not looked at yet.
#[derive(Clone, Copy)]
pub(crate) struct Input {
    data: *const c_char,
    len: usize,
}

impl Input {
    pub(crate) fn new(data: *const c_char, len: usize) -> Input {
        Input { data, len }
    }

    /// Where it lies.
    pub(crate) fn addresses(self) -> Range<usize> {
        let start = self.data.addr();
        start..start.saturating_add(self.len)
    }

    /// Returns the bytes, or `None` if the pointer is NULL and the length 0: a missing input.
    ///
    /// # Safety
    /// `data` is NULL or points at `len` bytes that stay as they are for `'a`.
    pub(crate) unsafe fn bytes<'a>(self, name: &str) -> Result<Option<&'a [u8]>, Error> {
        if self.data.is_null() {
            return if self.len == 0 { Ok(None) } else { Err(wrong(name, "a length without a pointer: it is NULL")) };
        }
        if isize::try_from(self.len).is_err() {
            return Err(wrong(name, "its length is over PTRDIFF_MAX"));
        }
        // SAFETY: not NULL, not too long, and the caller vouches for the rest; bytes have no alignment.
        Ok(Some(unsafe { std::slice::from_raw_parts(self.data.cast(), self.len) }))
    }
}

/// An argument that cannot be, by its name in the header.
#[cold]
pub(crate) fn wrong(name: &str, message: &'static str) -> Error {
    let mut path = String::with_capacity(name.len().saturating_add(1));
    path.push('/');
    path.push_str(name);
    Error::argument(path, message)
}
