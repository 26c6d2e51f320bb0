//! Examples: request bodies, and the responses that the engine creates for them. Bodies that the policy rejects are omitted.

use alloc::borrow::Cow;
use alloc::string::String;

use uuid::Uuid;

use super::schema_writer::text;
use crate::context::{AbsoluteUri, AdvanceContext, CreateContext, JsonObject};
use crate::engine::Engine;
use crate::json::writer::Writer;
use crate::model::outcome::Outcome;
use crate::model::problem::{Problem, ProblemCode};
use crate::money::{Amount, Charges, Currency, Quote};
use crate::report::code::{Code, Severity};
use crate::report::{Params, Pointer};
use crate::types::authorization::Authorization;
use crate::types::state::State;
use crate::types::timestamp::Timestamp;

/// An example of a request.
struct Request {
    name: &'static str,
    summary: &'static str,
    body: &'static str,
    /// Fee, commission, and the shared part of the commission, in the currency of the body.
    charges: [&'static str; 3],
    form: Option<&'static str>,
    /// Whether the response is an example too.
    answered: bool,
}

const NO_CHARGES: [&str; 3] = ["0", "0", "0"];

static REQUESTS: [Request; 6] = [
    Request {
        name: "p2p-card",
        summary: "Pay-in, P2P, bank card",
        body: r#"{"payment_type":"pay_in","mode":"P2P","subtype":"bank_card","cur":"RUB","amount":"1500.00","merchant_id":"shop-42","user_id":"customer-1007","user_name":"Anna Petrova","bank_name":"Example Bank","callback":"https://shop.example/hooks/payments","redirect_url":"https://shop.example/orders/1007"}"#,
        charges: ["15.00", "22.50", "7.50"],
        form: None,
        answered: true,
    },
    Request {
        name: "p2p-sbp",
        summary: "Pay-in, P2P, faster payments system",
        body: r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50","merchant_id":"shop-42","user_id":"customer-2044","user_name":"Анна Петрова","bank_name":"Пример Банк","callback":"https://shop.example/hooks/payments","redirect_url":"https://shop.example/orders/2044"}"#,
        charges: NO_CHARGES,
        form: None,
        answered: false,
    },
    Request {
        name: "acquiring",
        summary: "Pay-in, acquiring",
        body: r#"{"payment_type":"pay_in","mode":"ACQUIRING","subtype":"bank_card","cur":"JPY","amount":"12000","merchant_id":"shop-tokyo","user_id":"customer-81","callback":"https://shop.example/hooks/payments","redirect_url":"https://shop.example/jp/orders/81"}"#,
        charges: NO_CHARGES,
        form: None,
        answered: false,
    },
    Request {
        name: "h2h-card",
        summary: "Pay-in, acquiring, host-to-host",
        body: r#"{"payment_type":"pay_in","mode":"ACQUIRING","subtype":"bank_card","cur":"EUR","amount":"249.90","merchant_id":"shop-42","user_id":"customer-3301","callback":"https://shop.example/hooks/payments","host2host":true,"pay_in_details":{"card":{"card_holder":"ANNA PETROVA","card_number":"4111111111111111","expiry_year":2031,"expiry_month":11,"security_code":"739"},"bank_name":"Example Bank"}}"#,
        charges: ["2.50", "3.75", "1.25"],
        form: Some("acquiring.card"),
        answered: true,
    },
    Request {
        name: "crypto",
        summary: "Pay-in, converted to USDT",
        body: r#"{"payment_type":"pay_in","mode":"CRYPTO","cur":"RUB","amount":"10000.00","merchant_id":"shop-42","user_id":"customer-1007","callback":"https://shop.example/hooks/payments","redirect_url":"https://shop.example/orders/1008"}"#,
        charges: ["100.00", "150.00", "50.00"],
        form: None,
        answered: true,
    },
    Request {
        name: "pay-out",
        summary: "Pay-out to a card",
        body: r#"{"payment_type":"pay_out","mode":"P2P","subtype":"bank_card","cur":"RUB","amount":"32000.00","merchant_id":"shop-42","user_id":"courier-19","callback":"https://shop.example/hooks/payouts","description":"Week 46","time_to_complete_payment":3600,"pay_out_details":{"bank_name":"Example Bank","full_name":"Ivan Ivanov","card_number":"2200000000000004","phone_number":"+79000000000"}}"#,
        charges: ["160.00", "320.00", "80.00"],
        form: None,
        answered: true,
    },
];

/// A body with several violations.
const INVALID: &str = r#"{"payment_type":"pay_in","mode":"P2P","cur":"RUB","amount":"1,500.00","merchant_id":"shop-42","callback":"https://shop.example/hooks/payments"}"#;
const MALFORMED: &str = r#"{"payment_type":"pay_in","amount":"1500.00",}"#;

const UID: Uuid = Uuid::from_u128(0x0b6ea6a6_4c5e_4b7e_9d0f_6a1f0c7b2e11);
const URL: &str = "https://pay.example/p/0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";
const QUOTED: &str = "2026-11-20T10:15:28.000Z";
const CREATED: &str = "2026-11-20T10:15:30.250Z";
const ROUTED: &str = "2026-11-20T10:15:31.100Z";
const PAID: &str = "2026-11-20T10:17:04.810Z";

/// Writes the member `examples` with the bodies that the engine accepts.
pub(super) fn requests(engine: &Engine, w: &mut Writer<'_>) {
    examples(w, |w| {
        for request in REQUESTS.iter().filter(|request| accepts(engine, request)) {
            example(w, request.name, request.summary, |w| w.raw(request.body));
        }
    });
}

/// Writes the member `examples` with the payments created from requests.
pub(super) fn payments(engine: &Engine, w: &mut Writer<'_>) {
    examples(w, |w| {
        for request in REQUESTS.iter().filter(|request| request.answered) {
            if let Some(created) = create(engine, request) {
                example(w, request.name, request.summary, |w| w.raw(&created));
            }
        }
    });
}

/// Writes the member `examples` with a payment in several states.
pub(super) fn statuses(engine: &Engine, w: &mut Writer<'_>) {
    let Some(created) = REQUESTS.iter().find_map(|request| create(engine, request)) else { return };
    let routed = advance(engine, &created, State::Routed, ROUTED);
    let completed = routed.and_then(|routed| advance(engine, &routed, State::Completed, PAID));
    examples(w, |w| {
        for (state, summary, payment) in
            [(State::Idle, "Just created", Some(&created)), (State::Completed, "Completed", completed.as_ref())]
        {
            if let Some(payment) = payment {
                example(w, state.name(), summary, |w| w.raw(payment));
            }
        }
    });
}

/// Writes the member `examples` with a balance, of which only `cur` is specified.
pub(super) fn balance(engine: &Engine, w: &mut Writer<'_>) {
    let first = engine.policy().currencies.as_ref().and_then(|currencies| currencies.first());
    let cur = first.map_or("RUB", |currency| currency.code());
    examples(w, |w| example(w, "balance", "The required member only", |w| w.object(|w| text(w, "cur", cur))));
}

/// Writes the member `examples` with a body for each code. A code is omitted if its example has another code under the policy.
pub(super) fn problems(engine: &Engine, w: &mut Writer<'_>, codes: &[ProblemCode]) {
    examples(w, |w| {
        for code in codes {
            let outcome = match code {
                ProblemCode::InvalidRequest => rejected(engine, INVALID),
                ProblemCode::MalformedJson => rejected(engine, MALFORMED),
                ProblemCode::BodyTooLarge => Some(too_large(engine)),
                _ => Some((*code).into()),
            };
            let problem = outcome.as_ref().and_then(Outcome::problem);
            if let Some(problem) = problem.filter(|problem| problem.code() == *code) {
                example(w, code.name(), code.title(), |w| problem.write(w));
            }
        }
    });
}

/// Writes the member `examples`, unless `fill` writes none.
fn examples(w: &mut Writer<'_>, fill: impl FnOnce(&mut Writer<'_>)) {
    w.object_unless_empty("examples", fill);
}

fn example(w: &mut Writer<'_>, name: &str, summary: &str, value: impl FnOnce(&mut Writer<'_>)) {
    w.name(name).object(|w| {
        text(w, "summary", summary);
        value(w.name("value"));
    });
}

fn accepts(engine: &Engine, request: &Request) -> bool {
    engine.is_valid_request(request.body.as_bytes(), Timestamp::parse(CREATED))
}

/// Returns the payment created for a request, if the policy accepts it.
fn create(engine: &Engine, request: &Request) -> Option<String> {
    let mut context = context()?;
    context.url = AbsoluteUri::try_from(URL).ok();
    context.form = request.form.map(Cow::Borrowed);
    context.quote =
        Quote::new(Currency::from_code("RUB")?, Amount::parse("92.45").ok()?, Timestamp::parse(QUOTED)).ok();
    let [fee, commission, shared] = request.charges.map(|amount| Amount::parse(amount).unwrap_or(Amount::ZERO));
    context.charges = Charges::new(fee, commission, shared).ok()?;
    let created = engine.create_payment(request.body.as_bytes(), &context);
    created.is_success().then(|| created.body_json())
}

fn context() -> Option<CreateContext<'static>> {
    Some(CreateContext::new(UID, Timestamp::parse(CREATED)?, Authorization::CheckedByCaller))
}

/// Returns the payment in another state, if the policy allows the transition.
fn advance(engine: &Engine, payment: &str, to: State, at: &str) -> Option<String> {
    let context = AdvanceContext::new(JsonObject::try_from(payment).ok()?, to, Timestamp::parse(at)?);
    let advanced = engine.advance_payment(&context).ok()?;
    advanced.is_success().then(|| advanced.body_json())
}

/// Returns the outcome of creating a payment from an invalid body.
fn rejected<'a>(engine: &'a Engine, body: &'static str) -> Option<Outcome<'a>> {
    Some(engine.create_payment(body.as_bytes(), &context()?))
}

/// Returns the outcome of a body that exceeds the limit, without such a body.
fn too_large(engine: &Engine) -> Outcome<'_> {
    let mut builder = engine.ruleset().report_builder();
    let limit = Params::Limit(engine.policy().limits.body_bytes);
    builder.push(Severity::Error, Code::BodyTooLarge, Pointer::ROOT, limit);
    Problem { report: Some(builder.into()), ..Problem::new(ProblemCode::BodyTooLarge) }.into()
}
