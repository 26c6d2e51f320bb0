//! The class `Engine`.

use std::borrow::Cow;

use payspec::operations::{Verdict, operation};
use payspec::{Error, Timestamp};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::error::{guard, of_core};
use crate::input::{optional, required};
use crate::{batch, report, write};

/// Inputs of this size are read without the lock of Python. Releasing it costs as much as the
/// validation of some hundred bytes.
const LONG: usize = 16 * 1024;

/// An engine.
#[pyclass(frozen, module = "payspec._native")]
pub(crate) struct Engine {
    pub(crate) engine: payspec::Engine,
}

#[pymethods]
impl Engine {
    #[new]
    fn new(py: Python<'_>, policy: &Bound<'_, PyAny>) -> PyResult<Engine> {
        let engine = match optional(policy)? {
            None => Ok(payspec::Engine::default()),
            Some(text) => guard(py, || payspec::Engine::from_json(&*text))?,
        };
        match engine {
            Ok(engine) => Ok(Engine { engine }),
            Err(error) => Err(of_core(py, &error)),
        }
    }

    /// Runs an operation. Returns whether it accepts its inputs, and its JSON.
    #[pyo3(signature = (name, *inputs))]
    fn answer<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        inputs: &Bound<'py, PyTuple>,
    ) -> PyResult<(bool, Bound<'py, PyBytes>)> {
        let mut out = Vec::with_capacity(1024);
        let verdict = self.called(py, name, inputs, Some(&mut out))?;
        Ok((verdict == Verdict::Accepted, PyBytes::new(py, &out)))
    }

    /// Runs an operation. Returns whether it accepts its inputs.
    #[pyo3(signature = (name, *inputs))]
    fn accepts(&self, py: Python<'_>, name: &str, inputs: &Bound<'_, PyTuple>) -> PyResult<bool> {
        Ok(self.called(py, name, inputs, None)? == Verdict::Accepted)
    }

    /// Returns the report on a body, which may be a mapping.
    fn validate_request<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
        now: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let is_text = body.cast::<PyBytes>().is_ok() || body.cast::<PyString>().is_ok();
        let body = match is_text {
            true => required(body)?,
            false => Cow::Owned(write::text_of(body)?),
        };
        let now = match optional(now)? {
            None => None,
            Some(text) => Some(self.time(py, &text)?),
        };
        let report = self.run(py, body.len(), || self.engine.validate_request(&body, now))?;
        report::objects(py, &report)
    }

    /// Returns the verdict and the answer for each text in a list.
    fn answers<'py>(
        &self,
        py: Python<'py>,
        operation: &str,
        bodies: Vec<Bound<'py, PyAny>>,
        context: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<(bool, Bound<'py, PyBytes>)>> {
        batch::answers(self, py, operation, &bodies, context)
    }

    /// Returns the verdict on each text in a list.
    fn verdicts<'py>(
        &self,
        py: Python<'py>,
        operation: &str,
        bodies: Vec<Bound<'py, PyAny>>,
        context: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<bool>> {
        batch::verdicts(self, py, operation, &bodies, context)
    }

    /// Runs an operation with bodies in the memory of two buffers. `place` is the number of skipped
    /// offsets, that of bodies, and that of unused results before the first one.
    #[expect(clippy::too_many_arguments, reason = "the parts of a column")]
    fn column<'py>(
        &self,
        py: Python<'py>,
        operation: &str,
        data: PyBuffer<u8>,
        offsets: PyBuffer<u8>,
        place: (usize, usize, usize),
        context: &Bound<'py, PyAny>,
        with_answers: bool,
    ) -> PyResult<batch::Answers> {
        let (first, size, padding) = place;
        let column = batch::Column {
            data,
            offsets,
            first,
            size,
            padding,
        };
        batch::column(self, py, operation, &column, context, with_answers)
    }
}

impl Engine {
    /// Returns the time in a text. The operation has the error for another text.
    fn time(&self, py: Python<'_>, text: &[u8]) -> PyResult<Timestamp> {
        let parsed = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
        parsed.ok_or_else(|| {
            let validate = operation("validate_request");
            let inputs = [Some(b"".as_slice()), Some(text)];
            match validate.map(|validate| validate.call(&self.engine, &inputs, None)) {
                Some(Err(error)) => of_core(py, &error),
                _ => of_core(py, &Error::argument("/now", "expected a time")),
            }
        })
    }

    fn called(
        &self,
        py: Python<'_>,
        name: &str,
        inputs: &Bound<'_, PyTuple>,
        out: Option<&mut Vec<u8>>,
    ) -> PyResult<Verdict> {
        let operation = operation(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        let (known, given) = (operation.inputs.len(), inputs.len());
        if given > known {
            let message = format!("{name} takes {known} inputs, {given} were given");
            return Err(PyTypeError::new_err(message));
        }
        let inputs: Vec<Bound<'_, PyAny>> = inputs.iter().collect();
        let texts: Vec<Option<Cow<'_, [u8]>>> =
            inputs.iter().map(optional).collect::<PyResult<_>>()?;
        let texts: Vec<Option<&[u8]>> = texts.iter().map(Option::as_deref).collect();
        let size = texts.iter().flatten().map(|text| text.len()).max();
        self.run(py, size.unwrap_or(0), || {
            operation.call(&self.engine, &texts, out)
        })?
        .map_err(|error| of_core(py, &error))
    }

    /// Runs a call of the core, without the lock of Python if its inputs are long.
    pub(crate) fn run<T: Send>(
        &self,
        py: Python<'_>,
        size: usize,
        call: impl FnOnce() -> T + Send,
    ) -> PyResult<T> {
        guard(py, || match size {
            LONG.. => py.detach(call),
            _ => call(),
        })
    }
}
