//! An addon for Node.js that measures the native verdict. It runs in the process of the WebAssembly
//! module, so that a busy machine affects both. Another process could run on another processor with
//! a different speed.

use napi_derive::napi;
use payspec::Engine;
use payspec_bench::harness::{Candidate, LONG, Round, verdicts};
use payspec_bench::{candidates, corpus};
use std::cell::RefCell;
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);

thread_local! {
    static VERDICT: RefCell<Round<'static>> = RefCell::new(Round::new(LONG, verdict()));
}

fn verdict() -> Candidate<'static> {
    let mut candidate = candidates::verdict("", corpus::bytes(corpus::VALID), &ENGINE);
    assert_eq!(verdicts(&mut candidate).1, 0, "a wrong verdict");
    candidate
}

/// Measures one round in picoseconds per body.
#[napi]
pub fn round() -> f64 {
    VERDICT.with_borrow_mut(|verdict| verdict.measure() as f64)
}
