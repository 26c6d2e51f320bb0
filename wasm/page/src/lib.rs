//! The exports for `payspec/checkout`: the core, without wasm-bindgen, whose glue would be a tenth
//! of the package.
//!
//! `js/page_glue.js` makes a class of these functions with the methods of the full module. Inputs
//! and answers move through the memory of an engine, as there.

#![cfg(target_family = "wasm")] // a page is the only user
#![no_std]

extern crate alloc;

mod allocator;
// These files are the same in the full module.
#[path = "../../src/object_tape.rs"]
mod object_tape;
#[path = "../../src/report_numbers.rs"]
mod report_numbers;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;

use payspec::card::card_info as facts;
use payspec::{Engine, Timestamp};

use report_numbers::{KnownViolations, summary};

/// An engine with the memory for its inputs and its answer.
struct PageEngine {
    engine: Engine,
    /// The inputs that JavaScript has written, one after the other.
    input: Vec<u8>,
    answer: Vec<u8>,
    /// The JSON text of an object, before it is an input.
    scratch: Vec<u8>,
    known_violations: KnownViolations,
}

/// The input is accepted: the policy is valid, the body is valid.
const ACCEPTED: u32 = 0;
/// The body is not valid.
const REJECTED: u32 = 1;
/// An input of the caller is invalid.
const CALLER_ERROR: u32 = 2;
/// A text of the caller is not UTF-8.
const NOT_UTF8: u32 = 3;
/// The length of an input that is missing.
const MISSING: usize = usize::MAX;

/// Creates an engine with the default policy.
#[unsafe(no_mangle)]
extern "C" fn create() -> *mut PageEngine {
    Box::into_raw(Box::new(PageEngine {
        engine: Engine::default(),
        input: Vec::new(),
        answer: Vec::new(),
        scratch: Vec::new(),
        known_violations: KnownViolations::default(),
    }))
}

/// Frees an engine, which must not be used any more.
///
/// # Safety
/// The pointer is one of [`create`], and is passed here once.
#[unsafe(no_mangle)]
unsafe extern "C" fn free(engine: *mut PageEngine) {
    // SAFETY: as above.
    drop(unsafe { Box::from_raw(engine) });
}

/// Reserves `len` bytes for the inputs and keeps their contents. Returns their address, or null if
/// memory is exhausted.
///
/// # Safety
/// The pointer is one of [`create`].
#[unsafe(no_mangle)]
unsafe extern "C" fn reserve(engine: *mut PageEngine, len: usize) -> *mut u8 {
    // SAFETY: as above. JavaScript makes one call at a time.
    let PageEngine { input, .. } = unsafe { &mut *engine };
    let more = len.saturating_sub(input.len());
    if input.try_reserve(more).is_err() {
        return core::ptr::null_mut();
    }
    input.resize(input.capacity(), 0);
    input.as_mut_ptr()
}

/// Returns the number of bytes that are reserved for the inputs.
///
/// # Safety
/// The pointer is one of [`create`].
#[unsafe(no_mangle)]
unsafe extern "C" fn reserved(engine: *const PageEngine) -> usize {
    // SAFETY: as above.
    unsafe { &*engine }.input.len()
}

/// Replaces the tape of an object at `offset` of the input by its JSON text, and returns its length,
/// or [`MISSING`] if that is not possible.
///
/// # Safety
/// The pointer is one of [`create`].
#[unsafe(no_mangle)]
unsafe extern "C" fn write_json(
    engine: *mut PageEngine,
    offset: usize,
    texts: usize,
    tokens: usize,
    is_ascii: u32,
) -> usize {
    // SAFETY: as above. JavaScript makes one call at a time.
    let PageEngine { input, scratch, .. } = unsafe { &mut *engine };
    object_tape::replace(input, offset, [texts, tokens], is_ascii != 0, scratch).unwrap_or(MISSING)
}

/// Writes the names that are one byte of a tape, with spaces between them.
///
/// # Safety
/// The pointer is one of [`create`].
#[unsafe(no_mangle)]
unsafe extern "C" fn names(engine: *mut PageEngine) {
    // SAFETY: as above. JavaScript makes one call at a time.
    let PageEngine { answer, .. } = unsafe { &mut *engine };
    answer.clear();
    answer.extend_from_slice(object_tape::NAMES.join(" ").as_bytes());
}

/// Returns the address of the answer of the last call.
///
/// # Safety
/// The pointer is one of [`create`].
#[unsafe(no_mangle)]
unsafe extern "C" fn answer(engine: *const PageEngine) -> *const u8 {
    // SAFETY: as above.
    unsafe { &*engine }.answer.as_ptr()
}

/// Returns the length of the answer of the last call.
///
/// # Safety
/// The pointer is one of [`create`].
#[unsafe(no_mangle)]
unsafe extern "C" fn answer_len(engine: *const PageEngine) -> usize {
    // SAFETY: as above.
    unsafe { &*engine }.answer.len()
}

/// Replaces the policy by the JSON in the input. If it is invalid, the answer is the error.
///
/// # Safety
/// The pointer is one of [`create`].
#[unsafe(no_mangle)]
unsafe extern "C" fn set_policy(engine: *mut PageEngine, len: usize) -> u32 {
    // SAFETY: as above. JavaScript makes one call at a time.
    let page = unsafe { &mut *engine };
    page.answer.clear();
    let result = Engine::from_json(first(&page.input, len));
    page.clear_input(len);
    match result {
        Ok(engine) => {
            page.engine = engine;
            ACCEPTED
        }
        Err(error) => {
            error.write_json(&mut page.answer);
            CALLER_ERROR
        }
    }
}

/// Validates the body in the input, at the time that follows it. Returns the summary of the report.
/// The answer is the violations, if there are any. JavaScript has the first `known` ones.
///
/// # Safety
/// The pointer is one of [`create`].
#[unsafe(no_mangle)]
unsafe extern "C" fn report(
    engine: *mut PageEngine,
    len: usize,
    now_len: usize,
    known: usize,
) -> u32 {
    // SAFETY: as above. JavaScript makes one call at a time.
    let page = unsafe { &mut *engine };
    page.with_body(len, now_len, |page, body, now| {
        let report = page.engine.validate_request(body, now);
        if !report.violations().is_empty() {
            page.answer.clear();
            page.known_violations
                .write(&report, known, &mut page.answer);
        }
        summary(&report)
    })
}

/// Returns the verdict on the body in the input, at the time that follows it.
///
/// # Safety
/// The pointer is one of [`create`].
#[unsafe(no_mangle)]
unsafe extern "C" fn is_valid_request(engine: *mut PageEngine, len: usize, now_len: usize) -> u32 {
    // SAFETY: as above. JavaScript makes one call at a time.
    let page = unsafe { &mut *engine };
    page.with_body(len, now_len, |page, body, now| {
        if page.engine.is_valid_request(body, now) {
            ACCEPTED
        } else {
            REJECTED
        }
    })
}

/// Writes the facts about the card number in the input.
///
/// # Safety
/// The pointer is one of [`create`].
#[unsafe(no_mangle)]
unsafe extern "C" fn card_info(engine: *mut PageEngine, len: usize) -> u32 {
    // SAFETY: as above. JavaScript makes one call at a time.
    let page = unsafe { &mut *engine };
    page.answer.clear();
    let verdict = match str::from_utf8(first(&page.input, len)) {
        Ok(digits) => {
            facts(digits).write_json(&mut page.answer);
            ACCEPTED
        }
        Err(_) => NOT_UTF8,
    };
    page.clear_input(len);
    verdict
}

impl PageEngine {
    /// Returns the result of a function of a body and a time, or the number of the error.
    fn with_body(
        &mut self,
        len: usize,
        now_len: usize,
        validate: impl FnOnce(&mut PageEngine, &[u8], Option<Timestamp>) -> u32,
    ) -> u32 {
        let input = mem::take(&mut self.input);
        let now = input.get(len..).unwrap_or_default();
        let result = match timestamp(now, now_len) {
            Err(error) => error,
            Ok(now) => validate(self, first(&input, len), now),
        };
        self.input = input;
        let now_len = if now_len == MISSING { 0 } else { now_len };
        self.clear_input(len.saturating_add(now_len));
        result
    }

    /// Clears the inputs, which may contain card numbers. JavaScript clears the answers, and the
    /// allocator the memory that is freed.
    fn clear_input(&mut self, len: usize) {
        if let Some(used) = self.input.get_mut(..len) {
            used.fill(0);
        }
    }
}

/// Returns the first `len` bytes, which JavaScript has reserved.
fn first(input: &[u8], len: usize) -> &[u8] {
    input.get(..len).unwrap_or_default()
}

/// Returns the time in the first bytes, if there is one, or the number of the error.
fn timestamp(bytes: &[u8], len: usize) -> Result<Option<Timestamp>, u32> {
    if len == MISSING {
        return Ok(None);
    }
    let text = str::from_utf8(first(bytes, len)).map_err(|_| NOT_UTF8)?;
    text.parse().map(Some).map_err(|_| CALLER_ERROR)
}

/// Required in a module that does not link std.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
