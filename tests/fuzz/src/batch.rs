//! Checks batches: in Rust and in C they have the verdicts and the answers of single calls.

use crate::bytes::Bytes;
use payspec::Engine;
use payspec::operations::{OPERATIONS, Operation};
use payspec_ffi::batch::payspec_batch;
use payspec_ffi::buf::{payspec_buf, payspec_buf_free};
use payspec_ffi::engine::{payspec_engine, payspec_engine_free, payspec_engine_new};
use payspec_tests::batch::{batches, has_body};
use payspec_tests::call::{self, Answer, of_verdict};
use payspec_tests::vector;
use std::ptr::{null, null_mut};
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);

/// Input: a byte each for the operation and the start of the column, then the second input and the
/// bodies, each up to a 0xFF. An odd start is a missing second input.
pub(crate) fn run(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let [operation, start] = [(); 2].map(|()| bytes.next());
    let operation = &OPERATIONS[usize::from(operation) % OPERATIONS.len()];
    let shared = bytes.part().filter(|_| start % 2 == 0);
    let bodies: Vec<&[u8]> = std::iter::from_fn(|| bytes.part()).take(64).collect();
    let single = single(operation, &bodies, shared);
    assert_eq!(
        in_rust(operation, &bodies, shared),
        single,
        "{}",
        operation.name
    );
    in_c(operation, usize::from(start), &bodies, shared, &single);
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let files = vector::load().expect("the vectors can be read");
    let of = |(at, batch): (usize, payspec_tests::batch::Batch<'_>)| {
        let operation = OPERATIONS
            .iter()
            .position(|operation| operation.name == batch.operation)?;
        let start = if batch.shared.is_some() {
            at % 5 * 2
        } else {
            1
        };
        let mut out = vec![u8::try_from(operation).ok()?, u8::try_from(start).ok()?];
        out.extend(batch.shared.unwrap_or_default());
        for body in batch.bodies().into_iter().take(3) {
            out.push(0xFF);
            out.extend(body);
        }
        Some(out)
    };
    batches(&files)
        .into_iter()
        .filter(|batch| batch.policy.is_none())
        .enumerate()
        .filter_map(of)
        .collect()
}

/// Returns the answers of single calls, or the error of all of them.
fn single(
    operation: &Operation,
    bodies: &[&[u8]],
    shared: Option<&[u8]>,
) -> Result<Vec<Answer>, Answer> {
    if !has_body(operation.name) {
        return Err(payspec_error(
            "/operation",
            "expected an operation whose first input is a body",
        ));
    }
    let answer = |body| {
        let inputs = [Some(body), shared];
        call::answer(
            &ENGINE,
            operation.name,
            inputs
                .get(..1 + usize::from(shared.is_some()))
                .unwrap_or_default(),
        )
    };
    // An invalid second input is an error without a body too.
    match answer(b"{}") {
        error if error.returns < 0 => Err(error),
        _ => Ok(bodies.iter().map(|body| answer(body)).collect()),
    }
}

fn payspec_error(path: &str, message: &str) -> Answer {
    let text =
        format!(r#"{{"error":{{"code":"argument","path":"{path}","message":"{message}"}}}}"#);
    Answer {
        returns: -1,
        text: text.into_bytes(),
    }
}

fn in_rust(
    operation: &Operation,
    bodies: &[&[u8]],
    shared: Option<&[u8]>,
) -> Result<Vec<Answer>, Answer> {
    let mut batch = operation.batch(&ENGINE, bodies, shared)?;
    let verdicts = operation.batch(&ENGINE, bodies, shared)?;
    let mut text = Vec::new();
    let mut answers = Vec::new();
    for alone in verdicts {
        let start = text.len();
        assert_eq!(batch.next_into(&mut text), Some(alone));
        answers.push(Answer {
            returns: of_verdict(alone),
            text: text[start..].to_vec(),
        });
    }
    assert_eq!(batch.next_into(&mut text), None);
    Ok(answers)
}

/// Runs the batch in C with a buffer and without one, in arrays of exactly their length.
fn in_c(
    operation: &Operation,
    start: usize,
    bodies: &[&[u8]],
    shared: Option<&[u8]>,
    expected: &Result<Vec<Answer>, Answer>,
) {
    let mut data = vec![b'{'; start];
    let mut offsets = vec![length(start)];
    for body in bodies {
        data.extend(*body);
        offsets.push(length(data.len()));
    }
    let (data, offsets) = (data.into_boxed_slice(), offsets.into_boxed_slice());
    let (name, count) = (operation.name, bodies.len());
    let (context, context_len) =
        shared.map_or((null(), 0), |shared| (shared.as_ptr().cast(), shared.len()));
    let mut engine: *mut payspec_engine = null_mut();
    let mut buffer = payspec_buf {
        data: null_mut(),
        len: 0,
        cap: 0,
    };
    let mut ends = vec![7; count + 1].into_boxed_slice();
    // SAFETY: the arrays have these lengths, and the buffer has no other users.
    unsafe {
        assert_eq!(
            payspec_engine_new(null(), 0, &raw mut engine, null_mut()),
            0
        );
        for with_out in [true, false] {
            let mut returns = vec![7_i8; count].into_boxed_slice();
            let (out, out_offsets) = if with_out {
                (&raw mut buffer, ends.as_mut_ptr())
            } else {
                (null_mut(), null_mut())
            };
            let number = payspec_batch(
                engine,
                name.as_ptr().cast(),
                name.len(),
                data.as_ptr().cast(),
                offsets.as_ptr(),
                count,
                context,
                context_len,
                returns.as_mut_ptr(),
                out,
                out_offsets,
            );
            match expected {
                Ok(answers) => {
                    assert_eq!(
                        number,
                        i32::from(answers.iter().any(|answer| answer.returns != 0)),
                        "{name}"
                    );
                    let codes: Vec<i32> = returns.iter().copied().map(i32::from).collect();
                    assert_eq!(
                        codes,
                        answers
                            .iter()
                            .map(|answer| answer.returns)
                            .collect::<Vec<_>>(),
                        "{name}"
                    );
                }
                Err(error) => {
                    assert_eq!(number, error.returns, "{name}");
                    assert!(returns.iter().all(|code| *code == 7), "{name}");
                }
            }
        }
        payspec_engine_free(engine);
        let text = std::slice::from_raw_parts(buffer.data.cast_const().cast::<u8>(), buffer.len);
        match expected {
            Ok(answers) => {
                let pairs = ends
                    .windows(2)
                    .map(|pair| &text[index(pair[0])..index(pair[1])]);
                assert!(
                    pairs.eq(answers.iter().map(|answer| &*answer.text)),
                    "{name}"
                );
                assert_eq!((ends[0], ends[count]), (0, length(text.len())), "{name}");
            }
            Err(error) => {
                assert_eq!(
                    String::from_utf8_lossy(text),
                    String::from_utf8_lossy(&error.text),
                    "{name}"
                );
                assert!(ends.iter().all(|end| *end == 7), "{name}");
            }
        }
        payspec_buf_free(&raw mut buffer);
    }
}

fn length(len: usize) -> i64 {
    i64::try_from(len).expect("a length")
}

fn index(offset: i64) -> usize {
    usize::try_from(offset).expect("an offset")
}
