//! `openapi`: writes an OpenAPI 3.1 document of the API. Its frame is `document.json`; the gaps are
//! filled from the tables and the policy.
//!
//! The engine rejects every body that a schema rejects, under the same policy. The reverse does not
//! hold: a schema cannot express every rule (Luhn, expiry, minor units, duplicate members). If the
//! specification leaves a question open, the decision on it is cited by its number.

mod examples;
mod frame;
mod payment;
mod problem;
mod request;
mod schema_writer;
mod values;

use alloc::vec::Vec;

use self::schema_writer::text;
use crate::decisions::DECISIONS;
use crate::engine::Engine;
use crate::json::Value;
use crate::json::writer::Writer;
use crate::model::problem::ProblemCode;
use crate::util::bug::or_bug;

static FRAME: &str = frame::include_compact!("document.json");

/// Appends the document for the policy of the engine.
pub(crate) fn write(engine: &Engine, out: &mut Vec<u8>) {
    frame::write(
        Value::Object(FRAME),
        &mut Writer::new(out),
        &mut |gap, w| match gap {
            "version" => w
                .name("x-payspec-version")
                .string(env!("CARGO_PKG_VERSION")),
            "body size" => request::size(engine, w),
            "request examples" => examples::requests(engine, w),
            "payment examples" => examples::payments(engine, w),
            "status examples" => examples::statuses(engine, w),
            "balance examples" => examples::balance(engine, w),
            "unauthorized example" => examples::problems(engine, w, &[ProblemCode::Unauthorized]),
            "request schemas" => request::write(engine, w),
            "payment members" => payment::members(w),
            "state schema" => payment::state(w),
            "code schemas" => problem::codes(w),
            "decisions" => decisions(w),
            gap => problem::responses(engine, w, or_bug(gap.strip_prefix("problems: "), "")),
        },
    );
}

/// Writes the decisions by number.
fn decisions(w: &mut Writer<'_>) {
    w.name("x-payspec-decisions").object(|w| {
        for decision in DECISIONS {
            w.name(decision.id).object(|w| {
                text(w, "source", decision.source);
                text(w, "open", decision.open);
                text(w, "decision", decision.decision);
            });
        }
    });
}
