//! Checks that the examples are valid by the document that contains them.

use super::{POLICIES, complaints, document, engine, objects, schema};
use payspec::Timestamp;
use serde_json::Value;
use std::collections::BTreeMap;

/// Returns each example with the component of its schema.
fn examples(document: &Value) -> BTreeMap<String, (String, Value)> {
    let mut found = BTreeMap::new();
    objects(document, "", &mut |location, members| {
        let component = || {
            members.get("schema")?["$ref"]
                .as_str()?
                .strip_prefix("#/components/schemas/")
        };
        if let (Some(component), Some(Value::Object(examples))) =
            (component(), members.get("examples"))
        {
            for (name, example) in examples {
                assert!(example["summary"].is_string(), "{location} {name}");
                found.insert(
                    format!("{location} {name}"),
                    (component.to_owned(), example["value"].clone()),
                );
            }
        }
    });
    found
}

#[test]
fn examples_match_their_schema_under_every_policy() {
    for policy in POLICIES {
        let document = document(Some(policy));
        for (location, (component, value)) in examples(&document) {
            assert_eq!(
                complaints(&schema(&document, &component), &value),
                [""; 0],
                "{location} under {policy}"
            );
        }
    }
}

#[test]
fn contains_the_example_bodies_as_valid_requests() {
    let now: Timestamp = "2026-11-20T10:15:30Z".parse().expect("a timestamp");
    for policy in POLICIES {
        let document = document(Some(policy));
        let engine = engine(Some(policy));
        for (location, (component, value)) in examples(&document) {
            if component != "PaymentCreateRequest" {
                continue;
            }
            let name = location.rsplit(' ').next().expect("a name");
            let path = payspec_tests::root().join(format!("examples/bodies/{name}.json"));
            let file: Value =
                serde_json::from_slice(&std::fs::read(&path).expect(name)).expect(name);
            assert_eq!(value, file, "{name}");
            assert!(
                engine
                    .validate_request(value.to_string().as_bytes(), Some(now))
                    .is_valid(),
                "{name} under {policy}"
            );
        }
    }
}

#[test]
fn contains_every_kind_of_body_by_default() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let document = document(None);
    for (component, _) in examples(&document).into_values() {
        *counts.entry(component).or_default() += 1;
    }
    let expected = [
        ("Balance", 1),
        ("PaymentCreateRequest", 6),
        ("Payment", 8),
        ("Problem", 16),
    ];
    assert_eq!(
        counts,
        expected
            .map(|(name, count)| (name.to_owned(), count))
            .into()
    );
}
