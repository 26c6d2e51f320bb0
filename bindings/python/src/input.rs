//! Inputs of operations: texts as `bytes` or `str`.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// Returns the bytes of a text, and `None` for `None`.
pub(crate) fn optional<'a>(text: &'a Bound<'_, PyAny>) -> PyResult<Option<Cow<'a, [u8]>>> {
    if text.is_none() {
        return Ok(None);
    }
    required(text).map(Some)
}

/// Returns the bytes of a text.
///
/// # Errors
/// Returns a `TypeError` if it is another object.
pub(crate) fn required<'a>(text: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(bytes) = text.cast::<PyBytes>() {
        Ok(Cow::Borrowed(bytes.as_bytes()))
    } else if let Ok(text) = text.cast::<PyString>() {
        utf8(text)
    } else {
        let kind = text.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "expected bytes or str, not {kind}"
        )))
    }
}

/// Encodes a string. A lone surrogate becomes bytes that are not UTF-8, which the core reports.
pub(crate) fn utf8<'a>(text: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(text) = text.to_str() {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let py = text.py();
    let encode = py.get_type::<PyString>().getattr(intern!(py, "encode"))?;
    let encoded = encode.call1((text, "utf-8", "surrogatepass"))?;
    Ok(Cow::Owned(encoded.cast::<PyBytes>()?.as_bytes().to_vec()))
}
