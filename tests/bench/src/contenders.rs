//! Who runs: the floor, two ways that hosts go today, and the library.

use crate::harness::Contender;
use crate::{corpus, floor, schema};
use payspec::{Engine, json};

/// The names by which the targets find their figures.
pub mod names {
    #![expect(missing_docs, reason = "they say themselves what they are")]
    pub const FLOOR: &str = "floor: serde_json, typed, borrowed, no rules";
    pub const VALUE: &str = "serde_json, to Value";
    pub const SCHEMA_VALID: &str = "jsonschema, parse + all errors: valid";
    pub const SCHEMA_INVALID: &str = "jsonschema, parse + all errors: invalid";
    pub const VERDICT_VALID: &str = "payspec, verdict alone: valid";
    pub const VERDICT_INVALID: &str = "payspec, verdict alone: invalid";
    pub const REPORT_VALID: &str = "payspec, full report: valid";
    pub const REPORT_INVALID: &str = "payspec, full report: invalid";
    pub const CREATE_P2P: &str = "payspec, create_payment, P2P";
    pub const CREATE_P2P_WITH_KEY: &str = "payspec, create_payment, P2P, idempotency key";
    pub const CREATE_CRYPTO: &str = "payspec, create_payment, CRYPTO";
}

/// All of them, the floor first.
pub fn all(engine: &Engine) -> Vec<Contender<'_>> {
    use names::*;
    let (valid, invalid) = (corpus::bytes(corpus::VALID), corpus::bytes(corpus::INVALID));
    let (p2p, crypto) = (corpus::valid_of_mode("P2P"), corpus::valid_of_mode("CRYPTO"));
    vec![
        contender(FLOOR, &valid, |body| {
            serde_json::from_slice::<floor::Request<'_>>(body).map_or(0, |r| r.cur.0.len())
        }),
        contender(VALUE, &valid, |body| usize::from(serde_json::from_slice::<serde_json::Value>(body).is_ok())),
        with_schema(SCHEMA_VALID, &valid),
        with_schema(SCHEMA_INVALID, &invalid),
        verdict(VERDICT_VALID, &valid, engine),
        verdict(VERDICT_INVALID, &invalid, engine),
        answer(REPORT_VALID, &valid, engine, "validate_request", None),
        answer(REPORT_INVALID, &invalid, engine, "validate_request", None),
        answer(CREATE_P2P, &p2p, engine, "create_payment", Some(corpus::CONTEXT)),
        answer(CREATE_P2P_WITH_KEY, &p2p, engine, "create_payment", Some(corpus::CONTEXT_WITH_KEY)),
        answer(CREATE_CRYPTO, &crypto, engine, "create_payment", Some(corpus::CONTEXT_CRYPTO)),
    ]
}

fn contender<'a>(name: &'static str, bodies: &[&'static [u8]], work: impl FnMut(&[u8]) -> usize + 'a) -> Contender<'a> {
    Contender { name, bodies: bodies.to_vec(), work: Box::new(work) }
}

fn with_schema(name: &'static str, bodies: &[&'static [u8]]) -> Contender<'static> {
    let validator = schema::validator();
    contender(name, bodies, move |body| schema::errors(&validator, body))
}

fn operation(name: &str) -> &'static json::Operation {
    json::operation(name).expect("an operation of the contract")
}

/// The verdict alone: nothing is written.
fn verdict<'a>(name: &'static str, bodies: &[&'static [u8]], engine: &'a Engine) -> Contender<'a> {
    let operation = operation("validate_request");
    contender(name, bodies, move |body| {
        usize::from(matches!(operation.call(engine, &[Some(body), None], None), Ok(json::Verdict::Accepted)))
    })
}

/// The whole answer, into a buffer that is kept from call to call.
fn answer<'a>(
    name: &'static str,
    bodies: &[&'static [u8]],
    engine: &'a Engine,
    of: &str,
    second: Option<&'static [u8]>,
) -> Contender<'a> {
    let (operation, mut out) = (operation(of), Vec::with_capacity(16 * 1024));
    contender(name, bodies, move |body| {
        out.clear();
        let verdict = operation.call(engine, &[Some(body), second], Some(&mut out));
        usize::from(verdict.is_ok()) + out.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepted(of: &str, body: &[u8], second: Option<&[u8]>) -> bool {
        matches!(operation(of).call(&Engine::default(), &[Some(body), second], None), Ok(json::Verdict::Accepted))
    }

    #[test]
    fn the_library_tells_the_valid_bodies_from_the_invalid_ones() {
        for body in corpus::VALID {
            assert!(accepted("validate_request", body.bytes, None), "{}", body.name);
        }
        for body in corpus::INVALID {
            assert!(!accepted("validate_request", body.bytes, None), "{}", body.name);
        }
    }

    #[test]
    fn every_creation_that_is_timed_creates() {
        for (mode, context) in
            [("P2P", corpus::CONTEXT), ("P2P", corpus::CONTEXT_WITH_KEY), ("CRYPTO", corpus::CONTEXT_CRYPTO)]
        {
            for body in corpus::valid_of_mode(mode) {
                assert!(accepted("create_payment", body, Some(context)), "{mode}");
            }
        }
    }
}
