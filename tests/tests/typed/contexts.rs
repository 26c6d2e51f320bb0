//! Contexts constructed in Rust: they reject the same values as their JSON form, and return the
//! same answers.

use payspec::{
    AbsoluteUri, AdvanceContext, Amount, Authorization, Balance, BalanceContext, Charges,
    ConvertContext, CreateContext, Currency, Engine, IdempotencyKey, IdempotencyLookup,
    IdempotencyRecord, JsonObject, ProblemCode, Quote, QuoteError, ReadContext, StoredPayment,
    Timestamp, Uuid,
};
use payspec_tests::json::Json;
use payspec_tests::near_json;

const UID: &str = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";

/// `JsonObject` accepts the same texts as the reader of contexts.
#[test]
fn accepts_the_json_objects_of_the_json_form() {
    let mut rng = fastrand::Rng::with_seed(20_261_120);
    let (mut accepted, mut rejected) = (0, 0);
    let mut bytes = Vec::new();
    for round in 0..200_000 {
        near_json::by_grammar(&mut rng, &mut bytes);
        if round % 2 == 0 {
            near_json::mutate(&mut rng, &mut bytes);
        }
        let Ok(text) = str::from_utf8(&bytes) else {
            continue;
        };
        let json = format!(r#"{{"to":"idle","at":"2026-11-20T10:15:30Z","payment":{text}}}"#);
        let read = AdvanceContext::from_json(json.as_bytes());
        let read = read.map(|context| context.payment);
        match JsonObject::try_from(text) {
            Ok(object) => {
                accepted += 1;
                match StoredPayment::try_from(object) {
                    Ok(payment) => assert_eq!(read, Ok(payment), "{text}"),
                    Err(_) => assert_eq!(read.unwrap_err().path(), "/payment/uid", "{text}"),
                }
            }
            // A text such as `{},"amount":null` is more than one value.
            Err(_) => {
                rejected += 1;
                assert!(
                    read.is_err() || Json::parse(text.as_bytes()).is_err(),
                    "{text}"
                );
            }
        }
    }
    assert!(
        accepted > 1000 && rejected > 1000,
        "{accepted} accepted, {rejected} rejected"
    );
}

#[test]
fn limits_the_depth_of_json_objects_like_a_context() {
    let nested = |levels: usize| {
        format!(
            "{{\"uid\":\"7\",\"a\":{}{}",
            "{\"a\":".repeat(levels - 2) + "{}",
            "}".repeat(levels - 1)
        )
    };
    assert!(JsonObject::try_from(nested(128).as_str()).is_ok());
    let error = JsonObject::try_from(nested(129).as_str()).unwrap_err();
    assert_eq!(
        (error.path(), error.message()),
        ("", "nested deeper than 128 levels")
    );
    // In JSON, the enclosing levels count too, at most three for a stored payment.
    let context = |payment: &str| {
        let existing = format!(
            r#"{{"created_at":"2026-11-20T10:15:30Z","fingerprint":"","payment":{payment}}}"#
        );
        let rest = format!(
            r#""now":"2026-11-20T10:15:30Z","authorization":"checked_by_caller","idempotency":{{"key":"k","existing":{existing}}}"#
        );
        CreateContext::from_json(format!(r#"{{"uid":"{UID}",{rest}}}"#).as_bytes()).map(|_| ())
    };
    assert_eq!(context(&nested(125)), Ok(()));
    assert!(context(&nested(126)).is_err());
}

#[test]
fn keeps_json_objects_out_of_debug_output() {
    let json = format!(r#"{{"uid":"{UID}","card":"4111111111111111"}}"#);
    let object = JsonObject::try_from(json.as_str()).unwrap();
    let payment = StoredPayment::try_from(object).unwrap();
    let uri = AbsoluteUri::try_from("https://pay.example/4111111111111111").unwrap();
    let authorization = header("Bearer 4111", true);
    let context = ReadContext::new(UID, Some(payment), authorization.clone()).unwrap();
    let text = format!("{object:?} {payment:?} {uri:?} {authorization:?} {context:?}");
    assert!(!text.contains("4111"), "{text}");
}

#[test]
fn rejects_a_stored_payment_without_a_uid() {
    for (text, path, message) in [
        (r#"{"state":"idle"}"#, "/uid", "required"),
        (r#"{"uid":null}"#, "/uid", "expected a string"),
        (r#"{"uid":7}"#, "/uid", "expected a string"),
        (r#"{"info":{"uid":"7"}}"#, "/uid", "required"),
        ("[]", "", "expected an object"),
    ] {
        let error = StoredPayment::try_from(text).unwrap_err();
        assert_eq!((error.path(), error.message()), (path, message), "{text}");
    }
    let text = r#" {"state":"idle","u\u0069d":"7"} "#;
    let payment = StoredPayment::try_from(text).unwrap();
    assert_eq!(
        (payment.as_str(), payment.object()),
        (text.trim(), JsonObject::try_from(text).unwrap())
    );
}

/// The constructor makes the same checks as the JSON form.
#[test]
fn rejects_a_payment_under_another_uid() {
    let other = "11111111-2222-3333-4444-555555555555";
    for (requested, stored, is_accepted) in [
        (UID, UID, true),
        (UID, &UID.to_uppercase(), true),
        (UID, other, false),
        (UID, "7", false),
        // Answered with 404.
        ("7", other, true),
    ] {
        let payment = format!(r#"{{"uid":"{stored}"}}"#);
        let payment = StoredPayment::try_from(payment.as_str()).unwrap();
        let typed = ReadContext::new(requested, Some(payment), Authorization::CheckedByCaller);
        let json = format!(
            r#"{{"uid":"{requested}","payment":{},"authorization":"checked_by_caller"}}"#,
            payment.as_str()
        );
        assert_eq!(typed, ReadContext::from_json(json.as_bytes()));
        match typed {
            Ok(context) => {
                assert!(is_accepted, "{requested} {stored}");
                assert_eq!(
                    (context.uid(), context.payment()),
                    (requested, Some(payment))
                );
            }
            Err(error) => {
                assert!(!is_accepted, "{requested} {stored}");
                assert_eq!(
                    error.to_string(),
                    "context error at /payment/uid: expected the requested uid"
                );
            }
        }
    }
}

fn header(value: &str, accepted: bool) -> Authorization<'_> {
    Authorization::Header {
        value: Some(value.as_bytes().into()),
        accepted,
    }
}

/// The response to another byte than ASCII is that to an invalid token, not to a missing one.
#[test]
fn reads_a_header_of_any_bytes() {
    let value = Some(b"Bearer t\xE9".into());
    let authorization = Authorization::Header {
        value,
        accepted: true,
    };
    let context = ReadContext::new(UID, None, authorization).unwrap();
    assert_eq!(
        Engine::default().read_payment(&context).www_authenticate(),
        Some("Bearer error=\"invalid_token\"")
    );
}

/// The error of a header is the answer, but only to an authorized request.
#[test]
fn answers_an_invalid_key_after_the_authorization() {
    let now: Timestamp = "2026-11-20T10:15:30.250Z".parse().unwrap();
    let mut typed = CreateContext::new(UID.parse().unwrap(), now, Authorization::CheckedByCaller);
    typed.idempotency = Some(IdempotencyKey::new("a b").unwrap_err().into());
    let json = format!(
        r#"{{"uid":"{UID}","now":"2026-11-20T10:15:30.250Z","authorization":"checked_by_caller",
            "idempotency":{{"key":"a b","existing":null}}}}"#
    );
    assert_eq!(CreateContext::from_json(&json).as_ref(), Ok(&typed));

    let engine = Engine::default();
    assert_eq!(engine.create_payment(b"", &typed).status(), 400);
    assert_eq!(engine.unread_request().create(&typed).status(), 400);
    typed.authorization = header("Bearer t", false);
    assert_eq!(engine.create_payment(b"", &typed).status(), 401);
    typed.authorization = Authorization::CheckedByCaller;
    typed.idempotency = None;
    assert_eq!(engine.unread_request().create(&typed).status(), 413);
    let old = "2026-11-20T10:15:29Z".parse().unwrap();
    typed.idempotency = Some(IdempotencyLookup::new(
        "k".parse().unwrap(),
        Some(IdempotencyRecord::new(old, "f", None)),
    ));
    assert_eq!(engine.unread_request().create(&typed).status(), 409);
}

#[test]
fn accepts_a_header_by_its_grammar_and_the_caller() {
    let engine = Engine::default();
    for (authorization, status) in [
        (Authorization::CheckedByCaller, 404),
        (header("Bearer t", true), 404),
        (
            Authorization::Header {
                value: Some(b"Bearer t".to_vec().into()),
                accepted: true,
            },
            404,
        ),
        (header("Bearer t", false), 401),
        (header("t", true), 401),
        (
            Authorization::Header {
                value: None,
                accepted: true,
            },
            401,
        ),
    ] {
        let context = ReadContext::new(UID, None, authorization).unwrap();
        assert_eq!(
            engine.read_payment(&context).status(),
            status,
            "{:?}",
            context.authorization()
        );
    }
}

/// `None` is the record of a new key.
#[test]
fn rejects_a_record_without_its_key() {
    let now: Timestamp = "2026-11-20T10:15:30.250Z".parse().unwrap();
    let json = |idempotency: &str| {
        let rest = r#""now":"2026-11-20T10:15:30.250Z","authorization":"checked_by_caller""#;
        format!(r#"{{"uid":"{UID}",{rest},"idempotency":{idempotency}}}"#)
    };
    let read = |json: &str| {
        CreateContext::from_json(json.as_bytes()).map(|context| context.idempotency.is_some())
    };
    let error = read(&json(r#"{"key":"k"}"#)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "context error at /idempotency/existing: required: null if it does not exist"
    );
    assert_eq!(read(&json(r#"{"key":"k","existing":null}"#)), Ok(true));
    let mut typed = CreateContext::new(UID.parse().unwrap(), now, Authorization::CheckedByCaller);
    for (existing, record) in [
        (None, "null"),
        (
            Some(IdempotencyRecord::new(now, "f", None)),
            r#"{"created_at":"2026-11-20T10:15:30.250Z","fingerprint":"f","payment":null}"#,
        ),
    ] {
        typed.idempotency = Some(IdempotencyLookup::new("k".parse().unwrap(), existing));
        let json = json(&format!(r#"{{"key":"k","existing":{record}}}"#));
        assert_eq!(
            CreateContext::from_json(json.as_bytes()).as_ref(),
            Ok(&typed)
        );
    }
}

#[test]
fn rejects_a_balance_without_its_currency() {
    assert!(Balance::try_from(r#"{"cur":"USDT"}"#).is_ok());
    for (text, error) in [
        (
            r#"{"available":"1"}"#,
            "context error at /balance/cur: required",
        ),
        (
            r#"{"cur":643}"#,
            "context error at /balance/cur: expected a string",
        ),
    ] {
        assert_eq!(
            Balance::try_from(text).unwrap_err().to_string(),
            error.replace("/balance", "")
        );
        let json = format!(r#"{{"balance":{text},"authorization":"checked_by_caller"}}"#);
        assert_eq!(
            BalanceContext::from_json(json.as_bytes())
                .unwrap_err()
                .to_string(),
            error
        );
    }
}

#[test]
fn checks_uris_charges_and_quotes_on_construction() {
    for text in [
        "",
        "/7",
        "pay.example/7",
        "https://",
        "https://pay.example/a b",
    ] {
        assert!(AbsoluteUri::try_from(text).is_err(), "{text}");
    }
    let amount = |text: &str| -> Amount { text.parse().unwrap() };
    assert!(Charges::new(Amount::ZERO, amount("1.00"), amount("1")).is_ok());
    assert!(Charges::new(amount("5"), amount("1.00"), amount("1.01")).is_err());
    let gold: Currency = "XAU".parse().unwrap();
    assert_eq!(
        Quote::new(gold, amount("1"), None),
        Err(QuoteError::Currency)
    );
    let rejected = |amount, currency: &str| {
        let json = format!(r#"{{"amount":"{amount}","currency":"{currency}"}}"#);
        ConvertContext::from_json(&json)
            .unwrap_err()
            .path()
            .to_owned()
    };
    assert_eq!(rejected("1", "XAU"), "/currency");
    assert_eq!(rejected("1e2", "RUB"), "/amount");
    // A typed context cannot be invalid, but a quote for such a currency does not exist.
    let outcome = Engine::default().convert(&ConvertContext::new(amount("1"), gold, None));
    assert_eq!(outcome.problem().unwrap().code(), ProblemCode::QuoteMissing);
}

#[test]
fn keeps_the_numbers_of_a_conversion_as_written() {
    let rub: Currency = "RUB".parse().unwrap();
    let quote = Quote::new(rub, "92.4500".parse().unwrap(), None).ok();
    let answer = Engine::default()
        .convert(&ConvertContext::new("10000.0".parse().unwrap(), rub, quote))
        .body_json();
    assert!(
        answer.ends_with(
            r#""requested_amount":"10000.0","requested_currency":"RUB","rate":"92.4500"}"#
        ),
        "{answer}"
    );
    let json =
        br#"{"amount":"10000.0","currency":"RUB","quote":{"currency":"RUB","rate":"92.4500"}}"#;
    assert_eq!(
        ConvertContext::from_json(json).unwrap(),
        ConvertContext::new("10000.0".parse().unwrap(), rub, quote)
    );
}

/// A context from JSON and a typed context have the same answer.
#[test]
fn reads_contexts_equal_to_the_constructed_ones() {
    let now: Timestamp = "2026-11-20T10:15:30.250Z".parse().unwrap();
    let mut typed = CreateContext::new(
        Uuid::parse_str(UID).unwrap(),
        now,
        Authorization::CheckedByCaller,
    );
    typed.url = Some(AbsoluteUri::try_from("https://pay.example/7").unwrap());
    typed.charges = Charges::new("1.50".parse().unwrap(), Amount::ZERO, Amount::ZERO).unwrap();
    typed.quote = Quote::new("RUB".parse().unwrap(), "92.45".parse().unwrap(), Some(now)).ok();
    let json = format!(
        r#"{{"uid":"{UID}","now":"2026-11-20T10:15:30.250Z","authorization":"checked_by_caller",
            "url":"https://pay.example/7","charges":{{"fee":"1.50"}},
            "quote":{{"currency":"RUB","rate":"92.45","as_of":"2026-11-20T10:15:30.250Z"}}}}"#
    );
    assert!(CreateContext::from_json(json.as_bytes()).unwrap() == typed);
}
