//! openapi: the interface as an OpenAPI 3.1 document. Its frame stands in `document.json`; what the tables and the policy
//! know is filled in.
//!
//! What a schema refuses, the engine refuses under the same policy; the other way round a schema cannot say everything
//! (Luhn, expiry, minor units, members named twice). Where the specification leaves something open, the decision that
//! fills the gap is cited by its number.

mod examples;
mod frame;
mod notes;
mod payment;
mod problem;
mod request;
mod schema_writer;
mod values;

use alloc::vec::Vec;

use crate::decisions::DECISIONS;
use crate::engine::Engine;
use crate::json::writer::Writer;

static FRAME: &str = include_str!("document.json");

/// Appends the document for the engine's policy.
pub(crate) fn write(engine: &Engine, out: &mut Vec<u8>) {
    frame::fill(FRAME, &mut Writer::new(out), |gap, w| match gap {
        "version" => w.name("x-payspec-version").string(env!("CARGO_PKG_VERSION")),
        "body size" => request::size(engine, w),
        "request examples" => examples::requests(engine, w),
        "payment examples" => examples::payments(engine, w),
        "status examples" => examples::statuses(engine, w),
        "balance examples" => examples::balance(engine, w),
        "unauthorized example" => examples::problems(engine, w, &problem::BALANCE),
        "creation problems" => problem::answers(engine, w, &problem::CREATION),
        "status problems" => problem::answers(engine, w, &problem::STATUS),
        "balance problems" => problem::answers(engine, w, &problem::BALANCE),
        "request schemas" => request::write(engine, w),
        "payment members" => payment::members(w),
        "state schema" => payment::state(w),
        "code schemas" => problem::codes(w),
        "decisions" => decisions(w),
        _ => {}
    });
}

/// The register, by number.
fn decisions(w: &mut Writer<'_>) {
    w.name("x-payspec-decisions").object(|w| {
        for decision in &DECISIONS {
            w.name(decision.id).object(|w| {
                for (name, text) in
                    [("source", decision.source), ("open", decision.open), ("decision", decision.decision)]
                {
                    w.name(name).string(text);
                }
            });
        }
    });
}
