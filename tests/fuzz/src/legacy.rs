//! Migrates bodies to the legacy API and back: common members are unchanged, and no legacy member
//! is left.

use payspec::legacy::{ChangeKind, ChangeTarget, MigratedBody, changes};
use payspec::{Engine, PaymentType, State, Subtype};
use payspec_tests::call;
use payspec_tests::json::Json;
use payspec_tests::seeds;
use std::sync::LazyLock;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    call::engine(Some(
        r#"{"limits":{"body_bytes":1000000,"depth":64,"violations":1000}}"#,
    ))
    .expect("the policy")
});

pub(crate) fn run(bytes: &[u8]) {
    for api in &APIS {
        check_round_trip(api, bytes);
    }
    // An upgraded body is a current payment, for any input.
    if let Ok(current) = ENGINE.upgrade_payment(bytes) {
        check_round_trip(&APIS[0], current.body().as_bytes());
        let again = ENGINE
            .upgrade_payment(current.body().as_bytes())
            .expect("an object");
        assert_eq!(again.body(), current.body(), "upgraded has_duplicates");
    }
    for kind in [PaymentType::PayIn, PaymentType::PayOut] {
        if let Ok(current) = ENGINE.upgrade_request(kind, bytes) {
            let report = ENGINE
                .validate_request(current.body().as_bytes(), None)
                .to_json();
            assert!(
                !report.contains(r#""code":"json_syntax""#),
                "{} of {bytes:?}",
                current.body()
            );
            assert!(
                !report.contains(r#""code":"legacy_member""#),
                "{report} of {}",
                current.body()
            );
            if let Some(key) = current.idempotency_key() {
                let key = key.as_str();
                assert!(
                    (1..=255).contains(&key.len())
                        && key.bytes().all(|byte| byte.is_ascii_graphic()),
                    "{key:?}"
                );
            }
        }
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    const BODIES: [(&str, usize); 9] = [
        ("upgrade_payment", 0),
        ("downgrade_payment", 0),
        ("upgrade_request", 1),
        ("downgrade_request", 0),
        ("validate_request", 0),
        ("upgrade_balance", 0),
        ("downgrade_balance", 0),
        ("check_payment", 0),
        ("field_currencies", 0),
    ];
    let of = |seed: seeds::Seed| {
        let (_, index) = BODIES
            .iter()
            .find(|(operation, _)| *operation == seed.operation)?;
        seed.inputs.into_iter().nth(*index)?
    };
    seeds::calls().into_iter().filter_map(of).collect()
}

type Migrate = fn(&[u8]) -> Option<MigratedBody>;

/// The migration of one kind of body in both directions.
struct Api {
    target: ChangeTarget,
    downgrade: Migrate,
    upgrade: Migrate,
    /// Returns true if both APIs have the member and can represent its value.
    is_restored: fn(&str, &Json) -> bool,
}

static APIS: [Api; 4] = [
    Api {
        target: ChangeTarget::Response,
        downgrade: |body| ENGINE.downgrade_payment(body).ok(),
        upgrade: |body| ENGINE.upgrade_payment(body).ok(),
        is_restored: payment_member_is_restored,
    },
    Api {
        target: ChangeTarget::Request,
        downgrade: |body| ENGINE.downgrade_request(body).ok(),
        upgrade: |body| ENGINE.upgrade_request(PaymentType::PayIn, body).ok(),
        is_restored: |name, value| request_member_is_restored(PaymentType::PayIn, name, value),
    },
    Api {
        target: ChangeTarget::Request,
        downgrade: |body| ENGINE.downgrade_request(body).ok(),
        upgrade: |body| ENGINE.upgrade_request(PaymentType::PayOut, body).ok(),
        is_restored: |name, value| request_member_is_restored(PaymentType::PayOut, name, value),
    },
    Api {
        target: ChangeTarget::Balance,
        downgrade: |body| ENGINE.downgrade_balance(body).ok(),
        upgrade: |body| ENGINE.upgrade_balance(body).ok(),
        is_restored: |_, _| true,
    },
];

/// Checks that `upgrade(downgrade(x))` equals `x` in every member that both APIs have.
fn check_round_trip(api: &Api, bytes: &[u8]) {
    let Some(legacy) = (api.downgrade)(bytes) else {
        return;
    };
    let back = (api.upgrade)(legacy.body().as_bytes()).expect("an object");
    let (Ok(body), Ok(back)) = (Json::parse(bytes), Json::parse(back.body().as_bytes())) else {
        return;
    };
    let members = body.members();
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    // Only the first value of a duplicate member counts, and a body that mixes both APIs is not a
    // current one.
    let has_duplicates = (1..names.len()).any(|index| names[..index].contains(&names[index]));
    if has_duplicates || names.iter().any(|name| is_legacy(api.target, name)) {
        return;
    }
    for (name, value) in members
        .iter()
        .filter(|(name, value)| (api.is_restored)(name, value))
    {
        let found = back.get(name).map(Json::compact);
        assert_eq!(found, Some(value.compact()), "{name} of {}", body.compact());
    }
}

/// Returns true if only the legacy API has the member.
fn is_legacy(target: ChangeTarget, name: &str) -> bool {
    changes()
        .any(|change| change.target == target && change.legacy == Some(name) && name != "system")
}

/// Returns true if only the current API has the member.
fn is_added(target: ChangeTarget, name: &str) -> bool {
    let mut added =
        changes().filter(|change| change.target == target && change.kind == ChangeKind::Added);
    added.any(|change| change.current == Some(name))
}

fn payment_member_is_restored(name: &str, value: &Json) -> bool {
    let text = value.as_str().unwrap_or_default();
    match name {
        "info" => false,
        "state" => text.parse::<State>().is_ok(),
        // `type` and `method` of the legacy API are recognized by their values.
        "payment_type" => text.parse::<PaymentType>().is_ok(),
        "subtype" => text.parse::<Subtype>().is_ok(),
        _ => !is_added(ChangeTarget::Response, name),
    }
}

fn request_member_is_restored(kind: PaymentType, name: &str, value: &Json) -> bool {
    match name {
        // The caller supplies the kind.
        "payment_type" => value.as_str() == Some(kind.name()),
        "system" => false,
        // Card data belongs in `card`, and the order of the members may change.
        "pay_in_details" => !matches!(value, Json::Object(_)),
        _ => !is_added(ChangeTarget::Request, name),
    }
}
