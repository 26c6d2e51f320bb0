//! The class `Engine`, and the memory of its inputs and answers.

use payspec::operations::{Operation, Verdict, batch};
use payspec::{Mode, PaymentType, Report};
use wasm_bindgen::prelude::*;

use crate::error::PayspecError;

/// An engine with the memory for its inputs and answers.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Engine {
    pub(crate) engine: payspec::Engine,
    /// The inputs that JavaScript has written, one after the other.
    pub(crate) input: Vec<u8>,
    answer: Vec<u8>,
    /// A bit for each report that JavaScript has: see [`Engine::report`].
    known_reports: u32,
}

#[wasm_bindgen]
impl Engine {
    /// Creates an engine from the JSON text of a policy.
    ///
    /// # Errors
    /// Returns the policy error at the path of an invalid setting.
    #[wasm_bindgen(constructor)]
    pub fn new(policy: Option<String>) -> Result<Engine, PayspecError> {
        let engine = policy.map_or_else(
            || Ok(payspec::Engine::default()),
            |policy| payspec::Engine::from_json(&policy),
        )?;
        Ok(Engine {
            engine,
            input: Vec::new(),
            answer: Vec::new(),
            known_reports: 0,
        })
    }

    /// Reserves at least `bytes` bytes for the inputs and keeps their contents. Returns their
    /// address, or `None` if memory is exhausted.
    pub fn reserve_input(&mut self, bytes: usize) -> Option<usize> {
        if let Some(more) = bytes.checked_sub(self.input.len()) {
            // Twice the capacity, or only the requested bytes if memory does not suffice.
            self.input
                .try_reserve(more)
                .or_else(|_| self.input.try_reserve_exact(more))
                .ok()?;
            self.input.resize(self.input.capacity(), 0);
        }
        Some(self.input.as_ptr().addr())
    }

    /// Returns the number of bytes that are reserved for the inputs.
    pub fn input_len(&self) -> usize {
        self.input.len()
    }

    /// Returns the address of the answer of the last call.
    pub fn answer(&self) -> usize {
        self.answer.as_ptr().addr()
    }

    /// Returns the length of the answer of the last call.
    pub fn answer_len(&self) -> usize {
        self.answer.len()
    }

    /// Calls the operation whose name is the first `name` bytes of the input, with `count` bodies.
    /// After the name come the second input of `shared` bytes, if any, the bodies of `bodies` bytes,
    /// and their lengths as `u32` in little-endian order.
    ///
    /// The answer is the texts of all answers, and after them their ends, in the same form as the
    /// lengths.
    ///
    /// # Errors
    /// Returns the errors of [`payspec::operations::batch`], before the first call.
    pub fn batch(
        &mut self,
        name: usize,
        shared: Option<usize>,
        bodies: usize,
        count: usize,
    ) -> Result<(), PayspecError> {
        self.answer.clear();
        let mut rest = self.input.as_slice();
        // JavaScript passes a name of its own table.
        let name = str::from_utf8(take(&mut rest, name)).unwrap_or_default();
        let shared = shared.map(|len| take(&mut rest, len));
        let mut bodies = take(&mut rest, bodies);
        let (lengths, _) = take(&mut rest, count.saturating_mul(4)).as_chunks();
        let bodies = lengths
            .iter()
            .map(|len| take(&mut bodies, from_u32(u32::from_le_bytes(*len))));
        let result = answer_all(&self.engine, name, bodies, shared, &mut self.answer);
        let used = self.input.len().saturating_sub(rest.len());
        self.clear_input(used);
        Ok(result?)
    }
}

impl Engine {
    /// Calls an operation with the first one or two inputs, whose lengths JavaScript passes. Writes
    /// the answer only if `with_answer` is true. Returns 0 if the operation accepts, otherwise 1.
    pub(crate) fn call(
        &mut self,
        operation: &Operation,
        [first, second]: [Option<u32>; 2],
        with_answer: bool,
    ) -> Result<u32, PayspecError> {
        let mut rest = self.input.as_slice();
        let first = first.map(|len| take(&mut rest, from_u32(len)));
        let second = second.map(|len| take(&mut rest, from_u32(len)));
        let used = self.input.len().saturating_sub(rest.len());
        // A missing input at the end is not passed, since the operation may have fewer inputs.
        let inputs: &[_] = match (first, second) {
            (None, None) => &[],
            (_, None) => &[first],
            (_, Some(_)) => &[first, second],
        };
        let out = with_answer.then_some(&mut self.answer);
        let verdict = operation.call(&self.engine, inputs, out);
        self.clear_input(used);
        Ok(u32::from(verdict? == Verdict::Rejected))
    }

    /// Writes the report on a body without a timestamp. Reports without violations have few texts,
    /// each of which has a code of its own from 2 on. JavaScript keeps them, so each is written
    /// once: with 8 valid bodies, a call takes 27 % less time (P7).
    pub(crate) fn report(&mut self, len: u32) -> u32 {
        let mut rest = self.input.as_slice();
        let report = self
            .engine
            .validate_request(take(&mut rest, from_u32(len)), None);
        let is_plain =
            report.is_valid() && report.violations().is_empty() && !report.is_truncated();
        let code = if is_plain {
            2 + text_index(&report)
        } else {
            u32::from(!report.is_valid())
        };
        let bit = if is_plain { 1 << code } else { 0 };
        if self.known_reports & bit == 0 {
            self.answer.clear();
            report.write_json(&mut self.answer);
            self.known_reports |= bit;
        }
        drop(report);
        self.clear_input(from_u32(len));
        code
    }

    /// Clears inputs, which may contain card numbers. JavaScript clears the answers, and the
    /// allocator the memory that is freed.
    pub(crate) fn clear_input(&mut self, len: usize) {
        if let Some(used) = self.input.get_mut(..len) {
            used.fill(0);
        }
    }
}

/// Appends the answers to all bodies, and then their ends.
fn answer_all<'i>(
    engine: &payspec::Engine,
    name: &str,
    bodies: impl Iterator<Item = &'i [u8]>,
    shared: Option<&[u8]>,
    out: &mut Vec<u8>,
) -> Result<(), payspec::Error> {
    let mut calls = batch(name, engine, bodies, shared)?;
    let mut ends = Vec::new();
    while calls.next_into(out).is_some() {
        ends.extend_from_slice(&u32::try_from(out.len()).unwrap_or(u32::MAX).to_le_bytes());
    }
    out.extend_from_slice(&ends);
    Ok(())
}

/// Returns the first `len` bytes and removes them from `rest`.
pub(crate) fn take<'i>(rest: &mut &'i [u8], len: usize) -> &'i [u8] {
    let (first, others) = rest.split_at_checked(len).unwrap_or_default();
    *rest = others;
    first
}

/// Returns a length as `usize`, which has 32 bits in WebAssembly.
pub(crate) fn from_u32(len: u32) -> usize {
    usize::try_from(len).unwrap_or(usize::MAX)
}

/// Returns a number for the text of a report without violations, less than 24.
fn text_index(report: &Report) -> u32 {
    let variant = one_based(PaymentType::ALL, report.variant());
    let mode = one_based(Mode::ALL, report.mode());
    8 * variant + 2 * mode + u32::from(report.host2host())
}

/// Returns the place of a value in its list, counted from 1, and 0 without a value.
fn one_based<T: PartialEq>(all: &[T], value: Option<T>) -> u32 {
    value
        .and_then(|value| {
            all.iter()
                .zip(1..)
                .find_map(|(known, place)| (*known == value).then_some(place))
        })
        .unwrap_or(0)
}
