//! The answers that are no success (D12): an entry for each status of an endpoint, and the schemas of the codes.

use alloc::string::String;
use alloc::vec::Vec;

use super::{about, examples, listed, refer, text, words};
use crate::engine::Engine;
use crate::problem::ProblemCode;
use crate::rules::RULES;
use crate::write::{Writer, into_text, write_integer};

/// What can keep a payment from being created.
pub(super) const CREATION: [ProblemCode; 15] = [
    ProblemCode::MalformedJson,
    ProblemCode::InvalidIdempotencyKey,
    ProblemCode::Unauthorized,
    ProblemCode::IdempotencyConflict,
    ProblemCode::IdempotencyKeyReused,
    ProblemCode::IdempotencyInProgress,
    ProblemCode::BodyTooLarge,
    ProblemCode::InvalidRequest,
    ProblemCode::Refused,
    ProblemCode::QuoteMissing,
    ProblemCode::QuoteMismatch,
    ProblemCode::QuoteStale,
    ProblemCode::AmountTooSmall,
    ProblemCode::AmountTooLarge,
    ProblemCode::ChargesExceedAmount,
];

/// What can keep a payment from being read.
pub(super) const STATUS: [ProblemCode; 2] = [ProblemCode::Unauthorized, ProblemCode::PaymentNotFound];

/// What can keep the balance from being read.
pub(super) const BALANCE: [ProblemCode; 1] = [ProblemCode::Unauthorized];

/// An entry for each status that the codes have under the policy, in the order of the statuses.
pub(super) fn answers(engine: &Engine, w: &mut Writer<'_>, codes: &[ProblemCode]) {
    let status_of = |code: ProblemCode| match code {
        ProblemCode::InvalidRequest => engine.policy().invalid_request_status.status(),
        other => other.status(),
    };
    let mut statuses: Vec<u16> = codes.iter().map(|code| status_of(*code)).collect();
    statuses.sort_unstable();
    statuses.dedup();
    for status in statuses {
        let codes: Vec<ProblemCode> = codes.iter().copied().filter(|code| status_of(*code) == status).collect();
        let mut name = Vec::new();
        write_integer(status.into(), &mut name);
        w.name(core::str::from_utf8(&name).unwrap_or_default()).object(|w| {
            if *codes == BALANCE {
                return text(w, "$ref", "#/components/responses/Unauthorized");
            }
            let (text, decisions) = meaning(engine, status, &codes);
            about(w, &text, decisions);
            w.name("content").object(|w| {
                w.name("application/json").object(|w| {
                    w.name("schema").object(|w| refer(w, "Problem", false));
                    examples::problems(engine, w, &codes);
                });
            });
        });
    }
}

/// What a status says, and the codes that it comes with.
fn meaning(engine: &Engine, status: u16, codes: &[ProblemCode]) -> (String, &'static [&'static str]) {
    let (intro, decisions): (String, &[&str]) = match status {
        404 => ("There is no payment with this `uid`.".into(), &[]),
        409 => {
            let mut text =
                Vec::from("The idempotency key was used before. The same request is answered with its payment for ");
            write_integer(engine.policy().idempotency.window_ms, &mut text);
            text.extend_from_slice(b" ms; after that, and for any other request, the key is refused.");
            (into_text(text), &["D8", "D18"])
        }
        413 => ("The body is larger than this service accepts.".into(), &["D14"]),
        455 => ("The payment cannot be processed.".into(), &["D12", "D20"]),
        _ if codes.contains(&ProblemCode::InvalidRequest) => (
            "The request does not follow the interface; `violations` tells all that is wrong with it.".into(),
            &["D5", "D6", "D12"],
        ),
        _ => ("The request cannot be read.".into(), &["D8", "D12"]),
    };
    let text = match codes {
        [code] => [&intro, " Code `", code.name(), "`."].concat(),
        _ => listed(&intro, &codes.iter().map(|code| (code.name(), explain(*code))).collect::<Vec<_>>()),
    };
    (text, decisions)
}

fn explain(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::Refused => "The service refuses the payment; `detail` tells why.",
        other => other.detail(),
    }
}

/// The schemas of the codes of problems and violations.
pub(super) fn codes(w: &mut Writer<'_>) {
    let problems: Vec<_> = ProblemCode::ALL.iter().map(|code| (code.name(), explain(*code))).collect();
    words(w, "ProblemCode", "The kind of problem, for programs.", &["D12"], &problems);
    let intro = "Which rule was broken. A word in braces stands for one of `params`.";
    let rules: Vec<_> = RULES.iter().map(|rule| (rule.name, rule.summary)).collect();
    words(w, "ViolationCode", intro, &["D6", "D12"], &rules);
}
