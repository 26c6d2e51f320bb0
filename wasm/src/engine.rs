//! The class `Engine`, and the memory of its inputs and answers.

use payspec::operations::{OPERATIONS, Operation, Verdict, batch, index_of};
use payspec::{Report, Timestamp};
use wasm_bindgen::prelude::*;

use crate::error::PayspecError;
use crate::object_tape::{self, NAMES};
use crate::report_numbers::{KnownViolations, summary};

/// An engine with the memory for its inputs and answers.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Engine {
    pub(crate) engine: payspec::Engine,
    /// The inputs that JavaScript has written, one after the other.
    pub(crate) input: Vec<u8>,
    answer: Vec<u8>,
    /// The JSON text of an object, before it is an input.
    scratch: Vec<u8>,
    known_violations: KnownViolations,
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
            scratch: Vec::new(),
            known_violations: KnownViolations::default(),
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

    /// Replaces the tape of an object at `offset` of the input by its JSON text, and returns its
    /// length. A tape is `texts` bytes of texts, and `tokens` bytes of structure.
    pub fn write_json(
        &mut self,
        offset: usize,
        texts: usize,
        tokens: usize,
        is_ascii: bool,
    ) -> Option<usize> {
        let Engine { input, scratch, .. } = self;
        object_tape::replace(input, offset, [texts, tokens], is_ascii, scratch)
    }

    /// Returns the names that are one byte of a tape, with spaces between them.
    pub fn names() -> String {
        NAMES.join(" ")
    }

    /// Returns the address of the answer of the last call.
    pub fn answer(&self) -> usize {
        self.answer.as_ptr().addr()
    }

    /// Returns the length of the answer of the last call.
    pub fn answer_len(&self) -> usize {
        self.answer.len()
    }

    /// Validates a request, and returns the summary of its report. The answer is the violations,
    /// if there are any. JavaScript has the first `known` ones.
    pub fn report(&mut self, body: u32, known: usize) -> u32 {
        self.write_numbers(body, None, known)
    }

    /// Validates a request in the same way at the time that follows the body.
    ///
    /// # Errors
    /// Returns the errors of `validate_request`.
    pub fn report_at(&mut self, body: u32, now: u32, known: usize) -> Result<u32, PayspecError> {
        let mut rest = self.input.as_slice();
        take(&mut rest, from_u32(body));
        let text = str::from_utf8(take(&mut rest, from_u32(now)));
        let Some(time) = text.ok().and_then(|text| text.parse().ok()) else {
            // The operation returns the error.
            const OPERATION: usize = index_of("validate_request");
            return self.call(&OPERATIONS[OPERATION], [Some(body), Some(now)], false);
        };
        Ok(self.write_numbers(body, Some(time), known))
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

    /// Writes the violations of a body as numbers. Returns the summary of the report.
    fn write_numbers(&mut self, body: u32, now: Option<Timestamp>, known: usize) -> u32 {
        let report = self.validate(body, now);
        if !report.violations().is_empty() {
            self.answer.clear();
            self.known_violations
                .write(&report, known, &mut self.answer);
        }
        summary(&report)
    }

    /// Writes the report on a body, unless it has no violations: JavaScript writes such a report
    /// from its summary, which is returned, so that with 8 valid bodies, a call takes 27 % less
    /// time (P7).
    pub(crate) fn write_report(&mut self, body: u32) -> u32 {
        let report = self.validate(body, None);
        if !report.violations().is_empty() {
            self.answer.clear();
            report.write_json(&mut self.answer);
        }
        summary(&report)
    }

    fn validate(&mut self, len: u32, now: Option<Timestamp>) -> Report {
        let body = take(&mut self.input.as_slice(), from_u32(len));
        let report = self.engine.validate_request(body, now);
        self.clear_input(from_u32(len));
        report
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
