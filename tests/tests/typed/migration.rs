//! Migrated bodies and advanced payments: the typed value writes the same text as the JSON form
//! returns. A body that was downgraded and upgraded again is unchanged.

use super::vectors;
use payspec::legacy::MigratedBody;
use payspec::{AdvanceContext, Engine, InvalidBody};
use payspec_tests::json::Json;

#[test]
fn returns_migrated_bodies_equal_to_the_json_form() {
    type Migrate = for<'a> fn(&'a Engine, &'a [u8], &'a [u8]) -> Result<MigratedBody, InvalidBody>;
    let operations: [(&str, Migrate); 6] = [
        ("upgrade_request", |engine, kind, body| {
            let kind = std::str::from_utf8(kind).unwrap().parse().unwrap();
            engine.upgrade_request(kind, body)
        }),
        ("downgrade_request", |engine, body, _| {
            engine.downgrade_request(body)
        }),
        ("upgrade_balance", |engine, body, _| {
            engine.upgrade_balance(body)
        }),
        ("downgrade_balance", |engine, body, _| {
            engine.downgrade_balance(body)
        }),
        ("upgrade_payment", |engine, body, _| {
            engine.upgrade_payment(body)
        }),
        ("downgrade_payment", |engine, body, _| {
            engine.downgrade_payment(body)
        }),
    ];
    for (operation, migrate) in operations {
        for (vector, engine) in vectors(operation)
            .iter()
            .filter(|(vector, _)| vector.returns == 0)
        {
            let inputs = vector.arguments(operation);
            let first = inputs[0].unwrap();
            let migrated = migrate(
                engine,
                first,
                inputs.get(1).copied().flatten().unwrap_or_default(),
            )
            .unwrap();
            let mut written = Vec::new();
            migrated.write_json(&mut written);
            assert_eq!(written, vector.call(operation).text, "{}", vector.name);
        }
    }
}

#[test]
fn returns_advanced_payments_equal_to_the_json_form() {
    for (vector, engine) in vectors("advance_payment")
        .iter()
        .filter(|(vector, _)| vector.returns >= 0)
    {
        let context =
            AdvanceContext::from_json(vector.arguments("advance_payment")[0].unwrap()).unwrap();
        let mut written = Vec::new();
        engine
            .advance_payment(&context)
            .unwrap()
            .write_json(&mut written);
        assert_eq!(
            written,
            vector.call("advance_payment").text,
            "{}",
            vector.name
        );
    }
}

/// Returns the bodies of the vectors that have no violation under the default policy.
fn ordinary(operation: &str) -> Vec<Json> {
    let vectors = vectors(operation)
        .into_iter()
        .filter(|(vector, _)| vector.policy.is_none() && vector.returns == 0);
    let valid = vectors.filter(|(vector, _)| {
        String::from_utf8_lossy(&vector.call(operation).text).contains(r#""violations":[]"#)
    });
    valid
        .map(|(vector, _)| Json::parse(vector.arguments(operation)[0].unwrap()).unwrap())
        .collect()
}

/// Sorts the members of all objects, since their order has no meaning.
fn sorted(json: &Json) -> Json {
    match json {
        Json::Array(items) => Json::Array(items.iter().map(sorted).collect()),
        Json::Object(members) => {
            let mut members: Vec<_> = members
                .iter()
                .map(|(name, value)| (name.clone(), sorted(value)))
                .collect();
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            Json::Object(members)
        }
        other => other.clone(),
    }
}

/// Checks that `back` has every member of `body` except `omitted`, and no other one that is not
/// null.
fn assert_round_trip(body: &Json, back: &MigratedBody, omitted: &[&str]) {
    let back = Json::parse(back.body().as_bytes()).unwrap();
    let kept = |json: &Json| {
        let members = json
            .members()
            .iter()
            .filter(|(name, value)| !omitted.contains(&&**name) && *value != Json::Null);
        sorted(&Json::Object(members.cloned().collect()))
    };
    assert_eq!(kept(&back), kept(body), "{}", body.compact());
}

#[test]
fn restores_requests_that_were_downgraded() {
    let (engine, bodies) = (Engine::default(), ordinary("validate_request"));
    assert!(bodies.len() > 100, "{}", bodies.len());
    for body in bodies {
        let text = body.compact();
        let kind = body
            .get("payment_type")
            .unwrap()
            .as_str()
            .unwrap()
            .parse()
            .unwrap();
        let legacy = engine.downgrade_request(text.as_bytes()).unwrap();
        let report = engine
            .validate_request(legacy.body().as_bytes(), None)
            .to_json();
        assert!(!report.contains(r#""code":"unknown_member""#), "{report}");
        let back = engine
            .upgrade_request(kind, legacy.body().as_bytes())
            .unwrap();
        assert_round_trip(
            &body,
            &back,
            &["mode", "merchant_id", "user_id", "user_name", "host2host"],
        );
    }
}

#[test]
fn restores_payments_that_were_downgraded() {
    let (engine, bodies) = (Engine::default(), ordinary("check_payment"));
    assert!(bodies.len() > 20, "{}", bodies.len());
    for body in bodies {
        let legacy = engine.downgrade_payment(body.compact().as_bytes()).unwrap();
        let back = engine.upgrade_payment(legacy.body().as_bytes()).unwrap();
        assert_round_trip(
            &body,
            &back,
            &[
                "requested_amount",
                "requested_currency",
                "client_amount",
                "info",
            ],
        );
    }
}

#[test]
fn restores_balances_that_were_downgraded() {
    let engine = Engine::default();
    let vectors = vectors("read_balance")
        .into_iter()
        .filter(|(vector, _)| vector.returns == 0);
    let balances: Vec<Json> = vectors
        .map(|(vector, _)| {
            Json::parse(&vector.call("read_balance").text)
                .unwrap()
                .get("body")
                .unwrap()
                .clone()
        })
        .collect();
    assert!(balances.len() > 3, "{}", balances.len());
    for balance in balances {
        let legacy = engine
            .downgrade_balance(balance.compact().as_bytes())
            .unwrap();
        assert!(
            Json::parse(legacy.body().as_bytes())
                .unwrap()
                .get("cur")
                .is_none()
        );
        let back = engine.upgrade_balance(legacy.body().as_bytes()).unwrap();
        assert_round_trip(&balance, &back, &[]);
    }
}
