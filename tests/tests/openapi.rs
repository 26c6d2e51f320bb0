//! Checks the document of the operation `openapi`: it is valid by the published schema, consistent,
//! and agrees with the engine under the same policy.

#[path = "openapi/answers.rs"]
mod answers;
#[path = "openapi/document.rs"]
mod document;
#[path = "openapi/examples.rs"]
mod examples;
#[path = "openapi/mutations.rs"]
mod mutations;
#[path = "openapi/requests.rs"]
mod requests;

use jsonschema::Validator;
use payspec::Engine;
use payspec_tests::call;
use serde_json::{Value, json};

/// Policies that change every part of the document.
const POLICIES: [&str; 14] = [
    "{}",
    r#"{"invalid_request_status":400,"idempotency":{"window_ms":86400000}}"#,
    r#"{"required":["/merchant_id","/user_name","/pay_in_details/card/card_number","/pay_out_details/phone_number","/system"]}"#,
    r#"{"currencies":["RUB","EUR"],"urls":{"schemes":["https","app+pay.v1"]},"limits":{"amount":{"RUB":{"min":"10","max":"500000"},"EUR":{"min":"0.5"}}}}"#,
    r#"{"currencies":[],"urls":{"schemes":[]},"required":["/callback"]}"#,
    r#"{"severity":{"missing":"warning"}}"#,
    r#"{"severity":{"unsupported_value":"off","expiry_year_range":"off","expiry_month_range":"warning","integer_range":"off"}}"#,
    r#"{"severity":{"text_too_long":"warning","card_number_syntax":"off","phone_number_syntax":"warning","security_code_syntax":"off"}}"#,
    r#"{"severity":{"uri_scheme":"warning","text_empty":"off"}}"#,
    r#"{"severity":{"uri_syntax":"warning","text_control_character":"off"}}"#,
    r#"{"severity":{"uri_scheme":"off","uri_credentials":"off","currency_not_allowed":"warning","text_too_long":"off"},"currencies":["JPY"]}"#,
    r#"{"severity":{"amount_syntax":"off","amount_not_positive":"off","amount_out_of_bounds":"warning","amount_scale":"off","currency_unknown":"off","currency_not_fiat":"off"}}"#,
    r#"{"severity":{"unknown_member":"error","legacy_member":"error","variant_mismatch":"error","expiry_year_two_digits":"error"}}"#,
    r#"{"limits":{"body_bytes":1,"depth":1,"violations":0,"text_chars":1,"description_chars":1,"uri_bytes":1,"time_to_complete_payment":{"min":0,"max":0}}}"#,
];

/// Returns the document under a policy.
fn document(policy: Option<&str>) -> Value {
    serde_json::from_slice(&call::answer(&engine(policy), "openapi", &[]).text)
        .expect("a JSON text")
}

fn engine(policy: Option<&str>) -> Engine {
    call::engine(policy).expect("a policy")
}

/// Returns the schema of a component, which checks formats.
fn schema(document: &Value, name: &str) -> Validator {
    let root = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": format!("#/components/schemas/{name}"),
        "components": document["components"],
    });
    jsonschema::options()
        .should_validate_formats(true)
        .build(&root)
        .expect("a schema")
}

/// Returns the errors of a schema for a value.
fn complaints(schema: &Validator, value: &Value) -> Vec<String> {
    schema
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

/// Calls `each` for every object of the document, with its location.
fn objects<'d>(
    value: &'d Value,
    location: &str,
    each: &mut dyn FnMut(&str, &'d serde_json::Map<String, Value>),
) {
    match value {
        Value::Object(members) => {
            each(location, members);
            for (name, value) in members {
                objects(
                    value,
                    &format!("{location}/{}", name.replace('~', "~0").replace('/', "~1")),
                    each,
                );
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                objects(item, &format!("{location}/{index}"), each);
            }
        }
        _ => {}
    }
}
