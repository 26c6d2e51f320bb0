//! Migrated bodies and advanced payments: the typed value writes the same text as the JSON form returns.

use super::vectors;
use payspec::legacy::MigratedBody;
use payspec::{AdvanceContext, Engine, PaymentType, Report};

#[test]
fn returns_migrated_bodies_equal_to_the_json_form() {
    type Migrate = for<'a> fn(&'a Engine, &'a [u8], &'a [u8]) -> Result<MigratedBody, Report<'a>>;
    let operations: [(&str, Migrate); 3] = [
        ("upgrade_request", |engine, kind, body| {
            let kind = PaymentType::from_name(std::str::from_utf8(kind).unwrap()).unwrap();
            engine.upgrade_request(kind, body)
        }),
        ("upgrade_payment", |engine, body, _| engine.upgrade_payment(body)),
        ("downgrade_payment", |engine, body, _| engine.downgrade_payment(body)),
    ];
    for (operation, migrate) in operations {
        for (vector, engine) in vectors(operation).iter().filter(|(vector, _)| vector.returns == 0) {
            let inputs = vector.arguments(operation);
            let first = inputs[0].unwrap();
            let migrated = migrate(engine, first, inputs.get(1).copied().flatten().unwrap_or_default()).unwrap();
            let mut written = Vec::new();
            migrated.write_json(&mut written);
            assert_eq!(written, vector.call(operation).text, "{}", vector.name);
        }
    }
}

#[test]
fn returns_advanced_payments_equal_to_the_json_form() {
    for (vector, engine) in vectors("advance_payment").iter().filter(|(vector, _)| vector.returns >= 0) {
        let context = AdvanceContext::from_json(vector.arguments("advance_payment")[0].unwrap()).unwrap();
        let mut written = Vec::new();
        engine.advance_payment(&context).unwrap().write_json(&mut written);
        assert_eq!(written, vector.call("advance_payment").text, "{}", vector.name);
    }
}
