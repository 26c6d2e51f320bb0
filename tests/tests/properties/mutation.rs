//! Changes of the inputs of a seed.

use payspec_tests::json::Json;
use payspec_tests::tree;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// One change.
#[derive(Clone, Debug)]
pub(crate) enum Mutation {
    /// Omits the input.
    Absent,
    /// Replaces all bytes.
    Bytes(Vec<u8>),
    /// Changes one byte.
    Flip(Index, u8),
    /// Inserts some bytes.
    Insert(Index, Vec<u8>),
    /// Removes a range.
    Cut(Index, Index),
    /// Repeats a range.
    Repeat(Index, Index),
    /// Replaces a value in the JSON.
    Replace(Index, Json),
    /// Removes a member or element.
    Remove(Index, Index),
    /// Duplicates a member with another value.
    Twice(Index, Index, Json),
    /// Renames a member.
    Rename(Index, Index, String),
}

/// Any change.
pub(crate) fn mutation() -> impl Strategy<Value = Mutation> {
    let index = any::<Index>;
    prop_oneof![
        1 => Just(Mutation::Absent),
        2 => vec(any::<u8>(), 0..80).prop_map(Mutation::Bytes),
        1 => json().prop_map(|value| Mutation::Bytes(value.compact().into_bytes())),
        3 => (index(), any::<u8>()).prop_map(|(at, byte)| Mutation::Flip(at, byte)),
        2 => (index(), vec(any::<u8>(), 1..6)).prop_map(|(at, bytes)| Mutation::Insert(at, bytes)),
        1 => (index(), select(PIECES)).prop_map(|(at, piece)| Mutation::Insert(at, piece.as_bytes().to_vec())),
        2 => (index(), index()).prop_map(|(from, to)| Mutation::Cut(from, to)),
        1 => (index(), index()).prop_map(|(from, to)| Mutation::Repeat(from, to)),
        12 => (index(), json()).prop_map(|(at, value)| Mutation::Replace(at, value)),
        3 => (index(), index()).prop_map(|(at, which)| Mutation::Remove(at, which)),
        3 => (index(), index(), json()).prop_map(|(at, which, value)| Mutation::Twice(at, which, value)),
        2 => (index(), index(), name()).prop_map(|(at, which, name)| Mutation::Rename(at, which, name)),
    ]
}

impl Mutation {
    /// Returns the changed input. A change of a location does not affect an input that is not JSON.
    pub(crate) fn apply(&self, input: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let mut bytes = input.unwrap_or_default();
        let range = |from: &Index, to: &Index, length: usize| {
            let (from, to) = (from.index(length + 1), to.index(length + 1));
            from.min(to)..from.max(to)
        };
        match self {
            Mutation::Absent => return None,
            Mutation::Bytes(other) => bytes.clone_from(other),
            Mutation::Flip(at, byte) if !bytes.is_empty() => *at.get_mut(&mut bytes) = *byte,
            Mutation::Flip(..) => {}
            Mutation::Insert(at, other) => {
                let at = at.index(bytes.len() + 1);
                drop(bytes.splice(at..at, other.iter().copied()));
            }
            Mutation::Cut(from, to) => drop(bytes.drain(range(from, to, bytes.len()))),
            Mutation::Repeat(from, to) => bytes.extend_from_within(range(from, to, bytes.len())),
            _ => {
                if let Ok(mut json) = Json::parse(&bytes) {
                    self.apply_to(&mut json);
                    bytes = json.compact().into_bytes();
                }
            }
        }
        Some(bytes)
    }

    fn apply_to(&self, json: &mut Json) {
        let (Mutation::Replace(at, _)
        | Mutation::Remove(at, _)
        | Mutation::Twice(at, ..)
        | Mutation::Rename(at, ..)) = self
        else {
            return;
        };
        let number = at.index(tree::pointers(json).len());
        let Some(target) = tree::value_at(json, number) else {
            return;
        };
        match (self, target) {
            (Mutation::Replace(_, value), target) => *target = value.clone(),
            (Mutation::Remove(_, which), Json::Array(list)) if !list.is_empty() => {
                drop(list.remove(which.index(list.len())))
            }
            (Mutation::Remove(_, which), Json::Object(list)) if !list.is_empty() => {
                drop(list.remove(which.index(list.len())))
            }
            (Mutation::Twice(_, which, value), Json::Object(list)) if !list.is_empty() => {
                let name = which.get(list).0.clone();
                list.push((name, value.clone()));
            }
            (Mutation::Rename(_, which, name), Json::Object(list)) if !list.is_empty() => {
                which.get_mut(list).0.clone_from(name);
            }
            _ => {}
        }
    }
}

const PIECES: &[&str] = &[
    "\\u0000", "\\ud800", "\"", "{", "}", "[", ",", ":", "null", "1e999", "\u{feff}", "\u{202e}",
    "\\\\",
];

/// Texts at the edges of one grammar or another.
const TEXTS: &[&str] = &[
    "",
    " ",
    "0",
    "0.00",
    "1",
    "100.00",
    "-1.00",
    "1e5",
    "999999999999999999.999999999999999999",
    "0.000000000000000001",
    "9999999999999999999999999999",
    "RUB",
    "JPY",
    "USDT",
    "XAU",
    "pay_in",
    "pay_out",
    "P2P",
    "CRYPTO",
    "sbp",
    "idle",
    "completed",
    "not_fully",
    "correction",
    "2026-11-20T10:15:30Z",
    "2026-11-20T10:15:30.000000001+14:00",
    "0000-01-01T00:00:00-23:59",
    "9999-12-31T23:59:60Z",
    "2026-02-29T00:00:00Z",
    "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11",
    "https://shop.example/ok?a=b#c",
    "http://[::ffff:127.0.0.1]:65536/",
    "javascript:alert(1)",
    "4111111111111111",
    "+79000000000",
    "\u{202e}\u{0}\u{2028}",
];

const NAMES: &[&str] = &[
    "amount",
    "cur",
    "currency",
    "mode",
    "uid",
    "now",
    "quote",
    "rate",
    "charges",
    "fee",
    "payment",
    "state",
    "info",
    "card",
    "pay_in_details",
    "credentials",
    "authorization",
    "idempotency",
    "existing",
    "limits",
    "severity",
    "a/b~c",
    "",
];

fn name() -> impl Strategy<Value = String> {
    prop_oneof![3 => select(NAMES).prop_map(str::to_owned), 1 => ".{0,20}"]
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        1 => Just(Json::Null),
        1 => any::<bool>().prop_map(Json::Bool),
        1 => any::<i64>().prop_map(|number| Json::Number(number.into())),
        1 => (-3_i64..15).prop_map(|number| Json::Number(number.into())),
        1 => any::<f64>().prop_filter_map("finite", serde_json::Number::from_f64).prop_map(Json::Number),
        4 => select(TEXTS).prop_map(|text| Json::String(text.to_owned())),
        2 => ".{0,30}".prop_map(Json::String),
        2 => "[0-9]{0,40}(\\.[0-9]{0,30})?".prop_map(Json::String),
        1 => (0_usize..5000).prop_map(|length| Json::String("x".repeat(length))),
    ];
    leaf.prop_recursive(5, 30, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Json::Array),
            vec((name(), inner), 0..5).prop_map(Json::Object),
        ]
    })
}
