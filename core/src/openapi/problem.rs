//! The schemas of errors (D12): the problem of RFC 9457 and the violations in it.

use super::{about, kind, refer_to_schema, words};
use crate::problem::ProblemCode;
use crate::rules::{RULES, Severity};
use crate::write::Writer;

/// Every schema of an error.
pub(super) fn write(w: &mut Writer<'_>) {
    w.name("Problem").object(|w| {
        w.name("title").string("Problem");
        about(w, "What went wrong: a problem of RFC 9457, as `application/json`.", &["D12"]);
        w.name("type").string("object");
        w.name("required").strings(["type", "title", "status", "code", "detail"]);
        w.name("properties").object(|w| {
            w.name("type").object(|w| {
                kind(w, "string", false);
                w.name("format").string("uri");
                w.name("description").string("The kind of problem, a URN. It says the same as `code`.");
            });
            text(w, "title", "The kind of problem, in English. The same for every problem of the code.");
            w.name("status").object(|w| {
                kind(w, "integer", false);
                w.name("minimum").integer(400);
                w.name("maximum").integer(599);
                w.name("description").string("The HTTP status.");
            });
            w.name("code").object(|w| refer_to_schema(w, "ProblemCode", false));
            text(w, "detail", "What is wrong this time, in English.");
            w.name("violations").object(|w| {
                w.name("type").string("array");
                w.name("items").object(|w| refer_to_schema(w, "Violation", false));
                w.name("description").string(
                    "All that is wrong with the body, and what is doubtful in it, in the order of the body's members. Only \
                     where the body is at fault.",
                );
            });
            w.name("truncated").object(|w| {
                w.name("const").bool(true);
                w.name("description").string("There were more violations than are listed.");
            });
        });
    });
    let codes = ProblemCode::ALL.iter().map(|code| (code.name(), code.detail()));
    words(w, "ProblemCode", "The kind of problem, for programs.", &["D12"], codes);
    w.name("Violation").object(|w| {
        w.name("title").string("Violation");
        about(w, "One rule broken in one place. It never repeats a value of the body.", &["D12"]);
        w.name("type").string("object");
        w.name("required").strings(["path", "code", "severity", "message", "source"]);
        w.name("properties").object(|w| {
            w.name("path").object(|w| {
                kind(w, "string", false);
                w.name("format").string("json-pointer");
                w.name("description").string("The member's JSON Pointer (RFC 6901); empty for the body itself.");
            });
            w.name("code").object(|w| refer_to_schema(w, "ViolationCode", false));
            w.name("severity").object(|w| {
                kind(w, "string", false);
                w.name("enum").strings([Severity::Error, Severity::Warning].map(Severity::name));
                w.name("description").string("`error`: the body is refused. `warning`: it would pass all the same.");
            });
            text(w, "message", "What is wrong, in English.");
            text(w, "source", "The section of the specification, or the decision, that the rule comes from.");
            w.name("params").object(|w| {
                w.name("type").string("object");
                w.name("description")
                    .string("What was expected, as values for texts of one's own. Only where the code has some.");
            });
        });
    });
    let intro = "Which rule was broken. A word in braces stands for one of `params`.";
    words(w, "ViolationCode", intro, &["D6", "D12"], RULES.iter().map(|rule| (rule.name, rule.summary)));
}

fn text(w: &mut Writer<'_>, name: &str, description: &str) {
    w.name(name).object(|w| {
        kind(w, "string", false);
        w.name("description").string(description);
    });
}
