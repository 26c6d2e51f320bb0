//! Large bodies: a megabyte of text, of escapes, of unknown members, beside the floor (P12); and the worst bodies, of n
//! bytes and of sixteen times as many (P13).

use crate::contenders::{answer, own, typed, verdict_work};
use crate::harness::{Contender, Judges};
use crate::worst::Worst;
use payspec::Engine;
use payspec_tests::worst;
use std::fmt::Write;

/// An engine that takes them.
pub fn engine() -> Engine {
    worst::engine()
}

/// One large body, and its name.
pub struct Large {
    name: &'static str,
    body: String,
}

/// All of them.
pub fn bodies() -> Vec<Large> {
    let mut members = String::new();
    for number in 0..10_000 {
        write!(members, r#","unknown_{number:05}":"value {number}""#).expect("a String takes all");
    }
    vec![
        Large { name: "1 MB of ASCII text", body: described(&"The quick brown fox. ".repeat(1_000_000 / 21)) },
        Large {
            name: "1 MB of Cyrillic text",
            body: described(&"Съешь же ещё этих мягких булок ".repeat(1_000_000 / 56)),
        },
        Large { name: "10,000 unknown members", body: with(&members) },
        Large { name: "1.2 MB of escapes", body: described(&r"\u0416\u0436".repeat(100_000)) },
    ]
}

/// Every worst body before its operation, small and large; the names are what the two are found by.
pub fn worst_contenders<'a>(bodies: &'a [Worst], engine: &'a Engine) -> Vec<Contender<'a>> {
    let of = |Worst { kind, operation, small, large, accepted }: &'a Worst| {
        [("n", small), ("16 n", large)].map(|(size, body)| Contender {
            name: format!("worst body, {kind}, {operation}: {size}"),
            bodies: vec![body],
            judges: Judges::Own { accepts: *accepted },
            work: answer(engine, operation, None),
        })
    };
    bodies.iter().flat_map(of).collect()
}

/// The floor and the verdict of each.
pub fn contenders<'a>(bodies: &'a [Large], engine: &'a Engine) -> Vec<Contender<'a>> {
    let pair = |Large { name, body }: &'a Large| {
        let body = vec![body.as_bytes()];
        [
            own(&format!("{name}: serde_json, typed"), body.clone(), Box::new(typed)),
            own(&format!("{name}: payspec, verdict"), body, verdict_work(engine)),
        ]
    };
    bodies.iter().flat_map(pair).collect()
}

fn described(text: &str) -> String {
    with(&format!(r#","description":"{text}""#))
}

fn with(members: &str) -> String {
    format!(r#"{{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"{members}}}"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_as_large_as_their_names_say() {
        let sizes: Vec<usize> = bodies().iter().map(|large| large.body.len() / 100_000).collect();
        assert_eq!((sizes[0], sizes[1], sizes[3]), (10, 10, 12));
    }
}
