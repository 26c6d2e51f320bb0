//! Calls the core's table of operations for the exported functions.

use payspec::Error;
use payspec::operations::{OPERATIONS, Verdict};

use crate::buf::{OutBuffer, payspec_buf};
use crate::engine_handle::payspec_engine;
use crate::input::Input;
use crate::status::{of_error, of_verdict};

/// Calls the operation at `INDEX` of the table with its inputs.
///
/// # Safety
/// The pointers meet the requirements at the top of the header.
#[inline]
#[expect(
    clippy::indexing_slicing,
    reason = "at compile time a panic is an error of the compiler"
)]
pub(crate) unsafe fn call<const INDEX: usize, const INPUTS: usize>(
    engine: *const payspec_engine,
    inputs: [Input; INPUTS],
    out: *mut payspec_buf,
) -> i32 {
    let operation = const {
        assert!(
            OPERATIONS[INDEX].inputs.len() == INPUTS,
            "the table has another number of inputs"
        );
        &OPERATIONS[INDEX]
    };
    let run = |text: Option<&mut Vec<u8>>| {
        // SAFETY: the caller guarantees the engine.
        let engine = unsafe { payspec_engine::as_ref(engine) }?;
        let mut given = [None; INPUTS];
        for ((slot, input), known) in given.iter_mut().zip(inputs).zip(operation.inputs) {
            // SAFETY: the caller guarantees pointer and length during the call.
            *slot = unsafe { input.bytes(known.name) }?;
        }
        operation.call(engine, &given, text)
    };
    // SAFETY: the caller guarantees `out`.
    unsafe { answer(out, "out", &inputs, run) }
}

/// Runs `run` with the text of `out` and returns the return code. An error is written to `out` as
/// JSON.
///
/// # Safety
/// `out` is NULL or a buffer as described in the header.
#[inline]
pub(crate) unsafe fn answer(
    out: *mut payspec_buf,
    name: &str,
    inputs: &[Input],
    run: impl FnOnce(Option<&mut Vec<u8>>) -> Result<Verdict, Error>,
) -> i32 {
    // SAFETY: the caller guarantees `out`.
    let mut buffer = match unsafe { OutBuffer::borrow(out, name, inputs) } {
        Ok(buffer) => buffer,
        Err(error) => return of_error(&error),
    };
    let code = match run(buffer.as_mut().map(OutBuffer::text)) {
        Ok(verdict) => of_verdict(verdict),
        Err(error) => {
            if let Some(buffer) = &mut buffer {
                buffer.text().clear();
                error.write_json(buffer.text());
            }
            of_error(&error)
        }
    };
    if let Some(buffer) = &mut buffer {
        buffer.commit();
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buf::payspec_buf_free;
    use crate::guard::guard;
    use crate::status::{PAYSPEC_ACCEPTED, PAYSPEC_ERROR_PANIC};
    use std::ffi::CStr;

    fn text(buf: &payspec_buf) -> &str {
        // SAFETY: the library filled it, with a NUL after the text.
        unsafe { CStr::from_ptr(buf.data) }.to_str().unwrap()
    }

    /// A panic after half an answer: the buffer contains the error, is valid, and can be used for
    /// the next call.
    #[test]
    fn keeps_a_buffer_valid_after_a_panic() {
        let mut buf = payspec_buf {
            data: std::ptr::null_mut(),
            len: 0,
            cap: 0,
        };
        let out = &raw mut buf;
        for _ in 0..2 {
            let fail = |text: Option<&mut Vec<u8>>| {
                text.unwrap().extend_from_slice(b"{\"half\":");
                panic!("on purpose")
            };
            // SAFETY: the buffer is local to this test.
            let code = guard(|| unsafe { answer(out, "out", &[], fail) });
            assert_eq!(code, PAYSPEC_ERROR_PANIC);
            assert!(
                text(&buf).starts_with(r#"{"error":{"code":"panic","path":"","message":""#),
                "{}",
                text(&buf)
            );
            assert_eq!(text(&buf).len(), buf.len);
            let succeed = |text: Option<&mut Vec<u8>>| {
                text.unwrap().extend_from_slice(b"{}");
                Ok(Verdict::Accepted)
            };
            // SAFETY: as above.
            let code = guard(|| unsafe { answer(out, "out", &[], succeed) });
            assert_eq!(code, PAYSPEC_ACCEPTED);
            assert_eq!(text(&buf), "{}");
        }
        // SAFETY: as above.
        unsafe { payspec_buf_free(out) };
        assert!(buf.data.is_null());
    }

    /// The input is in the memory of the buffer: it stays valid during the call, and a panic does
    /// not leak it.
    #[test]
    fn keeps_a_buffer_with_the_input_valid_after_a_panic() {
        let mut buf = payspec_buf {
            data: std::ptr::null_mut(),
            len: 0,
            cap: 0,
        };
        let out = &raw mut buf;
        let fill = |text: Option<&mut Vec<u8>>| {
            text.unwrap().extend_from_slice(b"input");
            Ok(Verdict::Accepted)
        };
        // SAFETY: the buffer is local to this test.
        assert_eq!(unsafe { answer(out, "out", &[], fill) }, PAYSPEC_ACCEPTED);
        let input = Input::new(buf.data, buf.len);
        let fail = |text: Option<&mut Vec<u8>>| {
            text.unwrap().extend_from_slice(b"answer");
            // SAFETY: the old memory of the buffer is valid until the call ends.
            assert_eq!(unsafe { input.bytes("body") }.unwrap(), Some(&b"input"[..]));
            panic!("on purpose")
        };
        // SAFETY: as above.
        let code = guard(|| unsafe { answer(out, "out", &[input], fail) });
        assert_eq!(code, PAYSPEC_ERROR_PANIC);
        assert!(text(&buf).contains("panic"));
        // SAFETY: as above.
        unsafe { payspec_buf_free(out) };
    }
}
