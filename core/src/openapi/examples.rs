//! Examples: bodies as clients send them, and the engine's own answers to them. What the policy refuses is left out.

use alloc::string::String;
use alloc::vec::Vec;

use crate::context::{AdvanceContext, CreateContext};
use crate::engine::Engine;
use crate::outcome::Outcome;
use crate::problem::{Problem, ProblemCode};
use crate::report::{Params, Pointer};
use crate::rules::{Code, Severity};
use crate::state::State;
use crate::time::Timestamp;
use crate::write::Writer;

/// One body of a request.
struct Request {
    name: &'static str,
    summary: &'static str,
    body: &'static str,
    /// Fee, commission and the shared part of it, in the currency of the body.
    charges: [&'static str; 3],
    form: Option<&'static str>,
    /// Whether the answer is worth showing too.
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

/// A body with several faults.
const INVALID: &str = r#"{"payment_type":"pay_in","mode":"P2P","cur":"RUB","amount":"1,500.00","merchant_id":"shop-42","callback":"https://shop.example/hooks/payments"}"#;
const MALFORMED: &str = r#"{"payment_type":"pay_in","amount":"1500.00",}"#;

const UID: &str = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";
const URL: &str = "https://pay.example/p/0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";
const CREATED: &str = "2026-11-20T10:15:30.250Z";
const ROUTED: &str = "2026-11-20T10:15:31.100Z";
const PAID: &str = "2026-11-20T10:17:04.810Z";
const QUOTE: &str = r#"{"currency":"RUB","rate":"92.45","as_of":"2026-11-20T10:15:28.000Z"}"#;

/// The member `examples` with the bodies that the engine accepts.
pub(super) fn requests(engine: &Engine, w: &mut Writer<'_>) {
    let now = Timestamp::parse(CREATED);
    let accepted = REQUESTS.iter().filter(|request| engine.validate_request(request.body.as_bytes(), now).is_valid());
    write(w, accepted.map(|request| (request.name, request.summary, request.body)));
}

/// The member `examples` with the payments made of them.
pub(super) fn payments(engine: &Engine, w: &mut Writer<'_>) {
    let made = REQUESTS.iter().filter(|request| request.answered);
    write(w, made.filter_map(|request| Some((request.name, request.summary, create(engine, request)?))));
}

/// The member `examples` with a payment on its way.
pub(super) fn statuses(engine: &Engine, w: &mut Writer<'_>) {
    let Some(created) = REQUESTS.iter().find_map(|request| create(engine, request)) else { return };
    let routed = advance(engine, &created, State::Routed, ROUTED);
    let completed = routed.as_ref().and_then(|routed| advance(engine, routed, State::Completed, PAID));
    let new = (State::Idle.name(), "Just created", Some(created));
    write(
        w,
        [new, (State::Completed.name(), "Completed", completed)]
            .into_iter()
            .filter_map(|(name, summary, body)| Some((name, summary, body?))),
    );
}

/// The member `examples` with a balance; of it no more than `cur` is specified.
pub(super) fn balance(engine: &Engine, w: &mut Writer<'_>) {
    let first = engine.policy().currencies.as_ref().and_then(|currencies| currencies.first());
    let mut body = String::from("{\"cur\":\"");
    body.push_str(first.map_or("RUB", |currency| currency.code()));
    body.push_str("\"}");
    write(w, [("balance", "The least that is there", body)].into_iter());
}

/// The member `examples` with a body for each code.
pub(super) fn problems(engine: &Engine, w: &mut Writer<'_>, codes: &[ProblemCode]) {
    write(w, codes.iter().filter_map(|code| Some((code.name(), code.title(), found(engine, *code)?))));
}

fn write<'t>(w: &mut Writer<'_>, examples: impl Iterator<Item = (&'t str, &'t str, impl AsRef<str>)>) {
    let mut examples = examples.peekable();
    if examples.peek().is_none() {
        return;
    }
    w.name("examples").object(|w| {
        for (name, summary, value) in examples {
            w.name(name).object(|w| {
                w.name("summary").string(summary);
                w.name("value").raw(value.as_ref());
            });
        }
    });
}

fn create(engine: &Engine, request: &Request) -> Option<String> {
    let mut context = Vec::new();
    Writer::new(&mut context).object(|w| {
        w.name("uid").string(UID);
        w.name("now").string(CREATED);
        w.name("url").string(URL);
        if let Some(form) = request.form {
            w.name("form").string(form);
        }
        w.name("quote").raw(QUOTE);
        w.name("charges").object(|w| {
            for (name, amount) in ["fee", "commission", "shared_commission"].into_iter().zip(request.charges) {
                w.name(name).string(amount);
            }
        });
    });
    let context = CreateContext::from_json(&context).ok()?;
    let outcome = engine.create_payment(request.body.as_bytes(), &context);
    outcome.is_success().then(|| outcome.body_json())
}

fn advance(engine: &Engine, payment: &str, to: State, at: &str) -> Option<String> {
    let mut context = Vec::new();
    Writer::new(&mut context).object(|w| {
        w.name("payment").raw(payment);
        w.name("to").string(to.name());
        w.name("at").string(at);
    });
    let outcome = engine.advance_payment(&AdvanceContext::from_json(&context).ok()?).ok()?;
    outcome.is_success().then(|| outcome.body_json())
}

/// A body of the code. None for an invalid request that the policy lets pass.
fn found(engine: &Engine, code: ProblemCode) -> Option<String> {
    let mut problem = Problem::new(code);
    match code {
        ProblemCode::InvalidRequest => return refuse(engine, INVALID, code),
        ProblemCode::MalformedJson => return refuse(engine, MALFORMED, code),
        ProblemCode::BodyTooLarge => {
            let limit = Params::Limit(engine.policy().limits.body_bytes);
            let mut report = engine.findings();
            report.push(Severity::Error, Code::BodyTooLarge, Pointer::ROOT, limit);
            problem.report = Some(report.into());
        }
        _ => {}
    }
    Some(Outcome::from(problem).body_json())
}

/// The engine's own answer, if it is of the code.
fn refuse(engine: &Engine, request: &str, code: ProblemCode) -> Option<String> {
    let mut context = Vec::new();
    Writer::new(&mut context).object(|w| {
        w.name("uid").string(UID);
        w.name("now").string(CREATED);
    });
    let context = CreateContext::from_json(&context).ok()?;
    let outcome = engine.create_payment(request.as_bytes(), &context);
    (outcome.problem()?.code() == code).then(|| outcome.body_json())
}
