//! From C to the core's table of operations and back: what all the doors share.

use payspec::Error;
use payspec::json::{OPERATIONS, Verdict};

use crate::buf::{Loan, payspec_buf};
use crate::engine::payspec_engine;
use crate::input::Input;

/// The place of an operation in the core's table, at compile time: a name that is not there does not compile.
pub(crate) const fn place(name: &str) -> usize {
    let mut place = 0;
    while place < OPERATIONS.len() {
        if same(OPERATIONS[place].name, name) {
            return place;
        }
        place = place.saturating_add(1);
    }
    panic!("no such operation")
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at = at.saturating_add(1);
    }
    at == a.len() && at == b.len()
}

/// Calls the operation at `PLACE` of the table with its inputs.
///
/// # Safety
/// The pointers are what the head of the header asks for.
#[inline]
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
        for ((place, input), known) in given.iter_mut().zip(inputs).zip(operation.inputs) {
            // SAFETY: the caller vouches for pointer and length, for the time of the call.
            *place =
                unsafe { if known.required { Some(input.required(known.name)?) } else { input.optional(known.name)? } };
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
