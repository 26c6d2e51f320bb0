//! The endpoints (§4): parameters, bodies, and every status with the problems behind it.

use alloc::string::String;
use alloc::vec::Vec;

use super::{about, examples, kind, listed, refer, request};
use crate::authorization::Unauthorized;
use crate::engine::Engine;
use crate::idempotency::KEY_CHARS;
use crate::payment::Member;
use crate::problem::ProblemCode;
use crate::write::{Writer, write_integer};

/// What can keep a payment from being created.
const CREATION: [ProblemCode; 15] = [
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

const STATUS: [ProblemCode; 2] = [ProblemCode::Unauthorized, ProblemCode::PaymentNotFound];

const BALANCE: [ProblemCode; 1] = [ProblemCode::Unauthorized];

pub(super) fn write(engine: &Engine, w: &mut Writer<'_>) {
    w.name("/v1/payments/new").object(|w| {
        w.name("post").object(|w| {
            title(w, "Payments", "createPayment", "Create a payment");
            let text =
                "Creates a pay-in or a pay-out. The new payment is in state `idle`, with `paid_at` and `fail_by` null.";
            w.name("description").string(text);
            w.name("parameters").array(|w| w.object(|w| refer(w, "parameters", "IdempotencyKey")));
            w.name("requestBody").object(|w| {
                about(w, &request::size(engine), &["D6", "D14"]);
                w.name("required").bool(true);
                content(w, "PaymentCreateRequest", |w| examples::requests(engine, w));
            });
            w.name("responses").object(|w| {
                w.name("201").object(|w| {
                    let text = "The payment. A repeated request is answered with the first payment, as it was stored.";
                    about(w, text, &["D18"]);
                    content(w, "Payment", |w| examples::payments(engine, w));
                    follow(w);
                });
                problems(engine, w, &CREATION);
            });
        });
    });
    w.name("/v1/payments/{uid}/status").object(|w| {
        w.name("get").object(|w| {
            title(w, "Payments", "readPayment", "Read a payment's status");
            w.name("description").string("The payment as it stands.");
            w.name("parameters").array(|w| w.object(|w| refer(w, "parameters", "Uid")));
            w.name("responses").object(|w| {
                w.name("200").object(|w| {
                    w.name("description").string("The payment.");
                    content(w, "Payment", |w| examples::statuses(engine, w));
                });
                problems(engine, w, &STATUS);
            });
        });
    });
    w.name("/v1/partner/balance").object(|w| {
        w.name("get").object(|w| {
            title(w, "Partner", "readBalance", "Read the partner's balance");
            about(w, "The partner's balance. Which members it has besides `cur` is not specified.", &["D9"]);
            w.name("responses").object(|w| {
                w.name("200").object(|w| {
                    w.name("description").string("The balance.");
                    content(w, "Balance", |w| examples::balance(engine, w));
                });
                problems(engine, w, &BALANCE);
            });
        });
    });
}

/// Parameters, the shared answer and the security scheme.
pub(super) fn write_components(w: &mut Writer<'_>) {
    w.name("parameters").object(|w| {
        w.name("IdempotencyKey").object(|w| {
            w.name("name").string("Idempotency-Key");
            w.name("in").string("header");
            let text = "Makes it safe to send a request again: the same key and the same body create one payment. 1 to 255 \
                        visible ASCII characters.";
            about(w, text, &["D8", "D18"]);
            w.name("required").bool(false);
            w.name("schema").object(|w| {
                kind(w, "string", false);
                w.name("minLength").integer(1);
                w.name("maxLength").integer(KEY_CHARS);
                w.name("pattern").string("^[!-~]+$");
            });
            w.name("example").string("order-1007");
        });
        w.name("Uid").object(|w| {
            w.name("name").string(Member::Uid.name());
            w.name("in").string("path");
            w.name("description").string("The payment's identifier.");
            w.name("required").bool(true);
            w.name("schema").object(|w| {
                kind(w, "string", false);
                w.name("format").string("uuid");
            });
            w.name("example").string(examples::UID);
        });
    });
    w.name("responses").object(|w| {
        w.name("Unauthorized").object(|w| {
            w.name("description").string(ProblemCode::Unauthorized.detail());
            w.name("headers").object(|w| {
                w.name("WWW-Authenticate").object(|w| {
                    w.name("description")
                        .string("The challenge of RFC 6750: without an error where no credential came.");
                    w.name("required").bool(true);
                    w.name("schema").object(|w| {
                        kind(w, "string", false);
                        let challenges = [Unauthorized::Missing, Unauthorized::Unacceptable];
                        w.name("enum").strings(challenges.map(Unauthorized::challenge));
                    });
                });
            });
            content(w, "Problem", |w| examples::problem(w, ProblemCode::Unauthorized));
        });
    });
    w.name("securitySchemes").object(|w| {
        w.name("bearer").object(|w| {
            w.name("type").string("http");
            w.name("scheme").string("bearer");
            let text = "An access token (RFC 6750): `Authorization: Bearer <ACCESS_TOKEN>`. How a token is obtained, how long \
                        it lives and what it allows is not specified.";
            about(w, text, &["D10"]);
        });
    });
}

fn title(w: &mut Writer<'_>, tag: &str, id: &str, summary: &str) {
    w.name("tags").strings([tag]);
    w.name("operationId").string(id);
    w.name("summary").string(summary);
}

/// The member `content`: JSON of a schema, with its examples.
fn content(w: &mut Writer<'_>, schema: &str, examples: impl FnOnce(&mut Writer<'_>)) {
    w.name("content").object(|w| {
        w.name("application/json").object(|w| {
            w.name("schema").object(|w| refer(w, "schemas", schema));
            examples(w);
        });
    });
}

/// Where the new payment can be read.
fn follow(w: &mut Writer<'_>) {
    w.name("links").object(|w| {
        w.name("status").object(|w| {
            w.name("operationId").string("readPayment");
            w.name("parameters").object(|w| w.name("uid").string("$response.body#/uid"));
            w.name("description").string("How the payment stands later.");
        });
    });
}

/// An answer for each status that the codes have under the policy, in the order of the statuses.
fn problems(engine: &Engine, w: &mut Writer<'_>, codes: &[ProblemCode]) {
    let status_of = |code: ProblemCode| match code {
        ProblemCode::InvalidRequest => engine.policy().invalid_request_status.status(),
        other => other.status(),
    };
    let mut statuses: Vec<u16> = codes.iter().map(|code| status_of(*code)).collect();
    statuses.sort_unstable();
    statuses.dedup();
    for status in statuses {
        let mut name = Vec::new();
        write_integer(status.into(), &mut name);
        w.name(core::str::from_utf8(&name).unwrap_or_default()).object(|w| {
            if status == ProblemCode::Unauthorized.status() {
                return refer(w, "responses", "Unauthorized");
            }
            let codes: Vec<ProblemCode> = codes.iter().copied().filter(|code| status_of(*code) == status).collect();
            let (text, decisions) = meaning(engine, status, &codes);
            about(w, &text, decisions);
            content(w, "Problem", |w| examples::problems(engine, w, &codes));
        });
    }
}

/// What a status says, and the codes that it comes with.
fn meaning(engine: &Engine, status: u16, codes: &[ProblemCode]) -> (String, &'static [&'static str]) {
    let (intro, decisions): (String, &[&str]) = match status {
        404 => ("There is no payment with this `uid`.".into(), &[]),
        409 => {
            let mut text = Vec::from("The idempotency key was used before, and this is not the same request within ");
            write_integer(engine.policy().idempotency.window_ms.into(), &mut text);
            text.extend_from_slice(b" ms of the first one.");
            (String::from_utf8(text).unwrap_or_default(), &["D8", "D18"])
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
        _ => listed(&intro, codes.iter().map(|code| (code.name(), explain(*code)))),
    };
    (text, decisions)
}

fn explain(code: ProblemCode) -> &'static str {
    match code {
        ProblemCode::Refused => "The service refuses the payment; `detail` tells why.",
        other => other.detail(),
    }
}
