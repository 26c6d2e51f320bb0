//! Examples: request bodies, and the responses that the engine creates for them. Bodies that the policy rejects are omitted.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

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
    /// Fee, commission, and the shared part of the commission, in the currency of the body. If `None`, the response is not
    /// an example.
    charges: Option<[&'static str; 3]>,
    form: Option<&'static str>,
}

static REQUESTS: [Request; 6] = [
    Request {
        name: "p2p-card",
        summary: "Pay-in, P2P, bank card",
        body: r#"{"payment_type":"pay_in","mode":"P2P","subtype":"bank_card","cur":"RUB","amount":"1500.00","merchant_id":"shop-42","user_id":"customer-1007","user_name":"Anna Petrova","bank_name":"Example Bank","callback":"https://shop.example/hooks/payments","redirect_url":"https://shop.example/orders/1007"}"#,
        charges: Some(["15.00", "22.50", "7.50"]),
        form: None,
    },
    Request {
        name: "p2p-sbp",
        summary: "Pay-in, P2P, faster payments system",
        body: r#"{"payment_type":"pay_in","mode":"P2P","subtype":"sbp","cur":"RUB","amount":"990.50","merchant_id":"shop-42","user_id":"customer-2044","user_name":"Анна Петрова","bank_name":"Пример Банк","callback":"https://shop.example/hooks/payments","redirect_url":"https://shop.example/orders/2044"}"#,
        charges: None,
        form: None,
    },
    Request {
        name: "acquiring",
        summary: "Pay-in, acquiring",
        body: r#"{"payment_type":"pay_in","mode":"ACQUIRING","subtype":"bank_card","cur":"JPY","amount":"12000","merchant_id":"shop-tokyo","user_id":"customer-81","callback":"https://shop.example/hooks/payments","redirect_url":"https://shop.example/jp/orders/81"}"#,
        charges: None,
        form: None,
    },
    Request {
        name: "h2h-card",
        summary: "Pay-in, acquiring, host-to-host",
        body: r#"{"payment_type":"pay_in","mode":"ACQUIRING","subtype":"bank_card","cur":"EUR","amount":"249.90","merchant_id":"shop-42","user_id":"customer-3301","callback":"https://shop.example/hooks/payments","host2host":true,"pay_in_details":{"card":{"card_holder":"ANNA PETROVA","card_number":"4111111111111111","expiry_year":2031,"expiry_month":11,"security_code":"739"},"bank_name":"Example Bank"}}"#,
        charges: Some(["2.50", "3.75", "1.25"]),
        form: Some("acquiring.card"),
    },
    Request {
        name: "crypto",
        summary: "Pay-in, converted to USDT",
        body: r#"{"payment_type":"pay_in","mode":"CRYPTO","cur":"RUB","amount":"10000.00","merchant_id":"shop-42","user_id":"customer-1007","callback":"https://shop.example/hooks/payments","redirect_url":"https://shop.example/orders/1008"}"#,
        charges: Some(["100.00", "150.00", "50.00"]),
        form: None,
    },
    Request {
        name: "pay-out",
        summary: "Pay-out to a card",
        body: r#"{"payment_type":"pay_out","mode":"P2P","subtype":"bank_card","cur":"RUB","amount":"32000.00","merchant_id":"shop-42","user_id":"courier-19","callback":"https://shop.example/hooks/payouts","description":"Week 46","time_to_complete_payment":3600,"pay_out_details":{"bank_name":"Example Bank","full_name":"Ivan Ivanov","card_number":"2200000000000004","phone_number":"+79000000000"}}"#,
        charges: Some(["160.00", "320.00", "80.00"]),
        form: None,
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

/// The name, the summary, and the value of an example.
type Example = (&'static str, &'static str, Cow<'static, str>);

/// Writes the member `examples` with the bodies that the engine accepts.
pub(super) fn requests(engine: &Engine, w: &mut Writer<'_>) {
    let accepted =
        REQUESTS.iter().filter(|request| engine.is_valid_request(request.body.as_bytes(), Timestamp::parse(CREATED)));
    let list: Vec<Example> = accepted.map(|request| (request.name, request.summary, request.body.into())).collect();
    examples(w, &list);
}

/// Writes the member `examples` with the payments created from requests.
pub(super) fn payments(engine: &Engine, w: &mut Writer<'_>) {
    let answered = REQUESTS.iter().filter(|request| request.charges.is_some());
    let list: Vec<Example> =
        answered.filter_map(|request| Some((request.name, request.summary, create(engine, request)?.into()))).collect();
    examples(w, &list);
}

/// Writes the member `examples` with a payment in several states.
pub(super) fn statuses(engine: &Engine, w: &mut Writer<'_>) {
    let created = REQUESTS.iter().find_map(|request| create(engine, request));
    let routed = created.as_ref().and_then(|created| advance(engine, created, State::Routed, ROUTED));
    let completed = routed.and_then(|routed| advance(engine, &routed, State::Completed, PAID));
    let payments = [(State::Idle, "Just created", created), (State::Completed, "Completed", completed)];
    let list: Vec<Example> = payments
        .into_iter()
        .filter_map(|(state, summary, payment)| Some((state.name(), summary, payment?.into())))
        .collect();
    examples(w, &list);
}

/// Writes the member `examples` with a balance, of which only `cur` is specified.
pub(super) fn balance(engine: &Engine, w: &mut Writer<'_>) {
    let first = engine.policy().currencies.as_ref().and_then(|currencies| currencies.first());
    let cur = first.map_or("RUB", |currency| currency.code());
    let balance = [r#"{"cur":""#, cur, r#""}"#].concat();
    examples(w, &[("balance", "The required member only", balance.into())]);
}

/// Writes the member `examples` with a body for each code. A code is omitted if its example has another code under the policy.
pub(super) fn problems(engine: &Engine, w: &mut Writer<'_>, codes: &[ProblemCode]) {
    let list: Vec<Example> = codes
        .iter()
        .filter_map(|code| {
            let outcome = match code {
                ProblemCode::InvalidRequest => engine.create_payment(INVALID.as_bytes(), &context()?),
                ProblemCode::MalformedJson => engine.create_payment(MALFORMED.as_bytes(), &context()?),
                ProblemCode::BodyTooLarge => too_large(engine),
                _ => (*code).into(),
            };
            let is_example = outcome.problem().is_some_and(|problem| problem.code() == *code);
            is_example.then(|| (code.name(), code.title(), outcome.body_json().into()))
        })
        .collect();
    examples(w, &list);
}

/// Writes the member `examples`, unless it would be empty.
fn examples(w: &mut Writer<'_>, examples: &[Example]) {
    if !examples.is_empty() {
        w.name("examples").object(|w| {
            for (name, summary, value) in examples {
                w.name(name).object(|w| {
                    text(w, "summary", summary);
                    w.name("value").raw(value);
                });
            }
        });
    }
}

/// Returns the payment created for a request, if the policy accepts it.
fn create(engine: &Engine, request: &Request) -> Option<String> {
    let mut context = context()?;
    context.url = AbsoluteUri::try_from(URL).ok();
    context.form = request.form.map(Cow::Borrowed);
    context.quote =
        Quote::new(Currency::from_code("RUB")?, Amount::parse("92.45").ok()?, Timestamp::parse(QUOTED)).ok();
    if let Some([fee, commission, shared]) = request.charges {
        let [fee, commission, shared] =
            [Amount::parse(fee).ok()?, Amount::parse(commission).ok()?, Amount::parse(shared).ok()?];
        context.charges = Charges::new(fee, commission, shared).ok()?;
    }
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

/// Returns the outcome of a body that exceeds the limit, without such a body.
fn too_large(engine: &Engine) -> Outcome<'_> {
    let mut builder = engine.ruleset().report_builder();
    let limit = Params::Limit(engine.policy().limits.body_bytes);
    builder.push(Severity::Error, Code::BodyTooLarge, Pointer::ROOT, limit);
    Problem { report: Some(builder.into()), ..Problem::new(ProblemCode::BodyTooLarge) }.into()
}
