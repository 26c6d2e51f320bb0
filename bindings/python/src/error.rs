//! Errors of the caller as exceptions, and panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

static PAYSPEC_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Returns the exception `PayspecError` with these attributes.
fn exception(py: Python<'_>, code: &str, path: &str, message: &str) -> PyErr {
    let created = PAYSPEC_ERROR
        .import(py, "payspec._errors", "PayspecError")
        .and_then(|kind| kind.call1((code, path, message)));
    match created {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Returns the exception for an error of the core.
pub(crate) fn of_core(py: Python<'_>, error: &payspec::Error) -> PyErr {
    exception(py, error.kind().name(), error.path(), error.message())
}

/// Runs a call of the core. After a panic, returns the exception instead of the one of PyO3, which
/// no `except Exception` would catch.
pub(crate) fn guard<T>(py: Python<'_>, call: impl FnOnce() -> T) -> PyResult<T> {
    caught(call).ok_or_else(|| panicked(py))
}

/// Returns the exception for a panic.
pub(crate) fn panicked(py: Python<'_>) -> PyErr {
    exception(py, "panic", "", "the library panicked, which is a bug")
}

/// Runs a call of the core. Returns `None` after a panic, which leaves no invalid state, because no
/// call changes an engine.
pub(crate) fn caught<T>(call: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(value) => Some(value),
        Err(payload) => {
            // Dropping the payload could panic again.
            std::mem::forget(payload);
            None
        }
    }
}
