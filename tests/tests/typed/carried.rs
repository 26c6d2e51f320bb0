//! Bodies carried over from one interface to the other, and payments moved: the typed value writes what the JSON form answers.

use super::vectors;
use payspec::legacy::Rewritten;
use payspec::{AdvanceContext, Engine, PaymentType, Report};

#[test]
fn a_carried_body_is_written_as_the_json_form_answers() {
    type Carry = for<'a> fn(&'a Engine, &'a [u8], &'a [u8]) -> Result<Rewritten, Report<'a>>;
    let operations: [(&str, Carry); 3] = [
        ("upgrade_request", |engine, kind, body| {
            let kind = PaymentType::from_name(std::str::from_utf8(kind).unwrap()).unwrap();
            engine.upgrade_request(kind, body)
        }),
        ("upgrade_payment", |engine, body, _| engine.upgrade_payment(body)),
        ("downgrade_payment", |engine, body, _| engine.downgrade_payment(body)),
    ];
    for (operation, carry) in operations {
        for (vector, engine) in vectors(operation).iter().filter(|(vector, _)| vector.returns == 0) {
            let inputs = vector.arguments(operation);
            let first = inputs[0].unwrap();
            let carried = carry(engine, first, inputs.get(1).copied().flatten().unwrap_or_default()).unwrap();
            let mut written = Vec::new();
            carried.write_json(&mut written);
            assert_eq!(written, vector.call(operation).text, "{}", vector.name);
        }
    }
}

#[test]
fn a_moved_payment_is_the_one_that_the_json_form_answers() {
    for (vector, engine) in vectors("advance_payment").iter().filter(|(vector, _)| vector.returns >= 0) {
        let context = AdvanceContext::from_json(vector.arguments("advance_payment")[0].unwrap()).unwrap();
        let mut written = Vec::new();
        engine.advance_payment(&context).unwrap().write_json(&mut written);
        assert_eq!(written, vector.call("advance_payment").text, "{}", vector.name);
    }
}
