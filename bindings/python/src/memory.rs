//! Memory of the library as an object of Python, without a copy.

use std::ffi::{c_int, c_void};

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;

/// Memory that never changes. It has the buffer protocol, so Arrow keeps a reference to it.
#[pyclass(frozen, module = "payspec._native")]
pub(crate) struct Memory(pub(crate) Vec<u8>);

#[pymethods]
impl Memory {
    /// Fills a view of the memory.
    ///
    /// # Safety
    /// Python passes a view to fill.
    unsafe fn __getbuffer__(
        slf: &Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let memory = &slf.get().0;
        let size = isize::try_from(memory.len())
            .map_err(|_| PyBufferError::new_err("the memory is too large"))?;
        // An empty vector has no allocation. Its address is not NULL, which would mean an error.
        let start: *mut c_void = memory.as_ptr().cast_mut().cast();
        let is_read_only = 1;
        // SAFETY: Python passes a view to fill. The object owns the memory and never changes it, and
        // the view keeps the object alive. A request for a view that can be written is an error.
        let filled =
            unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, size, is_read_only, flags) };
        if filled == 0 {
            Ok(())
        } else {
            Err(PyErr::fetch(slf.py()))
        }
    }
}
