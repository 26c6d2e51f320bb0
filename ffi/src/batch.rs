//! Runs an operation with many bodies.

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::ops::Range;

use payspec::Error;
use payspec::operations::{Verdict, batch};

use crate::buf::{overlap, payspec_buf};
use crate::call::answer;
use crate::engine::payspec_engine;
use crate::guard::{PANIC, guard};
use crate::input::{Input, argument_error};
use crate::status::{PAYSPEC_ACCEPTED, PAYSPEC_ERROR_ARGUMENT, PAYSPEC_ERROR_PANIC, of_verdict};

/// Runs an operation with each body of a column: the same as one call for each, but the second input is parsed once.
///
/// A column is text with count + 1 offsets into it, like an Arrow LargeBinary array without nulls: body i is
/// `data[offsets[i]]` up to, but not including, `data[offsets[i + 1]]`. The first offset may be greater than 0, as in
/// a slice of an array. If `count` is 0, `data`, `offsets`, and `returns` are not used and may be NULL.
///
/// @param engine         from `payspec_engine_new`
/// @param operation      the name of an operation whose first input is a body, for example "validate_request"
/// @param operation_len  its length in bytes
/// @param data           the bodies, with any content; NULL only if the last offset is 0
/// @param offsets        count + 1 offsets, from 0 and not decreasing; their last is the length of `data`
/// @param count          the number of bodies
/// @param context        the second input of the operation, which all bodies share; pass NULL, 0 if it is missing or
///                       the operation does not have one
/// @param context_len    its length in bytes
/// @param returns        receives the return code of each call: `count` elements
/// @param out            receives the answers, one after the other; pass NULL to compute only the verdicts
/// @param out_offsets    receives count + 1 offsets into `out`, from 0; NULL exactly if `out` is NULL
/// @return PAYSPEC_ACCEPTED: every element of `returns` is PAYSPEC_ACCEPTED, or there are no bodies;
///         PAYSPEC_REJECTED: an element of `returns` is another one. It is negative only for a bug in the library,
///         PAYSPEC_ERROR_PANIC, and the answer is then the error;
///         PAYSPEC_ERROR_ARGUMENT: `engine`, `operation`, or a required array is NULL, an array is not aligned,
///         arguments overlap as described below, the offsets are invalid, `count` is too large, no operation with a
///         body has the name, or its required second input is missing;
///         PAYSPEC_ERROR_UTF8: `operation` or `context` is not UTF-8;
///         PAYSPEC_ERROR_CONTEXT: the operation would reject `context`, as in a single call;
///         PAYSPEC_ERROR_PANIC: a bug in the library.
///
/// After a negative return code no body was read, `out` contains the error, and nothing was written to `returns` and
/// `out_offsets`.
///
/// Overlaps. The outputs are the arrays `returns` and `out_offsets`, the struct `out`, and the memory of `out`. No output
/// may overlap another output or an input: `operation`, `data`, `offsets`, or `context`. The only exception is that
/// inputs may be in the memory of `out`, as in every call. If an overlap includes the struct `out`, or an array in the
/// memory of `out`, the buffer is not changed and contains no error.
///
/// Inputs are read only during the call; the text in `out` is valid until its next use. Threads: any number at the same
/// time with one engine, each with its own `returns`, `out`, and `out_offsets`.
///
/// # Safety
/// The requirements at the top of the header. `offsets` is NULL or has `count` + 1 elements, of which the last is at most
/// the length of `data`; `returns` is NULL or has `count` elements, and `out_offsets` is NULL or has `count` + 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payspec_batch(
    engine: *const payspec_engine,
    operation: *const c_char,
    operation_len: usize,
    data: *const c_char,
    offsets: *const i64,
    count: usize,
    context: *const c_char,
    context_len: usize,
    returns: *mut i8,
    out: *mut payspec_buf,
    out_offsets: *mut i64,
) -> i32 {
    guard(|| {
        let name = Input::new(operation, operation_len);
        let context = Input::new(context, context_len);
        // SAFETY: the caller guarantees `offsets`.
        let bodies = unsafe { Bodies::new(data, offsets, count) };
        let data = bodies.as_ref().map_or(Input::NONE, Bodies::data);
        // If `count` is too large, which `Bodies::new` reports, the arrays have no length.
        let ends_len = offsets_len(count).unwrap_or(0);
        let returns = Array::new(returns, ends_len.saturating_sub(1), "returns");
        // Without `out`, there are no ends.
        let has_answers = !(out_offsets.is_null() && out.is_null());
        let ends = Array::new(
            out_offsets,
            if has_answers { ends_len } else { 0 },
            "out_offsets",
        );
        let read_len = if count == 0 { 0 } else { ends_len };
        let offsets = Array::new(offsets.cast_mut(), read_len, "offsets").memory();
        let inputs = [name, context, data, offsets];
        // SAFETY: the caller guarantees `out`.
        if unsafe { overlaps_buffer(out, &inputs, &[returns.memory(), ends.memory()]) } {
            return PAYSPEC_ERROR_ARGUMENT;
        }
        let run = |text: Option<&mut Vec<u8>>| {
            // SAFETY: the caller guarantees the engine.
            let engine = unsafe { payspec_engine::as_ref(engine) }?;
            // SAFETY: the caller guarantees pointer and length of all three.
            let (operation, bodies, shared) = unsafe {
                (
                    name.bytes("operation")?,
                    bodies?.bytes()?,
                    context.bytes("context")?,
                )
            };
            if out.is_null() != out_offsets.is_null() {
                let expected = "expected NULL exactly if out is NULL";
                return Err(argument_error("out_offsets", expected));
            }
            returns.check(&inputs)?;
            ends.check(&inputs)?;
            ends.check(&[returns.memory()])?;
            let mut calls = batch(text_of(operation)?, engine, bodies, shared)?;
            // SAFETY: checked, and the caller guarantees their lengths. Neither overlaps an input,
            // the other, or the buffer.
            let (returns, ends) = unsafe { (returns.elements(), ends.elements()) };
            Ok(run_each(returns, ends, text, |text| match text {
                Some(text) => calls.next_into(text),
                None => calls.next(),
            }))
        };
        // SAFETY: the caller guarantees `out`.
        unsafe { answer(out, "out", &inputs, run) }
    })
}

/// Returns the number of offsets of a column with `count` texts, if an array can have so many.
fn offsets_len(count: usize) -> Option<usize> {
    let len = count.checked_add(1)?;
    let bytes = len.checked_mul(size_of::<i64>())?;
    isize::try_from(bytes).is_ok().then_some(len)
}

/// Returns whether the struct of a buffer overlaps its own memory, an input, or an array, or its
/// memory an array.
///
/// An error in such a buffer would overwrite the arrays, and a larger answer would free them.
///
/// # Safety
/// `out` is NULL or a buffer as described in the header.
unsafe fn overlaps_buffer(out: *const payspec_buf, inputs: &[Input], arrays: &[Input]) -> bool {
    // SAFETY: the caller guarantees `out`.
    let Some((buffer, memory)) = (unsafe { payspec_buf::addresses_of(out) }) else {
        return false;
    };
    let overlaps = |range: &Range<usize>, others: &[Input]| {
        others
            .iter()
            .any(|other| overlap(range, &other.addresses()))
    };
    overlap(&buffer, &memory)
        || overlaps(&buffer, inputs)
        || overlaps(&buffer, arrays)
        || overlaps(&memory, arrays)
}

/// Returns the name of an operation as text.
fn text_of(name: Option<&[u8]>) -> Result<&str, Error> {
    let name = name.ok_or_else(|| argument_error("operation", "required"))?;
    str::from_utf8(name).map_err(|_| Error::utf8("/operation"))
}

/// Calls `next` for each body, and writes its return code, and the end of its answer in `text`.
fn run_each(
    returns: &mut [MaybeUninit<i8>],
    ends: &mut [MaybeUninit<i64>],
    mut text: Option<&mut Vec<u8>>,
    mut next: impl FnMut(Option<&mut Vec<u8>>) -> Option<Verdict>,
) -> Verdict {
    let mut ends = ends.iter_mut();
    if let Some(first) = ends.next() {
        first.write(0);
    }
    let mut all = Verdict::Accepted;
    for slot in returns {
        let start = text.as_deref().map_or(0, Vec::len);
        // After a panic, the other bodies still have their answers.
        let code = guard(|| next(text.as_deref_mut()).map_or(PAYSPEC_ERROR_PANIC, of_verdict));
        if code != PAYSPEC_ACCEPTED {
            all = Verdict::Rejected;
        }
        slot.write(i8::try_from(code).unwrap_or(i8::MIN));
        if let Some(text) = text.as_deref_mut() {
            if code == PAYSPEC_ERROR_PANIC {
                text.truncate(start);
                text.extend_from_slice(PANIC.as_bytes());
            }
            if let Some(end) = ends.next() {
                end.write(i64::try_from(text.len()).unwrap_or(i64::MAX));
            }
        }
    }
    all
}

/// The bodies of a column, with checked offsets.
struct Bodies<'a> {
    data: *const c_char,
    offsets: &'a [i64],
}

impl<'a> Bodies<'a> {
    /// Checks the offsets.
    ///
    /// # Safety
    /// `offsets` is NULL or has `count` + 1 elements, which do not change during `'a`.
    unsafe fn new(
        data: *const c_char,
        offsets: *const i64,
        count: usize,
    ) -> Result<Bodies<'a>, Error> {
        if count == 0 {
            return Ok(Bodies {
                data: std::ptr::null(),
                offsets: &[],
            });
        }
        let len = offsets_len(count).ok_or_else(|| {
            argument_error("count", "expected offsets of at most PTRDIFF_MAX bytes")
        })?;
        if offsets.is_null() || !offsets.is_aligned() {
            return Err(argument_error(
                "offsets",
                "expected an aligned pointer, not NULL",
            ));
        }
        // SAFETY: neither NULL, misaligned, nor too long; the caller guarantees the elements.
        let offsets = unsafe { std::slice::from_raw_parts(offsets, len) };
        let fits = |offset: &i64| isize::try_from(*offset).is_ok();
        if offsets.first().is_none_or(|first| *first < 0)
            || !offsets.is_sorted()
            || !offsets.last().is_some_and(fits)
        {
            return Err(argument_error(
                "offsets",
                "expected offsets from 0 that do not decrease",
            ));
        }
        Ok(Bodies { data, offsets })
    }

    /// Returns the memory of the data.
    fn data(&self) -> Input {
        Input::new(self.data, self.offsets.last().copied().map_or(0, index))
    }

    /// Returns the bodies.
    ///
    /// # Safety
    /// The last offset is at most the length of `data`, whose bytes do not change during `'a`. If
    /// it is 0, `data` may be NULL.
    unsafe fn bytes(self) -> Result<impl ExactSizeIterator<Item = &'a [u8]>, Error> {
        // SAFETY: the caller guarantees pointer and length.
        let data = unsafe { self.data().bytes("data") }?.unwrap_or_default();
        let body = |ends: &[i64]| match *ends {
            [start, end] => data.get(index(start)..index(end)).unwrap_or_default(),
            _ => &[],
        };
        Ok(self.offsets.windows(2).map(body))
    }
}

/// Returns an offset that [`Bodies::new`] has checked.
fn index(offset: i64) -> usize {
    usize::try_from(offset).unwrap_or(0)
}

/// An array of the caller.
struct Array<T> {
    data: *mut T,
    len: usize,
    name: &'static str,
}

impl<T> Array<T> {
    fn new(data: *mut T, len: usize, name: &'static str) -> Array<T> {
        Array { data, len, name }
    }

    /// Returns its memory as if it were an input, for comparison with other memory.
    fn memory(&self) -> Input {
        Input::new(
            self.data.cast_const().cast(),
            self.len.saturating_mul(size_of::<T>()),
        )
    }

    /// Checks that it can be filled. If it is NULL, no element is expected in it.
    fn check(&self, others: &[Input]) -> Result<(), Error> {
        if self.data.is_null() && self.len > 0 || !self.data.is_aligned() {
            return Err(argument_error(
                self.name,
                "expected an aligned pointer, not NULL",
            ));
        }
        let memory = self.memory().addresses();
        if others
            .iter()
            .any(|other| overlap(&memory, &other.addresses()))
        {
            return Err(argument_error(self.name, "overlaps another argument"));
        }
        Ok(())
    }

    /// Returns its elements, which may be uninitialized.
    ///
    /// # Safety
    /// It is checked, it has `len` elements, and nothing else uses it during `'a`.
    unsafe fn elements<'a>(self) -> &'a mut [MaybeUninit<T>] {
        if self.data.is_null() {
            return &mut [];
        }
        // SAFETY: neither NULL nor misaligned; `MaybeUninit` needs no initial value, and the caller
        // guarantees the rest.
        unsafe { std::slice::from_raw_parts_mut(self.data.cast(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A panic in one call: its answer is the error, and the others are not affected.
    #[test]
    fn continues_after_a_panic() {
        for has_text in [true, false] {
            let mut text = Vec::new();
            let mut returns = [MaybeUninit::uninit(); 3];
            let mut ends = [MaybeUninit::uninit(); 4];
            let mut calls = 0;
            let verdict = run_each(
                &mut returns,
                if has_text { &mut ends } else { &mut [] },
                has_text.then_some(&mut text),
                |text| {
                    calls += 1;
                    if let Some(text) = text {
                        text.extend_from_slice(b"{}");
                    }
                    if calls == 2 {
                        panic!("on purpose");
                    }
                    Some(Verdict::Accepted)
                },
            );
            // SAFETY: `run_each` has written every element.
            let returns = returns.map(|code| unsafe { code.assume_init() });
            assert_eq!(returns, [0, -3, 0]);
            assert_eq!((verdict, calls), (Verdict::Rejected, 3));
            if has_text {
                // SAFETY: as above.
                let ends = ends.map(|end| index(unsafe { end.assume_init() }));
                assert_eq!((ends[0], ends[1], ends[3]), (0, 2, text.len()));
                assert!(
                    text[2..].starts_with(br#"{"error":{"code":"panic","path":"","message":""#)
                );
                assert_eq!(&text[ends[2]..], b"{}");
            }
        }
    }
}
