//! Examples: request bodies, and the responses that the engine creates for them. Bodies that the
//! policy rejects are omitted.

use alloc::borrow::Cow;
use alloc::string::String;

use super::frame::include_compact;
use super::schema_writer::text;
use crate::context::{AdvanceContext, CreateContext, StoredPayment};
use crate::engine::Engine;
use crate::json::writer::Writer;
use crate::json::{Value, member, members};
use crate::model::outcome::Outcome;
use crate::model::problem::{Problem, ProblemCode};
use crate::report::code::{Code, Severity};
use crate::report::{Params, Pointer};
use crate::types::state::State;
use crate::types::timestamp::Timestamp;

/// The requests, each with the context of its response if that is an example too.
static REQUESTS: &str = include_compact!("examples.json");

/// An example of a request.
struct Request {
    name: &'static str,
    summary: Cow<'static, str>,
    body: &'static str,
    context: Option<CreateContext<'static>>,
}

/// Reads the requests of the file.
fn read_requests() -> impl Iterator<Item = Request> {
    let object = |value| {
        if let Value::Object(raw) = value {
            Some(raw)
        } else {
            None
        }
    };
    members(REQUESTS).filter_map(move |(name, request)| {
        let request = object(request)?;
        Some(Request {
            name: name.raw(),
            summary: member(request, "summary").text()?.to_cow(),
            body: object(member(request, "body"))?,
            context: object(member(request, "context"))
                .and_then(|context| CreateContext::from_json(context.as_bytes()).ok()),
        })
    })
}

/// A body with several violations.
const INVALID: &str = r#"{"payment_type":"pay_in","mode":"P2P","cur":"RUB","amount":"1,500.00","merchant_id":"shop-42","callback":"https://shop.example/hooks/payments"}"#;
const MALFORMED: &str = r#"{"payment_type":"pay_in","amount":"1500.00",}"#;

const ROUTED: &str = "2026-11-20T10:15:31.100Z";
const PAID: &str = "2026-11-20T10:17:04.810Z";

/// The name, the summary, and the value of an example.
type Example = (&'static str, Cow<'static, str>, Cow<'static, str>);

/// Writes the member `examples` with the bodies that the engine accepts.
pub(super) fn requests(engine: &Engine, w: &mut Writer<'_>) {
    let mut accepted =
        read_requests().filter(|request| engine.is_valid_request(request.body.as_bytes(), None));
    examples(w, &mut || {
        accepted
            .next()
            .map(|request| (request.name, request.summary, request.body.into()))
    });
}

/// Writes the member `examples` with the payments created from requests.
pub(super) fn payments(engine: &Engine, w: &mut Writer<'_>) {
    let mut created = read_requests().filter_map(|request| {
        let payment = create(engine, &request)?;
        Some((request.name, request.summary, payment.into()))
    });
    examples(w, &mut || created.next());
}

/// Writes the member `examples` with a payment in several states.
pub(super) fn statuses(engine: &Engine, w: &mut Writer<'_>) {
    let created = read_requests().find_map(|request| create(engine, &request));
    let routed = created
        .as_ref()
        .and_then(|created| advance(engine, created, State::Routed, ROUTED));
    let completed = routed.and_then(|routed| advance(engine, &routed, State::Completed, PAID));
    let mut payments = [
        (State::Idle, "Just created", created),
        (State::Completed, "Completed", completed),
    ]
    .into_iter();
    let given = |(state, summary, payment): (State, &'static str, Option<String>)| {
        Some((state.name(), summary.into(), payment?.into()))
    };
    examples(w, &mut || payments.find_map(given));
}

/// Writes the member `examples` with a balance, of which only `cur` is specified.
pub(super) fn balance(engine: &Engine, w: &mut Writer<'_>) {
    let first = engine
        .policy()
        .currencies
        .as_ref()
        .and_then(|currencies| currencies.first());
    let cur = first.map_or("RUB", |currency| currency.code());
    let balance = [r#"{"cur":""#, cur, r#""}"#].concat();
    let mut balance = Some(("balance", "The required member only".into(), balance.into()));
    examples(w, &mut || balance.take());
}

/// Writes the member `examples` with a body for each code. A code is omitted if its example has
/// another code under the policy.
pub(super) fn problems(engine: &Engine, w: &mut Writer<'_>, codes: &[ProblemCode]) {
    let Some(context) = read_requests().find_map(|request| request.context) else {
        return;
    };
    let mut problems = codes.iter().filter_map(|code| {
        let outcome = match code {
            ProblemCode::InvalidRequest => engine.create_payment(INVALID.as_bytes(), &context),
            ProblemCode::MalformedJson => engine.create_payment(MALFORMED.as_bytes(), &context),
            ProblemCode::BodyTooLarge => too_large(engine),
            _ => (*code).into(),
        };
        let is_example = outcome
            .problem()
            .is_some_and(|problem| problem.code() == *code);
        is_example.then(|| (code.name(), code.title().into(), outcome.body_json().into()))
    });
    examples(w, &mut || problems.next());
}

/// Writes the member `examples`, unless it would be empty. `next` returns the next example.
fn examples(w: &mut Writer<'_>, next: &mut dyn FnMut() -> Option<Example>) {
    let Some(first) = next() else { return };
    w.name("examples").object(|w| {
        for (name, summary, value) in core::iter::successors(Some(first), |_| next()) {
            w.name(name).object(|w| {
                text(w, "summary", &summary);
                w.name("value").raw(&value);
            });
        }
    });
}

/// Returns the payment created for a request, if it is an example and the policy accepts it.
fn create(engine: &Engine, request: &Request) -> Option<String> {
    let created = engine.create_payment(request.body.as_bytes(), request.context.as_ref()?);
    created.is_success().then(|| created.body_json())
}

/// Returns the payment in another state, if the policy allows the transition.
fn advance(engine: &Engine, payment: &str, to: State, at: &str) -> Option<String> {
    let context = AdvanceContext::new(
        StoredPayment::try_from(payment).ok()?,
        to,
        Timestamp::parse(at)?,
    );
    let advanced = engine.advance_payment(&context).ok()?;
    advanced.is_success().then(|| advanced.body_json())
}

/// Returns the outcome of a body that exceeds the limit, without such a body.
fn too_large(engine: &Engine) -> Outcome {
    let mut builder = engine.ruleset.report_builder();
    let limit = Params::Limit(engine.policy().limits.body_bytes);
    builder.push(Severity::Error, Code::BodyTooLarge, Pointer::ROOT, limit);
    Problem {
        report: Some(builder.into()),
        ..Problem::new(ProblemCode::BodyTooLarge)
    }
    .into()
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn reads_every_request_of_the_file() {
        let requests: Vec<_> = read_requests().collect();
        assert_eq!(requests.len(), members(REQUESTS).count());
        assert_eq!(
            requests
                .iter()
                .filter(|request| request.context.is_some())
                .count(),
            4
        );
    }
}
