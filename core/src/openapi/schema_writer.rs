//! The members that the schemas of the document share.

use alloc::vec::Vec;

use crate::engine::Engine;
use crate::json::writer::{Writer, escape};
use crate::report::code::{Code, Severity};

/// Whether breaking the rule makes a body invalid.
pub(super) fn is_error(engine: &Engine, code: Code) -> bool {
    engine.severity(code) == Severity::Error
}

/// A member that is a string.
#[inline(never)]
pub(super) fn text(w: &mut Writer<'_>, name: &str, text: &str) {
    w.name(name).string(text);
}

/// A member that is a whole number.
#[inline(never)]
pub(super) fn number(w: &mut Writer<'_>, name: &str, number: u64) {
    w.name(name).integer(number);
}

/// The member `description`, and the decisions that stand behind it.
#[inline(never)]
pub(super) fn about(w: &mut Writer<'_>, description: &str, decisions: &[&str]) {
    text(w, "description", description);
    cite(w, decisions);
}

/// The decisions that stand behind what was described.
#[inline(never)]
pub(super) fn cite(w: &mut Writer<'_>, decisions: &[&str]) {
    if !decisions.is_empty() {
        w.name("x-payspec-decisions").strings(decisions.iter().copied());
    }
}

/// The member `type`; with null where nothing may stand for the value.
#[inline(never)]
pub(super) fn kind(w: &mut Writer<'_>, name: &str, nullable: bool) {
    if nullable {
        w.name("type").strings([name, "null"]);
    } else {
        text(w, "type", name);
    }
}

/// A reference to another schema; with null where nothing may stand for the value.
#[inline(never)]
pub(super) fn refer(w: &mut Writer<'_>, schema: &str, nullable: bool) {
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
pub(super) fn words(w: &mut Writer<'_>, name: &str, intro: &str, decisions: &[&str], words: &[(&str, &str)]) {
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
pub(super) fn list(out: &mut Vec<u8>, words: &[(&str, &str)]) {
    put(out, &["\n"]);
    for (word, meaning) in words {
        put(out, &["\n- `", word, "`: ", meaning]);
    }
}

/// Pieces of a text, as the inside of a string.
#[inline(never)]
pub(super) fn put(out: &mut Vec<u8>, pieces: &[&str]) {
    pieces.iter().for_each(|piece| escape(piece, out));
}
