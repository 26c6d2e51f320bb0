//! The candidates in Rust: the baseline, other libraries, and payspec. `cargo xtask bench` finds
//! them by name.

use crate::harness::{Candidate, Expected, Work};
use crate::{baseline, corpus, rules, schema};
use payspec::operations::Verdict;
use payspec::{Engine, operations};
use std::hint::black_box;
use std::sync::LazyLock;

/// Lines of a log in one text.
static WORDS: LazyLock<Vec<u8>> = LazyLock::new(|| corpus::WORDS.repeat(160).into_bytes());
static LOG: LazyLock<Vec<u8>> = LazyLock::new(|| corpus::LOG.repeat(140).into_bytes());

/// Returns all candidates, the baseline first.
pub fn all(engine: &Engine) -> Vec<Candidate<'_>> {
    let (valid, invalid) = (
        || corpus::bytes(corpus::VALID),
        || corpus::bytes(corpus::INVALID),
    );
    let (p2p, crypto) = (
        || corpus::valid_of_mode("P2P"),
        || corpus::valid_of_mode("CRYPTO"),
    );
    vec![
        accepting("serde_json, typed, no rules", valid(), Box::new(typed)),
        accepting(
            "serde_json, Value",
            valid(),
            Box::new(|body| serde_json::from_slice::<serde_json::Value>(body).is_ok()),
        ),
        accepting(
            "sonic-rs, typed, no rules",
            valid(),
            Box::new(|body| is_kept(sonic_rs::from_slice::<baseline::Request<'_>>(body))),
        ),
        validator(
            "jsonschema, parse + all errors: valid",
            valid(),
            with_schema(),
        ),
        validator(
            "jsonschema, parse + all errors: invalid",
            invalid(),
            with_schema(),
        ),
        validator(
            "jsonschema macro, parse + all errors: valid",
            valid(),
            with_generated(),
        ),
        validator(
            "jsonschema macro, parse + all errors: invalid",
            invalid(),
            with_generated(),
        ),
        validator(
            "serde_json + garde: valid",
            valid(),
            Box::new(rules::accepts),
        ),
        validator(
            "serde_json + garde: invalid",
            invalid(),
            Box::new(rules::accepts),
        ),
        verdict("payspec, verdict: valid", valid(), engine),
        verdict("payspec, verdict: invalid", invalid(), engine),
        validator(
            "payspec, report: valid",
            valid(),
            answer(engine, "validate_request", None),
        ),
        validator(
            "payspec, report: invalid",
            invalid(),
            answer(engine, "validate_request", None),
        ),
        accepting("serde_json, typed, no rules: P2P", p2p(), Box::new(typed)),
        accepting(
            "serde_json, typed, no rules: CRYPTO",
            crypto(),
            Box::new(typed),
        ),
        accepting(
            "payspec, create_payment, P2P",
            p2p(),
            answer(engine, "create_payment", Some(corpus::CONTEXT)),
        ),
        accepting(
            "payspec, create_payment, P2P, key",
            p2p(),
            answer(engine, "create_payment", Some(corpus::CONTEXT_WITH_KEY)),
        ),
        accepting(
            "payspec, create_payment, CRYPTO",
            crypto(),
            answer(engine, "create_payment", Some(corpus::CONTEXT_CRYPTO)),
        ),
        accepting("payspec, redact", valid(), answer(engine, "redact", None)),
        accepting(
            "payspec, fingerprint_request",
            valid(),
            answer(engine, "fingerprint_request", None),
        ),
        accepting(
            "payspec, redact_text: lines without digits",
            vec![&WORDS],
            answer(engine, "redact_text", None),
        ),
        accepting(
            "payspec, redact_text: lines with times and numbers",
            vec![&LOG],
            answer(engine, "redact_text", None),
        ),
    ]
}

/// Returns a candidate that validates. It must return the right verdict for each body of the
/// corpus.
pub fn validator<'a>(name: &str, bodies: Vec<&'a [u8]>, work: Work<'a>) -> Candidate<'a> {
    Candidate {
        name: name.to_owned(),
        bodies,
        expected: Expected::Corpus,
        work,
    }
}

/// Returns a candidate that accepts its bodies, with or without rules.
pub fn accepting<'a>(name: &str, bodies: Vec<&'a [u8]>, work: Work<'a>) -> Candidate<'a> {
    Candidate {
        name: name.to_owned(),
        bodies,
        expected: Expected::All { accepts: true },
        work,
    }
}

/// The baseline: reads the body into types, without rules.
pub fn typed(body: &[u8]) -> bool {
    is_kept(serde_json::from_slice::<baseline::Request<'_>>(body))
}

/// Prevents the compiler from omitting unused members.
fn is_kept<E>(read: Result<baseline::Request<'_>, E>) -> bool {
    black_box(read).is_ok()
}

fn with_schema() -> Work<'static> {
    let validator = schema::validator();
    Box::new(move |body| schema::errors(&validator, body) == 0)
}

fn with_generated() -> Work<'static> {
    Box::new(|body| schema::generated_errors(body) == 0)
}

fn operation(name: &str) -> &'static operations::Operation {
    operations::operation(name).expect("a known operation")
}

/// Returns a candidate for the verdict without report.
pub fn verdict<'a>(name: &str, bodies: Vec<&'a [u8]>, engine: &'a Engine) -> Candidate<'a> {
    validator(name, bodies, verdict_work(engine))
}

/// Returns the work of `verdict`.
pub fn verdict_work(engine: &Engine) -> Work<'_> {
    Box::new(move |body| engine.is_valid_request(body, None))
}

/// Returns work that writes the answer of an operation into a reused buffer.
pub fn answer<'a>(engine: &'a Engine, of: &str, second: Option<&'static [u8]>) -> Work<'a> {
    let (operation, mut out) = (operation(of), Vec::with_capacity(16 * 1024));
    Box::new(move |body| {
        let inputs = [Some(body), second];
        let verdict = operation.call(engine, &inputs[..operation.inputs.len()], Some(&mut out));
        black_box(&out);
        matches!(verdict, Ok(Verdict::Accepted))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::{SHORT, measure};

    #[test]
    fn candidates_return_the_right_verdicts() {
        for figure in measure(SHORT, all(&Engine::default())) {
            assert!(
                figure.verdicts.0 > 0 && figure.verdicts.1 == 0,
                "{}",
                figure.name
            );
        }
    }
}
