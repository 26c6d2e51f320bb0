//! Large bodies of a megabyte of text, escapes or unknown members, compared with the baseline
//! (P12), and worst-case bodies of n and 16 n bytes (P13).

use crate::candidates::{accepting, answer, typed, verdict_work};
use crate::harness::{Candidate, Expected};
use crate::worst_case::Worst;
use payspec::Engine;
use payspec_tests::worst_case;
use std::fmt::Write;

/// Returns an engine without limits.
pub fn engine() -> Engine {
    worst_case::engine()
}

/// A large body with its name.
pub struct Large {
    name: &'static str,
    body: String,
}

/// Returns all large bodies.
pub fn bodies() -> Vec<Large> {
    let mut members = String::new();
    for number in 0..10_000 {
        write!(members, r#","unknown_{number:05}":"value {number}""#)
            .expect("writing to a String cannot fail");
    }
    vec![
        Large {
            name: "1 MB of ASCII text",
            body: described(&"The quick brown fox. ".repeat(1_000_000 / 21)),
        },
        Large {
            name: "1 MB of Cyrillic text",
            body: described(&"Съешь же ещё этих мягких булок ".repeat(1_000_000 / 56)),
        },
        Large {
            name: "10,000 unknown members",
            body: with(&members),
        },
        Large {
            name: "1.2 MB of escapes",
            body: described(&r"\u0416\u0436".repeat(100_000)),
        },
    ]
}

/// Returns a candidate for every worst-case body, small and large. `cargo xtask bench` finds the
/// pairs by name.
pub fn worst_candidates<'a>(bodies: &'a [Worst], engine: &'a Engine) -> Vec<Candidate<'a>> {
    let of = |Worst {
                  kind,
                  operation,
                  small,
                  large,
                  accepted,
              }: &'a Worst| {
        [("n", small), ("16 n", large)].map(|(size, body)| Candidate {
            name: format!("worst body, {kind}, {operation}: {size}"),
            bodies: vec![body],
            expected: Expected::All { accepts: *accepted },
            work: answer(engine, operation, None),
        })
    };
    bodies.iter().flat_map(of).collect()
}

/// Returns the baseline and the verdict for each large body.
pub fn candidates<'a>(bodies: &'a [Large], engine: &'a Engine) -> Vec<Candidate<'a>> {
    let pair = |Large { name, body }: &'a Large| {
        let body = vec![body.as_bytes()];
        [
            accepting(
                &format!("{name}: serde_json, typed"),
                body.clone(),
                Box::new(typed),
            ),
            accepting(
                &format!("{name}: payspec, verdict"),
                body,
                verdict_work(engine),
            ),
        ]
    };
    bodies.iter().flat_map(pair).collect()
}

fn described(text: &str) -> String {
    with(&format!(r#","description":"{text}""#))
}

fn with(members: &str) -> String {
    format!(
        r#"{{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50"{members}}}"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_sizes_of_the_names() {
        let sizes: Vec<usize> = bodies()
            .iter()
            .map(|large| large.body.len() / 100_000)
            .collect();
        assert_eq!((sizes[0], sizes[1], sizes[3]), (10, 10, 12));
    }
}
