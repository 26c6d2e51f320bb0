//! The fingerprint of a request: equal for bodies that differ only in the order of members, blanks and escapes.
//!
//! SHA-256 over the canonical form: members sorted by name (by code points), no blanks, strings in their shortest
//! escapes, numbers as written. No security code goes in, and without a key every card number goes in masked: a bare
//! hash of a card number could be searched for. A host's key (HMAC) makes the search impossible, so there it goes in.
//! The request's amount and time_to_complete_payment go in as they are, however much they look like a card number: two
//! requests over different amounts are never the same.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::host::parse_uuid;
use crate::pan;
use crate::policy::FingerprintKey;
use crate::read::{Shape, Tape, Text, Value};
use crate::redact::Secret;
use crate::request;
use crate::write::{escape, into_text, write_hex};

/// The fingerprint of a body that is known to be one JSON object, in hex.
pub(crate) fn fingerprint(body: &[u8], key: Option<&FingerprintKey>) -> String {
    let tape = Tape::read(core::str::from_utf8(body).unwrap_or(""));
    // The canonical form is hardly ever longer than the body, so this does not move and leaves no copy behind.
    let mut canonical = Zeroizing::new(Vec::with_capacity(body.len()));
    write_canonical(&tape, key.is_none(), &mut canonical);
    let mut hex = Vec::with_capacity(64);
    match key.and_then(|key| Hmac::<Sha256>::new_from_slice(key.bytes()).ok()) {
        Some(mut mac) => {
            mac.update(&canonical);
            write_hex(&mac.finalize().into_bytes(), &mut hex);
        }
        None => write_hex(&Sha256::digest(&canonical), &mut hex),
    }
    into_text(hex)
}

/// What is still to be written. A list of it takes the place of recursion.
enum Task<'a> {
    Text(&'static str),
    Name(Text<'a>),
    /// The value at that place of the tape, and whether card numbers in it are masked.
    Value(usize, bool),
    Masked(Cow<'static, str>),
}

fn write_canonical(tape: &Tape<'_>, masked: bool, out: &mut Vec<u8>) {
    let mut tasks = alloc::vec![Task::Value(0, masked)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Text(text) => out.extend_from_slice(text.as_bytes()),
            Task::Name(name) => {
                write_string(name, masked, out);
                out.push(b':');
            }
            Task::Masked(text) => {
                out.push(b'"');
                out.extend_from_slice(text.as_bytes());
                out.push(b'"');
            }
            Task::Value(place, masked) => match value_at(tape, place) {
                Value::Object(_) => push_object(tape, place, masked, &mut tasks),
                Value::Array(_) => push_array(tape, place, masked, &mut tasks),
                Value::String(text) => write_string(text, masked, out),
                Value::Number(digits) => match pan::mask_text(digits).filter(|_| masked) {
                    Some(masked) => out.extend_from_slice(masked.as_bytes()),
                    None => out.extend_from_slice(digits.as_bytes()),
                },
                Value::Bool(true) => out.extend_from_slice(b"true"),
                Value::Bool(false) => out.extend_from_slice(b"false"),
                Value::Null | Value::Absent => out.extend_from_slice(b"null"),
            },
        }
    }
}

fn value_at<'a>(tape: &Tape<'a>, place: usize) -> Value<'a> {
    tape.node(place).map_or(Value::Null, |node| node.value)
}

/// The items, last one first: tasks are taken from the end.
fn push_array(tape: &Tape<'_>, place: usize, masked: bool, tasks: &mut Vec<Task<'_>>) {
    let items: Vec<usize> = tape.within(place).collect();
    tasks.push(Task::Text("]"));
    push_separated(items.into_iter().rev().map(|item| [Task::Value(item, masked)]), tasks);
    tasks.push(Task::Text("["));
}

/// The members, sorted, last one first too.
fn push_object<'a>(tape: &Tape<'a>, within: usize, masked: bool, tasks: &mut Vec<Task<'a>>) {
    let member = |place: usize| Some((tape.node(place)?.name?, place));
    let mut members: Vec<(Text<'a>, usize)> = tape.within(within).filter_map(member).collect();
    members.retain(|(name, _)| Secret::named(*name) != Some(Secret::SecurityCode));
    // Stable: a name that stands twice keeps its order, and both values count.
    members.sort_by(|(one, _), (other, _)| one.compare(*other));
    tasks.push(Task::Text("}"));
    let pairs = members.into_iter().rev().map(|(name, place)| {
        let value = value_at(tape, place);
        let secret = Secret::named(name).filter(|_| masked).and_then(|secret| secret.masked(value));
        let task = match secret {
            Some(secret) => Task::Masked(secret),
            None => Task::Value(place, masked && !(within == 0 && is_quantity(name, value))),
        };
        [task, Task::Name(name)]
    });
    push_separated(pairs, tasks);
    tasks.push(Task::Text("{"));
}

/// Whether it is a member of the request that counts something, in its own type, and long enough to be taken for a card
/// number.
fn is_quantity(name: Text<'_>, value: Value<'_>) -> bool {
    let (shape, length) = match value {
        Value::String(text) => (Shape::Text, text.raw().len()),
        Value::Number(digits) => (Shape::Integer, digits.len()),
        _ => return false,
    };
    length >= pan::SHORTEST && request::is_quantity(name, shape)
}

fn push_separated<'a, const N: usize>(parts: impl Iterator<Item = [Task<'a>; N]>, tasks: &mut Vec<Task<'a>>) {
    let mut first = true;
    for part in parts {
        if !first {
            tasks.push(Task::Text(","));
        }
        first = false;
        tasks.extend(part);
    }
}

fn write_string(text: Text<'_>, masked: bool, out: &mut Vec<u8>) {
    text.with(|text| write_text(text, masked, out));
}

fn write_text(text: &str, masked: bool, out: &mut Vec<u8>) {
    out.push(b'"');
    // A UUID is no card number, whatever its digits are.
    match pan::mask_text(text).filter(|_| masked && parse_uuid(text).is_none()) {
        Some(masked) => escape(&masked, out),
        None => escape(text, out),
    }
    out.push(b'"');
}
