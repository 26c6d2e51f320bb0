//! Makes the main calls on every body of the corpus, in a function that callgrind finds by its
//! name. `cargo xtask bench` runs this program under valgrind. The counts are in
//! tests/bench/instructions.json.
//!
//! `payspec-instructions CORPUS` prints a line for each call, in the order of the second round.

use payspec::operations::{self, Operation, Verdict};
use payspec::{Authorization, CreateContext, Engine, Quote, Timestamp};
use std::hint::black_box;
use std::path::Path;

const UID: &str = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";
const NOW: &str = "2026-11-20T10:15:30.250Z";
const RATE: &str = "92.45";
const CHARGES: &str = r#""charges":{"fee":"1.00","commission":"2.00","shared_commission":"0.50"}"#;
/// The start of a context with an idempotency key, which requires a fingerprint.
const KEY: &str = r#"{"idempotency":{"key":"order-1007","existing":null},"#;
/// The contents of a field in a form, while typing and at the end.
const DIGITS: [(&str, &str); 2] = [
    ("six digits", "220220"),
    ("a full number", "4111 1111 1111 1111"),
];

/// The name of the calls with many bodies.
const BATCH: &str = "batch of 64 verdicts";
/// The bodies of which the verdicts are measured in batches.
const BATCHED: [&str; 2] = ["h2h-amex", "p2p-card"];

/// A call with its name in the list and its inputs.
struct Call {
    name: String,
    operation: &'static Operation,
    inputs: Vec<Option<Vec<u8>>>,
    /// True if an answer is written.
    writes: bool,
    accepts: bool,
    /// The number of equal bodies in a batch; 0 for a single call.
    batch: usize,
}

/// A file of the corpus.
struct Body {
    name: String,
    text: String,
}

fn main() {
    let corpus = std::env::args()
        .nth(1)
        .expect("payspec-instructions CORPUS");
    let engine = Engine::default();
    let calls = calls(&engine, Path::new(&corpus));
    let inputs: Vec<Vec<Option<&[u8]>>> = calls
        .iter()
        .map(|call| call.inputs.iter().map(Option::as_deref).collect())
        .collect();
    let mut out = Vec::with_capacity(64 * 1024);
    // The first round contains initialization, such as detection of processor features, and calls
    // that callgrind counted before it collected. Its dumps are not used.
    for _ in 0..2 {
        for (call, inputs) in calls.iter().zip(&inputs) {
            let verdict = measured(&engine, call, inputs, &mut out);
            assert_eq!(verdict == Verdict::Accepted, call.accepts, "{}", call.name);
        }
    }
    for call in &calls {
        println!("{}", call.name);
    }
}

/// The function that callgrind measures.
#[inline(never)]
fn measured(engine: &Engine, call: &Call, inputs: &[Option<&[u8]>], out: &mut Vec<u8>) -> Verdict {
    if call.batch > 0 {
        return verdict_of_batch(engine, call, inputs);
    }
    let out = if call.writes { Some(out) } else { None };
    black_box(call.operation.call(engine, inputs, out)).expect("valid contexts")
}

fn verdict_of_batch(engine: &Engine, call: &Call, inputs: &[Option<&[u8]>]) -> Verdict {
    let (body, shared) = (inputs[0].expect("a body"), inputs.get(1).copied().flatten());
    let verdicts = call
        .operation
        .batch(engine, std::iter::repeat_n(body, call.batch), shared);
    let rejected = verdicts
        .expect("a valid second input")
        .any(|verdict| black_box(verdict) == Verdict::Rejected);
    if rejected {
        Verdict::Rejected
    } else {
        Verdict::Accepted
    }
}

fn calls(engine: &Engine, corpus: &Path) -> Vec<Call> {
    let folder = |name: &str| bodies(&corpus.join(name));
    let (valid, invalid, legacy) = (folder("valid"), folder("invalid"), folder("legacy"));
    let plain =
        format!(r#"{{"uid":"{UID}","now":"{NOW}","authorization":"checked_by_caller",{CHARGES}}}"#);
    let quoted = format!(
        r#"{{"uid":"{UID}","now":"{NOW}","authorization":"checked_by_caller","quote":{{"currency":"RUB","rate":"{RATE}","as_of":"{NOW}"}},{CHARGES}}}"#
    );
    let mut calls = Vec::new();
    let mut add =
        |what: &str, of: &str, body: &str, writes: bool, accepts: bool, inputs: &[Option<&str>]| {
            let operation = operations::operation(of).expect("a known operation");
            let inputs = inputs
                .iter()
                .map(|input| input.map(|text| text.as_bytes().to_vec()))
                .collect();
            let batch = if what == BATCH { 64 } else { 0 };
            calls.push(Call {
                name: format!("{what}: {body}"),
                operation,
                inputs,
                writes,
                accepts,
                batch,
            });
        };
    for (bodies, accepts) in [(&valid, true), (&invalid, false)] {
        for Body { name, text } in bodies {
            add(
                "verdict",
                "validate_request",
                name,
                false,
                accepts,
                &[Some(text), None],
            );
            add(
                "report",
                "validate_request",
                name,
                true,
                accepts,
                &[Some(text), None],
            );
        }
    }
    for Body { name, text } in &valid {
        let context = if text.contains("CRYPTO") {
            &quoted
        } else {
            &plain
        };
        add(
            "create_payment",
            "create_payment",
            name,
            true,
            true,
            &[Some(text), Some(context)],
        );
        add(
            "create_payment with a key",
            "create_payment",
            name,
            true,
            true,
            &[Some(text), Some(&context.replacen('{', KEY, 1))],
        );
        let payment = created(engine, text);
        let stored =
            format!(r#"{{"uid":"{UID}","payment":{payment},"authorization":"checked_by_caller"}}"#);
        add(
            "read_payment",
            "read_payment",
            name,
            true,
            true,
            &[Some(&stored)],
        );
        add("redact", "redact", name, true, true, &[Some(text)]);
        add(
            "fingerprint_request",
            "fingerprint_request",
            name,
            true,
            true,
            &[Some(text)],
        );
        add(
            "upgrade_payment",
            "upgrade_payment",
            name,
            true,
            true,
            &[Some(&downgraded(engine, &payment))],
        );
    }
    for Body { name, text } in &legacy {
        add(
            "upgrade_request",
            "upgrade_request",
            name,
            true,
            true,
            &[Some("pay_in"), Some(text)],
        );
    }
    for (name, digits) in DIGITS {
        add("card_info", "card_info", name, true, true, &[Some(digits)]);
    }
    for Body { name, text } in valid.iter().filter(|body| BATCHED.contains(&&*body.name)) {
        add(
            BATCH,
            "validate_request",
            name,
            false,
            true,
            &[Some(text), None],
        );
    }
    calls
}

/// Returns the payment for a request.
fn created(engine: &Engine, body: &str) -> String {
    let now: Timestamp = NOW.parse().expect("a timestamp");
    let mut context = CreateContext::new(
        UID.parse().expect("a uid"),
        now,
        Authorization::CheckedByCaller,
    );
    let rate = RATE.parse().expect("a decimal");
    context.quote = Quote::new("RUB".parse().expect("a currency"), rate, Some(now)).ok();
    let outcome = engine.create_payment(body.as_bytes(), &context);
    assert!(outcome.is_success());
    outcome.body_json()
}

/// Returns the payment as a body of the legacy API.
fn downgraded(engine: &Engine, payment: &str) -> String {
    engine
        .downgrade_payment(payment.as_bytes())
        .expect("a payment")
        .into_body()
}

/// Returns the bodies by name, so that the order is the same on all machines.
fn bodies(folder: &Path) -> Vec<Body> {
    let files =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut bodies: Vec<Body> = files
        .map(|file| body(&file.expect("a folder that can be read").path()))
        .collect();
    bodies.sort_by(|one, other| one.name.cmp(&other.name));
    bodies
}

fn body(path: &Path) -> Body {
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    Body {
        name,
        text: std::fs::read_to_string(path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    }
}
