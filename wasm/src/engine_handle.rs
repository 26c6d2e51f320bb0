//! An engine, and the memory that its calls use.

use alloc::vec::Vec;
use core::hint::black_box;
use payspec::operations::batch;
use payspec::operations::{OPERATIONS, Operation, Verdict, index_of};
use payspec::{Engine, Error, ErrorKind, Mode, PaymentType, Report};
use wasm_bindgen::JsValue;
use wide::u8x16;

const VALIDATE: usize = index_of("validate_request");

/// An engine of JavaScript with the memory for its inputs and answers. A WASM module has only one
/// thread.
#[derive(Debug, Default)]
pub(crate) struct EngineHandle {
    engine: Engine,
    /// The inputs that JavaScript has written, one after the other.
    input: Vec<u8>,
    answer: Vec<u8>,
    /// A bit for each report without violations that was an answer: see [`EngineHandle::report`].
    known_reports: u32,
}

impl EngineHandle {
    /// Reserves at least `bytes` bytes for the inputs and keeps their contents. Returns `None` if
    /// memory is exhausted.
    #[cfg_attr(optimize_attribute, optimize(size))]
    pub(crate) fn reserve_input(&mut self, bytes: usize) -> Option<*mut u8> {
        if let Some(more) = bytes.checked_sub(self.input.len()) {
            // Twice the capacity, or only the requested bytes if memory does not suffice.
            self.input
                .try_reserve(more)
                .or_else(|_| self.input.try_reserve_exact(more))
                .ok()?;
            self.input.resize(self.input.capacity(), 0);
        }
        Some(self.input.as_mut_ptr())
    }

    /// Returns the number of bytes that are reserved for the inputs.
    #[cfg_attr(optimize_attribute, optimize(size))]
    pub(crate) fn capacity(&self) -> usize {
        self.input.len()
    }

    /// Returns the answer of the last call.
    #[cfg_attr(optimize_attribute, optimize(size))]
    pub(crate) fn answer(&self) -> &[u8] {
        &self.answer
    }

    /// Returns true if `len` bytes of the input from `start` may contain U+FFFD, which replaces
    /// lone surrogates: if they contain its first byte. No character below U+F000 has that byte.
    #[cfg_attr(optimize_attribute, optimize(size))]
    pub(crate) fn may_contain_replacement(&self, start: usize, len: usize) -> bool {
        const FIRST: u8 = 0xef;
        let text = self
            .input
            .get(start..)
            .and_then(|rest| rest.get(..len))
            .unwrap_or_default();
        let (whole, rest) = text.as_chunks();
        whole
            .iter()
            .any(|bytes| u8x16::new(*bytes).simd_eq(u8x16::splat(FIRST)).any())
            || rest.contains(&FIRST)
    }

    /// Sets the policy: the first `len` bytes of the input.
    #[cfg_attr(optimize_attribute, optimize(size))]
    pub(crate) fn set_policy(&mut self, len: usize) -> i32 {
        let result = Engine::from_json(self.input.get(..len).unwrap_or_default());
        self.wipe(len);
        match result {
            Ok(engine) => {
                self.engine = engine;
                of_verdict(Verdict::Accepted)
            }
            Err(error) => {
                self.answer.clear();
                error.write_json(&mut self.answer);
                of_error(&error)
            }
        }
    }

    /// Returns the JSON of the policy, including default values. Its `fingerprint_key` is null. A
    /// text, since code that creates an object of JavaScript takes 3 KB after compression.
    #[inline(never)]
    #[cfg_attr(optimize_attribute, optimize(size))]
    pub(crate) fn policy(&self) -> JsValue {
        // A text has no error.
        serde_wasm_bindgen::to_value(&self.engine.policy().to_json()).unwrap_or_default()
    }

    /// Calls the operation at `INDEX` of the table with one or two inputs; a negative length is a
    /// missing input. Without `with_answer`, only the verdict is computed.
    #[inline]
    pub(crate) fn call<const INDEX: usize>(
        &mut self,
        first: i32,
        second: i32,
        with_answer: bool,
    ) -> i32 {
        // The most common calls bypass the table, since V8 does not keep values in registers across
        // its calls.
        if INDEX == VALIDATE && first >= 0 && second < 0 {
            return if with_answer {
                self.report(first)
            } else {
                self.verdict(first)
            };
        }
        // A copy of the entry: the functions of the operations are then called directly.
        self.run(&const { OPERATIONS[INDEX] }, first, second, with_answer)
    }

    /// Returns the verdict on a body without a timestamp.
    #[cfg_attr(optimize_attribute, optimize(speed))]
    fn verdict(&mut self, len: i32) -> i32 {
        let end = usize::try_from(len).unwrap_or(0);
        let body = self.input.get(..end).unwrap_or_default();
        let code = i32::from(
            !text(body).is_some_and(|text| self.engine.is_valid_request_text(text, None)),
        );
        self.wipe(end);
        code
    }

    /// Writes the report on a body without a timestamp. Reports without violations have few texts,
    /// each of which has a code of its own from 2 on. JavaScript keeps them, so each is written
    /// once: with 8 valid bodies, a call takes 27 % less time (P7).
    #[cfg_attr(optimize_attribute, optimize(speed))]
    fn report(&mut self, len: i32) -> i32 {
        let end = usize::try_from(len).unwrap_or(0);
        let report = self
            .engine
            .validate_request(self.input.get(..end).unwrap_or_default(), None);
        let is_plain =
            report.is_valid() && report.violations().is_empty() && !report.is_truncated();
        let code = if is_plain {
            2 + text_index(&report)
        } else {
            u8::from(!report.is_valid())
        };
        let bit = if is_plain { 1_u32 << code } else { 0 };
        if self.known_reports & bit == 0 {
            self.answer.clear();
            report.write_json(&mut self.answer);
            self.known_reports |= bit;
        }
        drop(report);
        self.wipe(end);
        code.into()
    }

    /// Calls an operation, and writes its answer if `with_answer` is true.
    #[cfg_attr(optimize_attribute, optimize(size))]
    fn run(&mut self, operation: &Operation, first: i32, second: i32, with_answer: bool) -> i32 {
        let middle = usize::try_from(first).unwrap_or(0);
        let end = middle.saturating_add(usize::try_from(second).unwrap_or(0));
        let (one, two) = self
            .input
            .get(..end)
            .unwrap_or_default()
            .split_at_checked(middle)
            .unwrap_or_default();
        let inputs = [(first >= 0).then_some(one), (second >= 0).then_some(two)];
        // JavaScript passes two lengths to every export, also if the operation has fewer inputs.
        let given = if second >= 0 {
            2
        } else {
            usize::from(first >= 0)
        };
        let inputs = inputs.get(..given).unwrap_or_default();
        let out = with_answer.then_some(&mut self.answer);
        let code = operation
            .call(&self.engine, inputs, out)
            .map_or_else(|error| of_error(&error), of_verdict);
        self.wipe(end);
        code
    }

    /// Calls an operation with many bodies. The input is its name, the second input unless its
    /// length is negative, the bodies, and their lengths as `u32` in little-endian order.
    ///
    /// The answer is the texts of all answers, and after them their ends, in the same form as the
    /// lengths.
    #[cfg_attr(optimize_attribute, optimize(size))]
    pub(crate) fn batch(&mut self, name: usize, shared: i32, bodies: usize, count: usize) -> i32 {
        self.answer.clear();
        let mut rest = self.input.as_slice();
        let name = take(&mut rest, name);
        let shared = usize::try_from(shared).ok().map(|len| take(&mut rest, len));
        let mut bodies = take(&mut rest, bodies);
        let (lengths, _) = take(&mut rest, count.saturating_mul(4)).as_chunks();
        let bodies = lengths.iter().map(|len| take(&mut bodies, number(*len)));
        let result = answer_all(&self.engine, name, bodies, shared, &mut self.answer);
        let code = result.map_or_else(
            |error| {
                error.write_json(&mut self.answer);
                of_error(&error)
            },
            of_verdict,
        );
        let used = self.input.len().saturating_sub(rest.len());
        self.wipe(used);
        code
    }

    /// Clears inputs, which may contain card numbers. JavaScript clears the answers, and the
    /// allocator the memory that is freed. `fill` would call a function of the JavaScript engine,
    /// which takes 2 % of a verdict (P8).
    #[inline(never)]
    fn wipe(&mut self, end: usize) {
        let (blocks, rest) = self.input.as_chunks_mut::<64>();
        if end > blocks.len() * 64 {
            rest.fill(0);
        }
        for block in blocks.iter_mut().take(end.div_ceil(64)) {
            *black_box(block) = [0; 64];
        }
    }
}

/// Returns bytes as text if they are UTF-8. It tests 16 bytes at once for ASCII, and the standard
/// library 8: without it, a verdict takes 4 % more instructions (P8).
fn text(bytes: &[u8]) -> Option<&str> {
    let (blocks, rest) = bytes.as_chunks();
    let union = blocks
        .iter()
        .fold(u8x16::ZERO, |union, block| union | u8x16::new(*block));
    if union.to_bitmask() == 0 && rest.is_ascii() {
        // SAFETY: no byte has its highest bit set, so all are ASCII.
        return Some(unsafe { core::str::from_utf8_unchecked(bytes) });
    }
    core::str::from_utf8(bytes).ok()
}

/// Appends the answers to all bodies, and then their ends. Fails before the first call.
#[cfg_attr(optimize_attribute, optimize(size))]
fn answer_all<'i>(
    engine: &Engine,
    name: &[u8],
    bodies: impl Iterator<Item = &'i [u8]>,
    shared: Option<&[u8]>,
    out: &mut Vec<u8>,
) -> Result<Verdict, Error> {
    // JavaScript passes a name of its own table.
    let name = core::str::from_utf8(name).unwrap_or_default();
    let mut calls = batch(name, engine, bodies, shared)?;
    let mut ends = Vec::new();
    while calls.next_into(out).is_some() {
        ends.extend_from_slice(&u32::try_from(out.len()).unwrap_or(u32::MAX).to_le_bytes());
    }
    out.extend_from_slice(&ends);
    Ok(Verdict::Accepted)
}

/// Returns the first `len` bytes and removes them from `rest`.
fn take<'i>(rest: &mut &'i [u8], len: usize) -> &'i [u8] {
    let (first, others) = rest.split_at_checked(len).unwrap_or_default();
    *rest = others;
    first
}

fn number(bytes: [u8; 4]) -> usize {
    usize::try_from(u32::from_le_bytes(bytes)).unwrap_or(0)
}

/// Returns a number for the text of a report without violations, less than 24.
fn text_index(report: &Report) -> u8 {
    let variant = one_based(PaymentType::ALL, report.variant());
    let mode = one_based(Mode::ALL, report.mode());
    8 * variant + 2 * mode + u8::from(report.host2host())
}

/// Returns the place of a value in its list, counted from 1, and 0 without a value.
fn one_based<T: PartialEq>(all: &[T], value: Option<T>) -> u8 {
    value
        .and_then(|value| {
            all.iter()
                .zip(1..)
                .find_map(|(known, place)| (*known == value).then_some(place))
        })
        .unwrap_or(0)
}

/// Returns the number of a verdict, the same as in the C API.
fn of_verdict(verdict: Verdict) -> i32 {
    i32::from(verdict == Verdict::Rejected)
}

/// Returns the number of an error, the same as in the C API.
fn of_error(error: &Error) -> i32 {
    match error.kind() {
        ErrorKind::Utf8 => -2,
        ErrorKind::Context => -4,
        ErrorKind::Policy => -5,
        _ => -1,
    }
}
