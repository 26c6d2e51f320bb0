//! Migrates a current body to the legacy API and back, and compares.

use payspec::legacy::ChangeKind;
use payspec::{Engine, PaymentType};
use serde_json::Value;

use super::conversion::Conversion;

/// Returns the paths of the members that both APIs have and that differ.
///
/// `current` is the body of the current API: that before a downgrade, or that after an upgrade.
pub(super) fn differences(engine: &Engine, conversion: Conversion, current: &[u8]) -> Vec<String> {
    let (down, up) = match conversion {
        Conversion::UpgradeRequests(kind) => (
            Conversion::DowngradeRequests,
            Conversion::UpgradeRequests(kind),
        ),
        // A current request names its endpoint, a legacy one does not.
        Conversion::DowngradeRequests => {
            let kind = engine
                .validate_request(current, None)
                .variant()
                .unwrap_or(PaymentType::PayIn);
            (
                Conversion::DowngradeRequests,
                Conversion::UpgradeRequests(kind),
            )
        }
        Conversion::UpgradePayments | Conversion::DowngradePayments => {
            (Conversion::DowngradePayments, Conversion::UpgradePayments)
        }
    };
    let whole = || vec![String::new()];
    let Ok(legacy) = down.of(engine, current) else {
        return whole();
    };
    let Ok(again) = up.of(engine, legacy.body().as_bytes()) else {
        return whole();
    };
    if again.body().as_bytes() == current {
        return Vec::new();
    }
    // Members that the legacy API does not have, or not in this form.
    let changes = legacy
        .changes()
        .iter()
        .filter(|change| change.kind == ChangeKind::Removed);
    let unresolved = legacy
        .unresolved()
        .iter()
        .chain(again.unresolved())
        .map(|unresolved| unresolved.path.as_str());
    let ignored: Vec<&str> = changes
        .filter_map(|change| change.from)
        .chain(unresolved)
        .collect();
    let parse = |body: &[u8]| serde_json::from_slice::<Value>(body).unwrap_or_default();
    let mut found = Vec::new();
    compare(
        &parse(current),
        &parse(again.body().as_bytes()),
        "",
        &ignored,
        &mut found,
    );
    found
}

fn compare(one: &Value, other: &Value, path: &str, ignored: &[&str], found: &mut Vec<String>) {
    if one == other || ignored.contains(&path) {
        return;
    }
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let names = one
                .keys()
                .chain(other.keys().filter(|name| !one.contains_key(*name)));
            for name in names {
                let value = |object: &serde_json::Map<String, Value>| {
                    object.get(name).cloned().unwrap_or_default()
                };
                let path = format!("{path}/{}", name.replace('~', "~0").replace('/', "~1"));
                compare(&value(one), &value(other), &path, ignored, found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}
