//! Runs an operation with many bodies, without the lock of Python.

use std::borrow::Cow;

use payspec::operations::{Verdict, batch};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::engine::Engine;
use crate::error::{caught, of_core, panicked};
use crate::input::{optional, required};
use crate::memory::Memory;

/// The return codes of a body, as in the C API.
const ACCEPTED: u8 = 0;
const REJECTED: u8 = 1;
/// -3 in one byte.
const PANICKED: u8 = 253;

/// The size of an offset in bytes.
const OFFSET: usize = size_of::<i64>();

/// The return codes, the answers one after the other, and the offsets of the answers.
pub(crate) type Answers = (Memory, Option<(Memory, Memory)>);

/// Bodies in the memory of two buffers.
pub(crate) struct Column {
    /// The texts.
    pub(crate) data: PyBuffer<u8>,
    /// Native 64-bit offsets into the texts.
    pub(crate) offsets: PyBuffer<u8>,
    /// The number of offsets that are skipped.
    pub(crate) first: usize,
    /// The number of bodies.
    pub(crate) size: usize,
    /// The number of unused results before the first one.
    pub(crate) padding: usize,
}

/// Returns the verdict and the answer for each text in a list.
pub(crate) fn answers<'py>(
    engine: &Engine,
    py: Python<'py>,
    operation: &str,
    bodies: &[Bound<'py, PyAny>],
    context: &Bound<'py, PyAny>,
) -> PyResult<Vec<(bool, Bound<'py, PyBytes>)>> {
    let bodies: Vec<_> = bodies.iter().map(required).collect::<PyResult<_>>()?;
    let mut results = Results::new(bodies.len(), 0, true);
    engine.run_each(py, operation, &bodies, context, &mut results)?;
    results.check(py)?;
    let (text, ends) = results.answers.unwrap_or_default();
    let answers = results.codes.iter().zip(ends.windows(2));
    let answer = |(code, ends): (&u8, &[usize])| {
        let answer = match *ends {
            [start, end] => text.get(start..end).unwrap_or_default(),
            _ => &[],
        };
        (*code == ACCEPTED, PyBytes::new(py, answer))
    };
    Ok(answers.map(answer).collect())
}

/// Returns the verdict on each text in a list.
pub(crate) fn verdicts(
    engine: &Engine,
    py: Python<'_>,
    operation: &str,
    bodies: &[Bound<'_, PyAny>],
    context: &Bound<'_, PyAny>,
) -> PyResult<Vec<bool>> {
    let bodies: Vec<_> = bodies.iter().map(required).collect::<PyResult<_>>()?;
    let mut results = Results::new(bodies.len(), 0, false);
    engine.run_each(py, operation, &bodies, context, &mut results)?;
    results.check(py)?;
    let verdicts = results.codes.iter().map(|code| *code == ACCEPTED);
    Ok(verdicts.collect())
}

/// Runs an operation with bodies in the memory of two buffers.
pub(crate) fn column<'py>(
    engine: &Engine,
    py: Python<'py>,
    operation: &str,
    column: &Column,
    context: &Bound<'py, PyAny>,
    with_answers: bool,
) -> PyResult<Answers> {
    // SAFETY: both buffers live until the end of this function. The documentation of the package
    // requires that no thread changes a column during a call; columns of Arrow are immutable.
    let (data, offsets) = unsafe { (bytes(&column.data)?, bytes(&column.offsets)?) };
    let bodies = column.bodies(data, offsets).ok_or_else(|| {
        let expected = "expected offsets from 0 that do not decrease";
        of_core(py, &payspec::Error::argument("/offsets", expected))
    })?;
    let mut results = Results::new(column.size, column.padding, with_answers);
    engine.run_each(py, operation, &bodies, context, &mut results)?;
    let codes = Memory(results.codes);
    let answers = results.answers.map(|(text, ends)| {
        let ends = ends.iter().flat_map(|end| end.to_ne_bytes()).collect();
        (Memory(text), Memory(ends))
    });
    Ok((codes, answers))
}

impl Engine {
    fn run_each<T: AsRef<[u8]> + Sync>(
        &self,
        py: Python<'_>,
        operation: &str,
        bodies: &[T],
        context: &Bound<'_, PyAny>,
        results: &mut Results,
    ) -> PyResult<()> {
        let context: Option<Cow<'_, [u8]>> = optional(context)?;
        let run = || -> Result<(), payspec::Error> {
            let mut calls = batch(operation, &self.engine, bodies, context.as_deref())?;
            for _ in bodies {
                results.push(|text| match text {
                    Some(text) => calls.next_into(text),
                    None => calls.next(),
                });
            }
            Ok(())
        };
        self.run(py, usize::MAX, run)?
            .map_err(|error| of_core(py, &error))
    }
}

/// The results for the bodies so far.
struct Results {
    codes: Vec<u8>,
    /// The answers one after the other, and the start of the first one and the end of each.
    answers: Option<(Vec<u8>, Vec<usize>)>,
}

impl Results {
    fn new(size: usize, padding: usize, with_answers: bool) -> Results {
        let mut codes = Vec::with_capacity(size.saturating_add(padding));
        codes.resize(padding, ACCEPTED);
        let answers = || {
            let mut ends = Vec::with_capacity(size.saturating_add(padding).saturating_add(1));
            ends.resize(padding.saturating_add(1), 0);
            (Vec::new(), ends)
        };
        let answers = with_answers.then(answers);
        Results { codes, answers }
    }

    /// Adds the result of a call. After a panic, its answer is empty, and the other bodies still
    /// have theirs.
    fn push(&mut self, call: impl FnOnce(Option<&mut Vec<u8>>) -> Option<Verdict>) {
        let start = self.answers.as_ref().map_or(0, |(text, _)| text.len());
        let text = self.answers.as_mut().map(|(text, _)| text);
        let code = match caught(|| call(text)).flatten() {
            Some(Verdict::Accepted) => ACCEPTED,
            Some(_) => REJECTED,
            None => PANICKED,
        };
        self.codes.push(code);
        if let Some((text, ends)) = &mut self.answers {
            if code == PANICKED {
                text.truncate(start);
            }
            ends.push(text.len());
        }
    }

    /// Raises the exception for a panic, if there was one.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        match self.codes.contains(&PANICKED) {
            true => Err(panicked(py)),
            false => Ok(()),
        }
    }
}

/// Returns the memory of a buffer.
///
/// # Safety
/// The memory does not change during `'a`.
unsafe fn bytes(buffer: &PyBuffer<u8>) -> PyResult<&[u8]> {
    if !buffer.is_c_contiguous() {
        return Err(PyBufferError::new_err("expected a contiguous buffer"));
    }
    if buffer.len_bytes() == 0 {
        return Ok(&[]);
    }
    // SAFETY: a contiguous buffer has so many bytes, and the caller guarantees that they do not
    // change.
    Ok(unsafe { std::slice::from_raw_parts(buffer.buf_ptr().cast(), buffer.len_bytes()) })
}

impl Column {
    /// Returns the bodies, or `None` if the offsets are invalid.
    fn bodies<'a>(&self, data: &'a [u8], offsets: &[u8]) -> Option<Vec<&'a [u8]>> {
        if self.size == 0 {
            return Some(Vec::new());
        }
        let (offsets, _) = offsets.as_chunks::<OFFSET>();
        let needed = self.size.checked_add(1)?;
        let offsets = offsets.get(self.first..)?.get(..needed)?;
        let index = |offset: &[u8; OFFSET]| usize::try_from(i64::from_ne_bytes(*offset)).ok();
        let body = |ends: &[[u8; OFFSET]]| match ends {
            [start, end] => data.get(index(start)?..index(end)?),
            _ => None,
        };
        offsets.windows(2).map(body).collect()
    }
}
