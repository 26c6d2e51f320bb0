//! The methods of an answer return the same values as its JSON form, for every vector that Rust's
//! types permit.

use super::vectors;
use payspec::policy::FingerprintKey;
use payspec::{
    AbsoluteUri, Authorization, Code, CreateContext, Engine, ErrorKind, IdempotencyContext,
    IdempotencyLookup, IdempotencyRecord, Mode, PaymentType, Quote, Report, Rounding, State,
    StoredPayment, Subtype, Timestamp, TimestampError, Violation, convert,
};
use payspec_tests::json::Json;

fn text<'a>(json: &'a Json, name: &str) -> Option<&'a str> {
    json.get(name).and_then(Json::as_str)
}

fn agree(report: &Report, json: &Json, name: &str) {
    assert_eq!(
        report.variant().map(PaymentType::name),
        text(json, "variant"),
        "{name}"
    );
    assert_eq!(report.mode().map(Mode::name), text(json, "mode"), "{name}");
    assert_eq!(
        Some(&Json::Bool(report.host2host())),
        json.get("host2host"),
        "{name}"
    );
    let codes: Vec<_> = report
        .violations()
        .iter()
        .map(|violation| violation.code())
        .collect();
    for code in &codes {
        let first = codes.iter().position(|other| other == code).unwrap();
        let found = report.find(*code).map(Violation::path);
        assert_eq!(found, Some(report.violations()[first].path()), "{name}");
    }
    let params = report
        .violations()
        .iter()
        .filter(|violation| *violation.params() != payspec::Params::None)
        .count();
    let written = json.get("violations").unwrap().elements();
    assert_eq!(
        params,
        written
            .iter()
            .filter(|violation| violation.get("params").is_some())
            .count(),
        "{name}"
    );
}

#[test]
fn returns_reports_equal_to_the_json_form() {
    let (mut number, mut complete) = (0, 0);
    for (vector, engine) in vectors("validate_request") {
        let Some(Some(body)) = vector
            .inputs
            .first()
            .map(|body| body.as_ref().map(|body| &body.bytes))
        else {
            continue;
        };
        let report = engine.validate_request(body, None);
        let json = Json::parse(report.to_json().as_bytes()).unwrap();
        agree(&report, &json, &vector.name);
        assert!(
            report
                .find(Code::CardNumberChecksum)
                .is_none_or(|found| found.code() == Code::CardNumberChecksum)
        );
        number += 1;
        complete += usize::from(report.host2host() && report.mode().is_some());
    }
    assert!(
        number > 500 && complete > 0,
        "{number} reports, {complete} with everything"
    );
}

#[test]
fn returns_outcomes_equal_to_the_json_form() {
    let (mut payments, mut problems, mut warned) = (0, 0, 0);
    for (vector, engine) in vectors("create_payment") {
        let inputs = vector.arguments("create_payment");
        let (Some(body), Some(Ok(context))) = (inputs[0], inputs[1].map(CreateContext::from_json))
        else {
            continue;
        };
        let outcome = engine.create_payment(body, &context);
        let mut written = Vec::new();
        outcome.write_json(&mut written);
        let json = Json::parse(&written).unwrap();
        let name = &vector.name;
        assert_eq!(
            json.get("replayed").cloned(),
            outcome.replayed().map(Json::Bool),
            "{name}"
        );
        assert_eq!(text(&json, "fingerprint"), outcome.fingerprint(), "{name}");
        assert_eq!(
            text(&json, "www_authenticate"),
            outcome.www_authenticate(),
            "{name}"
        );
        assert_eq!(
            json.get("warnings").map_or(0, |all| all.elements().len()),
            outcome.warnings().len(),
            "{name}"
        );
        warned += outcome.warnings().len();
        let body = json.get("body").unwrap();
        // The body has Debug output.
        assert!(!format!("{:?}", outcome.body()).is_empty());
        match outcome.problem() {
            Some(problem) => {
                problems += 1;
                assert_eq!(problem.status(), outcome.status(), "{name}");
                assert_eq!(text(body, "detail"), Some(problem.detail()), "{name}");
                let listed = body.get("violations").map(|all| all.elements().len());
                assert_eq!(
                    problem.report().map(|report| report.violations().len()),
                    listed,
                    "{name}"
                );
            }
            None => payments += 1,
        }
    }
    assert!(
        payments > 50 && problems > 50 && warned > 3,
        "{payments} payments, {problems} problems, {warned} warnings"
    );
}

/// Constructors return the same contexts as their JSON form.
#[test]
fn constructs_contexts_equal_to_the_json_form() {
    let now: Timestamp = "2026-11-20T10:15:30.250Z".parse().unwrap();
    assert_eq!(Timestamp::from_unix(1_795_169_730, 250_000_000), Ok(now));
    assert_eq!(Timestamp::from_unix(i64::MAX, 0), Err(TimestampError));

    let payment = StoredPayment::try_from(r#"{"uid":"7"}"#).unwrap();
    let existing = IdempotencyRecord::new(now, "f", Some(payment));
    let record =
        r#"{"created_at":"2026-11-20T10:15:30.250Z","fingerprint":"f","payment":{"uid":"7"}}"#;
    let json =
        format!(r#"{{"now":"2026-11-20T10:15:30.250Z","fingerprint":"f","existing":{record}}}"#);
    let constructed = IdempotencyContext::new(now, "f", Some(existing.clone()));
    assert_eq!(
        IdempotencyContext::from_json(json.as_bytes()),
        Ok(constructed)
    );

    let json = format!(
        r#"{{"uid":"{UID}","now":"2026-11-20T10:15:30.250Z","authorization":{{"header":"Bearer t","accepted":true}},
            "idempotency":{{"key":"k","existing":{record}}},
            "quote":{{"currency":"RUB","rate":"92.45","as_of":"2026-11-20T10:15:30.250Z"}}}}"#
    );
    let mut constructed = CreateContext::new(
        UID.parse().unwrap(),
        now,
        Authorization::Header {
            value: Some(b"Bearer t".into()),
            accepted: true,
        },
    );
    constructed.idempotency = Some(IdempotencyLookup::new("k".parse().unwrap(), Some(existing)));
    constructed.quote =
        Quote::new("RUB".parse().unwrap(), "92.45".parse().unwrap(), Some(now)).ok();
    assert_eq!(constructed.quote.as_ref().and_then(Quote::as_of), Some(now));
    assert_eq!(
        CreateContext::from_json(json.as_bytes()).as_ref(),
        Ok(&constructed)
    );
    // Neither the key nor the record may be logged.
    assert!(!format!("{:?}", constructed.idempotency).contains("\"k\""));
}

const UID: &str = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";

#[test]
fn converts_a_quote_like_the_operation() {
    let quote = Quote::new("RUB".parse().unwrap(), "92.45".parse().unwrap(), None).unwrap();
    let usdt = convert(
        "10000.00".parse().unwrap(),
        quote.rate(),
        6,
        Rounding::HalfEven,
    );
    assert_eq!(
        usdt.map(|amount| amount.to_string()).as_deref(),
        Some("108.166577")
    );
}

#[test]
fn round_trips_names() {
    fn both<T: Copy + PartialEq + std::fmt::Debug + std::fmt::Display + std::str::FromStr>(
        all: &[T],
    ) {
        assert!(!all.is_empty());
        for one in all {
            assert_eq!(one.to_string().parse().ok(), Some(*one));
            assert_eq!(format!("{one:>20}").trim_start(), one.to_string());
        }
        assert!("Idle ".parse::<T>().is_err());
    }
    both(State::ALL);
    both(Mode::ALL);
    both(Subtype::ALL);
    both(PaymentType::ALL);
}

#[test]
fn returns_errors_with_path_and_message() {
    let error = Engine::from_json(r#"{"limits":{"depth":"deep"}}"#).unwrap_err();
    assert_eq!(
        (error.kind(), error.path()),
        (ErrorKind::Policy, "/limits/depth")
    );
    assert!(error.to_string().contains(error.message()), "{error}");
    let error = AbsoluteUri::try_from("no address").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Context);

    for (key, fine) in [("00ff", true), ("", false), ("0", false), ("0g", false)] {
        assert_eq!(key.parse::<FingerprintKey>().is_ok(), fine, "{key:?}");
    }
    assert_eq!(
        FingerprintKey::new([]).unwrap_err().path(),
        "/fingerprint_key"
    );
    for policy in [
        r#"{"severity":{"missing":"error","miss\u0069ng":"off"}}"#,
        r#"{"limits":{"amount":{"RUB":{},"R\u0055B":{}}}}"#,
        r#"{"limits":{"amount":{"RUB":{"min":"1","m\u0069n":"2"}}}}"#,
    ] {
        assert_eq!(
            Engine::from_json(policy).unwrap_err().kind(),
            ErrorKind::Policy,
            "{policy}"
        );
    }
}

#[test]
fn returns_a_challenge_with_every_401() {
    use payspec::{Outcome, ProblemCode, Unauthorized};
    let of = |outcome: Outcome| (outcome.status(), outcome.www_authenticate());
    assert_eq!(of(ProblemCode::Unauthorized.into()), (401, Some("Bearer")));
    assert_eq!(
        of(Unauthorized::Unacceptable.into()),
        (401, Some("Bearer error=\"invalid_token\""))
    );
    assert_eq!(of(ProblemCode::PaymentNotFound.into()), (404, None));
    let outcome = Outcome::from(Unauthorized::Unacceptable);
    assert_eq!(
        of(outcome.problem().unwrap().clone().into()),
        (401, Some("Bearer"))
    );
}

#[test]
fn implements_error_for_error_types() {
    let text_of = |error: Box<dyn std::error::Error + '_>| error.to_string();
    let engine = Engine::default();
    let error = engine.fingerprint_request(b"[]").unwrap_err();
    assert!(text_of(Box::new(error)).starts_with("not valid\nerror at the body: "));
    let why = payspec::bearer_token(None).unwrap_err();
    assert_eq!(text_of(Box::new(why)), "no Bearer credential was sent");
}
