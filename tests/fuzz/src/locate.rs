//! Checks locations: every value of a body is located where serde_json reads the same value, and no
//! pointer fails otherwise.

use crate::bytes::Bytes;
use payspec::Engine;
use payspec_tests::json::Json;
use payspec_tests::{seeds, tree};
use std::collections::HashSet;
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);

/// Input: a pointer up to the first 0xFF, then the body.
pub(crate) fn run(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let pointer = bytes.part().unwrap_or_default();
    let body = bytes.0;
    if let Ok(pointer) = str::from_utf8(pointer) {
        located(body, pointer);
    }
    let Ok(json) = Json::parse(body) else { return };
    let mut json = json;
    let mut seen = HashSet::new();
    for (number, pointer) in tree::pointers(&json).into_iter().enumerate().take(200) {
        // Of duplicate members, only the first one and its content are located.
        let is_first = seen.insert(pointer.clone());
        let found = located(body, &pointer);
        if is_first && !has_duplicates(&json) {
            let value = tree::value_at(&mut json, number).expect("a value of the tree");
            assert_eq!(
                found.map(|found| found.compact()),
                Some(value.compact()),
                "{pointer}"
            );
        }
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for seed in seeds::calls()
        .into_iter()
        .filter(|seed| matches!(seed.operation.as_str(), "locate" | "redact"))
    {
        let mut inputs = seed.inputs.into_iter().map(Option::unwrap_or_default);
        let (body, pointer) = (
            inputs.next().unwrap_or_default(),
            inputs.next().unwrap_or_default(),
        );
        all.push([pointer, vec![0xFF], body].concat());
    }
    all
}

/// Locates the value and reads it, if there is one.
fn located(body: &[u8], pointer: &str) -> Option<Json> {
    let location = ENGINE.locate(body, pointer).ok()??;
    let before = str::from_utf8(&body[..location.value.start]).expect("UTF-8 before a value");
    let line = before.rsplit('\n').next().unwrap_or_default();
    let position = (before.matches('\n').count() + 1, line.chars().count() + 1);
    assert_eq!(
        (location.line, location.column),
        (position.0 as u64, position.1 as u64),
        "{pointer}"
    );
    if let Some(name) = location.name {
        let token = pointer
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .replace("~1", "/")
            .replace("~0", "~");
        let name = Json::parse(&body[name]).expect("a string");
        assert_eq!(name.as_str(), Some(token.as_str()));
    }
    Json::parse(&body[location.value]).ok()
}

fn has_duplicates(json: &Json) -> bool {
    let mut names = HashSet::new();
    json.members()
        .iter()
        .any(|(name, value)| !names.insert(name) || has_duplicates(value))
        || json.elements().iter().any(has_duplicates)
}
