//! The fingerprint of a request: equal for bodies that differ only in the order of members, blanks and escapes.
//!
//! SHA-256 over the canonical form: members sorted by name (by code points), no blanks, strings in their shortest
//! escapes, numbers as written. No security code goes in, and without a key every card number goes in masked: a bare
//! hash of a card number could be searched for. A host's key (HMAC) makes the search impossible, so there it goes in.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::pan;
use crate::policy::FingerprintKey;
use crate::read::{Text, Value, items, members};
use crate::redact::Secret;
use crate::write::{escape, write_hex};

/// The fingerprint of a body that is known to be one JSON object, in hex.
pub(crate) fn fingerprint(body: &[u8], key: Option<&FingerprintKey>) -> String {
    let text = core::str::from_utf8(body).unwrap_or("").trim_start();
    // The canonical form is hardly ever longer than the body, so this does not move and leaves no copy behind.
    let mut canonical = Zeroizing::new(Vec::with_capacity(body.len()));
    write_canonical(members(text), key.is_none(), &mut canonical);
    let mut hex = Vec::with_capacity(64);
    match key.and_then(|key| Hmac::<Sha256>::new_from_slice(key.bytes()).ok()) {
        Some(mut mac) => {
            mac.update(&canonical);
            write_hex(&mac.finalize().into_bytes(), &mut hex);
        }
        None => write_hex(&Sha256::digest(&canonical), &mut hex),
    }
    String::from_utf8(hex).unwrap_or_default()
}

/// What is still to be written. A list of it takes the place of recursion.
enum Task<'a> {
    Text(&'static str),
    Name(Text<'a>),
    Value(Value<'a>),
    Masked(Cow<'static, str>),
}

fn write_canonical<'a>(body: Vec<(Text<'a>, Value<'a>)>, masked: bool, out: &mut Vec<u8>) {
    let mut tasks = Vec::new();
    push_object(body, masked, &mut tasks);
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
            Task::Value(Value::Object(object)) => push_object(members(object), masked, &mut tasks),
            Task::Value(Value::Array(array)) => {
                tasks.push(Task::Text("]"));
                push_separated(items(array).into_iter().rev().map(|item| [Task::Value(item)]), &mut tasks);
                tasks.push(Task::Text("["));
            }
            Task::Value(Value::String(text)) => write_string(text, masked, out),
            Task::Value(Value::Number(digits)) => match pan::mask_text(digits).filter(|_| masked) {
                Some(masked) => out.extend_from_slice(masked.as_bytes()),
                None => out.extend_from_slice(digits.as_bytes()),
            },
            Task::Value(Value::Bool(true)) => out.extend_from_slice(b"true"),
            Task::Value(Value::Bool(false)) => out.extend_from_slice(b"false"),
            Task::Value(Value::Null | Value::Absent) => out.extend_from_slice(b"null"),
        }
    }
}

/// The members, sorted, last one first: tasks are taken from the end.
fn push_object<'a>(mut members: Vec<(Text<'a>, Value<'a>)>, masked: bool, tasks: &mut Vec<Task<'a>>) {
    members.retain(|(name, _)| Secret::named(*name) != Some(Secret::SecurityCode));
    // Stable: a name that stands twice keeps its order, and both values count.
    members.sort_by(|(one, _), (other, _)| one.compare(*other));
    tasks.push(Task::Text("}"));
    let pairs = members.into_iter().rev().map(|(name, value)| {
        let secret = Secret::named(name).filter(|_| masked).and_then(|secret| secret.masked(value));
        [secret.map_or(Task::Value(value), Task::Masked), Task::Name(name)]
    });
    push_separated(pairs, tasks);
    tasks.push(Task::Text("{"));
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
    match pan::mask_text(text).filter(|_| masked) {
        Some(masked) => escape(&masked, out),
        None => escape(text, out),
    }
    out.push(b'"');
}
