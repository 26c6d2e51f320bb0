//! Who runs in Rust: the floor, the ways that hosts go today, and the library. `cargo xtask bench` finds them by name.

use crate::harness::{Contender, Judges, Work};
use crate::{corpus, floor, rules, schema};
use payspec::json::Verdict;
use payspec::{Engine, json};
use std::hint::black_box;

/// All of them, the floor first.
pub fn all(engine: &Engine) -> Vec<Contender<'_>> {
    let (valid, invalid) = (|| corpus::bytes(corpus::VALID), || corpus::bytes(corpus::INVALID));
    let (p2p, crypto) = (|| corpus::valid_of_mode("P2P"), || corpus::valid_of_mode("CRYPTO"));
    vec![
        own("serde_json, typed, no rules", valid(), Box::new(typed)),
        own("serde_json, Value", valid(), Box::new(|body| serde_json::from_slice::<serde_json::Value>(body).is_ok())),
        own(
            "sonic-rs, typed, no rules",
            valid(),
            Box::new(|body| is_kept(sonic_rs::from_slice::<floor::Request<'_>>(body))),
        ),
        judge("jsonschema, parse + all errors: valid", valid(), with_schema()),
        judge("jsonschema, parse + all errors: invalid", invalid(), with_schema()),
        judge("serde_json + garde: valid", valid(), Box::new(rules::accepts)),
        judge("serde_json + garde: invalid", invalid(), Box::new(rules::accepts)),
        verdict("payspec, verdict: valid", valid(), engine),
        verdict("payspec, verdict: invalid", invalid(), engine),
        judge("payspec, report: valid", valid(), answer(engine, "validate_request", None)),
        judge("payspec, report: invalid", invalid(), answer(engine, "validate_request", None)),
        own("serde_json, typed, no rules: P2P", p2p(), Box::new(typed)),
        own("serde_json, typed, no rules: CRYPTO", crypto(), Box::new(typed)),
        own("payspec, create_payment, P2P", p2p(), answer(engine, "create_payment", Some(corpus::CONTEXT))),
        own(
            "payspec, create_payment, P2P, key",
            p2p(),
            answer(engine, "create_payment", Some(corpus::CONTEXT_WITH_KEY)),
        ),
        own(
            "payspec, create_payment, CRYPTO",
            crypto(),
            answer(engine, "create_payment", Some(corpus::CONTEXT_CRYPTO)),
        ),
    ]
}

/// Knows the rules.
pub fn judge<'a>(name: &str, bodies: Vec<&'a [u8]>, work: Work<'a>) -> Contender<'a> {
    Contender { name: name.to_owned(), bodies, judges: Judges::Corpus, work }
}

/// Accepts its bodies, whether it knows rules or not.
pub fn own<'a>(name: &str, bodies: Vec<&'a [u8]>, work: Work<'a>) -> Contender<'a> {
    Contender { name: name.to_owned(), bodies, judges: Judges::Own { accepts: true }, work }
}

/// The floor: what a host pays that only reads the body into its types.
pub fn typed(body: &[u8]) -> bool {
    is_kept(serde_json::from_slice::<floor::Request<'_>>(body))
}

/// Keeps the compiler from leaving out members that nobody looks at.
fn is_kept<E>(read: Result<floor::Request<'_>, E>) -> bool {
    black_box(read).is_ok()
}

fn with_schema() -> Work<'static> {
    let validator = schema::validator();
    Box::new(move |body| schema::errors(&validator, body) == 0)
}

fn operation(name: &str) -> &'static json::Operation {
    json::operation(name).expect("an operation of the contract")
}

/// The verdict alone: nothing is written.
pub fn verdict<'a>(name: &str, bodies: Vec<&'a [u8]>, engine: &'a Engine) -> Contender<'a> {
    judge(name, bodies, verdict_work(engine))
}

/// What it does.
pub fn verdict_work(engine: &Engine) -> Work<'_> {
    Box::new(move |body| engine.is_valid_request(body, None))
}

/// The whole answer, into a buffer that is kept from call to call.
pub fn answer<'a>(engine: &'a Engine, of: &str, second: Option<&'static [u8]>) -> Work<'a> {
    let (operation, mut out) = (operation(of), Vec::with_capacity(16 * 1024));
    Box::new(move |body| {
        let verdict = operation.call(engine, &[Some(body), second], Some(&mut out));
        black_box(&out);
        matches!(verdict, Ok(Verdict::Accepted))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::{SHORT, measure};

    #[test]
    fn each_of_them_judges_rightly() {
        for figure in measure(SHORT, all(&Engine::default())) {
            assert!(figure.verdicts.0 > 0 && figure.verdicts.1 == 0, "{}", figure.name);
        }
    }
}
