//! The members that the schemas of the document share.

use alloc::vec::Vec;

use crate::engine::Engine;
use crate::json::writer::{Writer, escape};
use crate::report::code::{Code, Severity};

/// Returns whether a violation of the rule makes a body invalid.
pub(super) fn is_error(engine: &Engine, code: Code) -> bool {
    engine.severity(code) == Severity::Error
}

/// Writes a member with a string value.
#[inline(never)]
pub(super) fn text(w: &mut Writer<'_>, name: &str, text: &str) {
    w.name(name).string(text);
}

/// Writes a member with an integer value.
#[inline(never)]
pub(super) fn number(w: &mut Writer<'_>, name: &str, number: u64) {
    w.name(name).integer(number);
}

/// Writes the member `description`, and the decisions that it is based on.
#[inline(never)]
pub(super) fn about(w: &mut Writer<'_>, description: &str, decisions: &[&str]) {
    text(w, "description", description);
    cite(w, decisions);
}

/// Writes the decisions that a description is based on.
#[inline(never)]
pub(super) fn cite(w: &mut Writer<'_>, decisions: &[&str]) {
    if !decisions.is_empty() {
        w.name("x-payspec-decisions")
            .strings(decisions.iter().copied());
    }
}

/// Writes the member `type`, which includes null if `nullable` is true.
#[inline(never)]
pub(super) fn kind(w: &mut Writer<'_>, name: &str, nullable: bool) {
    if nullable {
        w.name("type").strings([name, "null"]);
    } else {
        text(w, "type", name);
    }
}

/// Writes a reference to another schema, or to null if `nullable` is true.
#[inline(never)]
pub(super) fn refer(w: &mut Writer<'_>, schema: &str, nullable: bool) {
    // Schemas have a capital letter; the formats in the frames do not.
    debug_assert!(
        schema.starts_with(|first: char| first.is_ascii_uppercase()),
        "{schema} is not a schema"
    );
    let target = |w: &mut Writer<'_>| {
        w.name("$ref")
            .plain(|out| put(out, &["#/components/schemas/", schema]))
    };
    if nullable {
        w.name("anyOf").array(|w| {
            w.object(target);
            w.object(|w| kind(w, "null", false));
        });
    } else {
        target(w);
    }
}

/// Writes the schema of an enumeration, with the meaning of each word.
#[inline(never)]
pub(super) fn enum_schema(
    w: &mut Writer<'_>,
    name: &str,
    intro: &str,
    decisions: &[&str],
    words: &[(&str, &str)],
) {
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

/// Appends a list of words and their meanings to a text.
pub(super) fn list(out: &mut Vec<u8>, words: &[(&str, &str)]) {
    put(out, &["\n"]);
    for (word, meaning) in words {
        put(out, &["\n- `", word, "`: ", meaning]);
    }
}

/// Appends pieces of a text to an open JSON string, with escapes.
#[inline(never)]
pub(super) fn put(out: &mut Vec<u8>, pieces: &[&str]) {
    pieces.iter().for_each(|piece| escape(piece, out));
}
