//! Serde writes the same bytes as `write_json`.

use super::vectors;
use payspec::{
    ConvertContext, CreateContext, Engine, IdempotencyContext, ReadContext, SignWebhookContext,
    State,
};

#[test]
fn serializes_outcomes_payments_and_reports_like_the_json_form() {
    for (vector, engine) in vectors("create_payment") {
        let inputs = vector.arguments("create_payment");
        let (Some(body), Some(Ok(context))) = (inputs[0], inputs[1].map(CreateContext::from_json))
        else {
            continue;
        };
        let outcome = engine.create_payment(body, &context);
        assert_eq!(
            serde_json::to_string(&outcome).unwrap(),
            written(|out| outcome.write_json(out)),
            "{}",
            vector.name
        );
        assert_eq!(outcome.body_json(), written(|out| outcome.write_body(out)));
        if let Some(payment) = outcome.payment() {
            assert_eq!(
                serde_json::to_string(payment).unwrap(),
                outcome.body_json(),
                "{}",
                vector.name
            );
        }
    }
    for (vector, engine) in vectors("validate_request") {
        let report = engine.validate_request(
            vector.arguments("validate_request")[0].unwrap_or_default(),
            None,
        );
        assert_eq!(
            serde_json::to_string(&report).unwrap(),
            report.to_json(),
            "{}",
            vector.name
        );
    }
    for (vector, engine) in vectors("check_idempotency") {
        let context = vector.arguments("check_idempotency")[0].map(IdempotencyContext::from_json);
        let Some(Ok(context)) = context else { continue };
        let check = engine.check_idempotency(&context);
        assert_eq!(
            serde_json::to_string(&check).unwrap(),
            written(|out| check.write_json(out)),
            "{}",
            vector.name
        );
    }
}

#[test]
fn serializes_answers_like_the_json_form() {
    let engine = Engine::default();
    for from in State::ALL {
        for to in State::ALL {
            let transition = engine.check_transition(*from, *to);
            assert_eq!(
                serde_json::to_string(&transition).unwrap(),
                written(|out| transition.write_json(out))
            );
        }
    }
    for digits in ["", "4", "378282", "4111111111111111", "4111 1111", "x"] {
        let info = payspec::card::card_info(digits);
        assert_eq!(
            serde_json::to_string(&info).unwrap(),
            written(|out| info.write_json(out))
        );
    }
    let body = br#"{"a":[1,{"b":"x"}]}"#;
    for pointer in ["", "/a", "/a/0", "/a/1/b"] {
        let location = engine.locate(body, pointer).unwrap().unwrap();
        assert_eq!(
            serde_json::to_string(&location).unwrap(),
            written(|out| location.write_json(out))
        );
    }
    let context = SignWebhookContext::from_json(
        br#"{"id":"msg_1","timestamp":"2021-02-25T15:02:10Z","secrets":["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]}"#,
    );
    let headers = engine.sign_webhook(b"{}", &context.unwrap());
    assert_eq!(
        serde_json::to_string(&headers).unwrap(),
        written(|out| headers.write_json(out))
    );
}

#[test]
fn serializes_answers_about_bodies_like_the_json_form() {
    for (vector, engine) in vectors("convert") {
        let context = vector.arguments("convert")[0].map(ConvertContext::from_json);
        let Some(Ok(context)) = context else { continue };
        let outcome = engine.convert(&context);
        if let payspec::OutcomeBody::Conversion(conversion) = outcome.body() {
            assert_eq!(
                serde_json::to_string(conversion).unwrap(),
                outcome.body_json(),
                "{}",
                vector.name
            );
        }
    }
    for (vector, engine) in vectors("field_currencies") {
        let body = vector.arguments("field_currencies")[0].unwrap_or_default();
        let Ok(currencies) = engine.field_currencies(body) else {
            continue;
        };
        assert_eq!(
            serde_json::to_string(&currencies).unwrap(),
            written(|out| currencies.write_json(out)),
            "{}",
            vector.name
        );
    }
    for (vector, engine) in vectors("upgrade_payment") {
        let body = vector.arguments("upgrade_payment")[0].unwrap_or_default();
        let Ok(migrated) = engine.upgrade_payment(body) else {
            continue;
        };
        assert_eq!(
            serde_json::to_string(&migrated).unwrap(),
            written(|out| migrated.write_json(out)),
            "{}",
            vector.name
        );
    }
}

/// Keeps whitespace, escapes, and digits that do not fit into a number type.
#[test]
fn keeps_a_stored_payment_unchanged() {
    let uid = "0b6ea6a6-4c5e-4b7e-9d0f-6a1f0c7b2e11";
    let stored = format!(r#"{{ "state" : "\u0069dle", "n":1.50e400, "uid":"{uid}" }}"#);
    let json =
        format!(r#"{{"uid":"{uid}","payment":{stored},"authorization":"checked_by_caller"}}"#);
    let context = ReadContext::from_json(json.as_bytes()).unwrap();
    let outcome = Engine::default().read_payment(&context);
    assert_eq!(
        serde_json::to_string(&outcome).unwrap(),
        format!(r#"{{"status":200,"body":{stored}}}"#)
    );
    // Errors can be logged by the caller.
    let error = ReadContext::from_json(b"{}").unwrap_err();
    assert_eq!(
        serde_json::to_string(&error).unwrap(),
        written(|out| error.write_json(out))
    );
}

#[test]
fn parses_names_without_repeating_invalid_ones() {
    use payspec::{Code, Mode, Rounding, Severity, State};
    assert_eq!(
        serde_json::from_str::<State>("\"idle\"").unwrap(),
        State::Idle
    );
    assert_eq!(
        serde_json::from_str::<Code>("\"card_expired\"").unwrap(),
        Code::CardExpired
    );
    assert_eq!(
        serde_json::to_string(&(Severity::Off, Rounding::Down, Code::CardExpired)).unwrap(),
        r#"["off","down","card_expired"]"#
    );
    for json in [
        "\"4111111111111111\"",
        "4111111111111111",
        "[4111111111111111]",
    ] {
        let error = serde_json::from_str::<Mode>(json).unwrap_err().to_string();
        assert!(!error.contains("4111"), "{error}");
    }
    let error = serde_json::from_str::<payspec::Amount>("[]")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("expected a decimal string of at most 28 digits"),
        "{error}"
    );
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn round_trips_timestamps_and_names() {
    fn both<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
        value: T,
        text: &str,
    ) {
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
        assert_eq!(serde_json::from_str::<T>(text).unwrap(), value);
        // Texts are deserialized only from texts.
        assert!(serde_json::from_str::<T>("7").is_err());
    }
    let timestamp: payspec::Timestamp = "2026-11-20T10:15:30.250Z".parse().unwrap();
    both(timestamp, &format!("\"{timestamp}\""));
    both(payspec::Severity::Off, "\"off\"");
    both(payspec::Rounding::HalfUp, "\"half_up\"");
    for mode in payspec::Mode::ALL {
        both(*mode, &format!("\"{mode}\""));
    }
    for subtype in payspec::Subtype::ALL {
        both(*subtype, &format!("\"{subtype}\""));
    }
    for state in State::ALL {
        both(state.to_owned(), &format!("\"{state}\""));
    }
}
