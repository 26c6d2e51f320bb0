//! Unsuccessful responses (D12): an entry for each status of an endpoint, and the schemas of the
//! codes.

use alloc::vec::Vec;

use super::examples;
use super::schema_writer::{cite, enum_schema, list, put, refer, text};
use crate::engine::Engine;
use crate::json::writer::{Writer, text_by, write_integer};
use crate::model::problem::ProblemCode;
use crate::report::code::RULES;
use crate::util::bug::or_bug;
use crate::util::inline_vec::InlineVec;

/// Writes an entry for each status that the codes with these names have under the policy, in
/// ascending order.
pub(super) fn responses(engine: &Engine, w: &mut Writer<'_>, names: &str) {
    let code_of = |name| {
        ProblemCode::ALL
            .iter()
            .copied()
            .find(|code| code.name() == name)
    };
    let mut left: Vec<_> = names
        .split(' ')
        .map(|name| or_bug(code_of(name), ProblemCode::InvalidRequest))
        .collect();
    let status_of = |code: ProblemCode| match code {
        ProblemCode::InvalidRequest => engine.policy().invalid_request_status.status(),
        other => other.status(),
    };
    while let Some(status) = left.iter().map(|code| status_of(*code)).min() {
        let codes;
        (codes, left) = left
            .into_iter()
            .partition(|code| status_of(*code) == status);
        w.name(&text_by(|out| write_integer(status.into(), out)))
            .object(|w| {
                if *codes == [ProblemCode::Unauthorized] {
                    return text(w, "$ref", "#/components/responses/Unauthorized");
                }
                meaning(engine, w, status, &codes);
                w.name("content").object(|w| {
                    w.name("application/json").object(|w| {
                        w.name("schema").object(|w| refer(w, "Problem", false));
                        examples::problems(engine, w, &codes);
                    });
                });
            });
    }
}

/// Writes the meaning of a status, and its codes.
fn meaning(engine: &Engine, w: &mut Writer<'_>, status: u16, codes: &[ProblemCode]) {
    // The idempotency window is written between the two parts of the introduction.
    let (intro, end, decisions): (&str, Option<&str>, &[&str]) = match status {
        404 => ("There is no payment with this `uid`.", None, &[]),
        409 => (
            "The idempotency key was used before. A repeated request returns its payment for ",
            Some(" ms; after that, and for any other request, the key is refused."),
            &["D8", "D18", "D29"],
        ),
        413 => (
            "The body is larger than this service accepts.",
            None,
            &["D14"],
        ),
        455 => ("The payment cannot be processed.", None, &["D12", "D20"]),
        _ if codes.contains(&ProblemCode::InvalidRequest) => (
            "The request does not follow the interface; `violations` lists every violation.",
            None,
            &["D5", "D6", "D12"],
        ),
        _ => ("The request cannot be read.", None, &["D8", "D12"]),
    };
    w.name("description").plain(|out| {
        put(out, &[intro]);
        if let Some(end) = end {
            write_integer(engine.policy().idempotency.window_ms, out);
            put(out, &[end]);
        }
        match codes {
            [code] => put(out, &[" Code `", code.name(), "`."]),
            _ => list(out, &explained(codes)),
        }
    });
    cite(w, decisions);
}

/// Returns the names of the codes, each with its meaning.
fn explained(codes: &[ProblemCode]) -> InlineVec<(&'static str, &'static str), 32> {
    codes
        .iter()
        .map(|code| (code.name(), explain(*code)))
        .collect()
}

fn explain(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::Refused => "The service declined the payment; `detail` contains the reason.",
        other => other.detail(),
    }
}

/// Writes the schemas of the codes of problems and violations.
pub(super) fn codes(w: &mut Writer<'_>) {
    let problems = explained(ProblemCode::ALL);
    enum_schema(
        w,
        "ProblemCode",
        "The kind of problem, for programs.",
        &["D12"],
        &problems,
    );
    let intro = "The broken rule. A word in braces is the name of one of `params`.";
    let rules: InlineVec<_, 64> = RULES.iter().map(|rule| (rule.name, rule.summary)).collect();
    enum_schema(w, "ViolationCode", intro, &["D6", "D12"], &rules);
}
