//! Migrates payments to the legacy API and back: common members are unchanged, and no legacy member is left.

use payspec::legacy::{ChangeKind, ChangeTarget, changes};
use payspec::{Engine, PaymentType, State, Subtype};
use payspec_tests::call;
use payspec_tests::json::Json;
use payspec_tests::seeds;
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    call::engine(Some(r#"{"limits":{"body_bytes":1000000,"depth":64,"violations":1000}}"#)).expect("the policy")
});

pub(crate) fn run(bytes: &[u8]) {
    round(bytes);
    // An upgraded body is a current payment, for any input.
    if let Ok(today) = ENGINE.upgrade_payment(bytes) {
        round(today.body().as_bytes());
        let again = ENGINE.upgrade_payment(today.body().as_bytes()).expect("an object");
        assert_eq!(again.body(), today.body(), "upgraded twice");
    }
    for kind in [PaymentType::PayIn, PaymentType::PayOut] {
        if let Ok(today) = ENGINE.upgrade_request(kind, bytes) {
            let report = ENGINE.validate_request(today.body().as_bytes(), None).to_json();
            assert!(!report.contains(r#""code":"json_syntax""#), "{} of {bytes:?}", today.body());
            assert!(!report.contains(r#""code":"legacy_member""#), "{report} of {}", today.body());
        }
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    const BODIES: [(&str, usize); 5] = [
        ("upgrade_payment", 0),
        ("downgrade_payment", 0),
        ("upgrade_request", 1),
        ("check_payment", 0),
        ("field_currencies", 0),
    ];
    let of = |seed: seeds::Seed| {
        let (_, place) = BODIES.iter().find(|(operation, _)| *operation == seed.operation)?;
        seed.inputs.into_iter().nth(*place)?
    };
    seeds::calls().into_iter().filter_map(of).collect()
}

/// Checks that `upgrade(downgrade(p))` equals `p` in every member that both APIs have.
fn round(bytes: &[u8]) {
    let Ok(earlier) = ENGINE.downgrade_payment(bytes) else { return };
    let back = ENGINE.upgrade_payment(earlier.body().as_bytes()).expect("an object");
    let (Ok(payment), Ok(back)) = (Json::parse(bytes), Json::parse(back.body().as_bytes())) else { return };
    let members = payment.members();
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    // Only the first value of a duplicate member counts, and a body that mixes both APIs is not a payment.
    let twice = (1..names.len()).any(|place| names[..place].contains(&names[place]));
    if twice || names.iter().any(|name| is_earlier(name)) {
        return;
    }
    for (name, value) in members.iter().filter(|(name, value)| comes_back(name, value)) {
        let found = back.get(name).map(Json::compact);
        assert_eq!(found, Some(value.compact()), "{name} of {}", payment.compact());
    }
}

/// Returns true if only the legacy API has the member.
fn is_earlier(name: &str) -> bool {
    let mut earlier = changes().filter(|change| change.target == ChangeTarget::Response);
    earlier.any(|change| change.legacy == Some(name))
}

/// Returns true if both APIs have the member and can represent its value.
fn comes_back(name: &str, value: &Json) -> bool {
    let text = value.as_str().unwrap_or_default();
    match name {
        "info" => false,
        "state" => State::from_name(text).is_some(),
        // `type` and `method` of the legacy API are recognized by their values.
        "payment_type" => PaymentType::from_name(text).is_some(),
        "subtype" => Subtype::from_name(text).is_some(),
        _ => !changes().any(|change| {
            change.target == ChangeTarget::Response && change.kind == ChangeKind::Added && change.current == Some(name)
        }),
    }
}
