//! A typed request contains the values of its body, member by member.

use super::vectors;
use payspec::{Card, CommonFields, CreateRequest, Engine};
use payspec_tests::root;
use serde_json::Value;
use std::fs;

/// Returns a member's value by its JSON Pointer. Null counts as absent.
fn at<'a>(body: &'a Value, pointer: &str) -> Option<&'a Value> {
    body.pointer(pointer).filter(|value| !value.is_null())
}

/// Returns a member's text. An empty text counts as absent.
fn text<'a>(body: &'a Value, pointer: &str) -> Option<&'a str> {
    at(body, pointer)
        .and_then(Value::as_str)
        .filter(|text| !text.is_empty())
}

/// Returns the value of an integer, which may have a fraction of zeros or an exponent.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is an integer between the limits"
)]
fn number(body: &Value, pointer: &str) -> Option<u64> {
    let value = at(body, pointer)?;
    let of_float = |number: f64| {
        let is_exact = number.fract() == 0.0 && (0.0..=9_007_199_254_740_991.0).contains(&number);
        is_exact.then_some(number as u64)
    };
    value.as_u64().or_else(|| value.as_f64().and_then(of_float))
}

/// Returns a decimal without trailing zeros of its fraction, which an `Amount` drops if they do not
/// fit.
fn shortest(decimal: &str) -> &str {
    if decimal.contains('.') {
        decimal.trim_end_matches('0').trim_end_matches('.')
    } else {
        decimal
    }
}

fn same(engine: &Engine, body: &[u8], name: &str) -> bool {
    let Ok((request, _)) = engine.parse_request(body, None) else {
        return false;
    };
    // Unknown members may have numbers and depths that `Value` does not support.
    let Ok(body) = serde_json::from_slice::<Value>(body) else {
        return false;
    };
    let CommonFields {
        mode,
        cur,
        amount,
        amount_text,
        subtype,
        merchant_id,
        user_id,
        callback,
        redirect_url,
        bank_name,
        host2host,
        description,
        time_to_complete_payment,
        ..
    } = request.common();
    assert_eq!(
        Some(request.payment_type().name()),
        text(&body, "/payment_type"),
        "{name}"
    );
    assert_eq!(
        mode.map(payspec::Mode::name),
        text(&body, "/mode"),
        "{name}"
    );
    assert_eq!(Some(cur.code()), text(&body, "/cur"), "{name}");
    assert_eq!(Some(&**amount_text), text(&body, "/amount"), "{name}");
    assert_eq!(
        shortest(&amount.to_string()),
        shortest(amount_text),
        "{name}"
    );
    assert_eq!(
        subtype.map(payspec::Subtype::name),
        text(&body, "/subtype"),
        "{name}"
    );
    assert_eq!(
        *host2host,
        at(&body, "/host2host") == Some(&Value::Bool(true)),
        "{name}"
    );
    assert_eq!(
        *time_to_complete_payment,
        number(&body, "/time_to_complete_payment"),
        "{name}"
    );
    let texts = [
        ("/merchant_id", merchant_id),
        ("/user_id", user_id),
        ("/callback", callback),
        ("/redirect_url", redirect_url),
        ("/bank_name", bank_name),
        ("/description", description),
    ];
    for (pointer, member) in texts {
        assert_eq!(member.as_deref(), text(&body, pointer), "{name}: {pointer}");
    }
    let card_number = match &request {
        CreateRequest::PayIn(request) => {
            assert_eq!(
                request.user_name.as_deref(),
                text(&body, "/user_name"),
                "{name}"
            );
            let details = request.pay_in_details.as_ref();
            let bank_name = details.and_then(|details| details.bank_name.as_deref());
            assert_eq!(
                bank_name,
                text(&body, "/pay_in_details/bank_name"),
                "{name}"
            );
            if let Some(card) = details.and_then(|details| details.card.as_ref()) {
                same_card(card, &body, name);
            }
            "/pay_in_details/card/card_number"
        }
        CreateRequest::PayOut(request) => {
            let details = request.pay_out_details.as_ref();
            let bank_name = details.and_then(|details| details.bank_name.as_deref());
            assert_eq!(
                bank_name,
                text(&body, "/pay_out_details/bank_name"),
                "{name}"
            );
            let full_name = details.and_then(|details| details.full_name.as_deref());
            assert_eq!(
                full_name,
                text(&body, "/pay_out_details/full_name"),
                "{name}"
            );
            let phone_number = details.and_then(|details| details.phone_number.as_deref());
            assert_eq!(
                phone_number,
                text(&body, "/pay_out_details/phone_number"),
                "{name}"
            );
            "/pay_out_details/card_number"
        }
    };
    // A card number of another form is not returned.
    let written =
        text(&body, card_number).filter(|digits| digits.parse::<payspec::card::Pan>().is_ok());
    assert_eq!(
        request.card_number().map(payspec::card::Pan::digits),
        written,
        "{name}"
    );
    true
}

fn same_card(card: &Card<'_>, body: &Value, name: &str) {
    assert_eq!(
        card.card_holder.as_deref(),
        text(body, "/pay_in_details/card/card_holder"),
        "{name}"
    );
    let code = card
        .security_code
        .as_ref()
        .map(payspec::card::SecurityCode::digits);
    let written =
        text(body, "/pay_in_details/card/security_code").filter(|code| matches!(code.len(), 3 | 4));
    assert_eq!(code, written, "{name}");
    let year = number(body, "/pay_in_details/card/expiry_year")
        .map(|year| if year < 100 { 2000 + year } else { year });
    assert_eq!(
        card.expiry_year.map(u64::from),
        year.filter(|year| u16::try_from(*year).is_ok()),
        "{name}"
    );
    let month = number(body, "/pay_in_details/card/expiry_month");
    assert_eq!(
        card.expiry_month.map(u64::from),
        month.filter(|month| u8::try_from(*month).is_ok()),
        "{name}"
    );
}

#[test]
fn returns_the_members_of_the_body() {
    let mut read = 0;
    for (vector, engine) in vectors("validate_request") {
        let body = vector.arguments("validate_request")[0].unwrap_or_default();
        // Of duplicate members, serde_json returns the last, payspec the first.
        let twice = engine
            .validate_request(body, None)
            .violations()
            .iter()
            .any(|violation| violation.code() == payspec::Code::DuplicateMember);
        read += usize::from(!twice && same(&engine, body, &vector.name));
    }
    assert!(read > 300, "{read}");
    for entry in fs::read_dir(root().join("tests/bench/corpus/valid")).unwrap() {
        let path = entry.unwrap().path();
        assert!(same(
            &Engine::default(),
            &fs::read(&path).unwrap(),
            &path.display().to_string()
        ));
    }
}

#[test]
fn reads_years_of_two_and_four_digits() {
    for (written, year) in [
        (0, 2000),
        (31, 2031),
        (99, 2099),
        (2000, 2000),
        (2099, 2099),
    ] {
        let body = format!(
            r#"{{"payment_type":"pay_in","mode":"P2P","subtype":"bank_card","cur":"RUB","amount":"1.00","host2host":true,
                "pay_in_details":{{"card":{{"card_number":"4111111111111111","expiry_year":{written},"expiry_month":12}}}},
                "time_to_complete_payment":900}}"#
        );
        let engine = Engine::default();
        let (request, _) = engine.parse_request(body.as_bytes(), None).unwrap();
        assert_eq!(request.common().time_to_complete_payment, Some(900));
        let CreateRequest::PayIn(request) = request else {
            panic!("a pay-in")
        };
        let card = request.pay_in_details.unwrap().card.unwrap();
        assert_eq!(
            (card.expiry_year, card.expiry_month),
            (Some(year), Some(12)),
            "{written}"
        );
    }
    // The policy may accept a number that is not a year. Then it is returned unchanged.
    let policy = r#"{"severity":{"expiry_year_range":"off","expiry_year_two_digits":"off"}}"#;
    let engine = Engine::from_json(policy.as_bytes()).unwrap();
    let body = br#"{"payment_type":"pay_in","mode":"P2P","subtype":"bank_card","cur":"RUB","amount":"1.00",
        "pay_in_details":{"card":{"expiry_year":100}}}"#;
    let (request, _) = engine.parse_request(body, None).unwrap();
    let CreateRequest::PayIn(request) = request else {
        panic!("a pay-in")
    };
    assert_eq!(
        request.pay_in_details.unwrap().card.unwrap().expiry_year,
        Some(100)
    );
}
