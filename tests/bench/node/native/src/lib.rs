//! The native verdict as an addon of Node.js: it takes turns with WebAssembly's in one process, so that what slows the
//! machine slows both alike. A process beside it would run on another processor, at another speed.

use napi_derive::napi;
use payspec::Engine;
use payspec_bench::harness::{Contender, LONG, Round, verdicts};
use payspec_bench::{contenders, corpus};
use std::cell::RefCell;
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);

thread_local! {
    static VERDICT: RefCell<Round<'static>> = RefCell::new(Round::new(LONG, verdict()));
}

fn verdict() -> Contender<'static> {
    let mut contender = contenders::verdict("", corpus::bytes(corpus::VALID), &ENGINE);
    assert_eq!(verdicts(&mut contender).1, 0, "a wrong verdict");
    contender
}

/// One round of it: picoseconds for a body.
#[napi]
pub fn round() -> f64 {
    VERDICT.with_borrow_mut(|verdict| verdict.take() as f64)
}
