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
mod values;

use alloc::vec::Vec;

use crate::decisions::DECISIONS;
use crate::engine::Engine;
use crate::json::writer::{Writer, escape};
use crate::report::code::{Code, Severity};

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
        "payment members" => payment::members(engine, w),
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

/// Whether breaking the rule makes a body invalid.
fn is_error(engine: &Engine, code: Code) -> bool {
    engine.severity(code) == Severity::Error
}

/// Whether what breaks `code` is surely refused: the rules of a member stop at the first one told, so a mere warning of
/// a rule before it lets the rest pass.
fn is_refused(engine: &Engine, code: Code, before: &[Code]) -> bool {
    is_error(engine, code) && before.iter().all(|code| engine.severity(*code) != Severity::Warning)
}

/// A member that is a string.
#[inline(never)]
fn text(w: &mut Writer<'_>, name: &str, text: &str) {
    w.name(name).string(text);
}

/// A member that is a whole number.
#[inline(never)]
fn number(w: &mut Writer<'_>, name: &str, number: u64) {
    w.name(name).integer(number);
}

/// The member `description`, and the decisions that stand behind it.
#[inline(never)]
fn about(w: &mut Writer<'_>, description: &str, decisions: &[&str]) {
    text(w, "description", description);
    cite(w, decisions);
}

/// The decisions that stand behind what was described.
#[inline(never)]
fn cite(w: &mut Writer<'_>, decisions: &[&str]) {
    if !decisions.is_empty() {
        w.name("x-payspec-decisions").strings(decisions.iter().copied());
    }
}

/// The member `type`; with null where nothing may stand for the value.
#[inline(never)]
fn kind(w: &mut Writer<'_>, name: &str, nullable: bool) {
    if nullable {
        w.name("type").strings([name, "null"]);
    } else {
        text(w, "type", name);
    }
}

/// A reference to another schema; with null where nothing may stand for the value.
#[inline(never)]
fn refer(w: &mut Writer<'_>, schema: &str, nullable: bool) {
    let target = |w: &mut Writer<'_>| w.name("$ref").plain(|out| put(out, &["#/components/schemas/", schema]));
    if nullable {
        w.name("anyOf").array(|w| {
            w.object(target);
            w.object(|w| kind(w, "null", false));
        });
    } else {
        target(w);
    }
}

/// A schema of listed words, each with its meaning.
#[inline(never)]
fn words(w: &mut Writer<'_>, name: &str, intro: &str, decisions: &[&str], words: &[(&str, &str)]) {
    w.name(name).object(|w| {
        kind(w, "string", false);
        w.name("enum").strings(words.iter().map(|(word, _)| *word));
        w.name("description").plain(|out| {
            put(out, &[intro]);
            list(out, words);
        });
        cite(w, decisions);
    });
}

/// A list of words and their meanings, below the text before it.
fn list(out: &mut Vec<u8>, words: &[(&str, &str)]) {
    put(out, &["\n"]);
    for (word, meaning) in words {
        put(out, &["\n- `", word, "`: ", meaning]);
    }
}

/// Pieces of a text, as the inside of a string.
#[inline(never)]
fn put(out: &mut Vec<u8>, pieces: &[&str]) {
    pieces.iter().for_each(|piece| escape(piece, out));
}
