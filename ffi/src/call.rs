//! From C to the core's table of operations and back: what all the doors share.

use payspec::Error;
use payspec::operations::{OPERATIONS, Verdict};

use crate::buf::{Loan, payspec_buf};
use crate::engine::payspec_engine;
use crate::input::Input;

/// Calls the operation at `PLACE` of the table with its inputs.
///
/// # Safety
/// The pointers are what the head of the header asks for.
#[inline]
#[expect(clippy::indexing_slicing, reason = "at compile time a panic is an error of the compiler")]
pub(crate) unsafe fn call<const PLACE: usize, const INPUTS: usize>(
    engine: *const payspec_engine,
    inputs: [Input; INPUTS],
    out: *mut payspec_buf,
) -> i32 {
    let operation = const {
        assert!(OPERATIONS[PLACE].inputs.len() == INPUTS, "the table has another number of inputs");
        &OPERATIONS[PLACE]
    };
    let run = |text: Option<&mut Vec<u8>>| {
        // SAFETY: the caller vouches for the engine.
        let engine = unsafe { payspec_engine::behind(engine) }?;
        let mut given = [None; INPUTS];
        for ((slot, input), known) in given.iter_mut().zip(inputs).zip(operation.inputs) {
            // SAFETY: the caller guarantees pointer and length for the time of the call.
            *slot = unsafe { input.bytes(known.name) }?;
        }
        operation.call(engine, &given, text)
    };
    // SAFETY: the caller vouches for `out`.
    unsafe { answer(out, "out", &inputs, run) }
}

/// Lends `out` to `run`, and turns what comes back into the number and, for an error, its JSON.
///
/// # Safety
/// `out` is NULL or a buffer as the header describes it.
#[inline]
pub(crate) unsafe fn answer(
    out: *mut payspec_buf,
    name: &str,
    inputs: &[Input],
    run: impl FnOnce(Option<&mut Vec<u8>>) -> Result<Verdict, Error>,
) -> i32 {
    // SAFETY: the caller vouches.
    let mut loan = match unsafe { Loan::take(out, name, inputs) } {
        Ok(loan) => loan,
        Err(error) => return error.return_code(),
    };
    let number = match run(loan.as_mut().map(Loan::text)) {
        Ok(verdict) => verdict.return_code(),
        Err(error) => {
            if let Some(loan) = &mut loan {
                loan.text().clear();
                error.write_json(loan.text());
            }
            error.return_code()
        }
    };
    if let Some(loan) = loan {
        loan.done();
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buf::payspec_buf_free;
    use crate::guard::guard;
    use crate::status::{PAYSPEC_ACCEPTED, PAYSPEC_ERROR_PANIC};
    use std::ffi::CStr;

    fn text(buf: &payspec_buf) -> &str {
        // SAFETY: the library filled it, with a NUL behind the text.
        unsafe { CStr::from_ptr(buf.data) }.to_str().unwrap()
    }

    /// Half an answer, then a panic: the buffer tells so, is whole, and serves the next call.
    #[test]
    fn a_buffer_survives_a_panic() {
        let mut buf = payspec_buf { data: std::ptr::null_mut(), len: 0, cap: 0 };
        let out = &raw mut buf;
        for _ in 0..2 {
            let fail = |text: Option<&mut Vec<u8>>| {
                text.unwrap().extend_from_slice(b"{\"half\":");
                panic!("on purpose")
            };
            // SAFETY: a buffer of this test alone.
            assert_eq!(guard(|| unsafe { answer(out, "out", &[], fail) }), PAYSPEC_ERROR_PANIC);
            assert!(text(&buf).starts_with(r#"{"error":{"code":"panic","path":"","message":""#), "{}", text(&buf));
            assert_eq!(text(&buf).len(), buf.len);
            let succeed = |text: Option<&mut Vec<u8>>| {
                text.unwrap().extend_from_slice(b"{}");
                Ok(Verdict::Accepted)
            };
            // SAFETY: as above.
            assert_eq!(guard(|| unsafe { answer(out, "out", &[], succeed) }), PAYSPEC_ACCEPTED);
            assert_eq!(text(&buf), "{}");
        }
        // SAFETY: as above.
        unsafe { payspec_buf_free(out) };
        assert!(buf.data.is_null());
    }

    /// The input lies in the buffer: a panic may not take it away under the call, nor leak it.
    #[test]
    fn so_does_one_that_holds_the_input() {
        let mut buf = payspec_buf { data: std::ptr::null_mut(), len: 0, cap: 0 };
        let out = &raw mut buf;
        let fill = |text: Option<&mut Vec<u8>>| {
            text.unwrap().extend_from_slice(b"input");
            Ok(Verdict::Accepted)
        };
        // SAFETY: a buffer of this test alone.
        assert_eq!(unsafe { answer(out, "out", &[], fill) }, PAYSPEC_ACCEPTED);
        let input = Input::new(buf.data, buf.len);
        let fail = |text: Option<&mut Vec<u8>>| {
            text.unwrap().extend_from_slice(b"answer");
            // SAFETY: the buffer's old memory lives until the call ends.
            assert_eq!(unsafe { input.bytes("body") }.unwrap(), Some(&b"input"[..]));
            panic!("on purpose")
        };
        // SAFETY: as above.
        assert_eq!(guard(|| unsafe { answer(out, "out", &[input], fail) }), PAYSPEC_ERROR_PANIC);
        assert!(text(&buf).contains("panic"));
        // SAFETY: as above.
        unsafe { payspec_buf_free(out) };
    }
}
