//! The inputs of C functions: a pointer and a length.

use std::ffi::c_char;
use std::ops::Range;

use payspec::Error;

/// A pointer and a length that are not checked yet.
#[derive(Clone, Copy)]
pub(crate) struct Input {
    data: *const c_char,
    len: usize,
}

impl Input {
    /// A missing input.
    pub(crate) const NONE: Input = Input {
        data: std::ptr::null(),
        len: 0,
    };

    pub(crate) fn new(data: *const c_char, len: usize) -> Input {
        Input { data, len }
    }

    /// Returns the range of its addresses. It is empty if the length is over PTRDIFF_MAX, which
    /// [`Input::bytes`] reports.
    pub(crate) fn addresses(self) -> Range<usize> {
        let start = self.data.addr();
        let len = isize::try_from(self.len).map_or(0, isize::unsigned_abs);
        start..start.saturating_add(len)
    }

    /// Returns the bytes, or `None` if the pointer is NULL and the length 0: a missing input.
    ///
    /// # Safety
    /// `data` is NULL or points to `len` bytes that do not change during `'a`.
    pub(crate) unsafe fn bytes<'a>(self, name: &str) -> Result<Option<&'a [u8]>, Error> {
        if self.data.is_null() {
            return if self.len == 0 {
                Ok(None)
            } else {
                Err(argument_error(name, "expected length 0 with NULL"))
            };
        }
        if isize::try_from(self.len).is_err() {
            return Err(argument_error(
                name,
                "expected a length of at most PTRDIFF_MAX",
            ));
        }
        // SAFETY: not NULL, not too long, and the caller guarantees the rest; bytes need no
        // alignment.
        Ok(Some(unsafe {
            std::slice::from_raw_parts(self.data.cast(), self.len)
        }))
    }
}

/// Returns the error for an invalid argument. `name` is its name in the header.
#[cold]
pub(crate) fn argument_error(name: &str, message: &'static str) -> Error {
    let mut path = String::with_capacity(name.len().saturating_add(1));
    path.push('/');
    path.push_str(name);
    Error::argument(path, message)
}
